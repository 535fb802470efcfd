package table

import (
	"fmt"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// mostCheckpoints is how many checkpoints that cannot be read Restore passes over before
// it begins with nothing: each costs a look at the list of segments.
const mostCheckpoints = 8

// Restore returns the state that the record found by a start comes to, and what of it does
// not fold. It always returns a State to go on with: of what stands behind a record that
// cannot be read it keeps what is certain (tracker.Refold), and a checkpoint that cannot be
// read is made up for by the one before it and the events since.
func Restore(found journal.Found) (tracker.State, []error) {
	s, found, unfit := beginOf(found)
	for _, r := range found.Records {
		var more []error
		s, _, more = refold(s, r)
		unfit = append(unfit, more...)
	}
	if s.Pack() == nil {
		s = s.WithoutGame()
	}
	return s, unfit
}

// beginOf returns the state of the newest checkpoint that can be read, what was found
// behind it, and why others were passed over.
func beginOf(found journal.Found) (s tracker.State, _ journal.Found, unfit []error) {
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

// refold folds one record as far as it fits, and returns the shoe that it ends and what
// does not fit.
func refold(s tracker.State, r journal.Record) (_ tracker.State, ended *tracker.Shoe, unfit []error) {
	rec, err := tracker.UnmarshalRecord(r.Payload, StampOf(r))
	if err != nil {
		return s, nil, []error{err}
	}
	for _, e := range rec.Events {
		before := s.Shoe
		if s, err = tracker.Refold(s, e); err != nil {
			unfit = append(unfit, fmt.Errorf("record %d: %w", r.Seq, err))
		}
		if s.Shoe.Started != before.Started && len(before.Hands) > 0 {
			ended = &before
		}
	}
	return s, ended, unfit
}
