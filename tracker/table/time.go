package table

import (
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

// Next returns the moment at which an Engine wants a Tick, and false when none is to come.
func (e *Engine) Next(now tracker.Stamp) (time.Duration, bool) {
	e.at(now)
	next, some := e.console.Next(e.context())
	at := func(t time.Duration, ok bool) {
		if ok && t > now.Mono && (!some || t < next) {
			next, some = t, true
		}
	}
	if e.inFlight != nil {
		at(e.inFlight.since+savingAfter, true)
	}
	at(e.faultDue())
	at(e.taskDue())
	at(stats.NextChange(e.state, now.Boot))
	if end, ok := e.deadline(); ok {
		if e.opens() {
			end = max(end, now.Mono+1) // it passed while FREE was on
		}
		at(end, true)
		sinceThen := (now.Mono - e.state.Since.Mono).Truncate(time.Second)
		at(e.state.Since.Mono+sinceThen+time.Second, e.state.Phase == tracker.Betting)
	}
	return next, some
}

// deadline returns when the running countdown ends, or when bets show as open again.
func (e *Engine) deadline() (time.Duration, bool) {
	s := e.state
	if s.Phase != tracker.Result || !s.AutoOpen {
		return s.CountdownEnd(e.now.Boot)
	}
	since := s.Since.Mono
	if s.Since.Boot != e.now.Boot {
		since = e.started // how long ago it was is not known
	}
	return since + time.Duration(s.Settings.AutoOpen)*time.Second, true
}

// opens reports whether bets are to open by themselves, nothing on its way to disk is
// against it, and there is room for the decision: without it Next would come at once for ever.
func (e *Engine) opens() bool {
	next := e.context().Projected
	return e.state.Phase == tracker.Result && next.AutoOpen && next.Since == e.state.Since &&
		len(e.queue) < maxQueue && !e.queued(tracker.BetsOpened)
}

// tick lets time act.
func (e *Engine) tick() {
	c, out := e.console.Tick(e.context())
	e.accept(c, out, "time")
	e.giveUpTask()
	end, ok := e.deadline()
	if !ok || e.now.Mono < end {
		return
	}
	if e.state.Phase == tracker.Betting && !e.queued(tracker.BetsShut) {
		e.Request(e.now, "time", tracker.Command{Kind: tracker.BetsShut, Reason: "time"})
	}
	if e.opens() {
		e.Request(e.now, "time", tracker.Command{Kind: tracker.BetsOpened})
	}
}

// Restart takes the first step after a start: a timed betting returns as bets closed, and
// what was being keyed comes back UNFINISHED.
func (e *Engine) Restart(now tracker.Stamp, entry []byte) {
	e.at(now)
	e.started = now.Mono
	if now.Trusted {
		e.endFault(clockNotSet)
	}
	if data := entryFor(entry, e.state.Seq); data != nil {
		c, err := e.console.Restore(e.context(), data)
		if err == nil {
			e.accept(c, console.Out{}, "restart")
			e.shoe.restart(c.Cards())
		} else if e.setup.Log != nil {
			e.setup.Log.Info("pending entry dropped", "why", err)
		}
	}
	if e.state.Phase == tracker.Betting && e.state.BetSeconds > 0 {
		e.Request(now, "restart", tracker.Command{Kind: tracker.BetsShut, Reason: "restart"})
	}
}
