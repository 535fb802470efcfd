package watchdog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
)

func TestHeartStopsWithWhatItWatches(t *testing.T) {
	board := &stats.Board{}
	at := time.Minute
	stuck := make(chan struct{})
	defer close(stuck)
	well := func() *Heart {
		return &Heart{Loop: func(context.Context) error { return nil }, Journal: func() {},
			Board: func() *stats.Board { return board }, Clock: func() time.Duration { return at }}
	}
	h := well()
	if err := h.Beat(t.Context()); err != nil {
		t.Errorf("all well: %v", err)
	}
	h.Loop = func(context.Context) error { return errors.New("stuck") }
	if h.Beat(t.Context()) == nil {
		t.Error("the table's loop stands still, and the watchdog is fed")
	}
	h = well()
	h.Journal = func() { <-stuck }
	for range 2 { // the second finds the first token still on its way
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if h.Beat(ctx) == nil {
			t.Error("the journal stands still, and the watchdog is fed")
		}
		cancel()
	}
	h = well()
	board = &stats.Board{Saving: true}
	if err := h.Beat(t.Context()); err != nil {
		t.Errorf("a record that has just left: %v", err)
	}
	at += 2 * savingMost
	if h.Beat(t.Context()) == nil {
		t.Error("a record has hung for long, and the watchdog is fed")
	}
	board = &stats.Board{Saving: true, Faults: []stats.Fault{{Code: "not-recording"}}}
	if err := h.Beat(t.Context()); err != nil {
		t.Errorf("a disk that refuses is told on the board, and no hang: %v", err)
	}
}

func TestWithoutAManagerNothingIsTold(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	m := ServiceManager()
	m.tell = func(state string) error { t.Errorf("told %q", state); return nil }
	ready := make(chan struct{})
	close(ready)
	ctx, cancel := context.WithCancel(t.Context())
	m.Pulse(ctx, Life{Ready: ready, Status: func() string { return "" }, Log: testkit.Log(),
		Beat: func(context.Context) error { cancel(); return nil }})
}

func TestFailedStartsAreCounted(t *testing.T) {
	s := Starts{filepath.Join(t.TempDir(), "starts")}
	var got []int
	begin := func() {
		n, err := s.Begin()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, n)
	}
	begin()
	begin()
	begin()
	begin()
	if err := s.Well(); err != nil {
		t.Fatal(err)
	}
	begin()
	if err := os.WriteFile(s.path, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin()
	if want := []int{0, 1, 2, 3, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := (Starts{"/no/such/folder/starts"}).Begin(); err == nil {
		t.Error("a count that cannot be kept is no error")
	}
	for range FailedStarts + 1 { // started by hand
		if n, err := StartsIn("").Begin(); n != 0 || err != nil {
			t.Errorf("without a run-time folder: %d, %v", n, err)
		}
	}
	if err := StartsIn("").Well(); err != nil {
		t.Error(err)
	}
}
