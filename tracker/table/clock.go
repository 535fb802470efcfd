package table

import (
	"fmt"
	"time"
)

// clockMoved is the fault of a clock that was moved. It ends at once, and stays until
// somebody has acknowledged it.
const clockMoved = "clock-moved"

// mostMoved is how far a clock may be moved, by the network or by hand, before that is a fault.
const mostMoved = 2 * time.Minute

// watchClock raises that fault. A clock that was not set before is set and not moved; over
// a power cut only one that was put back shows.
func (e *Engine) watchClock() {
	was, now := e.clock, e.now
	if !now.Trusted {
		return
	}
	e.clock = now
	if !was.Trusted {
		return
	}
	moved := time.Duration(now.Wall-was.Wall) * time.Millisecond
	if passed, known := was.Since(now); known {
		moved -= passed
	} else {
		moved = min(moved, 0)
	}
	if moved.Abs() <= mostMoved {
		return
	}
	way := "forward"
	if moved < 0 {
		way = "back"
	}
	at := time.UnixMilli(now.Wall).UTC().Format("2006-01-02 15:04:05")
	e.SetFault(now, clockMoved, fmt.Sprintf("The clock was put %s by %v, to %s UTC. Acknowledge this if it is right",
		way, moved.Abs().Round(time.Second), at))
	e.endFault(clockMoved)
}
