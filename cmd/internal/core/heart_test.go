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
	for _, after := range []time.Duration{0, hungMost, hungMost + time.Second} { // of the one token on its way
		at = time.Minute + after
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if err := h.beat(ctx); (err != nil) != (after > hungMost) {
			t.Errorf("the card has not answered for %v: %v", after, err)
		}
		cancel()
	}
	h = well()
	board = &stats.Board{Saving: true}
	if err := h.beat(t.Context()); err != nil {
		t.Errorf("a record that has just left: %v", err)
	}
	at += 2 * hungMost
	if h.beat(t.Context()) == nil {
		t.Error("a record has hung for long, and the watchdog is fed")
	}
	board = &stats.Board{Saving: true, Faults: []stats.Fault{{Code: "not-recording"}}}
	if err := h.beat(t.Context()); err != nil {
		t.Errorf("a disk that refuses is told on the board, and no hang: %v", err)
	}
}
