package console

import (
	"testing"
	"time"

	"shoeboard/assets"
)

// The keypads are those of the grammar's drawing: what each key taps and holds.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		layout, pos string
		tap, hold   Key
		after       time.Duration
		digit       string
	}{
		{"numpad-17", "KPSLASH", KeyFree, KeyVoid, time.Second, ""},
		{"numpad-17", "KPASTERISK", KeyFloor, KeyReview, time.Second, ""},
		{"numpad-17", "KPMINUS", KeyCut, KeyNewShoe, 2 * time.Second, ""},
		{"numpad-17", "KPPLUS", KeyClear, KeyFix, time.Second, ""},
		{"numpad-17", "KP0", KeyBets, KeyPause, time.Second, "0"},
		{"numpad-17", "KPDOT", KeyPlDealer, "", 0, ""},
		{"numpad-17", "KPENTER", KeyOK, "", 0, ""},
		{"numpad-17", "KP1", KeyBanker, "", 0, "1"},
		{"numpad-17", "KP2", KeyTie, "", 0, "2"},
		{"numpad-17", "KP3", KeyPlayer, "", 0, "3"},
		{"numpad-17", "KP4", KeyBankerNatural, "", 0, "4"},
		{"numpad-17", "KP5", KeyBothNatural, "", 0, "5"},
		{"numpad-17", "KP6", KeyPlayerNatural, "", 0, "6"},
		{"numpad-17", "ESC", "", KeyReview, time.Second, ""},
		{"numpad-17", "TAB", KeyBankerPair, "", 0, ""},
		{"numpad-17", "KPEQUAL", KeyPlayerPair, "", 0, ""},
		{"numpad-17", "BACKSPACE", KeyClear, KeyFix, time.Second, ""},
		{"matrix-4x5", "r1c1", "", KeyReview, time.Second, ""},
		{"matrix-4x5", "r1c2", KeyFree, "", 0, ""},
		{"matrix-4x5", "r1c3", "", KeyVoid, time.Second, ""},
		{"matrix-4x5", "r1c4", KeyFloor, "", 0, ""},
		{"matrix-4x5", "r2c1", KeyCut, "", 0, ""},
		{"matrix-4x5", "r2c2", "", KeyNewShoe, 2 * time.Second, ""},
		{"matrix-4x5", "r2c3", KeyPlDealer, "", 0, ""},
		{"matrix-4x5", "r2c4", KeyClear, KeyFix, time.Second, ""},
		{"matrix-4x5", "r3c4", KeyPair, "", 0, ""},
		{"matrix-4x5", "r4c1", KeyBankerNatural, "", 0, "4"},
		{"matrix-4x5", "r4c2", KeyBothNatural, "", 0, "5"},
		{"matrix-4x5", "r4c3", KeyPlayerNatural, "", 0, "6"},
		{"matrix-4x5", "r4c4", KeyBets, KeyPause, time.Second, "0"},
		{"matrix-4x5", "r5c1", KeyBanker, "", 0, "1"},
		{"matrix-4x5", "r5c2", KeyTie, "", 0, "2"},
		{"matrix-4x5", "r5c3", KeyPlayer, "", 0, "3"},
		{"matrix-4x5", "r5c4", KeyOK, "", 0, ""},
	} {
		for _, id := range assets.PackIDs() {
			keys, ok := Layout(c.layout, packOf(t, id))
			want := Binding{Tap: c.tap, Hold: c.hold, After: c.after, Digit: c.digit}
			if got := keys[c.pos]; !ok || got != want {
				t.Errorf("%s %s: got %+v, want %+v", c.layout, c.pos, got, want)
			}
		}
	}
	for layout, size := range map[string]int{"numpad-17": 20, "matrix-4x5": 20} { // 16 without NumLock and four of the upper row
		if keys, _ := Layout(layout, packOf(t, "dai-bacc")); len(keys) != size {
			t.Errorf("%s has %d keys, want %d", layout, len(keys), size)
		}
	}
	if _, ok := Layout("abacus", packOf(t, "dai-bacc")); ok {
		t.Error("an unknown keypad is known")
	}
}

// The bonus keys are the game's: 7 implies Banker, 9 Player, 8 neither or Player too.
func TestBonusKeys(t *testing.T) {
	for id, want := range map[string]map[string]string{
		"ez-baccarat-panda-8": {"7": "dragon-7", "8": "panda-8", "9": "panda-8"},
		"dai-bacc":            {"7": "tiger-7", "8": "kill", "9": "ox-6"},
	} {
		for _, layout := range Layouts() {
			keys, _ := Layout(layout, packOf(t, id))
			for digit, bet := range want {
				pos, ok := keys.Find(digit)
				if b := keys[pos]; !ok || b.Tap != KeyBonus || b.Bet != bet {
					t.Errorf("%s %s: %s is %+v, want %s", id, layout, digit, keys[pos], bet)
				}
			}
		}
	}
}

// A key is found by the digit on its cap, its bet, its tap, its hold or its position,
// in small letters too.
func TestFind(t *testing.T) {
	keys, _ := Layout("numpad-17", packOf(t, "dai-bacc"))
	for name, want := range map[string]string{"0": "KP0", "BETS": "KP0", "bets": "KP0", "PAUSE": "KP0", "NEW_SHOE": "KPMINUS", "new-shoe": "KPMINUS",
		"KPENTER": "KPENTER", "OK": "KPENTER", "ok": "KPENTER", "tiger-7": "KP7", "TIGER-7": "KP7", "7": "KP7", "VOID": "KPSLASH", "FREE": "KPSLASH",
		"BANKER": "KP1", "banker_natural": "KP4", "CLEAR": "BACKSPACE", "FIX": "BACKSPACE", "dragon-7": "", "": "", "NumLock": ""} {
		if pos, ok := keys.Find(name); pos != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", name, pos, ok, want)
		}
	}
	for name, want := range map[string]time.Duration{"FIX": time.Second, "fix": time.Second, "CLEAR": 0, "VOID": time.Second, "NEW_SHOE": 2 * time.Second, "PAUSE": time.Second, "0": 0, "none": 0} {
		if got := keys.HoldOf(name); got != want {
			t.Errorf("%q is held for %v, want %v", name, got, want)
		}
	}
}

// A key that has no bet in this game proposes nothing, and says so.
func TestKeyWithoutABet(t *testing.T) {
	table := resting(packOf(t, "dai-bacc"))
	c, out := Console{}.Press(table, "pad", "KP7", Binding{Digit: "7"}, true)
	if out.Tone != Refused || c.Pending() || c.note.lines[0] != "KEY NOT IN THIS GAME" {
		t.Errorf("tone %d, pending %v, %q", out.Tone, c.Pending(), c.note.lines)
	}
}
