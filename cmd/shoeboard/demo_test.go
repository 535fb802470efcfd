package main

import (
	"bytes"
	"context"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
)

// A dealer deals a shoe by himself: burn, hands, mistakes and their correction, cut
// card. What he keyed is on the board that is printed and drawn.
func TestAutoDemoPlaysAShoe(t *testing.T) {
	totals := filepath.Join(t.TempDir(), "totals.toml")
	if err := os.WriteFile(totals, []byte(`entry = "totals"`), 0o644); err != nil {
		t.Fatal(err)
	}
	for game, more := range map[string][]string{"ez-baccarat-panda-8": nil, "dai-bacc": {"--config", totals}} {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			picture := filepath.Join(t.TempDir(), "board.png")
			out, errs, code := command(t, append(more, "demo", "--auto", "--no-window", "--print", "--shoes", "1", "--speed", "400",
				"--seed", "3", "--game", game, "--png", picture)...)
			if code != exitFine {
				t.Fatalf("exit %d\n%s", code, errs)
			}
			testkit.Expect(t, out, "[DEMO]", "configuration example", "SHOE OVER", "HAND ", "BIG ROAD", "PLAYER", "picture: "+picture)
			f, err := os.Open(picture)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if img, err := png.Decode(f); err != nil || img.Bounds().Dx() != 1920 || img.Bounds().Dy() != 1080 {
				t.Errorf("picture %v, %v", img.Bounds(), err)
			}
		})
	}
}

// On a unit that is set up a demo would be taken for the table's own board: it is
// refused until the table is closed.
func TestDemoIsRefusedOnAUnitInPlay(t *testing.T) {
	root := t.TempDir()
	data := filepath.Join(root, "data")
	venue := "data = \"" + data + "\"\nsocket = \"" + filepath.Join(root, "core.sock") + "\"\n"
	if err := os.MkdirAll(filepath.Join(root, "etc/shoeboard"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "etc/shoeboard/shoeboard.toml"), []byte(venue), 0o644); err != nil {
		t.Fatal(err)
	}
	unit := func(until func() bool, args ...string) (string, int) {
		ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
		defer cancel()
		go func() {
			for ctx.Err() == nil && !until() {
				time.Sleep(20 * time.Millisecond)
			}
			cancel()
		}()
		var out bytes.Buffer
		p := &program{out: &out, err: &out, log: slog.New(slog.NewTextHandler(&out, nil)), root: root}
		code := p.main(ctx, args)
		return out.String(), code
	}
	socket := filepath.Join(root, "demo.sock")
	runs := func() bool {
		_, err := (localapi.Client{Path: socket}).Board(t.Context())
		return err == nil
	}
	opened := func() bool { return phaseOnDisk(data) == tracker.Shuffling.String() }
	never := func() bool { return false }
	if out, code := unit(runs, "demo", "--no-window", "--socket", socket); code != exitFine {
		t.Fatalf("on a unit that was never opened: exit %d\n%s", code, out)
	}
	if out, code := unit(opened, "demo", "--no-window", "--data", data); code != exitFine { // leaves an open table behind
		t.Fatalf("exit %d\n%s", code, out)
	}
	out, code := unit(never, "demo", "--no-window")
	if code != exitFailed || !strings.Contains(out, "close the table first") || !strings.Contains(out, `"shuffling"`) {
		t.Errorf("with the table open: exit %d\n%s", code, out)
	}
}
