package main

import (
	"fmt"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// folding is the state of the table while segments are folded one after another for
// an export. Of a hand that is recorded it keeps what the shoe has of it and leaves
// out the phases, which no export shows; everything else is tracker's.
type folding struct {
	state tracker.State
	begun bool   // state is that of a checkpoint and what followed
	whole bool   // nothing was missing since
	last  uint64 // the last record folded
	pack  *game.Pack
	known map[string]tracker.Hand // hands by their token, in pack
}

// checkpoint takes a state, or goes on with the one it has when nothing is missing:
// they are the same, and reading one costs as much as folding a shoe. The shoe that
// ended before a checkpoint stands in it, and may be all that is left of it.
func (f *folding) checkpoint(r journal.Record) (ended *shoeOut, err error) {
	if f.begun && f.whole && r.Seq == f.last+1 {
		f.last = r.Seq
		return nil, nil
	}
	s, err := tracker.UnmarshalCheckpoint(r.Payload)
	if err != nil {
		f.whole = false
		return nil, err
	}
	f.state, f.begun, f.whole, f.last = s, true, true, r.Seq
	if s.Finished != nil {
		ended = &shoeOut{*s.Finished, s.Settings.Table, false}
	}
	return ended, nil
}

// event folds one record and gives the shoe that it ends, if it does.
func (f *folding) event(r journal.Record) (ended *shoeOut, err error) {
	f.whole = f.whole && r.Seq == f.last+1
	f.last = r.Seq
	at := table.StampOf(r)
	events, ok := quickEvents(r.Payload)
	if !ok {
		rec, err := tracker.UnmarshalRecord(r.Payload, at)
		if err != nil {
			return nil, err
		}
		events = rec.Events
	}
	for _, e := range events {
		e.At = at
		before := &f.state.Shoe
		if e.Kind == tracker.ShoeStarted && len(before.Hands) > 0 {
			ended = &shoeOut{*before, f.state.Settings.Table, false}
		}
		if err := f.apply(e); err != nil {
			return ended, fmt.Errorf("record %d: %w", r.Seq, err)
		}
	}
	return ended, nil
}

func (f *folding) apply(e tracker.Event) error {
	if pack := f.state.Pack(); pack != f.pack || f.known == nil {
		f.pack, f.known = pack, map[string]tracker.Hand{}
	}
	switch e.Kind {
	case tracker.BetsOpened, tracker.BetsShut:
		return nil
	case tracker.HandRecorded:
		h, known := f.known[e.Token]
		if known && e.Hand == f.state.Shoe.Next() {
			h.Free, h.At = e.Free, e.At
			f.state.Shoe.Hands = append(f.state.Shoe.Hands, h)
			return nil
		}
	}
	next, err := tracker.Apply(f.state, e)
	if err != nil {
		return err
	}
	f.state = next
	if h, ok := next.Last(); ok && e.Kind == tracker.HandRecorded {
		f.known[e.Token] = h
	}
	return nil
}

// quickEvents reads the events of a payload that is written as Record.Marshal writes
// the commonest ones; false for any other, which must then be read by tracker. It is
// some ten times as quick, and an export is little else.
func quickEvents(payload []byte) ([]tracker.Event, bool) {
	q := quick{text: payload}
	if !q.skip(`{"v":1,"e":[`) {
		return nil, false
	}
	events := make([]tracker.Event, 0, 2)
	for {
		e, ok := q.event()
		if !ok {
			return nil, false
		}
		events = append(events, e)
		if !q.skip(",") {
			break
		}
	}
	if !q.skip("]") {
		return nil, false
	}
	if q.skip(`,"keys":`) {
		if _, ok := q.word(); !ok {
			return nil, false
		}
	}
	return events, q.skip("}") && len(q.text) == 0
}

// quick is the rest of a payload.
type quick struct{ text []byte }

func (q *quick) skip(s string) bool {
	if len(q.text) < len(s) || string(q.text[:len(s)]) != s {
		return false
	}
	q.text = q.text[len(s):]
	return true
}

// word is a string without an escape and without anything but plain letters.
func (q *quick) word() (string, bool) {
	if !q.skip(`"`) {
		return "", false
	}
	for i, c := range q.text {
		switch {
		case c == '"':
			s := string(q.text[:i])
			q.text = q.text[i+1:]
			return s, true
		case c == '\\' || c < ' ' || c > '~':
			return "", false
		}
	}
	return "", false
}

// number is a small whole number as JSON has it.
func (q *quick) number() (n int, ok bool) {
	digits := 0
	for digits < len(q.text) && digits < 9 && q.text[digits] >= '0' && q.text[digits] <= '9' {
		n = 10*n + int(q.text[digits]-'0')
		digits++
	}
	ok = digits > 0 && (q.text[0] != '0' || digits == 1)
	q.text = q.text[digits:]
	return n, ok
}

// event reads one event with the fields that a hand's record has.
func (q *quick) event() (e tracker.Event, ok bool) {
	if !q.skip(`{"k":`) {
		return e, false
	}
	kind, ok := q.word()
	e.Kind = tracker.Kind(kind)
	for ok && !q.skip("}") {
		switch {
		case q.skip(`,"n":`):
			e.Hand, ok = q.number()
		case q.skip(`,"r":`):
			e.Token, ok = q.word()
		case q.skip(`,"s":`):
			e.Seconds, ok = q.number()
		case q.skip(`,"why":`):
			e.Reason, ok = q.word()
		case q.skip(`,"free":true`):
			e.Free = true
		case q.skip(`,"hold":true`):
			e.Hold = true
		default:
			ok = false
		}
	}
	return e, ok
}
