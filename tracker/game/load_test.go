package game

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"shoeboard/tracker/strict"
)

// changed is the EZ pack with a part of its text replaced.
func changed(t testing.TB, old, text string) []byte {
	t.Helper()
	data, err := os.ReadFile("../../assets/packs/ez-baccarat-panda-8.toml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("the pack does not have %q", old)
	}
	return []byte(strings.Replace(string(data), old, text, 1))
}

// lineOf is the line, from 1, on which text first stands.
func lineOf(data []byte, text string) int {
	before, _, _ := strings.Cut(string(data), text)
	return strings.Count(before, "\n") + 1
}

func TestAPackThatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	dragon := "banker.wins and banker.cards == 3 and banker.total == 7\", pays"
	for _, c := range []struct{ old, text, want string }{
		{`id = "ez-baccarat-panda-8"`, `id = "EZ"`, `id = "EZ": expected lower-case letters, digits and hyphens`},
		{`name = `, `nam = `, `nam = "EZ Baccarat Panda 8": no such key; did you mean "name"?`},
		{`highlight = "Panda 8"`, `highlight = "Dragon"`, `highlight = "Dragon": expected a part of the name`},
		{`approval = "GEGR-001174"`, ``, `approval: is missing, expected the number of the approval`},
		{`max = 8`, `max = 2`, `decks.max = 2: expected a number from decks.min to 16`},
		{`default = 8`, `default = 9`, `decks.default = 9: expected a number from decks.min to decks.max`},
		{`seats = [7, 13]`, `seats = [7, 0]`, `seats[2] = 0: expected a number from 1 to 20`},
		{`hands_after_cut = 1`, `hands_after_cut = 10`, `hands_after_cut = 10: expected a number from 0 to 9`},
		{`"second-banker-card"`, `"first"`, `action_button = "first": expected "second-banker-card", "left-of-player-dealer" or "none"`},
		{`"tie", "dragon-7", "panda-8"]`, `"tie", "dragon-7"]`, `settlement = ["player", "banker", "tie", "dragon-7"]: expected "player", "banker" and the id of every bet, each once`},
		{`"tie", "dragon-7", "panda-8"]`, `"tie", "tie", "panda-8"]`, `settlement[4] = "tie": expected "player", "banker" or the id of a bet, each once`},
		{`player = "1"`, `player = "push"`, `base.player = "push": expected what Player pays to 1, such as "1"`},
		{`player             = "HHHHHHSSSS"`, `player = "HHHHHHSSS"`, `drawing.player = "HHHHHHSSS": has 9 letters, expected ten for 0 to 9: H draws, S stands, ? may choose`},
		{`player             = "HHHHHHSSSS"`, `player = "HHHHHHSSSX"`, `drawing.player = "HHHHHHSSSX": has 'X' for 9, expected H (draws), S (stands) or ? (may choose)`},
		{`player             = "HHHHHHSSSS"`, `player = "HHHHHHSSSH"`, `drawing.player = "HHHHHHSSSH": expected S for 8 and 9: a natural stands`},
		{`  "SSSSSSSSSS",            # 7`, ``, `drawing.banker_after_draw = [ # Player's third card 0 to 9 "HHHHHHHHHH", # Banker 0 "...: expected a list of exactly 8`},
		{`natural_stops = true`, ``, `drawing.natural_stops: is missing, expected a part of the drawing table`},
		{`side = "banker"`, `side = "both"`, `push[1].side = "both": expected "player" or "banker"`},
		{`offer_every_hands = 2`, `offer_every_hands = -1`, `rotation.offer_every_hands = -1: expected a number of hands from 0 (no such rule) to 100`},
		{`id = "tie"`, `id = "player-pair"`, `bet[1].id = "player-pair": expected lower-case letters, digits and hyphens, not the name of something else`},
		{`id = "panda-8"`, `id = "tie"`, `bet[3].id = "tie": expected lower-case letters, digits and hyphens, not the name of something else`},
		{`short = "D7"`, `short = "DRAGON"`, `bet[2].short = "DRAGON": expected a short label of 1 to 4 characters`},
		{`zh-Hant = "龍7"`, `zh-TW = "龍7"`, `bet[2].labels.zh-TW = "龍7": expected one of the languages en, zh-Hant, zh-Hans, vi, ko, es, tl`},
		{`en = "Dragon 7", `, ``, `bet[2].labels.en: is missing, expected the name in English`},
		{`needs = ["player", "banker"]`, `needs = ["player", "dragon-7"]`, `bet[2].needs[2] = "dragon-7": expected "player", "banker" or the id of another bet`},
		{`back_line = false`, ``, `bet[1].back_line: is missing, expected true or false`},
		{`mark = "gold"`, `mark = "golden"`, `bet[2].mark = "golden": expected "gold", "white" or "kill"`},
		{`win = [{ when = "tie", pays = "8" }]`, `win = []`, `bet[1].win = []: expected what it wins on, such as [{ when = "tie", pays = "8" }]`},
		{`, pays = "8"`, ``, `bet[1].win[1].pays: is missing, expected what is paid to 1, such as "40" or "3/2", or "push"`},
		{`pays = "8"`, `pays = 8`, `bet[1].win[1].pays = 8: expected a text in quotes`},
		{`pays = "8"`, `pays = "8:1"`, `bet[1].win[1].pays = "8:1": expected what is paid to 1, such as "40" or "3/2", or "push"`},
		{`when = "tie"`, `when = "ties"`, `bet[1].win[1].when = "ties": found "ties", expected a fact such as banker.wins or a comparison such as banker.total == 7 (did you mean tie?)`},
		{dragon, `banker.wins and banker.cards == 3 and banker.total == 0", pays`, `bet[2].win[1].when = "banker.wins and banker.cards == 3 and banker.total == 0": expected something that can come; no hand comes to this, or an earlier line takes it`},
		{`when = "tie"`, `when = "tie or not tie"`, `bet[1].win[1].when = "tie or not tie": expected something that need not come; every hand comes to this`},
		{`pays = "8" }]`, `pays = "8" }, { when = "tie and cards == 4", pays = "9" }]`, `bet[1].win[2].when = "tie and cards == 4": expected something that can come; no hand comes to this, or an earlier line takes it`},
		{`pays = "8" }]`, `pays = "push" }]`, `bet[1].win = [{ when = "tie", pays = "push" }]: expected something that can come; no hand comes to this, or an earlier line takes it`},
	} {
		data := changed(t, c.old, c.text)
		_, err := Load("ez.toml", data)
		var errs strict.Errors
		if !errors.As(err, &errs) {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
			continue
		}
		told := slices.IndexFunc(errs, func(e strict.Error) bool { return strings.HasSuffix(e.Error(), ": "+c.want) })
		if told < 0 {
			t.Errorf("%s\n got %s\nwant %s", c.text, err, c.want)
			continue
		}
		if line := lineOf(changed(t, c.old, c.old), c.old); c.text != "" && (errs[told].Line < line || errs[told].Line > line+1) {
			t.Errorf("%s: told for line %d, stands on %d", c.text, errs[told].Line, line)
		}
	}
}

