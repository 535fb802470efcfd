package table

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// Faults that the table itself knows of.
const (
	notRecording = "not-recording" // shown from memory, and recorded once that works again
	gameWaits    = "game-waits"    // no fault, an announcement: there is nothing to acknowledge
	clockNotSet  = "clock-not-set" // recorded only when somebody reports or acknowledges it: a clock takes its time
)

// settleAfter is how long a fault that comes and goes has to rest before it is recorded again,
// and how long every device may take to report after a start: a fault of the run before
// that nothing has raised by then has ended.
const settleAfter = 90 * time.Second

// sighting is a fault as this run of the program sees it. It is recorded when it is raised,
// when it ends and when somebody acknowledges it. A fault that nobody has acknowledged is the
// same one however often it comes and goes; that is counted here, and the count is recorded
// once it has come or gone for good, or with the acknowledgement.
type sighting struct {
	text    string
	here    bool
	since   tracker.Stamp // when it came last
	changed time.Duration // when it came or went last
	times   int           // raised so often since the record says
	shown   bool          // it is only shown, never recorded by itself
}

// SetFault shows a fault that the caller found, or with an empty text takes it away.
func (e *Engine) SetFault(now tracker.Stamp, code, text string) {
	e.at(now)
	if text == "" {
		e.endFault(code)
		return
	}
	text = tracker.Plain(text, tracker.MaxFaultShown)
	s, seen := e.faults[code]
	if e.setup.Log != nil && !(s.here && s.text == text) {
		e.setup.Log.Warn("fault", "code", code, "text", text)
	}
	f, recorded := e.state.Fault(code)
	isNew := !recorded || f.Ended // else the run before has recorded it
	if !s.here && (seen || isNew) || s.shown && isNew && code != gameWaits {
		s.times++
	}
	if !s.here {
		s.since, s.changed = now, now.Mono
	}
	s.text, s.here, s.shown = text, true, code == gameWaits
	e.faults[code], e.known = s, nil
}

// endFault takes a fault away. One that the run before left is then known to have ended.
func (e *Engine) endFault(code string) {
	s, seen := e.faults[code]
	if _, recorded := e.state.Fault(code); s.here || !seen && recorded {
		s.here, s.changed = false, e.now.Mono
		e.faults[code], e.known = s, nil
	}
}

// checkClock shows whether the clock is set.
func (e *Engine) checkClock() {
	switch s := e.faults[clockNotSet]; {
	case e.now.Trusted:
		e.endFault(clockNotSet)
	case !s.here:
		s.text, s.here, s.since, s.shown = "The clock is not set: times are not to be trusted", true, e.now, true
		e.faults[clockNotSet], e.known = s, nil
	}
}

// Acknowledge asks for the fault to be acknowledged in somebody's name. The error says
// why it cannot be, and which can.
func (e *Engine) Acknowledge(now tracker.Stamp, code, by string) error {
	e.at(now)
	c := tracker.Command{Kind: tracker.FaultAcknowledged, Code: code, By: by, At: now}
	if _, _, err := tracker.Decide(tracker.State{Faults: e.faultsToAcknowledge(e.context().Projected)}, c); err != nil {
		return err
	}
	if !e.enqueue(pending{commands: []tracker.Command{c}, source: "acknowledge", quiet: true}) {
		return errors.New("too much waits to be recorded: try again")
	}
	return nil
}

// nextFault returns the next facts to be recorded of a fault: none while something is being
// keyed, so that no OK has to wait for them.
func (e *Engine) nextFault() (pending, bool) {
	if e.console.Pending() {
		return pending{}, false
	}
	codes := slices.Collect(maps.Keys(e.faults))
	for _, f := range e.state.Faults {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		commands := e.unrecorded(code, e.now, false)
		if _, _, err := tracker.Decide(e.state, commands...); err == nil && len(commands) > 0 {
			e.countRecorded(code)
			return pending{commands: commands, source: "unit", quiet: true}, true
		}
	}
	return pending{}, false
}

