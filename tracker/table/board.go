package table

import (
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// settledAfter is how long take and pay last: after the last hand the bar says
// SHOE OVER then.
const settledAfter = 20 * time.Second

// View is what a Board says beside the record and the keypad.
type View struct {
	Zone     string
	Demo     bool
	OnScreen bool // no echo of the dealer's own: the screen shows it
	Identify bool
	Test     string // the technician's page on the screen, Board.Test; empty: the board
	Config   *stats.ConfigFault
	Status   string
}

// Live is what the Board of now shows that no record says.
func (d *Desk) Live(now tracker.Stamp, v View) stats.Live {
	live := stats.Live{
		Boot:         now.Boot,
		Dealer:       d.Echo(now),
		ConfigFault:  plainConfig(v.Config),
		ClockTrusted: now.Trusted,
		Zone:         v.Zone, Demo: v.Demo, Identify: v.Identify, Test: v.Test, StatusLine: v.Status,
		Saving: d.flight != nil && now.Mono-d.flight.since >= savingAfter && (!d.flight.quiet() || len(d.queue) > 0),
	}
	live.Faults, live.Ended = d.faultLists(now)
	live.Dealer.OnScreen = v.OnScreen || len(d.blind) > 0
	if d.faults[notRecording].here {
		live.Dealer.Refused = true
	}
	d.showMenu(now, &live)
	since, ok := d.state.Since.Since(now)
	live.Attract = ok && d.attracts() && since >= attractAfter
	live.Settled = !ok || d.state.Phase == tracker.Result && since >= settledAfter
	return live
}

// attracts: while SHUFFLING after a shoe was played. A table that has just opened
// keeps its empty board.
func (d *Desk) attracts() bool {
	return d.state.Phase == tracker.Shuffling && (d.state.Finished != nil || d.state.Previous != nil)
}

// plainConfig returns a fault of the configuration in words that a board has room for: it
// quotes a file that may hold anything.
func plainConfig(f *stats.ConfigFault) *stats.ConfigFault {
	if f == nil {
		return nil
	}
	const most = tracker.MaxFaultShown
	return &stats.ConfigFault{File: tracker.Plain(f.File, most), Line: f.Line, Key: tracker.Plain(f.Key, most), Text: tracker.Plain(f.Text, most)}
}
