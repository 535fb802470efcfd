package table

import (
	"errors"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// LastOf is the sequence of the newest hand's record in a shoe.
func LastOf(s tracker.Shoe) uint64 {
	last := s.Started.Seq
	for _, h := range s.Hands {
		last = max(last, h.At.Seq)
	}
	return last
}

// LastEnded is LastOf the shoe before the one in play, 0 when none has ended.
func LastEnded(s tracker.State) uint64 {
	switch {
	case s.Finished != nil:
		return LastOf(*s.Finished)
	case s.Previous != nil:
		return LastOf(*s.Previous)
	}
	return 0
}

// Shoes gives every shoe of the record that has ended, in order, with the number of
// its table: those from the one started by record from on, all when it is 0. Where the
// record has a gap the next checkpoint goes on; what stood in the gap is not made up.
func Shoes(j *journal.Journal, from uint64, ended func(table string, s tracker.Shoe) error) error {
	var s tracker.State
	folding := false
	for r, err := range j.Read(max(from, 1)) {
		var gap *journal.Problem
		switch {
		case errors.As(err, &gap):
			folding, err = false, nil
		case err != nil:
		case r.Kind == journal.Checkpoint:
			s, err = tracker.UnmarshalCheckpoint(r.Payload)
			folding = true
		case folding:
			s, err = foldShoe(s, r, ended)
		case from > 1 && r.Seq > from:
			return Shoes(j, 0, ended) // the shoe does not begin with a checkpoint: fold from the first
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// foldShoe applies one record and gives the shoe that it ends.
func foldShoe(s tracker.State, r journal.Record, ended func(string, tracker.Shoe) error) (tracker.State, error) {
	rec, err := tracker.UnmarshalRecord(r.Payload, StampOf(r))
	if err != nil {
		return s, err
	}
	for _, e := range rec.Events {
		before := s.Shoe
		if s, err = tracker.Apply(s, e); err != nil {
			return s, err
		}
		if e.Kind == tracker.ShoeStarted && len(before.Hands) > 0 {
			if err := ended(s.Settings.Table, before); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}
