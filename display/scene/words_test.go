package scene

import (
	"strings"
	"testing"

	"shoeboard/assets"
)

func TestEveryCatalogueIsWholeAndCanBeShown(t *testing.T) {
	fonts := testFonts(t)
	cats := catalogues(t)
	if len(cats) != len(assets.Langs()) {
		t.Errorf("%d catalogues read", len(cats))
	}
	for l, c := range cats {
		for key, text := range c.text {
			if m := fonts.Missing(text); m != nil {
				t.Errorf("%s: %s: no glyph for %q", l, keyNames[key], m)
			}
			if got, want := fillings(text), fillings(cats[English].Get(Key(key))); got != want {
				t.Errorf("%s: %s fills in %q, English %q", l, keyNames[key], got, want)
			}
		}
		if clock := c.Get(Clock); clock != "12" && clock != "24" {
			t.Errorf("%s: clock %q is neither 12 nor 24 hours", l, clock)
		}
		if !strings.Contains(c.Get(PlayerDealer), "player-dealer") {
			t.Errorf("%s: player_dealer %q has lost its English name", l, c.Get(PlayerDealer))
		}
	}
}

// fillings are the names in braces in a text, in alphabetical order.
func fillings(text string) string {
	var out []string
	for _, name := range []string{"{a}", "{b}", "{m}", "{n}", "{name}"} {
		if strings.Contains(text, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func TestEveryKeyHasAName(t *testing.T) {
	seen := map[string]bool{}
	for key, name := range keyNames {
		if name == "" || seen[name] {
			t.Errorf("key %d is called %q", key, name)
		}
		seen[name] = true
	}
}

func TestCataloguesAreReadStrictly(t *testing.T) {
	whole := string(assets.Langs()[0].Data)
	for _, c := range []struct{ name, text, want string }{
		{"a key is missing", strings.Replace(whole, "saving = ", "# saving = ", 1), "lang/en.toml:1:1: saving: is missing"},
		{"a key is unknown", whole + "place_bet = \"x\"\n", `place_bet = "x": is not a text of the board; did you mean place_bets?`},
		{"a key is far from all", whole + "zzzzzzzzzzzz = \"x\"\n", `zzzzzzzzzzzz = "x": is not a text of the board`},
		{"a text is empty", strings.Replace(whole, `saving = "SAVING"`, `saving = ""`, 1), `saving = "": expected a text that is not empty`},
		{"a text is a number", strings.Replace(whole, `clock = "12"`, `clock = 12`, 1), "clock = 12: expected a text in quotes"},
		{"a key stands twice", whole + "saving = \"x\"\n", "is given a second time"},
	} {
		_, err := ReadCatalogue(assets.Lang{Code: "en", File: "lang/en.toml", Data: []byte(c.text)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestPaysAreWordedInTheFirstLanguage(t *testing.T) {
	cats := catalogues(t)
	for _, c := range []struct {
		lang Lang
		pays string
		want string
	}{
		{English, "40 TO 1", "PAYS 40 TO 1"},
		{English, "12 to 1 / 20 to 1", "PAYS 12 TO 1 / 20 TO 1"},
		{Traditional, "40 TO 1", "1賠40"},
		{Korean, "3 TO 2", "3 대 2 지급"},
		{Spanish, "EVEN", "EVEN"},
	} {
		if got := (words{first: cats[c.lang]}).odds(Pays, c.pays); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.lang, c.pays, got, c.want)
		}
	}
}

func TestLabelsFallBackToEnglishAndDoNotRepeat(t *testing.T) {
	cats := catalogues(t)
	w := words{cats[English], cats[Traditional]}
	if got := w.label(map[string]string{"en": "Ox 6", "zh-Hant": "牛6"}); got != (phrase{"OX 6", "牛6"}) {
		t.Errorf("got %v", got)
	}
	if got := w.label(map[string]string{"en": "Kill"}); got != (phrase{"KILL", ""}) {
		t.Errorf("without a Chinese label: got %v", got)
	}
	if got := (words{cats[Tagalog], cats[English]}).say(PlayerWord); got.second != "" {
		t.Errorf("the same word in both languages is said twice: %v", got)
	}
}

// englishOnPurpose are the texts that another language leaves in English, or spells
// alike: names that players at these tables use in English, and signs. A text that
// is not here and reads as in English has been forgotten.
var englishOnPurpose = map[Lang]string{
	Vietnamese: "BEAD PLATE|BIG ROAD|BIG EYE BOY|SMALL ROAD|COCKROACH|OVERSCAN",
	Korean:     "player-dealer",
	Spanish:    "12|NATURAL|NAT|BIG EYE BOY|NATURAL {n}|player-dealer|OVERSCAN|Panda 8",
	Tagalog: "12|am|pm|PLAYER|BANKER|P|B|T|NATURAL|NAT|BEAD PLATE|BIG ROAD|BIG EYE BOY|SMALL ROAD|COCKROACH|NATURAL {n}|player-dealer|OVERSCAN|" +
		"Dragon 7|Panda 8|Ox 6|Tiger 7|Kill",
}

// Every text of the catalogues and every bet of the built-in packs has its words in
// every language, or stays in English on purpose; and nothing is on that list that
// has a translation by now.
func TestEveryLabelIsInEveryLanguage(t *testing.T) {
	cats := catalogues(t)
	for code, c := range cats {
		left := map[string]bool{}
		for _, text := range strings.Split(englishOnPurpose[code], "|") {
			left[text] = true
		}
		used := map[string]bool{"": true}
		check := func(what, text, english string) {
			switch {
			case text == "":
				t.Errorf("%s: %s has no label", code, what)
			case code == English || text != english && !left[text]:
			case !left[text]:
				t.Errorf("%s: %s = %q is English still", code, what, text)
			}
			used[text] = true
		}
		for key, name := range keyNames {
			check(name, c.text[key], cats[English].text[key])
		}
		for _, id := range assets.PackIDs() {
			for _, bet := range packOf(id).Bets {
				check(id+" "+bet.ID, bet.Labels[string(code)], bet.Labels[string(English)])
			}
		}
		for text := range left {
			if !used[text] {
				t.Errorf("%s: %q is to stay in English, but stands nowhere", code, text)
			}
		}
	}
}

// A long English name gives way to the pack's short one, a label of the board's own
// language that is short enough does not.
func TestKillIsNamedInTheBoardsLanguage(t *testing.T) {
	cats := catalogues(t)
	for code, want := range map[Lang]string{English: "KILL", Traditional: "殺牛虎", Simplified: "杀牛虎",
		Vietnamese: "GIẾT", Korean: "킬", Spanish: "MATAR", Tagalog: "KILL"} {
		v := reference(t)
		v.First, v.Second = cats[code], nil
		s := specimen(t, "result-kill")
		if got := said(Build(&s.Board, s.Look(v)), "bar."); !strings.HasPrefix(got, want) {
			t.Errorf("%s: the bar says %q, want %q", code, got, want)
		}
		s = specimen(t, "dai-betting")
		if got := said(Build(&s.Board, s.Look(v)), "results.label"); !strings.Contains(got, want) {
			t.Errorf("%s: the results say %q, want %q", code, got, want)
		}
	}
}

func TestEveryBetOfTheBuiltInPacksSaysWhenItWins(t *testing.T) {
	for _, b := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		for _, bet := range packOf(b).Bets {
			if _, ok := winsOf[bet.ID]; !ok {
				t.Errorf("%s: no text says when %s wins", b, bet.ID)
			}
		}
	}
}

// Any file is read or refused; what is read has every text.
func FuzzReadCatalogue(f *testing.F) {
	for _, l := range assets.Langs() {
		f.Add(l.Data)
	}
	f.Add([]byte("language = 1\nplace_bet = \"x\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadCatalogue(assets.Lang{Code: "en", File: "x.toml", Data: data})
		if err != nil {
			return
		}
		for key, text := range c.text {
			if text == "" {
				t.Errorf("%s is empty", keyNames[key])
			}
		}
	})
}
