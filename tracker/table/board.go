package table

import (
	"slices"
	"strings"
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
	e := d.Echo(now)
	live := stats.Live{
		Boot:         now.Boot,
		Dealer:       stats.Dealer{Lines: e.Lines, Entering: e.Entering, Asking: e.Asking, Refused: e.Refused, OnScreen: v.OnScreen || len(d.blind) > 0},
		Faults:       d.faultList(now),
		ConfigFault:  v.Config,
		ClockTrusted: now.Trusted,
		Zone:         v.Zone, Demo: v.Demo, Identify: v.Identify, Test: v.Test, StatusLine: v.Status,
		Saving: d.flight != nil && now.Mono-d.flight.since >= savingAfter,
	}
	if r, ok := d.console.Proposed(d.at(now)); ok {
		live.Dealer.Proposed = &stats.Mark{Outcome: r.Outcome, PlayerNatural: r.PlayerNatural, BankerNatural: r.BankerNatural,
			PlayerPair: r.PlayerPair, BankerPair: r.BankerPair, Free: d.state.Free, Bets: r.Bets}
	}
	if _, recording := d.faults["not-recording"]; recording {
		live.Dealer.Refused = true
	}
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

// faultList is the faults by code, for a Board.
func (d *Desk) faultList(now tracker.Stamp) []stats.Fault {
	var list []stats.Fault
	if !now.Trusted {
		list = append(list, stats.Fault{Code: "clock-not-set", Text: "The clock is not set: times are not to be trusted"})
	}
	for code, f := range d.faults {
		list = append(list, stats.Fault{Code: code, Text: f.text})
	}
	slices.SortFunc(list, func(a, b stats.Fault) int { return strings.Compare(a.Code, b.Code) })
	return list
}
