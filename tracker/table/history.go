package table

import (
	"encoding/json"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// totals are a shoe's figures in its row of the index.
type totals struct {
	Player   int            `json:"player"`
	Banker   int            `json:"banker"`
	Tie      int            `json:"tie"`
	Free     int            `json:"free,omitempty"`
	Bets     map[string]int `json:"bets"`
	Naturals stats.Naturals `json:"naturals"`
	Fixes    int            `json:"fixes,omitempty"`
	Voids    int            `json:"voids,omitempty"`
	Number   int            `json:"number"`
}

// Row is an ended shoe's row in the index. Its hands are packed as tokens, as in a
// shoe file.
func Row(table string, s tracker.Shoe) history.Row {
	f := stats.Fold(s, tracker.Settings{})
	t := totals{Player: f.Player.N, Banker: f.Banker.N, Tie: f.Tie.N, Free: f.Free, Bets: map[string]int{},
		Naturals: f.Naturals, Fixes: s.Fixes, Voids: s.Voids, Number: s.Number}
	words := make([]string, len(s.Hands))
	for i, h := range s.Hands {
		words[i] = tracker.FormatToken(s.Pack, h)
		if h.Free {
			words[i] += "+free"
		}
	}
	row := history.Row{Shoe: s.Started.Seq, Day: s.Day, Table: table, First: s.Started.Seq, Last: lastOf(s),
		Started: s.Started.Wall * int64(time.Millisecond), Trusted: s.Started.Trusted, Hands: len(s.Hands),
		Packed: []byte(strings.Join(words, " "))}
	if s.Pack != nil {
		row.Game = s.Pack.ID
		for i, b := range s.Pack.Bets {
			t.Bets[b.ID] = f.Bets[i].N
		}
	}
	if n := len(s.Hands); n > 0 {
		row.Ended = s.Hands[n-1].At.Wall * int64(time.Millisecond)
	}
	row.Totals, _ = json.Marshal(t) // of plain fields: cannot fail
	return row
}

// lastOf is the sequence of the newest hand's record.
func lastOf(s tracker.Shoe) uint64 {
	last := s.Started.Seq
	for _, h := range s.Hands {
		last = max(last, h.At.Seq)
	}
	return last
}

// LastEnded is Last of the newest row that the index must have: that of the shoe
// before the one in play, 0 when none has ended.
func LastEnded(s tracker.State) uint64 {
	switch {
	case s.Finished != nil:
		return lastOf(*s.Finished)
	case s.Previous != nil:
		return lastOf(*s.Previous)
	}
	return 0
}

// Rebuild makes rows anew from the record: those from the shoe with key from on,
// all when it is 0.
func Rebuild(j *journal.Journal, from uint64, put func(history.Row) error) error {
	var s tracker.State
	started := false
	for r, err := range j.Read(max(from, 1)) {
		if err != nil {
			return err
		}
		switch {
		case r.Kind == journal.Checkpoint:
			s, err = tracker.UnmarshalCheckpoint(r.Payload)
			started = true
		case started:
			s, err = fold(s, r, put)
		case from > 1 && r.Seq > from:
			return Rebuild(j, 0, put) // the shoe does not begin with a checkpoint: fold from the first
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fold applies one record and puts the shoe that it ends.
func fold(s tracker.State, r journal.Record, put func(history.Row) error) (tracker.State, error) {
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
			if err := put(Row(s.Settings.Table, before)); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}
