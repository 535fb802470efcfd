package table

import (
	"errors"
	"fmt"

	"shoeboard/tracker"
)

// Correct asks for a hand to be fixed, inserted or removed in the name of the floor. A
// fixed hand stays free or not unless free says otherwise. It returns the fact as it will
// be recorded; notify is called once it is on disk, or with why it will not be. It refuses
// while the dealer keys or his record is on its way: no number on his echo may come to
// mean another hane.
func (e *Engine) Correct(now tracker.Stamp, c tracker.Command, free *bool, notify func(error)) (tracker.Event, error) {
	e.at(now)
	if err := e.correctable(c); err != nil {
		return tracker.Event{}, err
	}
	s := e.state
	c.At, c.Token = now, tracker.Spell(s.Shoe.Pack, c.Token)
	switch {
	case free != nil:
		c.Free = *free
	case c.Kind == tracker.HandFixed && c.Hand >= 1 && c.Hand <= len(s.Shoe.Hands):
		c.Free = s.Shoe.Hands[c.Hand-1].Free
	}
	facts, _, err := tracker.Decide(s, c)
	if err != nil {
		return tracker.Event{}, explain(c, err)
	}
	e.enqueue(pending{commands: []tracker.Command{c}, source: "floor", dealer: true, notify: notify})
	return facts[0], nil
}

// explain returns why there is no such correction, for one who does not see the echo.
func explain(c tracker.Command, err error) error {
	var r *tracker.Refusal
	if errors.As(err, &r) && r.Text == "UNCHANGED" {
		return fmt.Errorf("hand %d is %s already: nothing was changed", c.Hand, c.Token)
	}
	return err
}

// correctable returns why a correction of the floor cannot be taken now, or not as it is.
func (e *Engine) correctable(c tracker.Command) error {
	s := e.state
	switch {
	case e.faults[notRecording].here:
		return errors.New("nothing was changed, since the unit cannot record (E21): use paper, call a technician")
	case e.console.Pending():
		return fmt.Errorf("the dealer is keying hand %d or has a question open: "+
			"try again when that is saved or dropped", e.context().Projected.Shoe.Next())
	case e.inFlight != nil && !e.inFlight.quiet || len(e.queue) > 0:
		return errors.New("another record is being written: try again")
	case s.Phase == tracker.TableClosed:
		return errors.New("the table is closed and its last shoe has ended: only the shoe in play can be corrected")
	case len(s.Shoe.Hands) == 0 && (s.Finished != nil || s.Previous != nil):
		return errors.New("that shoe has ended and the new one has no hand yet: " +
			"only the shoe in play can be corrected")
	case len(s.Shoe.Hands) == 0:
		return errors.New("this shoe has no hand yet: the first is for the dealer to key")
	case c.By == "" || !tracker.Printable(c.By, tracker.MaxName):
		return fmt.Errorf("the name %q: expected 1 to %d printable characters: --by NAME", c.By, tracker.MaxName)
	case !tracker.Printable(c.Reason, tracker.MaxReason):
		return fmt.Errorf("the reason %q: expected at most %d printable characters: --why TEXT",
			c.Reason, tracker.MaxReason)
	}
	return nil
}
