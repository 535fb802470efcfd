package console

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/menu"
)

// Key names what a key position means.
type Key string

// The dealer's keys (design/keying.md). Bonus keys carry their bet in the Binding.
const (
	KeyBanker        Key = "BANKER"
	KeyPlayer        Key = "PLAYER"
	KeyTie           Key = "TIE"
	KeyBankerNatural Key = "BANKER_NATURAL"
	KeyPlayerNatural Key = "PLAYER_NATURAL"
	KeyBothNatural   Key = "BOTH_NATURAL"
	KeyBonus         Key = "BONUS"
	KeyPair          Key = "PAIR"
	KeyBankerPair    Key = "BANKER_PAIR"
	KeyPlayerPair    Key = "PLAYER_PAIR"
	KeyFree          Key = "FREE"
	KeyVoid          Key = "VOID"
	KeyFloor         Key = "FLOOR"
	KeyReview        Key = "REVIEW"
	KeyCut           Key = "CUT"
	KeyNewShoe       Key = "NEW_SHOE"
	KeyClear         Key = "CLEAR"
	KeyFix           Key = "FIX" // the hold of CLEAR
	KeyBets          Key = "BETS"
	KeyPause         Key = "PAUSE"
	KeyPlDealer      Key = "PL_DEALER"
	KeyOK            Key = "OK"

	// Where totals are keyed (Map.ByTotals); no map is written with these.
	KeyTotal  Key = "TOTAL"      // the digit on the keycap
	KeyThird  Key = "THIRD_CARD" // the total just keyed is on three cards
	KeyOKBets Key = "OK_BETS"    // OK, and BETS when nothing is pending
)

// Keys returns all key names, in the order of the manual.
func Keys() []Key {
	return []Key{KeyBanker, KeyPlayer, KeyTie, KeyBankerNatural, KeyPlayerNatural, KeyBothNatural, KeyBonus,
		KeyPair, KeyBankerPair, KeyPlayerPair, KeyFree, KeyVoid, KeyFloor, KeyReview, KeyCut, KeyNewShoe,
		KeyClear, KeyFix, KeyBets, KeyPause, KeyPlDealer, KeyOK}
}

// Binding says what one key position means. A position with a Hold taps on release;
// one without acts going down.
type Binding struct {
	Tap   Key           // empty: a tap only says HOLD LONGER
	Hold  Key           // empty: no hold
	After time.Duration // how long the hold takes: 1 s, 2 s for NEW_SHOE
	Bet   string        // the bet of a KeyBonus
	Digit string        // the digit printed on the keycap, "0" to "9", or empty
}

// Map says what each key position of a keypad means.
type Map map[string]Binding

// Find returns the position that name stands for: a digit on a keycap, a bet's id, or a
// key by its tap and then by its hold. Small letters and hyphens will do, and "." for
// PL_DEALER, which is that key where totals are keyed.
func (m Map) Find(name string) (pos string, ok bool) {
	pos, _, ok = m.find(name)
	return pos, ok
}

// find returns a key, and whether it has the name by its hold alone.
func (m Map) find(name string) (pos string, holds, ok bool) {
	name = strings.ReplaceAll(name, "-", "_")
	if name == "." {
		name = string(KeyPlDealer)
	}
	all := slices.Sorted(maps.Keys(m))
	for rank := range 5 {
		for _, pos := range all {
			b := m[pos]
			is := [...]string{pos, b.Digit, b.Bet, string(b.Tap), string(b.Hold)}[rank]
			if is != "" && strings.EqualFold(name, strings.ReplaceAll(is, "-", "_")) {
				return pos, rank == 4, true
			}
		}
	}
	return "", false, false
}

// HoldOf says how long a key is held that has the name by its hold alone, else 0.
func (m Map) HoldOf(name string) time.Duration {
	if pos, holds, _ := m.find(name); holds {
		return m[pos].After
	}
	return 0
}

// Layouts returns the names of the built-in keypads.
func Layouts() []string { return []string{"numpad-17", "matrix-4x5"} }

// Layout returns a built-in keypad's map for a game (design/keying.md): the bonus keys
// 7, 8 and 9 are the bets that imply Banker, the modifier, and Player; without a
// modifier 8 is the same as 9. A matrix counts its rows and columns from 1: "r1c1" is
// top left. It is false for a name that Layouts does not have.
func Layout(name string, p *game.Pack) (Map, bool) {
	build, ok := map[string]func(*game.Pack) Map{"numpad-17": numpad, "matrix-4x5": matrix}[name]
	if !ok {
		return nil, false
	}
	return build(p), true
}

// Bindings that both keypads have.
var (
	clearKey = Binding{Tap: KeyClear, Hold: KeyFix, After: time.Second}
	betsKey0 = Binding{Tap: KeyBets, Hold: KeyPause, After: time.Second, Digit: "0"}
)

func digit(n string, k Key) Binding { return Binding{Tap: k, Digit: n} }

