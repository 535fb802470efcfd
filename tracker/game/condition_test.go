package game

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyHand draws a hand, whether the drawing table allows it or not.
func anyHand(t *rapid.T) Hand {
	return Hand{
		PlayerTotal: uint8(rapid.IntRange(0, 9).Draw(t, "player total")), PlayerCards: uint8(rapid.IntRange(2, 3).Draw(t, "player cards")),
		BankerTotal: uint8(rapid.IntRange(0, 9).Draw(t, "banker total")), BankerCards: uint8(rapid.IntRange(2, 3).Draw(t, "banker cards")),
		PlayerPair: Pair(rapid.IntRange(0, 2).Draw(t, "player pair")), BankerPair: Pair(rapid.IntRange(0, 2).Draw(t, "banker pair")),
	}
}

func TestConditionsMeanWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		text  string
		pairs bool
		holds func(Hand) bool
	}{
		{"player.wins", false, func(h Hand) bool { return h.PlayerTotal > h.BankerTotal }},
		{"banker.wins", false, func(h Hand) bool { return h.BankerTotal > h.PlayerTotal }},
		{"tie", false, func(h Hand) bool { return h.PlayerTotal == h.BankerTotal }},
		{"not tie", false, func(h Hand) bool { return h.PlayerTotal != h.BankerTotal }},
		{"player.natural", false, func(h Hand) bool { return h.PlayerCards == 2 && h.PlayerTotal > 7 }},
		{"banker.natural", false, func(h Hand) bool { return h.BankerCards == 2 && h.BankerTotal > 7 }},
		{"player.total == banker.total", false, func(h Hand) bool { return h.PlayerTotal == h.BankerTotal }},
		{"player.total!=3", false, func(h Hand) bool { return h.PlayerTotal != 3 }},
		{"3 < banker.total", false, func(h Hand) bool { return h.BankerTotal > 3 }},
		{"banker.total<=3", false, func(h Hand) bool { return h.BankerTotal <= 3 }},
		{"player.cards >= 3", false, func(h Hand) bool { return h.PlayerCards == 3 }},
		{"banker.cards == player.cards", false, func(h Hand) bool { return h.BankerCards == h.PlayerCards }},
		{"cards > 4", false, func(h Hand) bool { return h.PlayerCards+h.BankerCards > 4 }},
		{"margin == 4", false, func(h Hand) bool {
			return h.PlayerTotal == h.BankerTotal+4 || h.BankerTotal == h.PlayerTotal+4
		}},
		{"player.pair", true, func(h Hand) bool { return h.PlayerPair > 0 }},
		{"banker.pair", true, func(h Hand) bool { return h.BankerPair > 0 }},
		{"player.perfect_pair", true, func(h Hand) bool { return h.PlayerPair == 2 }},
		{"banker.perfect_pair", true, func(h Hand) bool { return h.BankerPair == 2 }},
		{"tie and cards == 4 or player.pair", true, func(h Hand) bool {
			return h.PlayerTotal == h.BankerTotal && h.PlayerCards+h.BankerCards == 4 || h.PlayerPair > 0
		}},
		{"player.pair or tie and cards == 4", true, func(h Hand) bool {
			return h.PlayerTotal == h.BankerTotal && h.PlayerCards+h.BankerCards == 4 || h.PlayerPair > 0
		}},
		{"tie and (cards == 4 or player.pair)", true, func(h Hand) bool {
			return h.PlayerTotal == h.BankerTotal && (h.PlayerCards+h.BankerCards == 4 || h.PlayerPair > 0)
		}},
		{"not tie and not (banker.wins)", false, func(h Hand) bool { return h.PlayerTotal > h.BankerTotal }},
		{"not not tie\n", false, func(h Hand) bool { return h.PlayerTotal == h.BankerTotal }},
	} {
		t.Run(c.text, func(t *testing.T) {
			condition, err := ParseCondition(c.text)
			if err != nil || condition.pairs != c.pairs || condition.String() != c.text {
				t.Fatalf("%v, pairs %v, %v", condition, condition.pairs, err)
			}
			rapid.Check(t, func(t *rapid.T) {
				if h := anyHand(t); condition.Holds(h) != c.holds(h) {
					t.Errorf("on %+v it is %v", h, condition.Holds(h))
				}
			})
		})
	}
}

func TestConditionsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "found the end, expected a fact such as banker.wins or a comparison such as banker.total == 7",
		"banker.win":                `found "banker.win", expected a fact such as banker.wins or a comparison such as banker.total == 7 (did you mean banker.wins?)`,
		"tie adn cards == 4":        `found "adn", expected "and", "or" or the end (did you mean and?)`,
		"tie tie":                   `found "tie", expected "and", "or" or the end`,
		"(tie":                      `found the end, expected a closing parenthesis`,
		"tie)":                      `found ")", expected "and", "or" or the end`,
		"tie and":                   "found the end, expected a fact such as banker.wins or a comparison such as banker.total == 7",
		"cards":                     "found the end, expected one of == != < <= > >= after cards",
		"cards = 4":                 `found "=", expected one of == != < <= > >= after cards`,
		"cards == ":                 "found the end, expected a number after cards ==",
		"cards == tie":              `found "tie", expected a number after cards ==`,
		"cards == 10":               `found "10", expected a number after cards ==`,
		"tie == tie":                `found "==", expected "and", "or" or the end`,
		"cards == 4 == 5":           `found "==", expected "and", "or" or the end`,
		"龍7":                        `found "龍", expected a fact such as banker.wins or a comparison such as banker.total == 7`,
		"TIE":                       `found "TIE", expected a fact such as banker.wins or a comparison such as banker.total == 7`,
		strings.Repeat("(", 401):    "the condition has 401 bytes, at most 400 are read",
		"cards == 4 and cards <> 5": `found ">", expected a number after cards <`,
	} {
		c, err := ParseCondition(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || c.Holds(Hand{}) || c.String() != "" {
			t.Errorf("%q\n got %v\nwant %s", text, err, want)
		}
	}
}

// What is the same for every hand is an author's mistake, and a condition all the same:
// one that stands in a record is read.
func TestAComparisonThatIsConstantIsReadAndTold(t *testing.T) {
	for text, want := range map[string]string{
		"cards == 3":               "cards == 3 is the same for every hand: cards is 4 to 6, 3 is 3 to 3",
		"player.cards >= 2":        "player.cards >= 2 is the same for every hand: player.cards is 2 to 3, 2 is 2 to 2",
		"7 == 7 and margin > 9":    "7 == 7 is the same for every hand: 7 is 7 to 7, 7 is 7 to 7",
		"tie or banker.total == 7": "",
	} {
		if c, err := ParseCondition(text); err != nil || c.constant != want {
			t.Errorf("%q\n got %q, %v\nwant %s", text, c.constant, err, want)
		}
		data := changed(t, `when = "tie"`, `when = "`+text+`"`)
		if _, err := Load("ez.toml", data); want != "" && (err == nil || !strings.Contains(err.Error(), `bet[1].win[1].when = "`+text+`": `+want)) {
			t.Errorf("%q in a pack: %v", text, err)
		}
	}
}

func TestPays(t *testing.T) {
	for text, want := range map[string]string{"40": "40 to 1", "3/2": "3 to 2", "19/20": "19 to 20", "push": "push", "65535": "65535 to 1"} {
		var p Pays
		if err := p.UnmarshalText([]byte(text)); err != nil || p.String() != want || p.Push() != (want == "push") {
			t.Errorf("%q is %v, %v; want %s", text, p, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "1.5", "x", "3/0", "0/3", "push/1", "3/", "/2", "65536", "40 to 1", " 4"} {
		var p Pays
		if err := p.UnmarshalText([]byte(text)); err == nil || p != (Pays{}) {
			t.Errorf("%q is read as %v, %v", text, p, err)
		}
	}
}

// FuzzParseCondition holds that no text makes the parser panic, and that what it
// reads is total: it says the same of a hand twice, and has a level.
func FuzzParseCondition(f *testing.F) {
	for _, text := range []string{
		"banker.wins and banker.cards == 3 and banker.total == 7", "not (tie or margin >= 4)", "((tie))", "3 < cards", "\xff", "not not not",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: the error has several lines: %v", text, err)
			}
			return
		}
		again, err := ParseCondition(c.String())
		if err != nil || again.pairs != c.pairs {
			t.Errorf("%q is read again as %v, %v", text, again, err)
		}
		for pt := range uint8(10) {
			h := Hand{PlayerTotal: pt, PlayerCards: 2 + pt%2, BankerTotal: 7, BankerCards: 3, PlayerPair: Pair(pt % 3)}
			if c.Holds(h) != again.Holds(h) {
				t.Errorf("%q says two things of %+v", text, h)
			}
		}
	})
}
