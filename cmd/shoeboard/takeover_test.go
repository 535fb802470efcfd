package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/stats"
)

// A dead unit's stick in a spare, over SSH: a look, a yes, and the table goes on.
func TestATableMovesByAStick(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	dead, data, slot := s.path("dead"), s.path("var/lib/shoeboard"), transfer.Slot{Dir: s.path("stick"), Plain: true}
	testkit.Evening(t, dead) // its record is that of a unit called "unit"
	if err := datadir.WriteTable(dead, "14"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(slot.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	mirrored(t, transfer.Mirror{Slot: slot, Data: dead, Unit: "unit", Program: "test"})

	if code, _, err := s.do("takeover", "--data", data, "--from", s.path("dead")); code != exitFailed || !strings.Contains(err, "dead has no folder shoeboard/UNIT") {
		t.Errorf("from what is no stick: exit %d, %s", code, err)
	}
	if code, _, err := s.do("takeover", "--data", data, "--from", slot.Dir, "--table", "41", "--yes"); code != exitFailed || !strings.Contains(err, "table 41 is not there") {
		t.Errorf("of a table that is not on the stick: exit %d, %s", code, err)
	}
	code, out, err := s.do("takeover", "--data", data, "--from", slot.Dir)
	if code != exitFailed || !strings.Contains(out, "table 14 of unit unit, last hand ") || !strings.Contains(err, "--yes") {
		t.Fatalf("a look: exit %d, %s%s", code, out, err)
	}
	if out := s.fine("takeover", "--data", data, "--from", slot.Dir, "--yes"); !strings.Contains(out, "systemctl restart shoeboard") {
		t.Errorf("what is next: %s", out)
	}
	stop := s.runCore()
	s.board("the table as it was", func(b *stats.Board) bool { return b.Table == "14" && b.Shoe.Hands == 2 })
	stop()
	if got := exported(t, s.fine("export", "--data", data)); len(got) != 9 {
		t.Errorf("%d hands are left of 9", len(got))
	}
	if code, _, err := s.do("takeover", "--data", data, "--from", slot.Dir, "--yes"); code != exitFailed || !strings.Contains(err, "nothing to take over: this unit has hands of its own") {
		t.Errorf("over its own record: exit %d, %s", code, err)
	}
}

// mirrored runs a mirror until there is one.
func mirrored(t *testing.T, m transfer.Mirror) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	done := make(chan struct{})
	go func() { defer close(done); m.Run(ctx) }()
	for ctx.Err() == nil {
		if found, _ := filepath.Glob(filepath.Join(m.Slot.Dir, transfer.Folder, "*", "manifest.json")); len(found) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	<-done
}

// What is no stick is passed over without a failure of the service; what is no device
// at all is one.
func TestInsertingWhatIsNoStick(t *testing.T) {
	s := newSite(t)
	if code, _, err := s.do("stick", "insert", "../sda1"); code != exitFailed || err == "" {
		t.Errorf("exit %d, %s", code, err)
	}
	s.fine("stick", "remove", "sda1")
}