func numpad(p *game.Pack) Map {
	b7, b8, b9 := bonuses(p)
	return Map{
		"KPSLASH":    {Tap: KeyFree, Hold: KeyVoid, After: time.Second},
		"KPASTERISK": {Tap: KeyFloor, Hold: KeyReview, After: time.Second},
		"KPMINUS":    {Tap: KeyCut, Hold: KeyNewShoe, After: 2 * time.Second},
		"KPPLUS":     clearKey,
		"KP7":        b7, "KP8": b8, "KP9": b9,
		"KP4": digit("4", KeyBankerNatural), "KP5": digit("5", KeyBothNatural), "KP6": digit("6", KeyPlayerNatural),
		"KP1": digit("1", KeyBanker), "KP2": digit("2", KeyTie), "KP3": digit("3", KeyPlayer),
		"KP0":     betsKey0,
		"KPDOT":   {Tap: KeyPlDealer},
		"KPENTER": {Tap: KeyOK},
		// the extra row of 22-key pads; nothing depends on it
		"ESC":       {Hold: KeyReview, After: time.Second},
		"TAB":       {Tap: KeyBankerPair},
		"KPEQUAL":   {Tap: KeyPlayerPair},
		"BACKSPACE": clearKey,
	}
}

func matrix(p *game.Pack) Map {
	b7, b8, b9 := bonuses(p)
	return Map{
		"r1c1": {Hold: KeyReview, After: time.Second}, "r1c2": {Tap: KeyFree},
		"r1c3": {Hold: KeyVoid, After: time.Second}, "r1c4": {Tap: KeyFloor},
		"r2c1": {Tap: KeyCut}, "r2c2": {Hold: KeyNewShoe, After: 2 * time.Second},
		"r2c3": {Tap: KeyPlDealer}, "r2c4": clearKey,
		"r3c1": b7, "r3c2": b8, "r3c3": b9, "r3c4": {Tap: KeyPair},
		"r4c1": digit("4", KeyBankerNatural), "r4c2": digit("5", KeyBothNatural), "r4c3": digit("6", KeyPlayerNatural),
		"r4c4": betsKey0,
		"r5c1": digit("1", KeyBanker), "r5c2": digit("2", KeyTie), "r5c3": digit("3", KeyPlayer),
		"r5c4": {Tap: KeyOK},
	}
}

// bonuses returns the bindings of 7, 8 and 9 in a game: the first bet of each kind.
func bonuses(p *game.Pack) (b7, b8, b9 Binding) {
	for i, bet := range p.Bets {
		to := map[game.Outcome]*Binding{game.Banker: &b7, game.NoOutcome: &b8, game.Player: &b9}[p.Implied(i)]
		if to != nil && to.Bet == "" {
			*to = Binding{Tap: KeyBonus, Bet: bet.ID}
		}
	}
	if b8.Bet == "" {
		b8 = b9
	}
	b7.Digit, b8.Digit, b9.Digit = "7", "8", "9"
	return b7, b8, b9
}

// Keyboard returns the numeric pad with an ordinary keyboard beside it, for a demo:
// letters for the results, the row of digits as the pad's, Enter, Backspace, Space.
func Keyboard(p *game.Pack) Map {
	m := numpad(p)
	for key, pos := range map[string]string{"0": "KP0", "1": "KP1", "2": "KP2", "3": "KP3", "4": "KP4",
		"5": "KP5", "6": "KP6", "7": "KP7", "8": "KP8", "9": "KP9", "B": "KP1", "T": "KP2", "P": "KP3",
		"D": "KP7", "K": "KP8", "O": "KP9", "SPACE": "KP0", "ENTER": "KPENTER", "SLASH": "KPSLASH", "F": "KPSLASH",
		"M": "KPASTERISK", "MINUS": "KPMINUS", "C": "KPMINUS", "EQUAL": "KPPLUS", "DOT": "KPDOT"} {
		b := m[pos]
		if key != b.Digit {
			b.Digit = "" // no digit is printed on this key
		}
		m[key] = b
	}
	return m
}

// States returns the keys of a keypad as they lie, and after them every other key that
// moved; moved are those that moved, on this keypad first.
func (m Map) States(entry tracker.EntryMode, moved []menu.Key) []stats.KeyState {
	var list, others []stats.KeyState
	for _, pos := range m.positions() {
		list = append(list, stats.KeyState{Pos: pos, Name: KeyName(entry, m[pos])})
	}
	for _, k := range moved {
		isOwn := k.Source == moved[0].Source
		i := slices.IndexFunc(list, func(s stats.KeyState) bool { return isOwn && s.Pos == k.Pos })
		switch {
		case i >= 0:
			list[i].Down, list[i].Seen = k.Down, k.Seen
			continue
		case !isOwn:
			k.Pos = k.Source + " " + k.Pos
		}
		others = append(others, k.KeyState)
	}
	slices.SortFunc(others, func(a, b stats.KeyState) int { return cmp.Compare(a.Pos, b.Pos) })
	return append(list, others...)
}

// numpadPositions are those of a 17-key pad as they lie.
var numpadPositions = []string{"KPSLASH", "KPASTERISK", "KPMINUS", "KP7", "KP8", "KP9", "KPPLUS",
	"KP4", "KP5", "KP6", "KP1", "KP2", "KP3", "KPENTER", "KP0", "KPDOT"}

// positions returns the keys that a keypad with this map surely has, as they lie: all of a
// matrix, or those of a numeric pad without the upper row, which not every pad has.
func (m Map) positions() []string {
	if _, pad := m["KP1"]; pad {
		return slices.DeleteFunc(slices.Clone(numpadPositions), func(pos string) bool { _, has := m[pos]; return !has })
	}
	return slices.Sorted(maps.Keys(m)) // a matrix has at most 8 rows and columns
}
