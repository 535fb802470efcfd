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

// notRecording is the fault of the record itself: it is shown from memory and told to
// the record once that can be written again.
const notRecording = "not-recording"

// gameWaits is no fault but what is to come: there is nothing to acknowledge.
const gameWaits = "game-waits"

// clockNotSet is on the board while it is so; it becomes a fault when somebody says so,
// for after a start a clock takes its time.
const (
	clockNotSet = "clock-not-set"
	clockText   = "The clock is not set: times are not to be trusted"
)

// lookedRound is how long after a start every device has said how it is: a fault of the
// run before that nothing has told of by then has ended.
const lookedRound = 90 * time.Second

// sighting is a fault as this run of the program sees it. The record follows behind:
// what nobody has acknowledged is the same fault however often it comes and goes, and
// of that the record tells the first, the second, the fourth time and so on.
type sighting struct {
	text  string
	here  bool
	times int           // raised so often since the record was told
	began tracker.Stamp // the first of those times; zero until the next Work
}

// SetFault shows a fault that the caller found, or with an empty text takes it away.
func (d *Desk) SetFault(code, text string) {
	if text == "" {
		d.endFault(code)
		return
	}
	d.setFault(code, text)
}

func (d *Desk) setFault(code, text string) {
	text = tracker.Plain(text, tracker.MaxFaultShown)
	s, seen := d.faults[code]
	if d.setup.Log != nil && !(s.here && s.text == text) {
		d.setup.Log.Warn("fault", "code", code, "text", text)
	}
	if f, stands := d.state.Fault(code); !s.here && (seen || !stands || f.Ended) { // else the run before has told
		s.times++
	}
	s.here, s.text = true, text
	d.faults[code] = s
}

// endFault takes a fault away. One that the run before left is then known to have
// ended.
func (d *Desk) endFault(code string) {
	s, seen := d.faults[code]
	if _, stands := d.state.Fault(code); seen || stands {
		s.here = false
		d.faults[code] = s
	}
}

// standing is the record, which stands at r, as it will be once it has been told of
// every fault that is on the board.
func (d *Desk) standing(r tracker.State, now tracker.Stamp) tracker.State {
	codes := d.faultCodes()
	if !now.Trusted {
		codes = append(codes, clockNotSet)
	}
	for _, c := range codes {
		if _, after, err := tracker.Decide(r, d.facts(r, now, c, true)...); err == nil {
			r = after
		}
	}
	return r
}

// Acknowledge asks for the fault to be acknowledged in somebody's name. The error says
// why it cannot be, and which can.
func (d *Desk) Acknowledge(now tracker.Stamp, code, by string) error {
	r := d.standing(d.coming(), now)
	cmds := []tracker.Command{{Kind: tracker.FaultAcknowledged, Code: code, By: by, At: now}}
	if _, _, err := tracker.Decide(r, cmds...); err != nil {
		return err
	}
	if !d.enqueue(wish{cmds: cmds, source: "acknowledge"}) {
		return errors.New("too much waits to be recorded: try again")
	}
	return nil
}

// faultWish is what the record is to be told of faults next. It waits while something
// is being keyed, so that no OK has to wait for it.
func (d *Desk) faultWish(now tracker.Stamp) (wish, bool) {
	if len(d.faults) == 0 && len(d.state.Faults) == 0 || d.console.Pending() {
		return wish{}, false
	}
	for _, code := range d.faultCodes() {
		cmds := d.facts(d.state, now, code, false)
		if _, _, err := tracker.Decide(d.state, cmds...); err == nil && len(cmds) > 0 {
			return wish{cmds: cmds, source: "unit"}, true
		}
	}
	return wish{}, false
}

// tidyFaults notes when what was raised began, and forgets what is over.
func (d *Desk) tidyFaults(now tracker.Stamp) {
	if now.Trusted {
		d.endFault(clockNotSet)
	}
	for code, s := range d.faults {
		f, stands := d.state.Fault(code)
		switch {
		case d.flight == nil && !s.here && (s.times == 0 || code == gameWaits) && !(stands && !f.Ended):
			delete(d.faults, code)
		case s.times > 0 && s.began == (tracker.Stamp{}):
			s.began = now
			d.faults[code] = s
		}
	}
}

// unseen reports whether no screen shows the board and nobody has acknowledged that.
func (d *Desk) unseen() bool {
	s := d.faults[stats.NoScreen]
	f, stands := d.state.Fault(stats.NoScreen)
	return s.here && (s.times > 0 || !stands || !f.Acknowledged())
}

