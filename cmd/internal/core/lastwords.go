package core

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

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
	b := ClosedBoard(s, [2]string{"E21 NOT RECORDING", "USE PAPER. CALL TECH"})
	b.Dealer.Refused = true
	b.Faults = []stats.Fault{{Code: "no-start", Text: tracker.Plain("The core cannot start: "+cause.Error(), tracker.MaxFaultShown)}}
	hub := localapi.NewHub()
	hub.Publish(b)
	return errors.Join(cause, ServeBoards(ctx, s, localapi.Core{Hub: hub}, watchdog.Life{Log: log,
		Beat: func(context.Context) error { return nil }, Status: func() string { return "cannot start: " + cause.Error() }}))
}

// ClosedBoard returns the board of a closed table without a record, with the faults of
// the setup.
func ClosedBoard(s Setup, dealer [2]string) *stats.Board {
	b := &stats.Board{Version: stats.BoardVersion, Table: s.Table, Venue: s.Config.Venue, Zone: s.Config.Zone,
		Phase: tracker.TableClosed.String(), Bar: stats.Bar{Kind: stats.BarClosedTable},
		Dealer: stats.Dealer{Lines: dealer, OnScreen: true}}
	faults := s.faults()
	for _, code := range slices.Sorted(maps.Keys(faults)) {
		if faults[code] != "" {
			b.Faults = append(b.Faults, stats.Fault{Code: code, Text: tracker.Plain(faults[code], tracker.MaxFaultShown)})
		}
	}
	return b
}

// ServeBoards serves the boards of api on the socket, and tells the service manager of
// life, until ctx ends: of a unit that has no core open.
func ServeBoards(ctx context.Context, s Setup, api localapi.Core, life watchdog.Life) error {
	l, err := localapi.Listen(s.Socket)
	if err != nil {
		return err
	}
	seen, ready := newDrawn(), make(chan struct{})
	close(ready)
	life.Ready = ready
	api.Version, api.Screens, api.Drawn, api.DrawnAgo = programVersion(), screens(), seen.take, seen.ago
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { watchdog.ServiceManager().Pulse(ctx, life) })
	err = localapi.Serve(ctx, l, api.Handler())
	cancel()
	beside.Wait()
	return err
}
