package core

import (
	"context"
	"errors"
	"testing"
	"time"

	"shoeboard/stats"
)

func TestHeartStopsWithWhatItWatches(t *testing.T) {
	board := &stats.Board{}
	at := time.Minute
	stuck := make(chan struct{})
	defer close(stuck)
	well := func() *heart {
		return &heart{loop: func(context.Context) error { return nil }, journal: func() {},
			board: func() *stats.Board { return board }, clock: func() time.Duration { return at }}
	}
	h := well()
	if err := h.beat(t.Context()); err != nil {
		t.Errorf("all well: %v", err)
	}
	h.loop = func(context.Context) error { return errors.New("stuck") }
	if h.beat(t.Context()) == nil {
		t.Error("the table's loop stands still, and the watchdog is fed")
	}
	h = well()
	h.journal = func() { <-stuck }
	for range 2 { // the second finds the first token still on its way
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if h.beat(ctx) == nil {
			t.Error("the journal stands still, and the watchdog is fed")
		}
		cancel()
	}
	h = well()
	board = &stats.Board{Saving: true}
	if err := h.beat(t.Context()); err != nil {
		t.Errorf("a record that has just left: %v", err)
	}
	at += 2 * savingMost
	if h.beat(t.Context()) == nil {
		t.Error("a record has hung for long, and the watchdog is fed")
	}
	board = &stats.Board{Saving: true, Faults: []stats.Fault{{Code: "not-recording"}}}
	if err := h.beat(t.Context()); err != nil {
		t.Errorf("a disk that refuses is told on the board, and no hang: %v", err)
	}
}
