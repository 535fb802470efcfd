package core

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"shoeboard/cmd/internal/version"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
)

// safeFault is the sentence of a core that runs in safe mode.
func safeFault(failed int) string {
	return fmt.Sprintf("Safe mode after %d failed starts: last settings, one keypad, no history. Call a technician", failed)
}

// wordsFor is how long a core that cannot start shows why, before it tries again.
const wordsFor = time.Minute

// LastWords shows on the socket why the core cannot start. A unit whose record
// cannot be opened must not take keys, but a black screen helps nobody.
func LastWords(ctx context.Context, log *slog.Logger, s Setup, cause error) error {
	log.Error("the core cannot start; the screen says why", "err", cause)
	ctx, cancel := context.WithTimeout(ctx, wordsFor)
	defer cancel()
	l, err := localapi.Listen(s.Socket)
	if err != nil {
		return errors.Join(cause, err)
	}
	hub := localapi.NewHub()
	hub.Publish(&stats.Board{Version: stats.BoardVersion, Table: s.Table, Venue: s.Config.Venue, Zone: s.Config.Zone,
		Phase: tracker.TableClosed.String(), Bar: stats.Bar{Kind: stats.BarClosedTable},
		Dealer: stats.Dealer{Lines: [2]string{"E21 NOT RECORDING", "USE PAPER. CALL TECH"}, Refused: true, OnScreen: true},
		Faults: []stats.Fault{{Code: "no-start", Text: tracker.Plain("The core cannot start: "+cause.Error(), tracker.MaxFaultShown)}}})
	b := version.Read()
	seen := newDrawn()
	ready := make(chan struct{})
	close(ready)
	var beside sync.WaitGroup
	beside.Go(func() {
		watchdog.ServiceManager().Pulse(ctx, watchdog.Life{Ready: ready, Beat: func(context.Context) error { return nil }, Log: log,
			Status: func() string { return "cannot start: " + cause.Error() }})
	})
	err = localapi.Serve(ctx, l, localapi.Core{Hub: hub, Screens: screens(), Drawn: seen.take, DrawnAgo: seen.ago,
		Version: localapi.Version{Program: b.Version, Revision: b.Revision, Go: b.Go, Board: stats.BoardVersion}}.Handler())
	cancel()
	beside.Wait()
	return errors.Join(cause, err)
}
