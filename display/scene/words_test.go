package scene

import (
	"strings"
	"testing"

	"shoeboard/assets"
)

func TestEveryCatalogueIsWholeAndCanBeShown(t *testing.T) {
	fonts := testFonts(t)
	cats, err := Catalogues()
	if err != nil {
		t.Fatal(err)
	}
	if len(cats) != len(assets.Langs()) {
		t.Errorf("%d catalogues read", len(cats))
	}
	for l, c := range cats {
		for key, text := range c.All() {
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
	cats, err := Catalogues()
	if err != nil {
		t.Fatal(err)
	}
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
	cats, err := Catalogues()
	if err != nil {
		t.Fatal(err)
	}
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
		for key, text := range c.All() {
			if text == "" {
				t.Errorf("%s is empty", keyNames[key])
			}
		}
	})
}
