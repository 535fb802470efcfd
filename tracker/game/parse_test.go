package game

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A recorded pack is what it was when it was installed. Each of these Load refuses today;
// a program that refuses more tomorrow must read it all the same.
func TestAPackThatTodaysChecksRefuseIsReadFromARecord(t *testing.T) {
	dragon := "banker.wins and banker.cards == 3 and banker.total == 7\", pays"
	for _, c := range []struct{ old, text string }{
		{`id = "ez-baccarat-panda-8"`, `id = "EZ"`},
		{`name = "EZ Baccarat Panda 8"`, ``},
		{`highlight = "Panda 8"`, `highlight = "Dragon"`},
		{`approval = "GEGR-001174"`, ``},
		{`decks = { min = 3, max = 8, default = 8 }`, `decks = { min = 0, max = 99, default = 100 }`},
		{`seats = [7, 13]`, `seats = []`},
		{`hands_after_cut = 1`, `hands_after_cut = 10`},
		{`hands_after_cut = 1`, ``},
		{`"second-banker-card"`, `"first"`},
		{`"tie", "dragon-7", "panda-8"]`, `"tie", "tie"]`},
		{`player = "1"`, `player = "push"`},
		{`back_line = true`, ``},
		{`player             = "HHHHHHSSSS"`, `player = "HHHHHHSSHH"`},
		{`natural_stops = true`, ``},
		{`source = "GEGR-001174 as quoted does not say it; GEGR-002117 and other EZ Baccarat rules do"`, ``},
		{`offer_every_hands = 2`, `offer_every_hands = -1`},
		{`id = "dragon-7"`, `id = "Dragon"`},
		{`short = "D7"`, `short = "DRAGON SEVEN"`},
		{`labels = { en = "Dragon 7",`, `labels = { xx = "Dragon 7",`},
		{`needs = ["player", "banker"]`, `needs = ["nothing"]`},
		{`mark = "gold"`, `mark = "golden"`},
		{dragon, `banker.wins and banker.cards == 3 and banker.total == 0", pays`},
		{`when = "tie"`, `when = "tie or not tie"`},
		{`when = "tie"`, `when = "tie and cards >= 4"`},
		{`win = [{ when = "tie", pays = "8" }]`, `win = []`},
	} {
		data := changed(t, c.old, c.text)
		if _, err := Load("ez.toml", data); err == nil {
			t.Errorf("%s: is allowed today, and shows nothing", c.text)
		}
		p, err := Parse(data)
		if err != nil || len(p.Unknown) > 0 || len(p.Bets) != 3 || string(p.Source) != string(data) {
			t.Errorf("%s: %v, %+v", c.text, err, p)
			continue
		}
		for _, o := range []Outcome{Player, Banker, Tie} {
			if r := p.Complete(Result{Outcome: o}); r.Outcome != o {
				t.Errorf("%s: %v completes to %v", c.text, o, r)
			}
		}
	}
}

func TestAPackOfTodayIsTheSameFromARecord(t *testing.T) {
	for _, id := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		data, err := os.ReadFile("../../assets/packs/" + id + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		want := builtIn(t, id)
		a, b := p.book.entries, want.book.entries
		if p.Digest != want.Digest || len(p.Unknown) > 0 || !slices.Equal(a, b) || !reflect.DeepEqual(p.Drawing, want.Drawing) || len(p.Bets) != len(want.Bets) {
			t.Errorf("%s from a record is %+v", id, p)
		}
	}
}

