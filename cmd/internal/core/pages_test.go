package core

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// A technician over SSH: a page on a closed table, refused on an open one, forced,
// and the board again.
func TestPagesOfTheScreensTestThroughTheSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "pg") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "core.sock")
	c, until, stop := runCore(t, Setup{Data: filepath.Join(dir, "data"), Table: "14", Config: config.Default(), Clock: clock.New(1, false), Socket: socket})
	defer stop()
	ctx, client := t.Context(), localapi.Client{Path: socket}
	page := func(want string) func(*stats.Board) bool { return func(b *stats.Board) bool { return b.Test == want } }

	until("a board", func(*stats.Board) bool { return true })
	if err := client.ScreenTest(ctx, "grid", true); err == nil || !strings.Contains(err.Error(), "no screen shows the board") {
		t.Errorf("where no screen is: %v", err)
	}
	c.Drawn()
	if err := client.ScreenTest(ctx, "labels-zh-Hant", false); err != nil {
		t.Fatal(err)
	}
	until("the page", page("labels-zh-Hant"))

	for _, k := range []tracker.Kind{tracker.TableOpened, tracker.BetsOpened} {
		if err := c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) {
			d.Request(c.Set.Clock.Now(), "test", tracker.Command{Kind: k, Seconds: 20})
		}); err != nil {
			t.Fatal(err)
		}
	}
	until("betting with the board", func(b *stats.Board) bool { return b.Phase == "betting" && b.Test == "" })
	var a *localapi.AnswerError
	if err := client.ScreenTest(ctx, "grid", false); !errors.As(err, &a) || a.Status != 409 || !strings.Contains(a.Text, "--force") {
		t.Errorf("while hands are dealt: %v", err)
	}
	if err := client.ScreenTest(ctx, "grid", true); err != nil {
		t.Error(err)
	}
	until("the forced page", page("grid"))
	if err := client.ScreenTest(ctx, "", false); err != nil {
		t.Error(err)
	}
	until("the board again", page(""))
}
