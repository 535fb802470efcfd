package console

import (
	"strings"
	"time"
)

// Key is what a key position means.
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
)

// What keys mean where totals are keyed (Map.ByTotals); no map is written with them.
const (
	KeyTotal  Key = "TOTAL"      // the digit on the keycap
	KeyThird  Key = "THIRD_CARD" // the total just keyed is on three cards
	KeyOKBets Key = "OK_BETS"    // OK, and BETS when nothing is pending
)

// Keys are all key names, in the order of the manual.
func Keys() []Key {
	return []Key{KeyBanker, KeyPlayer, KeyTie, KeyBankerNatural, KeyPlayerNatural, KeyBothNatural, KeyBonus,
		KeyPair, KeyBankerPair, KeyPlayerPair, KeyFree, KeyVoid, KeyFloor, KeyReview, KeyCut, KeyNewShoe,
		KeyClear, KeyFix, KeyBets, KeyPause, KeyPlDealer, KeyOK}
}

// Binding is what one key position means. A position with a Hold taps on release;
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

// Find is the position that name stands for: a digit on a keycap, a bet's id, or a
// key by its tap and then by its hold. Small letters and hyphens will do, and "." for
// PL_DEALER, which is that key where totals are keyed.
func (m Map) Find(name string) (pos string, ok bool) {
	if name == "." {
		name = string(KeyPlDealer)
	}
	best := ""
	rank := 0
	for p, b := range m {
		r := 0
		switch {
		case same(name, p):
			r = 5
		case b.Digit != "" && name == b.Digit:
			r = 4
		case b.Bet != "" && same(name, b.Bet):
			r = 3
		case b.Tap != "" && same(name, string(b.Tap)):
			r = 2
		case b.Hold != "" && same(name, string(b.Hold)):
			r = 1
		}
		if r > rank || (r == rank && r > 0 && p < best) {
			best, rank = p, r
		}
	}
	return best, rank > 0
}

// HoldOf is how long the key named has to be held when only its hold has that name,
// else 0.
func (m Map) HoldOf(name string) time.Duration {
	pos, ok := m.Find(name)
	if b := m[pos]; ok && same(name, string(b.Hold)) && !same(name, string(b.Tap)) {
		return b.After
	}
	return 0
}

// same says whether two names are one, written in capitals or not, with hyphens or
// underscores.
func same(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "-", "_"), strings.ReplaceAll(b, "-", "_"))
}

// resultKey says whether k names a whole result by itself.
func resultKey(k Key) bool {
	switch k {
	case KeyBanker, KeyPlayer, KeyTie, KeyBankerNatural, KeyPlayerNatural, KeyBothNatural:
		return true
	}
	return false
}
