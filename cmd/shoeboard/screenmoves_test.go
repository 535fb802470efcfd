package main

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/view"
	"shoeboard/stats"
)

// fed is a screen without a window: what it is given from the core's socket.
func (s site) fed(number string) (boards func() int, ended <-chan struct{}, said *testkit.Text) {
	s.t.Helper()
	said = new(testkit.Text)
	ctx, cancel := context.WithCancel(s.t.Context())
	done := make(chan struct{})
	var mu sync.Mutex
	n := 0
	w := view.Window{Presenter: &view.Presenter{Clock: clock.New(1, false)}, Boards: s.client().Boards,
		HasMoved: func(b *stats.Board) bool { return hasMoved(b, number, s.path("var/lib/shoeboard")) }}
	go func() {
		defer close(done)
		w.Feed(ctx, slog.New(slog.NewTextHandler(said, nil)), func() {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}()
	s.t.Cleanup(func() {
		cancel()
		<-done
	})
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}, done, said
}

// A screen ends when core and data folder both say another table than the one it
// started as, and not before: a new start would come to the same.
func TestAScreenEndsWhenTheUnitStandsAtAnotherTable(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	runs := func(what string, boards func() int, ended <-chan struct{}) {
		t.Helper()
		for before := boards(); boards() < before+2; {
			if err := s.client().Drawn(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.fine("identify", "1", "--socket", s.path("run/core.sock"))
			s.fine("identify", "0", "--socket", s.path("run/core.sock"))
			select {
			case <-ended:
				t.Fatalf("%s: the screen has ended", what)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	stop := s.runCore("--table", "14")
	s.board("table 14", func(b *stats.Board) bool { return b.Table == "14" })
	old, ended, said := s.fed("14")
	runs("at its table", old, ended)
	s.fine("config", "table", "27", "--data", data)
	runs("until the core starts anew", old, ended)
	early, earlyEnded, _ := s.fed("27")
	runs("started before the core is", early, earlyEnded)

	stop()
	s.runCore()
	s.board("table 27", func(b *stats.Board) bool { return b.Table == "27" })
	select {
	case <-ended:
	case <-time.After(testkit.Patience):
		t.Fatal("the screen goes on as table 14's")
	}
	testkit.Expect(t, said.String(), "is at another table now", "table=27")
	runs("with the core at its table", early, earlyEnded)
}
