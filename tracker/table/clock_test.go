package table_test

import (
	"strings"
	"testing"
	"time"
)

// A clock that is moved by more than 2 minutes is a fault until somebody has acknowledged it,
// whoever moved it. One that is set for the first time, or kept right, is none.
func TestAClockThatIsMoved(t *testing.T) {
	for _, c := range []struct {
		what string
		by   time.Duration
		then func(r *rig)
		want string
	}{
		{"put back at once", -time.Hour, func(*rig) {}, "The clock was put back by 1h0m0s, to "},
		{"put forward", 121 * time.Second, func(*rig) {}, "The clock was put forward by 2m1s, to "},
		{"kept right", 119 * time.Second, func(*rig) {}, ""},
		{"set for the first time", 90 * time.Hour, func(r *rig) {
			r.now.Trusted = false
			r.restart(true, false)
			r.wait(time.Minute)
			r.now.Trusted = true
			r.now.Wall += time.Hour.Milliseconds()
		}, ""},
		{"a day without power", 24 * time.Hour, func(r *rig) { r.restart(true, false) }, ""},
		{"put back while it was off", -3 * time.Hour, func(r *rig) { r.restart(true, false) }, "The clock was put back by "},
	} {
		r := sit(t, usual()).deal(2, "B")
		r.now.Trusted = true
		r.play("PLAYER OK").wait(time.Second)
		r.now.Wall += c.by.Milliseconds()
		c.then(r)
		r.wait(time.Second)
		found := ""
		for _, f := range r.board().EndedFaults {
			if f.Code == "clock-moved" {
				found = f.Text
			}
		}
		if (c.want == "") != (found == "") || !strings.HasPrefix(found, c.want) {
			t.Errorf("%s: fault %q, want %q", c.what, found, c.want)
		}
		if c.want == "" {
			continue
		}
		if err := r.engine.Acknowledge(r.now, "clock-moved", "anybody"); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		r.settle()
		if n := len(r.board().EndedFaults); n > 0 {
			t.Errorf("%s: acknowledged, and %d faults are left", c.what, n)
		}
	}
}