// faultCodes are those of the faults seen or standing, in order.
func (d *Desk) faultCodes() []string {
	codes := slices.Collect(maps.Keys(d.faults))
	for _, f := range d.state.Faults {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// facts are what the record, which stands at r, is to be told of a fault: nothing,
// unless it is time. all is for a fault that is being acknowledged: the record has to
// know whether it is there.
func (d *Desk) facts(r tracker.State, now tracker.Stamp, code string, all bool) []tracker.Command {
	if code == gameWaits {
		return nil
	}
	f, stands := r.Fault(code)
	s, seen := d.faults[code]
	if all && code == clockNotSet && !now.Trusted && !s.here {
		s = sighting{text: clockText, here: true}
	}
	end := tracker.Command{Kind: tracker.FaultEnded, Code: code, At: now}
	var cmds []tracker.Command
	tell := s.times > 0 && (s.times >= f.Times || f.Acknowledged() || all) || all && s.here && (!stands || f.Ended)
	switch {
	case !stands && len(r.Faults) >= tracker.MaxFaults: // when one goes, this one is told
	case tell:
		if stands && !f.Ended {
			cmds = append(cmds, end)
		}
		cmds = append(cmds, tracker.Command{Kind: tracker.FaultRaised, Code: code, Text: s.text, Times: f.Times + s.times, Seconds: ago(s.began, now), At: now})
		if !s.here {
			cmds = append(cmds, end)
		}
	case stands && !f.Ended && !s.here && (seen || now.Mono-d.started >= lookedRound):
		cmds = append(cmds, end)
	}
	return cmds
}

// ago is how many seconds before now something began, 0 when it began after.
func ago(began, now tracker.Stamp) int {
	d, _ := began.Since(now)
	return int(max(0, d) / time.Second)
}

// abreast puts before an acknowledgement what the record does not know yet of its
// fault: whoever acknowledges knows what the board shows. All of it counts from the
// acknowledgement, however long that has waited: a record has one moment.
func (d *Desk) abreast(r tracker.State, cmds []tracker.Command) []tracker.Command {
	var all []tracker.Command
	for _, c := range cmds {
		if c.Kind == tracker.FaultAcknowledged {
			if c.Code == clockNotSet && !c.At.Trusted {
				d.setFault(clockNotSet, clockText)
			}
			all = append(all, d.facts(r, c.At, c.Code, true)...)
		}
		all = append(all, c)
	}
	return all
}

// told: these facts are on their way to the record.
func (d *Desk) told(events []tracker.Event) {
	for _, e := range events {
		if s, seen := d.faults[e.Code]; seen && e.Kind == tracker.FaultRaised {
			s.times, s.began = 0, tracker.Stamp{}
			d.faults[e.Code] = s
		}
	}
}

// quiet says that a decision is nothing but facts of faults: nobody waits for it.
func (w wish) quiet() bool {
	return !w.dealer && !slices.ContainsFunc(w.cmds, func(c tracker.Command) bool {
		return c.Kind != tracker.FaultRaised && c.Kind != tracker.FaultEnded && c.Kind != tracker.FaultAcknowledged
	})
}

// nextFault is when a fault of the run before is taken to have ended.
func (d *Desk) nextFault() (time.Duration, bool) {
	for _, f := range d.state.Faults {
		if _, seen := d.faults[f.Code]; !seen && !f.Ended {
			return d.started + lookedRound, true
		}
	}
	return 0, false
}

// first orders before all others the fault that hands are not recorded: a board that
// has no room for all must say that one.
func first(a, b string) int {
	switch notRecording {
	case b:
		return 1
	case a:
		return -1
	}
	return 0
}

// faultLists are the faults for a Board, not recording first and then by code: those that are there, and those that
// have ended and nobody has acknowledged.
func (d *Desk) faultLists(now tracker.Stamp) (here, ended []stats.Fault) {
	if s := d.faults[clockNotSet]; !now.Trusted && !s.here {
		f, stands := d.state.Fault(clockNotSet)
		if !stands || f.Ended {
			f = tracker.Fault{Code: clockNotSet}
		}
		f.Text = clockText
		here = append(here, recorded(f)) // who knew of it before a start knows of it after
	}
	for _, code := range d.faultCodes() {
		f, stands := d.state.Fault(code)
		s := d.faults[code]
		switch {
		case code == clockNotSet && !now.Trusted && !s.here: // it is among them already
		case s.here:
			if !stands {
				f.Code, f.Raised = code, s.began
			}
			f.Text, f.Times, f.Ended, f.EndedAt = s.text, f.Times+s.times, false, tracker.Stamp{}
			if s.times > 0 {
				f.By = "" // of this time nobody knows
			}
			here = append(here, recorded(f))
		case stands && !f.Acknowledged():
			f.Ended = true // nothing has told of it in this run
			ended = append(ended, recorded(f))
		}
	}
	slices.SortFunc(here, func(a, b stats.Fault) int { return cmp.Or(first(a.Code, b.Code), cmp.Compare(a.Code, b.Code)) })
	return here, ended
}

// Standing are the faults that stand in a record, for one who has no table running.
func Standing(s tracker.State) []stats.Fault {
	list := make([]stats.Fault, len(s.Faults))
	for i, f := range s.Faults {
		list[i] = recorded(f)
	}
	return list
}

// recorded is a fault for a Board.
func recorded(f tracker.Fault) stats.Fault {
	return stats.Fault{Code: f.Code, Text: f.Text, Staff: f.Ended || f.Acknowledged(), Began: wall(f.Raised), Times: f.Times, By: f.By,
		Ended: f.Ended, EndedAt: wall(f.EndedAt)}
}

// wall is a stamp's time for a Board, 0 when it is not to be trusted.
func wall(s tracker.Stamp) int64 {
	if !s.Trusted {
		return 0
	}
	return s.Wall
}