func TestEverythingWrongInAPackIsToldAtOnce(t *testing.T) {
	_, err := Load("empty.toml", nil)
	var errs strict.Errors
	if !errors.As(err, &errs) || len(errs) < 15 {
		t.Fatalf("an empty pack has %d errors: %v", len(errs), err)
	}
	for _, want := range []string{"empty.toml:1:1: id: is missing", "drawing.natural_stops: is missing", "base.back_line: is missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the errors lack %q:\n%v", want, err)
		}
	}
}

func TestAVenueCanSwitchThePushOff(t *testing.T) {
	p, err := Load("ez.toml", changed(t, "on = true", "on = false"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Pushes) != 1 || p.Pushes[0].On {
		t.Errorf("it pushes all the same: %+v", p.Pushes)
	}
	if p.Digest == builtIn(t, "ez-baccarat-panda-8").Digest {
		t.Error("the changed pack has the digest of the old")
	}
}

func TestWithoutNaturalsStoppingOtherHandsCanCome(t *testing.T) {
	p, err := Load("ez.toml", changed(t, "natural_stops = true", "natural_stops = false"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.FromTotals(7, 3, 9, 2) // Player draws against a natural
	if err != nil || !r.BankerNatural || r.Outcome != Banker {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := p.FromCards(cards(t, "2 3 9"), cards(t, "K 8")); err != nil || r.Outcome != Banker {
		t.Errorf("%+v, %v", r, err)
	}
	if err := p.Check(keyed(p, Player, "P", "panda-8")); err == nil {
		t.Error("a side has a natural and three cards")
	}
	if err := p.Check(keyed(p, Player, "B", "panda-8")); err == nil {
		t.Error("an 8 on three cards beats a natural 8")
	}
}

// free is a pack in which Player may choose on 5, with bets on several lines.
func free(t testing.TB) *Pack {
	t.Helper()
	data := changed(t, `player             = "HHHHHHSSSS"`, `player = "HHHHH?SSSS"`)
	data = append(data, `
[[bet]]
id = "heavenly-9"
short = "H9"
labels = { en = "Heavenly 9" }
back_line = true
win = [
  { when = "player.cards == 3 and player.total == 9 and banker.cards == 3 and banker.total == 9", pays = "75" },
  { when = "player.cards == 3 and player.total == 9 or banker.cards == 3 and banker.total == 9", pays = "10" },
]

[[bet]]
id = "dragon-bonus"
short = "DB"
labels = { en = "Dragon Bonus" }
back_line = true
win = [
  { when = "player.wins and player.natural", pays = "1" },
  { when = "tie and player.natural", pays = "push" },
  { when = "player.wins and margin == 9", pays = "30" },
  { when = "player.wins and margin == 4", pays = "1" },
]

[[bet]]
id = "pair"
short = "PP"
labels = { en = "Player Pair" }
back_line = true
win = [{ when = "player.pair", pays = "11" }]
`...)
	data = []byte(strings.Replace(string(data), `"panda-8"]`, `"panda-8", "heavenly-9", "dragon-bonus", "pair"]`, 1))
	p, err := Load("free.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWherePlayerMayChooseBothAreAllowed(t *testing.T) {
	p := free(t)
	for _, c := range [][2]string{{"2 3", "K 7"}, {"2 3 9", "K 7"}} {
		if _, err := p.FromCards(cards(t, c[0]), cards(t, c[1])); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
	if _, err := p.FromTotals(5, 2, 7, 2); err != nil {
		t.Error(err)
	}
	if _, err := p.FromTotals(4, 2, 7, 2); err == nil {
		t.Error("Player may stand on 4")
	}
}

func TestPaysOfBetsWithSeveralLines(t *testing.T) {
	p := free(t)
	heavenly, _, _ := p.Bet("heavenly-9")
	dragon, _, _ := p.Bet("dragon-bonus")
	for _, c := range []struct {
		name string
		bet  Bet
		h    [4]uint8
		want string
	}{
		{"both sides", heavenly, [4]uint8{9, 3, 9, 3}, "75 to 1"},
		{"one side", heavenly, [4]uint8{9, 3, 3, 3}, "10 to 1"},
		{"lost", heavenly, [4]uint8{6, 2, 7, 2}, ""},
		{"by nine", dragon, [4]uint8{9, 3, 0, 3}, "30 to 1"},
		{"a natural", dragon, [4]uint8{9, 2, 0, 2}, "1 to 1"},
		{"a natural tie pushes, which is no win", dragon, [4]uint8{9, 2, 9, 2}, "push"},
	} {
		h := Hand{PlayerTotal: c.h[0], PlayerCards: c.h[1], BankerTotal: c.h[2], BankerCards: c.h[3]}
		got := ""
		if i := c.bet.Line(h); i >= 0 {
			got = c.bet.Lines[i].Pays.String()
		}
		if got != c.want || c.bet.Wins(h) != (c.want != "" && c.want != "push") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPairsThatAreKeyedWinTheirBets(t *testing.T) {
	p := free(t)
	r := p.Complete(keyed(p, Banker, "p"))
	if got := ids(p, r.Bets); !slices.Equal(got, []string{"pair"}) || !p.Possible(r) {
		t.Errorf("a pair wins %v", got)
	}
	if err := p.Check(keyed(p, Banker, "", "pair")); err == nil || err.Error() != "Player Pair and no Player pair cannot be in one hand" {
		t.Errorf("the bet without the pair: %v", err)
	}
}

func TestLabelsFallBackToEnglish(t *testing.T) {
	b, _, _ := builtIn(t, "dai-bacc").Bet("kill")
	if b.Label("zh-Hant") != "殺牛虎" || b.Label("vi") != "Giết" || b.Label("xx") != "Kill the Ox/Tiger" {
		t.Errorf("the labels are %v", b.Labels)
	}
}

// FuzzLoad holds that no bytes make the loader panic, that a refusal has a
// place, and that a pack that loads can be used.
func FuzzLoad(f *testing.F) {
	for _, id := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		data, err := os.ReadFile("../../assets/packs/" + id + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Load("f", data)
		var errs strict.Errors
		if err != nil {
			if !errors.As(err, &errs) || p != nil {
				t.Errorf("the error is %T, the pack %v", err, p)
			}
			return
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
