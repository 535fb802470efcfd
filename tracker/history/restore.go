package history

import (
	"fmt"
	"slices"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// mostCheckpoints limits how many unreadable checkpoints Restore skips before it begins with
// nothing: for each it lists the segments again.
const mostCheckpoints = 8

// Restore returns the state to which the record found by a start folds, and what of it does
// not fold. It always returns a State to go on with: of the records behind one that cannot be
// read it keeps what is certain (tracker.Refold), and in place of a checkpoint that cannot be
// read it takes the one before and the events since.
func Restore(found journal.Found) (tracker.State, []error) {
	s, found, unfit := newestState(found)
	w := walk{state: s, problems: unfit, each: func(Dealt) error { return nil }}
	for _, r := range found.Records {
		_ = w.event(r, true) // each gives none
	}
	if w.state.Shoe.Pack == nil {
		w.state = w.state.WithoutGame()
	}
	return w.state, w.problems
}

// newestState returns the state of the newest checkpoint that can be read, what was found
// after it, and why it skipped others.
func newestState(found journal.Found) (s tracker.State, _ journal.Found, unfit []error) {
	for range mostCheckpoints {
		c := found.Checkpoint
		if c == nil {
			return s, found, unfit
		}
		s, err := tracker.UnmarshalCheckpoint(c.Payload)
		if err == nil {
			return s, found, unfit
		}
		unfit = append(unfit, fmt.Errorf("record %d: %w", c.Seq, err))
		earlier, err := found.Before()
		if err != nil {
			return s, found, append(unfit, err)
		}
		found = earlier
	}
	found.Checkpoint = nil
	return s, found, unfit
}

// StampOf returns the stamp that a record carries.
func StampOf(r journal.Record) tracker.Stamp {
	return tracker.Stamp{Seq: r.Seq, Boot: r.Boot.String(), Mono: time.Duration(r.Mono),
		Wall: r.Wall / 1e6, Trusted: r.Trusted}
}

// Damage returns the sentence for the board about the record that a start found, which gives
// the state s: its last problem, or the last part that does not fold. "" says that it is whole.
func Damage(s tracker.State, found journal.Found, unfit []error) string {
	damaged := slices.DeleteFunc(slices.Clone(found.Problems), func(p *journal.Problem) bool {
		return p.Trouble == journal.Unwritable // all of it can be read
	})
	switch {
	case len(unfit) > 0:
		return "Part of the record cannot be used: " + unfit[len(unfit)-1].Error()
	case len(damaged) == 0:
		return ""
	}
	p, before := damaged[len(damaged)-1], 0
	for _, h := range s.Shoe.Hands {
		if p.Trouble == journal.Gap && h.At.Seq > 0 && h.At.Seq < p.First {
			before++
		}
	}
	if before == 0 {
		return "The record was damaged: " + p.Error()
	}
	return fmt.Sprintf("The record was damaged: check hands 1 to %d, a correction of one may be lost: %v", before, p)
}