// unrecorded returns what is to be recorded of a fault now; all is for one that is being
// acknowledged, of which everything is: it counts from the acknowledgement, however long
// that has waited, for a record has one moment.
func (e *Engine) unrecorded(code string, now tracker.Stamp, all bool) []tracker.Command {
	f, recorded := e.state.Fault(code)
	s, seen := e.faults[code]
	lasts := now.Mono-s.changed >= settleAfter
	raise := s.times > 0 && !s.shown && (!recorded || f.Acknowledged() || lasts) ||
		all && (s.times > 0 || s.here && (!recorded || f.Ended))
	ended := tracker.Command{Kind: tracker.FaultEnded, Code: code, At: now}
	ends := recorded && !f.Ended && !s.here && (seen || now.Mono-e.started >= settleAfter)
	switch {
	case !recorded && len(e.state.Faults) >= tracker.MaxFaults: // room for it comes when another goes
		return nil
	case !raise && ends:
		return []tracker.Command{ended}
	case !raise:
		return nil
	}
	ago, _ := s.since.Since(now)
	commands := []tracker.Command{{Kind: tracker.FaultRaised, Code: code, Text: s.text, Times: f.Times + s.times,
		Seconds: int(max(0, ago) / time.Second), At: now}}
	if recorded && !f.Ended {
		commands = slices.Insert(commands, 0, ended)
	}
	if !s.here {
		commands = append(commands, ended)
	}
	return commands
}

// countRecorded begins to count from zero how often the fault comes.
func (e *Engine) countRecorded(code string) {
	if s, seen := e.faults[code]; seen {
		s.times, s.shown = 0, false
		e.faults[code] = s
	}
}

// faultDue returns when a fault is to be recorded that comes and goes no more, or one of the
// run before is taken to have ended.
func (e *Engine) faultDue() (due time.Duration, some bool) {
	for _, f := range e.state.Faults {
		since := e.started
		s, seen := e.faults[f.Code]
		if s.times > 0 {
			since = s.changed
		} else if seen || f.Ended {
			continue
		}
		if at := since + settleAfter; at > e.now.Mono && (!some || at < due) {
			due, some = at, true
		}
	}
	return due, some
}

// faultList returns the faults of a record as they are now, and after them those that are
// not recorded yet.
func (e *Engine) faultList(record tracker.State) (list []tracker.Fault) {
	for _, f := range record.Faults {
		list = append(list, e.faults[f.Code].update(f))
	}
	for _, code := range slices.Sorted(maps.Keys(e.faults)) {
		s := e.faults[code]
		if _, recorded := record.Fault(code); !recorded && s.here {
			list = append(list, s.update(tracker.Fault{Code: code, Raised: s.since}))
		}
	}
	return list
}

// update returns a fault as it is now. One that nothing has raised in this run has ended.
func (s sighting) update(f tracker.Fault) tracker.Fault {
	if !s.here {
		f.Ended = true
		return f
	}
	f.Text, f.Times, f.Ended, f.EndedAt = s.text, f.Times+s.times, false, tracker.Stamp{}
	if s.times > 0 {
		f.By = "" // nobody knows of this time
	}
	return f
}

// faultsToAcknowledge returns the faults of a record that somebody can acknowledge.
func (e *Engine) faultsToAcknowledge(record tracker.State) []tracker.Fault {
	return slices.DeleteFunc(e.faultList(record), func(f tracker.Fault) bool { return f.Code == gameWaits })
}

// fillFaults fills in the faults of a Board by code: those that are there, and those that
// have ended and nobody has acknowledged. That hands are not recorded comes first, for a
// board may have no room for all.
func (e *Engine) fillFaults(b *stats.Board) {
	list := e.faultList(e.state)
	slices.SortFunc(list, func(f, g tracker.Fault) int { return cmp.Compare(rank(f.Code), rank(g.Code)) })
	for _, f := range stats.Faults(list) {
		switch {
		case !f.Ended:
			b.Faults = append(b.Faults, f)
		case f.By == "":
			b.EndedFaults = append(b.EndedFaults, f)
		}
	}
}

// rank orders faults by their codes, the first one before all.
func rank(code string) string {
	if code == notRecording {
		return ""
	}
	return code
}
