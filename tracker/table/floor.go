package table

import (
	"errors"
	"fmt"

	"shoeboard/tracker"
)

// Correct asks for a hand to be fixed, inserted or removed in the name of the floor. A
// fixed hand stays free or not unless free says otherwise. It returns the fact as it will
// be recorded; told is called once it is on disk, or with why it will not be. It refuses
// while the dealer keys or his record is on its way: no number on his echo may come to
// mean another hand.
func (d *Desk) Correct(now tracker.Stamp, c tracker.Command, free *bool, told func(error)) (tracker.Event, error) {
	if err := d.correctable(c); err != nil {
		return tracker.Event{}, err
	}
	s := d.state
	c.At, c.Token = now, tracker.Spell(s.Pack(), c.Token)
	switch {
	case free != nil:
		c.Free = *free
	case c.Kind == tracker.HandFixed && c.Hand >= 1 && c.Hand <= len(s.Shoe.Hands):
		c.Free = s.Shoe.Hands[c.Hand-1].Free
	}
	cmds := []tracker.Command{c}
	events, err := tracker.DecideAll(s, cmds)
	switch {
	case err != nil && s.Finished != nil && len(s.Shoe.Hands) == 0:
		return tracker.Event{}, fmt.Errorf("shoe %d has ended, and the new one has no hand: %w", s.Finished.Number, err)
	case err != nil:
		return tracker.Event{}, err
	}
	d.enqueue(wish{cmds: cmds, source: "floor", dealer: true, told: told})
	return events[0], nil
}

// correctable says why a correction of the floor cannot be taken now, or not as it is.
func (d *Desk) correctable(c tracker.Command) error {
	plain := func(s string) bool { return s == tracker.Plain(s, tracker.MaxFaultBy) }
	switch {
	case d.console.TakingOver():
		return errors.New("this unit asks at the keypad whether to take a table over: answer that first")
	case d.console.Pending():
		return errors.New("the dealer is keying: try again when that is saved or dropped")
	case d.flight != nil && !d.flight.quiet() || len(d.queue) > 0:
		return errors.New("another record is being written: try again")
	case c.By == "" || !plain(c.By):
		return fmt.Errorf("a correction takes a name, in %d letters at most: --by NAME", tracker.MaxFaultBy)
	case !plain(c.Reason):
		return fmt.Errorf("the reason is too long or cannot be shown: %d letters at most", tracker.MaxFaultBy)
	}
	return nil
}
