package table_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
)

// knock is something that falls on the keypad: keys that go down and up again by
// themselves, in that order.
type knock struct {
	first, second string
	gap           time.Duration // from the first key down to the second
	holds         [2]time.Duration
}

// beside are the keys of a 17-key pad that a chip tray can take together with another:
// neighbours in the row or the column, OK being two rows high.
var beside = map[string][]string{
	"BANKER": {"TIE", "BANKER_NATURAL", "BETS"}, "TIE": {"BANKER", "PLAYER", "TIE_NATURAL", "BETS"},
	"PLAYER": {"TIE", "OK", "PLAYER_NATURAL"}, "PLAYER_NATURAL": {"PLAYER", "OK"}, "OK": {"PLAYER", "PLAYER_NATURAL"},
}

// fall draws a knock: a tray that tips from one key onto its neighbour, a key that bounces,
// a palm that rolls.
func fall(r *rand.Rand) knock {
	keys := []string{"BANKER", "TIE", "PLAYER", "PLAYER_NATURAL", "OK"}
	k := knock{first: keys[r.IntN(len(keys))]}
	near := beside[k.first]
	k.second = near[r.IntN(len(near))]
	if r.IntN(8) == 0 {
		k.second = k.first // it bounces
	}
	k.gap = time.Duration(r.ExpFloat64()*60) * ms
	for i := range k.holds {
		k.holds[i] = 30*ms + time.Duration(r.ExpFloat64()*150)*ms
	}
	return k
}

// early reports whether the rule that would keep an early OK takes the knock for a hand: OK
// 80 to 250 ms behind a result key, that key up by 500 ms, OK held for less than 400 ms.
func (k knock) early() bool {
	result := k.first != "OK" && k.first != "BETS"
	return result && k.second == "OK" && k.gap >= 80*ms && k.gap <= 250*ms && k.holds[0] <= 500*ms && k.holds[1] <= 400*ms
}

// An OK that follows its result key in less than 250 ms is refused, in words. Keeping it
// would be kinder to fast fingers, and is not done: of 100,000 knocks over neighbouring
// keys the rule that keeps it would have recorded some as hands, for PLAYER and OK stand
// side by side. With the refusal none is.
func TestNoKnockRecordsAHand(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	kept := 0
	for range 100_000 {
		if fall(random).early() {
			kept++
		}
	}
	if kept == 0 {
		t.Error("no knock is like a fast finger: an early OK may be kept then")
	}
	t.Logf("an early OK kept would make %d hands of 100,000 knocks", kept)

	r := sit(t, usual()).deal(3, "B")
	r.plug(hw.Came)
	for range 3000 {
		k := fall(random)
		k.gap = min(k.gap, 249*ms)
		if k.second == k.first {
			k.holds[0] = min(k.holds[0], k.gap/2)
		}
		r.falls(k)
		r.wait(20 * time.Second)
		r.press("CLEAR")
		r.wait(3 * time.Second)
	}
	for _, w := range r.wrote {
		for _, e := range w.Record.Events {
			if e.Kind == tracker.HandRecorded || e.Kind == tracker.HandFixed || e.Kind == tracker.HandReplaced {
				t.Fatalf("a knock recorded %+v", e)
			}
		}
	}
}

// falls plays a knock.
func (r *rig) falls(k knock) {
	r.t.Helper()
	if !r.has(k.first) || !r.has(k.second) {
		return
	}
	r.down(k.first)
	if k.holds[0] <= k.gap {
		r.pass(k.holds[0])
		r.up(k.first)
		r.pass(k.gap - k.holds[0])
		r.down(k.second)
		r.pass(k.holds[1])
		r.up(k.second)
		return
	}
	r.pass(k.gap)
	r.down(k.second)
	if k.gap+k.holds[1] < k.holds[0] {
		r.pass(k.holds[1])
		r.up(k.second)
		r.pass(k.holds[0] - k.gap - k.holds[1])
		r.up(k.first)
		return
	}
	r.pass(k.holds[0] - k.gap)
	r.up(k.first)
	r.pass(k.gap + k.holds[1] - k.holds[0])
	r.up(k.second)
}

// A dealer who keys faster than he can read is told so, until he keys again.
func TestAnEarlyOKIsRefusedInWords(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.held("PLAYER", 40*ms)
	r.pass(60 * ms)
	r.press("OK")
	r.wants("early", r.line(), "4? PLAYER | TOO SOON: OK AGAIN")
	r.wait(10 * time.Second)
	r.wants("it stays", r.line(), "4? PLAYER | TOO SOON: OK AGAIN")
	r.press("OK")
	r.wants("the hands", r.list()[len(r.list())-1:], "P")

	r.wait(20*time.Second).held("BANKER", 40*ms)
	r.down("BANKER")
	r.pass(100 * ms)
	r.down("OK")
	r.wants("one is down", r.line(), "5? BANKER | BANKER IS DOWN")
	r.up("OK")
	r.up("BANKER")
	r.wait(time.Second).play("CLEAR").press("VOID")
	r.pass(100 * ms)
	before := r.line()
	r.press("OK")
	r.wants("a question says itself again", r.line(), before)
}

// A pad that is not there when the core starts has lost no key: what was being keyed before
// a kill comes back. When it is pulled out later, it has.
func TestAPadThatWasNotThereHasLostNoKey(t *testing.T) {
	for _, change := range []hw.Change{hw.Went, hw.Faulty} {
		r := sit(t, usual()).deal(3, "B").play("PLAYER")
		r.restart(true, true)
		r.handle(hw.Notice{Source: "pad", Change: change, Text: "keypad missing: any numeric pad"})
		r.wants("not there yet", r.line(), "4? PLAYER | UNFINISHED: OK/CLEAR")
		r.plug(hw.Came)
		r.wait(time.Second).press("OK")
		r.wants("the hands", r.list()[len(r.list())-1:], "P")
		r.wait(time.Minute).press("BANKER")
		r.plug(change)
		r.wants("pulled out", r.line(), "NOT SAVED: KEY AGAIN | KEYPAD LOST A KEY")
	}
}

// A hold for a correction that another key or the plug interrupts is a wish like any other.
func TestAHoldThatIsInterruptedBecomesNoHand(t *testing.T) {
	for name, interrupt := range map[string]func(r *rig){
		"by another key": func(r *rig) { r.down("PLAYER"); r.pass(60 * ms); r.up("PLAYER"); r.up("CLEAR") },
		"by the plug":    func(r *rig) { r.plug(hw.Went); r.plug(hw.Came) },
		"while it saves": nil,
	} {
		r := sit(t, usual()).deal(3, "B")
		r.plug(hw.Came)
		before := r.list()
		if interrupt == nil {
			r.slow = 2 * time.Second
			r.play("PLAYER OK FIX")
			r.slow = 0
			before += " P"
			r.wait(3 * time.Second)
		} else {
			r.down("CLEAR")
			r.pass(600 * ms)
			interrupt(r)
		}
		r.wait(time.Second).play("BANKER")
		r.wants(name, r.line()[:20], "FIX ENDED, NO CHANGE")
		r.play("OK")
		r.wants(name+", the hands", r.list(), before)
	}
}
