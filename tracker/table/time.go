package table

import (
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

// attractAfter is how long the finished board stays before attract pages turn.
const attractAfter = 3 * time.Minute

// Next is the moment at which Tick has something to do, and false when nothing is
// to come.
func (d *Desk) Next(now tracker.Stamp) (time.Duration, bool) {
	next, some := d.console.Next(d.at(now))
	at := func(t time.Duration) {
		if t > now.Mono && (!some || t < next) {
			next, some = t, true
		}
	}
	if d.flight != nil {
		at(d.flight.since + savingAfter)
	}
	if end, ok := d.nextFault(); ok {
		at(end)
	}
	if end, ok := d.deadline(now); ok {
		if d.opens() {
			end = max(end, now.Mono+1) // it passed while FREE stood
		}
		at(end)
		if d.state.Phase == tracker.Betting {
			at(nextSecond(d.state.Since.Mono, now.Mono))
		}
	}
	if d.attracts() && d.state.Since.Boot == now.Boot {
		at(d.state.Since.Mono + attractAfter)
	}
	if d.state.Shoe.Over() && d.state.Phase == tracker.Result && d.state.Since.Boot == now.Boot {
		at(d.state.Since.Mono + settledAfter)
	}
	if since, ok := d.state.Since.Since(now); ok && d.state.Phase == tracker.BetsClosed && since < 16*time.Second {
		at(d.state.Since.Mono + 15*time.Second + time.Millisecond)
	}
	if due, out := d.errandDue(); out {
		at(due)
	}
	return next, some
}

func nextSecond(from, now time.Duration) time.Duration {
	return from + (now - from).Truncate(time.Second) + time.Second
}

// deadline is when the running countdown ends, or when bets show as open again.
func (d *Desk) deadline(now tracker.Stamp) (time.Duration, bool) {
	s := d.state
	since, same := s.Since.Mono, s.Since.Boot == now.Boot
	switch {
	case s.Phase == tracker.Betting && s.BetSeconds > 0 && same:
		return since + time.Duration(s.BetSeconds)*time.Second, true
	case s.Phase == tracker.Result && s.AutoOpen:
		if !same {
			since = d.started // how long ago it was is not known
		}
		return since + time.Duration(s.Settings.AutoOpen)*time.Second, true
	}
	return 0, false
}

// opens reports whether bets are to open by themselves, nothing on its way to disk is
// against it, and there is room for the wish: without it Next would come at once for ever.
func (d *Desk) opens() bool {
	next := d.coming()
	return d.state.Phase == tracker.Result && len(d.queue) < maxQueue && !d.queued(tracker.BetsOpened) && next.AutoOpen && next.Since == d.state.Since
}

// Tick lets time act.
func (d *Desk) Tick(now tracker.Stamp) {
	c, out := d.console.Tick(d.at(now))
	d.take(now, c, out, "time")
	d.tickErrand(now)
	end, ok := d.deadline(now)
	if !ok || now.Mono < end {
		return
	}
	if d.state.Phase == tracker.Betting && !d.queued(tracker.BetsShut) {
		d.Wish(now, "time", tracker.Command{Kind: tracker.BetsShut, Reason: "time"})
	}
	if d.opens() {
		d.Wish(now, "time", tracker.Command{Kind: tracker.BetsOpened})
	}
}

// Restarted is the first step after a start: a timed betting returns as bets
// closed, and what was pending comes back UNFINISHED.
func (d *Desk) Restarted(now tracker.Stamp, scratch []byte) {
	d.started = now.Mono
	if entry := entryFor(scratch, d.state.Seq); entry != nil {
		c, err := d.console.Restore(d.at(now), entry)
		if err != nil {
			if d.setup.Log != nil {
				d.setup.Log.Info("pending entry dropped", "why", err)
			}
		} else {
			d.take(now, c, console.Out{}, "restart")
			d.feed.restarted(c.Cards())
		}
	}
	if d.state.Phase == tracker.Betting && d.state.BetSeconds > 0 {
		d.Wish(now, "restart", tracker.Command{Kind: tracker.BetsShut, Reason: "restart"})
	}
}
