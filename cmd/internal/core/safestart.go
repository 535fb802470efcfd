package core

import (
	"context"
	"errors"
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

// lastWordsFor is how long a core that cannot start shows why, before it tries again.
const lastWordsFor = time.Minute

// LastWords shows on the socket why the core cannot start. A unit whose record
// cannot be opened must not take keys, but a black screen helps nobody.
func LastWords(ctx context.Context, log *slog.Logger, s Setup, cause error) error {
	log.Error("the core cannot start; the screen says why", "err", cause)
	ctx, cancel := context.WithTimeout(ctx, lastWordsFor)
	defer cancel()
	b := ClosedBoard(s, [2]string{"E21 NOT RECORDING", "USE PAPER. CALL TECH"})
	b.Dealer.Refused = true
	text := tracker.Plain("The core cannot start: "+cause.Error(), tracker.MaxFaultShown)
	b.Faults = []stats.Fault{{Code: "no-start", Text: text}}
	hub := localapi.NewHub()
	hub.Publish(b)
	return errors.Join(cause, ServeBoards(ctx, s, localapi.Core{Hub: hub}, watchdog.Service{Log: log,
		Beat:   func(context.Context) error { return nil },
		Status: func() string { return "cannot start: " + cause.Error() }}))
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
			text := tracker.Plain(faults[code], tracker.MaxFaultShown)
			b.Faults = append(b.Faults, stats.Fault{Code: code, Text: text})
		}
	}
	return b
}

// ServeBoards serves the boards of api on the socket, and tells the service manager of
// the service, until ctx ends: of a unit that has no core open.
func ServeBoards(ctx context.Context, s Setup, api localapi.Core, service watchdog.Service) error {
	l, err := localapi.Listen(s.Socket)
	if err != nil {
		return err
	}
	seen, ready := newDrawn(), make(chan struct{})
	close(ready)
	service.Ready = ready
	api.Version, api.Screens, api.Drawn, api.DrawnAgo = programVersion(), screens(), seen.note, seen.ago
	ctx, cancel := context.WithCancel(ctx)
	var pulse sync.WaitGroup
	pulse.Go(func() { service.Pulse(ctx) })
	err = localapi.Serve(ctx, l, api)
	cancel()
	pulse.Wait()
	return err
}
