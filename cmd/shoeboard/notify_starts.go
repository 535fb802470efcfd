package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/shoeboard/version"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
)

// failedStarts is how many starts in a row must have failed for a safe start.
const failedStarts = 3

// starts counts the starts that did not come to anything. The file is in the
// run-time folder: a power cut is no failed start and a boot begins anew.
type starts struct{ path string }

func startsBeside(socket string) starts {
	return starts{filepath.Join(filepath.Dir(socket), "starts")}
}

// begin counts this start and returns how many before it failed in a row. Where
// the count cannot be kept there is no safe mode, and the start goes on.
func (s starts) begin() (failed int, err error) {
	text, err := os.ReadFile(s.path)
	if err == nil {
		failed, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	failed = max(failed, 0)
	if err := os.WriteFile(s.path, []byte(strconv.Itoa(failed+1)+"\n"), 0o640); err != nil {
		return failed, fmt.Errorf("failed starts are not counted: %w", err)
	}
	return failed, nil
}

// well says that this start has come to something.
func (s starts) well() error {
	if err := os.Remove(s.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// safeFault is the sentence of a core that runs in safe mode.
func safeFault(failed int) string {
	return fmt.Sprintf("Safe mode after %d failed starts: last settings, one keypad, no history. Call a technician", failed)
}

// wordsFor is how long a core that cannot start shows why, before it tries again.
const wordsFor = time.Minute

// lastWords shows on the socket why the core cannot start. A unit whose record
// cannot be opened must not take keys, but a black screen helps nobody.
func lastWords(ctx context.Context, log *slog.Logger, s coreSetup, cause error) error {
	log.Error("the core cannot start; the screen says why", "err", cause)
	ctx, cancel := context.WithTimeout(ctx, wordsFor)
	defer cancel()
	l, err := localapi.Listen(s.socket)
	if err != nil {
		return errors.Join(cause, err)
	}
	hub := localapi.NewHub()
	hub.Publish(&stats.Board{Version: stats.BoardVersion, Table: s.table, Venue: s.config.Venue, Zone: s.config.Zone,
		Phase: tracker.TableClosed.String(), Bar: stats.Bar{Kind: stats.BarClosedTable},
		Dealer: stats.Dealer{Lines: [2]string{"E21 NOT RECORDING", "USE PAPER. CALL TECH"}, Refused: true, OnScreen: true},
		Faults: []stats.Fault{{Code: "no-start", Text: "The core cannot start: " + cause.Error()}}})
	b := version.Read()
	ready := make(chan struct{})
	close(ready)
	go serviceManager().pulse(ctx, life{ready: ready, beat: func(context.Context) error { return nil }, log: log,
		status: func() string { return "cannot start: " + cause.Error() }})
	err = localapi.Serve(ctx, l, localapi.Core{Hub: hub, Version: localapi.Version{Program: b.Version, Revision: b.Revision, Go: b.Go, Board: stats.BoardVersion}})
	return errors.Join(cause, err)
}
