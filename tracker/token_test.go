package tracker

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/assets"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// packs are the built-in games, with pairs marked.
func packs(t testing.TB) []*game.Pack {
	var all []*game.Pack
	for _, id := range assets.PackIDs() {
		text := strings.Replace(string(source(t, id)), "pair_marks = false", "pair_marks = true", 1)
		p, err := game.Load(id, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestParseToken(t *testing.T) {
	dai := packOf(t, "dai-bacc")
	for _, c := range []struct {
		token, canonical string
		pack             *game.Pack
	}{
		{"P", "P", dai},
		{"B+tiger-7+kill", "B+kill+tiger-7", dai},
		{"B+natural", "B+banker-natural", dai},
		{"P+natural", "P+player-natural", dai},
		{"T+natural", "T+natural", dai},
		{"T+player-natural+banker-natural", "T+natural", dai},
		{"B+banker-natural+player-natural", "B+player-natural+banker-natural", dai},
		{"T+kill", "T+kill", dai},
		{"P+banker-pair+player-pair", "P+player-pair+banker-pair", dai},
		{"6.3-5.2", "6.3-5.2", dai},
		{"6.3-5.2+ox-6", "6.3-5.2", dai},
		{"8.2-8.2+natural", "8.2-8.2", dai},
		{"8.2-6.2+player-pair", "8.2-6.2+player-pair", dai},
		{"6.2-7.3", "6.2-7.3", dai},
		{"9S,4H/KD,2C,5S", "9S,4H/KD,2C,5S", dai},
		{"9,4/K,2,5", "9,4/K,2,5", dai},
		{"T", "T", packOf(t, ez)},
		{"T+tie", "T", packOf(t, ez)},
		{"B+dragon-7", "B+dragon-7", packOf(t, ez)},
		{"6.2-7.3", "6.2-7.3", packOf(t, ez)},
	} {
		h, err := ParseToken(c.pack, c.token)
		if err != nil {
			t.Errorf("%s: %v", c.token, err)
			continue
		}
		if got := FormatToken(c.pack, h); got != c.canonical {
			t.Errorf("%s is %s, want %s", c.token, got, c.canonical)
		}
	}
}

// A token that cannot be says in one sentence why.
func TestParseTokenRefuses(t *testing.T) {
	for token, want := range map[string]string{
		"":                       "expected P, B, T",
		"b":                      "expected P, B, T",
		"X+kill":                 "expected P, B, T",
		"P+":                     `no bet ""`,
		"P++kill":                `no bet ""`,
		"P+dragon-7":             `no bet "dragon-7"`,
		"P+tiger-7":              "a Player win and Tiger 7",
		"P+ox-6+kill":            "cannot be in one hand",
		"B+natural+tiger-7":      "cannot be in one hand",
		"T+player-natural":       "cannot be in one hand",
		"B+player-natural":       "cannot be in one hand",
		"6.2-7":                  "expected totals",
		"6.2-7.x":                "expected a digit",
		"1.2-1.2":                "no hand ends with",
		"9.3-9.3+natural":        "do not make",
		"6.3-5.2+kill":           "do not make",
		"7.2-6.2+player-pair":    "cannot be",
		"9S,4H":                  "expected P, B, T",
		"9S,4H/":                 "card",
		"9S,4H/KD":               "card",
		"9S/KD,2C":               "card",
		"ZS,4H/KD,2C":            "card",
		"9S,4H/KD,2C,5S+natural": "do not make",
	} {
		_, err := ParseToken(packOf(t, "dai-bacc"), token)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %q", token, err, want)
		}
	}
	if _, err := ParseToken(nil, "P"); err == nil || !strings.Contains(err.Error(), "no game") {
		t.Errorf("without a game: %v", err)
	}
}

// Cards on the felt are official: what was drawn against the table is a hand all the
// same, and says so.
func TestIrregularCards(t *testing.T) {
	p := packOf(t, ez)
	h, err := ParseToken(p, "9S,KH/KD,2C,5S") // a natural stops the draw
	if err != nil || h.Irregular == "" {
		t.Fatalf("%+v, %v", h, err)
	}
	if again, err := ParseToken(p, FormatToken(p, h)); err != nil || again != h {
		t.Fatalf("%+v, %v, want %+v", again, err, h)
	}
}

// FormatToken and ParseToken are each other's inverse, for hands keyed, entered as
// totals and dealt as cards.
func TestTokensComeBack(t *testing.T) {
	all := packs(t)
	rapid.Check(t, func(t *rapid.T) {
		p := all[rapid.IntRange(0, len(all)-1).Draw(t, "pack")]
		h := anyHand(t, p)
		token := FormatToken(p, h)
		back, err := ParseToken(p, token)
		if err != nil {
			t.Fatalf("%+v is %q: %v", h, token, err)
		}
		if back != h {
			t.Fatalf("%q gives %+v, want %+v", token, back, h)
		}
		if again := FormatToken(p, back); again != token {
			t.Fatalf("%q becomes %q", token, again)
		}
	})
}

// anyHand is a hand that p may record.
func anyHand(t *rapid.T, p *game.Pack) Hand {
	switch rapid.SampledFrom([]string{"keyed", "totals", "cards"}).Draw(t, "kind") {
	case "totals":
		return totalsHand(t, p)
	case "cards":
		return cardsHand(t, p)
	}
	for {
		h := Hand{Result: game.Result{Outcome: rapid.SampledFrom([]game.Outcome{game.Player, game.Banker, game.Tie}).Draw(t, "outcome"),
			PlayerNatural: rapid.Bool().Draw(t, "pn"), BankerNatural: rapid.Bool().Draw(t, "bn"),
			PlayerPair: rapid.Bool().Draw(t, "pp"), BankerPair: rapid.Bool().Draw(t, "bp"),
			Bets: game.BetSet(rapid.Uint32Range(0, 1<<len(p.Bets)-1).Draw(t, "bets"))}}
		if h.Result = p.Complete(h.Result); p.Possible(h.Result) {
			return h
		}
	}
}

func totalsHand(t *rapid.T, p *game.Pack) Hand {
	for {
		n := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "n") }
		r, err := p.FromTotals(n(0, 9), n(2, 3), n(0, 9), n(2, 3))
		if err != nil {
			continue
		}
		r.PlayerPair, r.BankerPair = rapid.Bool().Draw(t, "pp"), rapid.Bool().Draw(t, "bp")
		if r = p.Complete(r); p.Possible(r) {
			return Hand{Result: r}
		}
	}
}

