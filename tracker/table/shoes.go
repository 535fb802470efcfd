package table

import (
	"bytes"
	"errors"
	"fmt"

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

// Shoes gives every shoe of the record that has ended and has a hand, once and in
// order, with the number of its table: those from the one begun by record from on. It
// returns the state with which the record ends. It takes no lock and may run beside
// the table.
//
// It goes from checkpoint to checkpoint, since each holds the shoe that ended before
// it, and folds the events between two only where another shoe may have ended, and
// those after the last. What could not be read is in problems: a shoe that no
// checkpoint holds is then not made up. err is that of ended, or the record cannot be
// read at all.
func Shoes(files journal.Files, from uint64, ended func(table string, s tracker.Shoe) error) (last tracker.State, problems []error, err error) {
	w := shoeWalk{files: files, from: from, ended: ended}
	for r, err := range journal.Heads(files, from) {
		var lost *journal.Problem
		switch {
		case errors.As(err, &lost):
			w.lose(lost)
		case err != nil:
			return last, w.problems, err
		default:
			if err := w.checkpoint(r); err != nil {
				return last, w.problems, err
			}
		}
	}
	last, err = w.end()
	return last, w.problems, err
}

// shoeWalk goes through the record for its shoes.
type shoeWalk struct {
	files    journal.Files
	from     uint64
	ended    func(string, tracker.Shoe) error
	heads    headReader
	seq      uint64 // the checkpoint before, 0: there was none
	newest   uint64 // the record that began the newest shoe which had ended by then
	finished []byte // that shoe as it stood there, when it was the finished one
	lost     bool   // a checkpoint since then could not be read, which is noted
	held     *endedShoe
	problems []error
}

type endedShoe struct {
	table string
	shoe  tracker.Shoe
}

func (w *shoeWalk) note(err error) { w.problems = append(w.problems, err) }

func (w *shoeWalk) lose(err error) {
	w.lost = true
	w.note(err)
}

// checkpoint gives the shoe that ended before it. A shoe moves from finished to
// previous when the next has a hand: so if the previous one is what was newest, or
// nothing is newer, no other has ended since the checkpoint before. The previous one
// is given again when it is not as it was: it was taken back and went on.
func (w *shoeWalk) checkpoint(r journal.Record) error {
	h, err := w.heads.read(r.Payload)
	if err != nil {
		w.lose(fmt.Errorf("record %d: %w", r.Seq, err))
		return nil
	}
	follows := w.seq > 0 && (h.newest() == w.newest || h.finished != nil && h.previous == w.newest)
	if w.seq > 0 && !follows {
		if err := w.fold(r.Seq); err != nil {
			return err
		}
	}
	same := h.newest() == w.newest || h.previousText != nil && bytes.Equal(h.previousText, w.finished)
	w.seq, w.newest, w.finished, w.lost = r.Seq, h.newest(), h.finishedText, false
	if follows && same && h.finished != nil {
		return w.offer(h.table, *h.finished)
	}
	return w.both(r)
}

// both gives both shoes that a checkpoint holds.
func (w *shoeWalk) both(r journal.Record) error {
	s, err := tracker.UnmarshalCheckpoint(r.Payload)
	if err != nil {
		w.note(fmt.Errorf("record %d: %w", r.Seq, err))
		return nil
	}
	for _, shoe := range []*tracker.Shoe{s.Previous, s.Finished} {
		if shoe != nil {
			if err := w.offer(s.Settings.Table, *shoe); err != nil {
				return err
			}
		}
	}
	return nil
}

// offer keeps a shoe back until the next is another: one that is taken back and ends
// again is offered twice.
func (w *shoeWalk) offer(table string, s tracker.Shoe) error {
	seq := s.Started.Seq
	if seq < w.from || len(s.Hands) == 0 || w.held != nil && seq < w.held.shoe.Started.Seq {
		return nil
	}
	before := w.held
	w.held = &endedShoe{table, s}
	if before == nil || before.shoe.Started.Seq == seq {
		return nil
	}
	return w.ended(before.table, before.shoe)
}

// fold folds the events from the checkpoint before up to record upto. Behind a gap
// nobody knows the state.
func (w *shoeWalk) fold(upto uint64) error {
	var s tracker.State
	for r, err := range journal.Records(w.files, w.seq) {
		var gap *journal.Problem
		switch {
		case errors.As(err, &gap):
			if !w.lost {
				w.note(gap)
			}
			return nil
		case err != nil:
			return err
		case r.Seq >= upto:
			return nil
		case r.Seq == w.seq:
			if s, err = tracker.UnmarshalCheckpoint(r.Payload); err != nil {
				w.note(err)
				return nil
			}
		default:
			if s, err = w.refold(s, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// refold folds one record, notes what of it does not fit, and offers the shoe that it ends.
func (w *shoeWalk) refold(s tracker.State, r journal.Record) (tracker.State, error) {
	s, ended, unfit := refold(s, r)
	w.problems = append(w.problems, unfit...)
	if ended == nil {
		return s, nil
	}
	return s, w.offer(s.Settings.Table, *ended)
}

// end folds what comes after the last checkpoint, as a start does, and gives the last
// shoe unless it was taken back and is in play.
func (w *shoeWalk) end() (s tracker.State, err error) {
	found, err := journal.Look(w.files)
	if err != nil {
		return s, err
	}
	for _, p := range found.Problems {
		if p.Trouble != journal.Torn { // it may just be being written
			w.note(p)
		}
	}
	s, found, _ = beginOf(found) // what it passes over is noted by now
	if found.Checkpoint != nil {
		if err := w.checkpoint(*found.Checkpoint); err != nil {
			return s, err
		}
	}
	for _, r := range found.Records {
		if s, err = w.refold(s, r); err != nil {
			return s, err
		}
	}
	if w.held == nil || w.held.shoe.Started.Seq == s.Shoe.Started.Seq {
		return s, nil
	}
	return s, w.ended(w.held.table, w.held.shoe)
}
