package console

import (
	"time"

	"shoeboard/tracker/game"
)

// Layouts are the names of the built-in keypads.
func Layouts() []string { return []string{"numpad-17", "matrix-4x5"} }

// Layout is a built-in keypad's map for a game (design/keying.md): the bonus keys
// 7, 8 and 9 are the bets that imply Banker, the modifier, and Player; without a
// modifier 8 is the same as 9. A matrix counts its rows and columns from 1: "r1c1" is
// top left. It is false for a name that Layouts does not have.
func Layout(name string, p *game.Pack) (Map, bool) {
	switch name {
	case "numpad-17":
		return numpad(p), true
	case "matrix-4x5":
		return matrix(p), true
	}
	return nil, false
}

func numpad(p *game.Pack) Map {
	b7, b8, b9 := bonuses(p)
	return Map{
		"KPSLASH":    {Tap: KeyFree, Hold: KeyVoid, After: time.Second},
		"KPASTERISK": {Tap: KeyFloor, Hold: KeyReview, After: time.Second},
		"KPMINUS":    {Tap: KeyCut, Hold: KeyNewShoe, After: 2 * time.Second},
		"KPPLUS":     {Tap: KeyClear, Hold: KeyFix, After: time.Second},
		"KP7":        b7, "KP8": b8, "KP9": b9,
		"KP4": {Tap: KeyBankerNatural, Digit: "4"}, "KP5": {Tap: KeyBothNatural, Digit: "5"}, "KP6": {Tap: KeyPlayerNatural, Digit: "6"},
		"KP1": {Tap: KeyBanker, Digit: "1"}, "KP2": {Tap: KeyTie, Digit: "2"}, "KP3": {Tap: KeyPlayer, Digit: "3"},
		"KP0":     {Tap: KeyBets, Hold: KeyPause, After: time.Second, Digit: "0"},
		"KPDOT":   {Tap: KeyPlDealer},
		"KPENTER": {Tap: KeyOK},
		// the extra row of 22-key pads; nothing depends on it
		"ESC":       {Hold: KeyReview, After: time.Second},
		"TAB":       {Tap: KeyBankerPair},
		"KPEQUAL":   {Tap: KeyPlayerPair},
		"BACKSPACE": {Tap: KeyClear, Hold: KeyFix, After: time.Second},
	}
}

func matrix(p *game.Pack) Map {
	b7, b8, b9 := bonuses(p)
	return Map{
		"r1c1": {Hold: KeyReview, After: time.Second}, "r1c2": {Tap: KeyFree},
		"r1c3": {Hold: KeyVoid, After: time.Second}, "r1c4": {Tap: KeyFloor},
		"r2c1": {Tap: KeyCut}, "r2c2": {Hold: KeyNewShoe, After: 2 * time.Second},
		"r2c3": {Tap: KeyPlDealer}, "r2c4": {Tap: KeyClear, Hold: KeyFix, After: time.Second},
		"r3c1": b7, "r3c2": b8, "r3c3": b9, "r3c4": {Tap: KeyPair},
		"r4c1": {Tap: KeyBankerNatural, Digit: "4"}, "r4c2": {Tap: KeyBothNatural, Digit: "5"}, "r4c3": {Tap: KeyPlayerNatural, Digit: "6"},
		"r4c4": {Tap: KeyBets, Hold: KeyPause, After: time.Second, Digit: "0"},
		"r5c1": {Tap: KeyBanker, Digit: "1"}, "r5c2": {Tap: KeyTie, Digit: "2"}, "r5c3": {Tap: KeyPlayer, Digit: "3"},
		"r5c4": {Tap: KeyOK},
	}
}

// bonuses are the bindings of 7, 8 and 9 in a game.
func bonuses(p *game.Pack) (b7, b8, b9 Binding) {
	for i, bet := range p.Bets {
		b := Binding{Tap: KeyBonus, Bet: bet.ID}
		switch p.Implied(i) {
		case game.Banker:
			b7 = first(b7, b)
		case game.Player:
			b9 = first(b9, b)
		case game.NoOutcome:
			b8 = first(b8, b)
		}
	}
	b8 = first(b8, b9)
	b7.Digit, b8.Digit, b9.Digit = "7", "8", "9"
	return b7, b8, b9
}

func first(a, b Binding) Binding {
	if a.Bet != "" {
		return a
	}
	return b
}

// Keyboard is the numeric pad with an ordinary keyboard beside it, for a demo:
// letters for the results, the row of digits as the pad's, Enter, Backspace, Space.
func Keyboard(p *game.Pack) Map {
	m := numpad(p)
	for digit, pos := range map[string]string{"0": "KP0", "1": "KP1", "2": "KP2", "3": "KP3", "4": "KP4",
		"5": "KP5", "6": "KP6", "7": "KP7", "8": "KP8", "9": "KP9", "B": "KP1", "T": "KP2", "P": "KP3",
		"D": "KP7", "K": "KP8", "O": "KP9", "SPACE": "KP0", "ENTER": "KPENTER", "SLASH": "KPSLASH", "F": "KPSLASH", "M": "KPASTERISK",
		"MINUS": "KPMINUS", "C": "KPMINUS", "EQUAL": "KPPLUS", "DOT": "KPDOT"} {
		b := m[pos]
		if digit != b.Digit {
			b.Digit = "" // no digit is printed on this key
		}
		m[digit] = b
	}
	return m
}
