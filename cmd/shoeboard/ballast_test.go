package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/stats"
)

// A real file system is full to its last byte: the next hand is recorded all the same, and
// those after it, in the room that the ballast held.
func TestAFullCardHasRoomForHands(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	data := s.path("var/lib/shoeboard")
	if err := unix.Mount("tmpfs", data, "tmpfs", 0, "size=64m"); errors.Is(err, unix.EPERM) {
		t.Skip("only root can mount a small file system")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(data, unix.MNT_DETACH) })
	if err := datadir.KeepBallast(data); err != nil {
		t.Fatal(err)
	}
	stop := s.runCore("--table", "14", "--socket-keys")
	defer stop()
	s.board("a board", func(b *stats.Board) bool { return b.Table == "14" })
	socket := s.path("run/core.sock")
	s.fine("press", "--socket", socket, "NEW_SHOE:2.1", "OK", "BETS", "BANKER", "OK")
	s.board("a hand", func(b *stats.Board) bool { return b.Shoe.Hands == 1 })
	fill(t, filepath.Join(data, "full"))
	for range 40 { // each comes back when it is on disk
		s.fine("insert", "--socket", socket, "1", "P")
	}
	s.board("all hands", func(b *stats.Board) bool { return b.Shoe.Hands == 41 })
	if _, err := os.Lstat(filepath.Join(data, "ballast")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the ballast is still there: %v", err)
	}
}

// fill writes a file until there is no room for another byte.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}
