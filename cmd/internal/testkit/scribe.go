package testkit

import (
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// Scribe writes a record by the rules, without a table.
type Scribe struct {
	t       testing.TB
	journal *journal.Journal
	State   tracker.State
	Now     time.Time
	Unset   bool // the clock is not to be trusted
}

// NewScribe begins the record of a table in a data folder and opens the table.
func NewScribe(t testing.TB, data string) *Scribe {
	t.Helper()
	pack, err := config.Pack("ez-baccarat-panda-8")
	if err != nil {
		t.Fatal(err)
	}
	j, _, err := journal.Open(journal.Dir(datadir.Journal(data)), "unit")
	if err != nil {
		t.Fatal(err)
	}
	s := &Scribe{t: t, journal: j, Now: time.Date(2026, 11, 30, 2, 0, 0, 0, time.UTC)}
	s.roll()
	settings := tracker.DefaultSettings()
	settings.Table = "14"
	s.Decide(tracker.Command{Kind: tracker.PackInstalled, Source: string(pack.Source)})
	s.Decide(tracker.Command{Kind: tracker.SettingsApplied, Settings: &settings})
	s.Decide(tracker.Command{Kind: tracker.TableOpened, Day: "2026-11-29"})
	return s
}

// Decide records what the commands lead to, 25 s after what came before.
func (s *Scribe) Decide(cmds ...tracker.Command) {
	s.t.Helper()
	s.Now = s.Now.Add(25 * time.Second)
	for i := range cmds {
		cmds[i].At = tracker.Stamp{Boot: "b", Mono: time.Duration(s.Now.UnixNano()),
			Wall: s.Now.UnixMilli(), Trusted: !s.Unset}
	}
	events, _, err := tracker.Decide(s.State, cmds...)
	if err != nil {
		s.t.Fatal(err)
	}
	payload, err := tracker.Record{Events: events}.Marshal()
	if err != nil {
		s.t.Fatal(err)
	}
	r := journal.Record{Mono: s.Now.UnixNano(), Wall: s.Now.UnixNano(), Trusted: !s.Unset,
		Source: "keypad", Payload: payload}
	if r.Seq, err = s.journal.Append(r); err != nil {
		s.t.Fatal(err)
	}
	for _, e := range events {
		e.At = history.StampOf(r)
		if s.State, err = tracker.Apply(s.State, e); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *Scribe) roll() {
	s.t.Helper()
	data, err := tracker.MarshalCheckpoint(s.State)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.journal.Roll(journal.Record{Source: "table", Payload: data}); err != nil {
		s.t.Fatal(err)
	}
}

// Hands records hands by their tokens.
func (s *Scribe) Hands(tokens ...string) {
	for _, token := range tokens {
		s.Decide(tracker.Command{Kind: tracker.BetsOpened, Seconds: 20})
		s.Decide(tracker.Command{Kind: tracker.HandRecorded, Token: token, Hand: s.State.Shoe.Next()})
	}
}

// NewShoe ends the shoe and begins another on a local day.
func (s *Scribe) NewShoe(day string) {
	s.Decide(tracker.Command{Kind: tracker.ShoeStarted, Day: day})
	s.roll()
}

// Close ends the record.
func (s *Scribe) Close() {
	if err := s.journal.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// Evening records an evening: a shoe, one that is taken back and goes on, one in play.
func Evening(t testing.TB, data string) {
	s := NewScribe(t, data)
	s.Hands("B", "P+panda-8", "T", "B+banker-natural")
	s.NewShoe("2026-11-29")
	s.Hands("P", "B")
	s.NewShoe("2026-11-29")
	s.Decide(tracker.Command{Kind: tracker.ShoeTakenBack})
	s.Hands("B+dragon-7")
	s.NewShoe("2026-11-30")
	s.Hands("T", "P")
	s.Close()
}
