package scene

import (
	"os"
	"path/filepath"
	"regexp"
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
				t.Errorf("%s: %s: no glyph for %q", l, key, m)
			}
			if got, want := fillings(text), fillings(cats[english].get(key)); got != want {
				t.Errorf("%s: %s fills in %q, English %q", l, key, got, want)
			}
		}
		if clock := c.get("clock"); clock != "12" && clock != "24" {
			t.Errorf("%s: clock %q is neither 12 nor 24 hours", l, clock)
		}
		if !strings.Contains(c.get("player_dealer"), "player-dealer") {
			t.Errorf("%s: player_dealer %q has lost its English name", l, c.get("player_dealer"))
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

// Every key that the source names is one of the catalogues': a text that is not there
// would be shown as its key.
func TestEveryKeyInTheSourceHasItsText(t *testing.T) {
	c := catalogues(t)[english]
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	source := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source += string(text)
	}
	for _, found := range regexp.MustCompile(`(?:say|get|odds)\("(\w+)"`).FindAllStringSubmatch(source, -1) {
		if c.text[found[1]] == "" {
			t.Errorf("%s is not a text of the board", found[1])
		}
	}
	for _, key := range c.keys {
		if !strings.Contains(source, `"`+key+`"`) && key != "bead_plate" && key != "big_road" { // only on the page of labels
			t.Errorf("%s is never shown", key)
		}
	}
	for _, texts := range []map[string]string{winsOf, reasonOf} {
		for _, key := range texts {
			if c.text[key] == "" {
				t.Errorf("%s is not a text of the board", key)
			}
		}
	}
}

func TestCataloguesAreReadStrictly(t *testing.T) {
	keys, whole := catalogues(t)[english].keys, string(assets.Langs()[0].Data)
	for _, c := range []struct{ name, text, want string }{
		{"a key is missing", strings.Replace(whole, "saving = ", "# saving = ", 1), "lang/en.toml:1:1: saving: is missing"},
		{"a key is unknown", whole + "place_bet = \"x\"\n", `place_bet = "x": is not a text of the board; did you mean place_bets?`},
		{"a key is far from all", whole + "zzzzzzzzzzzz = \"x\"\n", `zzzzzzzzzzzz = "x": is not a text of the board`},
		{"a text is empty", strings.Replace(whole, `saving = "SAVING"`, `saving = ""`, 1), `saving = "": expected a text that is not empty`},
		{"a text is a number", strings.Replace(whole, `clock = "12"`, `clock = 12`, 1), "clock = 12: expected a text in quotes"},
		{"a key stands twice", whole + "saving = \"x\"\n", "already defined"},
	} {
		_, err := readCatalogue(assets.Lang{Code: "en", File: "lang/en.toml", Data: []byte(c.text)}, keys)
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
		{english, "40 TO 1", "PAYS 40 TO 1"},
		{english, "12 to 1 / 20 to 1", "PAYS 12 TO 1 / 20 TO 1"},
		{traditional, "40 TO 1", "1賠40"},
		{korean, "3 TO 2", "3 대 2 지급"},
		{"es", "EVEN", "EVEN"},
	} {
		if got := (words{first: cats[c.lang]}).odds("pays", c.pays); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.lang, c.pays, got, c.want)
		}
	}
}

func TestLabelsFallBackToEnglishAndDoNotRepeat(t *testing.T) {
	cats := catalogues(t)
	w := words{cats[english], cats[traditional]}
	if got := w.label(map[string]string{"en": "Ox 6", "zh-Hant": "牛6"}); got != (phrase{"OX 6", "牛6"}) {
		t.Errorf("got %v", got)
	}
	if got := w.label(map[string]string{"en": "Kill"}); got != (phrase{"KILL", ""}) {
		t.Errorf("without a Chinese label: got %v", got)
	}
	if got := (words{cats["tl"], cats[english]}).say("player"); got.second != "" {
		t.Errorf("the same word in both languages is said twice: %v", got)
	}
}

// englishOnPurpose are the texts that another language leaves in English, or spells
// alike: names that players at these tables use in English, and signs. A text that
// is not here and reads as in English has been forgotten.
var englishOnPurpose = map[Lang]string{
	"vi":   "BEAD PLATE|BIG ROAD|BIG EYE BOY|SMALL ROAD|COCKROACH|OVERSCAN",
	korean: "player-dealer",
	"es":   "12|NATURAL|NAT|BIG EYE BOY|NATURAL {n}|player-dealer|OVERSCAN|Panda 8",
	"tl": "12|am|pm|PLAYER|BANKER|P|B|T|NATURAL|NAT|BEAD PLATE|BIG ROAD|BIG EYE BOY|SMALL ROAD|COCKROACH|NATURAL {n}|player-dealer|OVERSCAN|" +
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
		check := func(what, text, inEnglish string) {
			switch {
			case text == "":
				t.Errorf("%s: %s has no label", code, what)
			case code == english || text != inEnglish && !left[text]:
			case !left[text]:
				t.Errorf("%s: %s = %q is English still", code, what, text)
			}
			used[text] = true
		}
		for _, key := range c.keys {
			check(key, c.text[key], cats[english].text[key])
		}
		for _, id := range assets.PackIDs() {
			for _, bet := range packOf(t, id).Bets {
				check(id+" "+bet.ID, bet.Labels[string(code)], bet.Labels[string(english)])
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
	for code, want := range map[Lang]string{english: "KILL", traditional: "殺牛虎", simplified: "杀牛虎",
		"vi": "GIẾT", korean: "킬", "es": "MATAR", "tl": "KILL"} {
		v := reference(t)
		v.First, v.Second = cats[code], nil
		s := state(t, "result-kill")
		if got := said(Build(&s.Board, look(s, v)), "bar."); !strings.HasPrefix(got, want) {
			t.Errorf("%s: the bar says %q, want %q", code, got, want)
		}
		s = state(t, "dai-betting")
		if got := said(Build(&s.Board, look(s, v)), "results.label"); !strings.Contains(got, want) {
			t.Errorf("%s: the results say %q, want %q", code, got, want)
		}
	}
}

func TestEveryBetOfTheBuiltInPacksSaysWhenItWins(t *testing.T) {
	for _, b := range []string{"ez-baccarat-panda-8", "dai-bacc"} {
		for _, bet := range packOf(t, b).Bets {
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
	keys := catalogues(f)[english].keys
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readCatalogue(assets.Lang{Code: "en", File: "x.toml", Data: data}, keys)
		if err != nil {
			return
		}
		for _, key := range keys {
			if c.text[key] == "" {
				t.Errorf("%s is empty", key)
			}
		}
	})
}
