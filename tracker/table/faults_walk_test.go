package table_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/tracker/console"
)

// Whatever is the matter meanwhile, and whoever acknowledges it, the dealer hears, reads
// and records what he would have without it.
func TestAnyKeysBesideAnyFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(pads()).Draw(t, "pad")
		s.confirm = rapid.Bool().Draw(t, "confirm")
		w := newWalk(t, s)
		w.names = slices.DeleteFunc(w.names, func(key string) bool { return key == "FLOOR" }) // its page tells of faults
		alone := sit(t, s)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			code := rapid.SampledFrom([]string{"heat", "space", "volts"}).Draw(t, "code")
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				w.fault(code, "Look at "+code)
				continue
			case 1:
				w.fault(code, "")
				continue
			case 2:
				_ = w.acknowledge(code, "tech") // refused when it does not stand
				continue
			}
			key := rapid.SampledFrom(append(w.names, "OK", "OK", "CLEAR")).Draw(t, "key")
			wait := ms * time.Duration(rapid.IntRange(30, 20_000).Draw(t, "ms"))
			for _, r := range []*rig{w.rig, alone} {
				r.tone = console.Silent
				r.press(key)
				r.pass(wait)
			}
			if w.line() != alone.line() || w.tone != alone.tone || w.list() != alone.list() || w.proposed() != alone.proposed() {
				t.Fatalf("after %s: echo %q, tone %v, hands %q; without faults %q, %v, %q", key, w.line(), w.tone, w.list(), alone.line(), alone.tone, alone.list())
			}
			if a, b := w.board(), alone.board(); a.Saving != b.Saving || a.Phase != b.Phase || a.Bar.Kind != b.Bar.Kind {
				t.Fatalf("after %s: the board is at %s, %s; without faults %s, %s", key, a.Phase, a.Bar.Kind, b.Phase, b.Bar.Kind)
			}
		}
		w.sound()
	})
}