// cardsHand is a hand from cards that lie on the felt, drawn by the table or not.
func cardsHand(t *rapid.T, p *game.Pack) Hand {
	side := func() []card.Card {
		var cards []card.Card
		for range rapid.IntRange(2, 3).Draw(t, "cards") {
			suit := rapid.SampledFrom([]string{"", "S", "H", "D", "C"}).Draw(t, "suit")
			c, err := card.Parse(rapid.SampledFrom([]string{"A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"}).Draw(t, "rank") + suit)
			if err != nil {
				t.Fatal(err)
			}
			cards = append(cards, c)
		}
		return cards
	}
	for {
		player, banker := side(), side()
		if h, err := ParseToken(p, fmt.Sprintf("%s/%s", card.FormatList(player), card.FormatList(banker))); err == nil {
			return h
		}
	}
}

func FuzzParseToken(f *testing.F) {
	for _, token := range []string{"P", "B+tiger-7+kill", "T+natural", "6.2-7.3", "6.3-5.2+banker-pair", "9S,4H/KD,2C,5S", "9,4/K,2,5",
		"9S,KH/KD,2C,5S", "P+P", "+", "1.2-1.2", "//,,", "B+player-natural+banker-natural", "T+tie"} {
		f.Add(token)
	}
	all := packs(f)
	f.Fuzz(func(t *testing.T, token string) {
		for _, p := range all {
			h, err := ParseToken(p, token)
			if err != nil {
				if strings.ContainsRune(err.Error(), '\n') && !strings.ContainsRune(token, '\n') {
					t.Fatalf("%q: not one sentence: %v", token, err)
				}
				continue
			}
			canonical := FormatToken(p, h)
			back, err := ParseToken(p, canonical)
			if err != nil || back != h {
				t.Fatalf("%q is %q, which gives %+v, %v; want %+v", token, canonical, back, err, h)
			}
		}
	})
}