// An older program reads the pack of a newer one: what it does not understand is left out
// and named, and nothing else is computed in its place.
func TestWhatANewerProgramPutIntoAPackIsLeftOut(t *testing.T) {
	const tie, dragon, panda = "tie", "dragon-7", "panda-8"
	push := "[[push]]\nside = \"banker\"\nwhen"
	for _, c := range []struct {
		name, old, text string
		unknown         string   // places, joined
		bets            []string // that are left
		pushes          int
	}{
		{"what may be passed over", `highlight =`, "aside = { colour = \"red\", deep = { er = [1] } }\nhighlight =", "", []string{tie, dragon, panda}, 1},
		{"a fact in a condition", `when = "tie"`, `when = "tie and player.flush"`, "bet[1].win[1].when", []string{dragon, panda}, 1},
		{"a key of a bet", `short = "D7"`, "short = \"D7\"\ncap = 3", "bet[2].cap", []string{tie, panda}, 1},
		{"a key of a line", `pays = "25" }`, `pays = "25", from_hand = 3 }`, "bet[3].win[1].from_hand", []string{tie, dragon}, 1},
		{"another form of pay", `pays = "40"`, `pays = ["40", "50"]`, "bet[2].win[1].pays", []string{tie, panda}, 1},
		{"two of a bet", `short = "D7"`, "short = 7\nnew = 1", "bet[2].short bet[2].new", []string{tie, panda}, 1},
		{"two bets", `back_line = true` + "\nmark", "back_line = \"both\"\nmark", "bet[2].back_line", []string{tie, panda}, 1},
		{"a condition of a push", push + ` = "banker.wins`, push + ` = "banker.glows`, "push[1].when", []string{tie, dragon, panda}, 0},
		{"the side of a push", `side = "banker"`, `side = "both"`, `push.side = "both"`, []string{tie, dragon, panda}, 0},
		{"a key of the game", `pair_marks = false`, "pair_marks = false\nsuper_six = true", "super_six", nil, 1},
		{"a table of the game", `[rotation]`, "[jackpot]\nseed = 5\n\n[rotation]", "jackpot", nil, 1},
		{"a key of the base bets", `[base]`, "[base]\ncommission = \"5 %\"", "base.commission", nil, 1},
		{"a rule for a third card", `player             = "HHHHHHSSSS"`, `player = "HHHHHZSSSS"`, "drawing.player", nil, 1},
		{"a key of the drawing table", `natural_stops = true`, "natural_stops = true\nfourth_card = true", "drawing.fourth_card", nil, 1},
	} {
		data := changed(t, c.old, c.text)
		p, err := Parse(data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var left []string
		for _, b := range p.Bets {
			left = append(left, b.ID)
		}
		if got := strings.Join(p.Unknown, " "); got != c.unknown || !slices.Equal(left, c.bets) || len(p.Pushes) != c.pushes || string(p.Source) != string(data) {
			t.Errorf("%s: unknown %q, bets %v, %d pushes", c.name, got, left, len(p.Pushes))
		}
		if len(p.Bets) == 0 { // nothing says which hands there are not
			if r, err := p.FromTotals(5, 2, 7, 3); err != nil || r.Outcome != Banker || p.Check(r) != nil {
				t.Errorf("%s: Banker 7 on 5 is %v, %v", c.name, r, err)
			}
		}
	}
}

// Authors are held to their keys, but for the table that any program passes over.
func TestAnAuthorMayWriteAsides(t *testing.T) {
	if _, err := Load("ez.toml", changed(t, `highlight =`, "aside = { colour = \"red\" }\nhighlight =")); err != nil {
		t.Error(err)
	}
	if _, err := Load("ez.toml", changed(t, `highlight =`, "colour = \"red\"\nhighlight =")); err == nil {
		t.Error("a key that is not known is allowed")
	}
}

func TestAPackOfWhichNothingIsKnownIsAnError(t *testing.T) {
	for name, data := range map[string][]byte{
		"no TOML":               []byte("id = "),
		"a key twice":           []byte("id = \"a\"\nid = \"b\""),
		"a number for the name": changed(t, `name = "EZ Baccarat Panda 8"`, `name = 8`),
		"a count as a text":     changed(t, `hands_after_cut = 1`, `hands_after_cut = "two"`),
	} {
		if p, err := Parse(data); err == nil || !strings.HasPrefix(err.Error(), "the pack cannot be read: ") {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestMoreBetsThanASetHoldsAreLeftOut(t *testing.T) {
	data := changed(t, "", "")
	for i := range 40 {
		data = append(data, []byte("\n[[bet]]\nid = \"x-"+strings.Repeat("i", i+1)+"\"\nwin = [{ when = \"tie\", pays = \"1\" }]\n")...)
	}
	p, err := Parse(data)
	if err != nil || len(p.Bets) != 32 || len(p.Unknown) != 11 || p.Unknown[0] != "bet[43]" {
		t.Errorf("%v: %d bets, unknown %v", err, len(p.Bets), p.Unknown)
	}
}

// FuzzParse holds that no bytes make the reader panic, that a place is bounded, and that
// what is read can be asked everything.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("../../assets/packs/dai-bacc.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(strings.Replace(string(data), `mark = "kill"`, `glow = "kill"`, 1)))
	f.Add([]byte("bet = [[]]\npush = 1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		if err != nil {
			return
		}
		for _, place := range p.Unknown {
			if len(place) > mostPlace {
				t.Errorf("%q is told of", place)
			}
		}
		for i := range p.Bets {
			p.Implied(i)
		}
		for _, o := range []Outcome{Player, Banker, Tie} {
			if r := p.Complete(Result{Outcome: o}); p.Check(r) == nil != p.Possible(r) {
				t.Errorf("%v is possible and is not", r)
			}
		}
	})
}
