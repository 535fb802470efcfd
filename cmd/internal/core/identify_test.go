package core

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// Identify ends by itself, when it is told to, and not while a later one still holds.
func TestASecondIdentifyProlongsTheFirst(t *testing.T) {
	data := t.TempDir()
	cfg := config.Default()
	cfg.Data = data
	set := Setup{Data: data, Table: "14", Config: cfg, Clock: clock.New(1, false), Socket: filepath.Join(data, "core.sock")}
	c, board, stop := runCore(t, set)
	defer stop()
	on := func(b *stats.Board) bool { return b.Identify }
	off := func(b *stats.Board) bool { return !b.Identify }
	board("a board", off)
	client, ctx := localapi.Client{Path: set.Socket}, context.Background()
	flash := func(d time.Duration) {
		t.Helper()
		c.Drawn()
		if err := client.Identify(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	// shortly flashes the number and sees it: on a machine that is busy for as long as
	// it is on, another time for longer.
	shortly := func() {
		t.Helper()
		for d := time.Second; d < 2*testkit.Patience; d *= 2 {
			flash(d)
			for began := time.Now(); time.Since(began) < d; time.Sleep(10 * time.Millisecond) {
				if b, err := client.Board(ctx); err == nil && b.Identify {
					return
				}
			}
		}
		t.Fatal("the number is never shown")
	}
	shortly()
	board("its end", off)

	flash(time.Second)
	flash(10 * time.Minute)
	flash(time.Second)
	time.Sleep(1500 * time.Millisecond) // by now the first and the last would have ended it
	board("the number, longer", on)
	if b := board("the newest", func(*stats.Board) bool { return true }); !b.Identify {
		t.Error("a shorter identify has ended a longer one")
	}
	flash(0)
	board("the end that was asked for", off)
	shortly()
	board("its end, though the one before would have lasted", off)
}
