package history

import (
	"errors"
	"fmt"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// Dealt is a shoe of the record.
type Dealt struct {
	Table string // the table's number
	Shoe  tracker.Shoe
	Notes []Note

	partial bool // its first records were not read
}

// Note is a correction or a change of a fault, made while a shoe was in play or before
// its first hand.
type Note struct {
	Seq     uint64        `json:"seq"`            // its record
	Wall    int64         `json:"wall"`           // milliseconds since 1970 UTC
	Trusted bool          `json:"ok,omitempty"`   // whether the wall clock had been set
	Number  int           `json:"shoe,omitempty"` // of the shoe in play on that day; 0: not known
	Event   tracker.Event `json:"e"`
}

// isNoted reports whether an event makes a note.
func isNoted(e tracker.Event) bool {
	switch e.Kind {
	case tracker.HandFixed, tracker.HandReplaced, tracker.HandRemoved, tracker.HandInserted,
		tracker.FaultRaised, tracker.FaultEnded, tracker.FaultAcknowledged:
		return true
	}
	return false
}

// Shoes calls each for every shoe of the record that has ended and has a hand, once and in
// order: those that began after the one of a row, the zero Row: all. It returns the shoe in
// play. It takes no lock and may run beside the table.
//
// It folds the events one after the other. Behind a record that cannot be read nobody knows
// the state before the next checkpoint, which holds the two shoes that ended last: a shoe
// that no checkpoint holds is then not made up, and problems say what could not be read where
// that may have cost a shoe. The end of the record is read as a start reads it. err comes
// from each, or says that the record cannot be read at all.
func Shoes(files journal.Files, since Row, each func(Dealt) error) (inPlay Dealt, problems []error, err error) {
	w := walk{each: each}
	return w.record(files, since)
}

// record goes through a record as Shoes has it.
func (w *walk) record(files journal.Files, since Row) (inPlay Dealt, problems []error, err error) {
	found, err := journal.Look(files)
	if err != nil {
		return inPlay, nil, err
	}
	for _, p := range found.Problems {
		if p.Trouble != journal.Torn { // it may just be being written
			problems = append(problems, p)
		}
	}
	state, found, unfit := newestState(found)
	w.since, w.problems = since.Shoe, append(problems, unfit...)
	if found.Checkpoint != nil {
		err = w.to(files, since.Last, found.Checkpoint.Seq)
	}
	if err == nil && found.Checkpoint != nil {
		err = w.meet(found.Checkpoint.Seq, state)
	}
	for _, r := range found.Records {
		if err == nil {
			err = w.event(r, true)
		}
	}
	if err == nil {
		err = w.give(w.state.Shoe.Started.Seq)
	}
	return Dealt{Table: w.state.Settings.Table, Shoe: w.state.Shoe, Notes: w.notes}, w.problems, err
}

// walk goes through a record for its shoes.
type walk struct {
	since    uint64
	each     func(Dealt) error
	compare  func(seq uint64, is, want tracker.State) // of each checkpoint whose events are known; may be nil
	state    tracker.State
	known    bool    // state is what the record comes to
	begun    bool    // it was known once
	gaps     []error // since it was
	reported bool    // one of them is a problem already
	seen     uint64  // the record from which on all were read
	newest   uint64  // the record that began the newest shoe that had ended
	held     *Dealt
	notes    []Note
	problems []error
}

// to goes from the segment of a record to another record, which is a checkpoint.
func (w *walk) to(files journal.Files, from, end uint64) error {
	for r, err := range journal.Records(files, from) {
		var gap *journal.Problem
		switch {
		case errors.As(err, &gap):
			w.lose(gap, gap.NoCheckpoint())
		case err != nil:
			return err
		case r.Seq >= end:
			return nil
		case r.Kind == journal.Checkpoint:
			err = w.checkpoint(r)
		default:
			err = w.event(r, false)
		}
		if err != nil && gap == nil {
			return err
		}
	}
	return nil
}

// lose forgets the state; tell: why is a problem even if it costs no shoe.
func (w *walk) lose(why error, tell bool) {
	if w.known = false; !tell {
		w.gaps = append(w.gaps, why)
		return
	}
	w.problems, w.reported = append(w.problems, why), true
}

// checkpoint takes the state from a checkpoint, unless that of its events is known.
func (w *walk) checkpoint(r journal.Record) error {
	if w.known && w.compare == nil {
		return nil
	}
	s, err := tracker.UnmarshalCheckpoint(r.Payload)
	if err != nil {
		w.lose(fmt.Errorf("record %d: %w", r.Seq, err), true)
		return nil
	}
	return w.meet(r.Seq, s)
}

// meet goes on with the state of a checkpoint, and offers both shoes that this holds. What
// could not be read before it cost no shoe when one of them was the newest, or in play.
func (w *walk) meet(seq uint64, s tracker.State) error {
	if w.known {
		if w.compare != nil {
			w.compare(seq, s, w.state)
		}
		w.state = s
		return nil
	}
	ended := []*tracker.Shoe{s.Previous, s.Finished}
	sure := s.Shoe.Started.Seq == w.state.Shoe.Started.Seq
	for _, shoe := range ended {
		if shoe != nil && (shoe.Started.Seq == w.newest || shoe.Started.Seq == w.state.Shoe.Started.Seq) {
			sure = true
		}
	}
	if w.begun && !sure && !w.reported {
		w.problems = append(w.problems, w.gaps...)
	}
	w.state, w.seen, w.known, w.begun, w.gaps, w.reported = s, seq, true, true, nil, false
	for _, shoe := range ended {
		if shoe != nil {
			if err := w.offer(*shoe); err != nil {
				return err
			}
		}
	}
	return nil
}

// event folds a record and keeps its notes. Where the state is not known it folds only the
// end of the record, which a start folds as well.
func (w *walk) event(r journal.Record, end bool) error {
	rec, err := tracker.UnmarshalRecord(r.Payload, StampOf(r))
	if err != nil {
		w.lose(err, end)
	}
	for _, e := range rec.Events {
		note := Note{Seq: r.Seq, Wall: e.At.Wall, Trusted: e.At.Trusted, Event: e}
		if w.known || end {
			if err := w.fold(r.Seq, e, end); err != nil {
				return err
			}
			note.Number = w.state.Shoe.Number
		}
		if isNoted(e) {
			w.notes = append(w.notes, note)
		}
	}
	return nil
}

// fold folds one event, and offers the shoe that it ends.
func (w *walk) fold(seq uint64, e tracker.Event, end bool) (err error) {
	before := w.state.Shoe
	if w.state, err = tracker.Refold(w.state, e); err != nil {
		w.lose(fmt.Errorf("record %d: %w", seq, err), end)
	}
	after := w.state.Shoe.Started
	if after == before.Started {
		return nil
	}
	err = w.offer(before)
	w.takenBack(after.Seq)
	return err
}

// takenBack gives a shoe that goes on the notes with which it had ended.
func (w *walk) takenBack(seq uint64) {
	if w.held != nil && w.held.Shoe.Started.Seq == seq {
		w.notes = append(w.held.Notes[:len(w.held.Notes):len(w.held.Notes)], w.notes...)
		w.held.Notes = nil
	}
}

// offer keeps a shoe that has ended until the next is another: one that is taken back and
// ends again is offered twice.
func (w *walk) offer(s tracker.Shoe) error {
	seq := s.Started.Seq
	if len(s.Hands) == 0 || seq < w.newest {
		return nil
	}
	if seq > w.newest {
		if err := w.give(seq); err != nil {
			return err
		}
	}
	if w.held == nil {
		w.held = &Dealt{}
	}
	*w.held = Dealt{w.state.Settings.Table, s, append(w.held.Notes, w.notes...), seq < w.seen}
	w.newest, w.notes = seq, nil
	return nil
}

// give gives the shoe that is held, unless it is the one that began with record seq.
func (w *walk) give(seq uint64) error {
	h := w.held
	if h == nil || h.Shoe.Started.Seq == seq {
		return nil
	}
	w.held = nil
	if h.Shoe.Started.Seq <= w.since {
		return nil
	}
	return w.each(*h)
}
