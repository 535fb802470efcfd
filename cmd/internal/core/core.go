// Package core is the core of a unit as a value: the table with its record, its index
// and its socket, built from a Setup that a test can fill with fakes and a temporary
// folder.
//
// Words: a safe start uses as little as possible after starts that failed; the last
// words are what the screen shows of a core that cannot start.
//
// A caller may assume that Open takes the record's lock and starts nothing, that Run
// ends everything it began before it returns and closes the record, and that a
// configuration which is refused changes only a sentence on the board. It may
// not Run a Core twice, nor leave one that was opened without running it.
package core

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/devices"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// Core is the table with its record, its history and its socket.
type Core struct {
	Set     Setup         // as it is in force; what of it a Reload changes belongs to the table's loop
	Hub     *localapi.Hub // its boards
	In      chan hw.Event // the only way in
	Table   *table.Loop
	Pack    *game.Pack // the game that the configuration asks for
	log     *slog.Logger
	journal *journal.Journal
	shoes   *history.Keeper
	overlay *overlay
	drawn   *drawn
	ending  chan struct{}
	zone    *time.Location // of the table's loop
}

// Open opens the record in the data folder and restores the table from it.
func Open(log *slog.Logger, s Setup) (*Core, error) {
	pack, err := config.Pack(s.Config.Game)
	if err != nil {
		return nil, err
	}
	if s.Panel == nil {
		s.Panel = &devices.Indicators{Counted: func() {}}
	}
	c := &Core{Set: s, Hub: localapi.NewHub(), In: make(chan hw.Event, 64), Pack: pack,
		log: log, drawn: newDrawn(), ending: make(chan struct{}, 1)}
	dir := journal.Dir(datadir.Journal(s.Data))
	var found journal.Found
	if c.journal, found, err = journal.Open(dir, ID()); err != nil {
		return nil, err
	}
	engine := c.restore(found)
	c.shoes = history.NewKeeper(log, history.Path(s.Data), dir)
	o := table.Options{Engine: engine, Journal: c.journal, Ended: c.shoes.Wake,
		Clock: s.Clock.Now, Speed: s.Clock.Speed, In: c.In, Publish: c.Hub.Publish,
		Status: c.status(), DayEnded: c.dayEnded,
		Tone: s.Panel.Sound, Indicators: s.Panel.Show, Counted: s.Panel.Counted, Log: log,
		Unit: stats.Board{Zone: s.Config.Zone, Demo: s.Demo, ConfigFault: s.Fault}}
	o.Unit.Dealer.OnScreen = !s.Panel.HasEcho()
	if s.Maintenance != nil {
		o.Tasks = c.maintain
	}
	if s.Machine != nil {
		o.Full = func() { log.Error("the card is full: its ballast goes", "err", datadir.DropBallast(s.Data)) }
	}
	c.Table = table.NewLoop(o)
	c.overlay = &overlay{do: c.Table.Do, check: c.checkScreen, boards: c.Hub, log: log}
	return c, nil
}

// restore folds the record, brings back what was pending, and applies the setup.
func (c *Core) restore(found journal.Found) *table.Engine {
	state, unfit := history.Restore(found)
	engine := table.NewEngine(table.Setup{State: state, Keys: c.keys, Roles: c.Set.Panel.Roles, Log: c.log, Day: c.day})
	pending, _, err := c.journal.LoadPending()
	if err != nil {
		c.log.Warn("pending entry", "err", err)
	}
	now := c.Set.Clock.Now()
	engine.Restart(now, pending)
	c.checkRecord(engine, now, found, unfit)
	for code, text := range c.Set.faults() {
		engine.SetFault(now, code, text)
	}
	if c.Set.Fault == nil && c.Set.Safe == 0 || state.Shoe.Pack == nil {
		engine.Configure(now, c.wanted(c.Set.Config))
	}
	if c.Set.Demo && state.Phase == tracker.TableClosed {
		engine.Request(now, "demo", tracker.Command{Kind: tracker.TableOpened})
	}
	return engine
}

// checkRecord raises the faults of the record that was found. unfit are the reasons why
// parts of it do not fold: the next record begins a segment of its own then.
func (c *Core) checkRecord(engine *table.Engine, now tracker.Stamp, found journal.Found, unfit []error) {
	for _, problem := range found.Problems {
		c.log.Warn("record", "problem", problem.Error())
	}
	for _, why := range unfit {
		c.log.Warn("record", "problem", why)
	}
	if text := history.Damage(engine.State(), found, unfit); text != "" {
		engine.SetFault(now, "record", text)
	}
	if len(unfit) > 0 {
		if err := c.journal.Seal(); err != nil {
			c.log.Warn("record", "err", err)
		}
	}
	if n := engine.State().Skipped; n > 0 {
		c.log.Info("record", "facts of a newer program ignored", n)
	}
	text := c.lost(engine.State(), found)
	if f, raised := engine.State().Fault(history.FaultLost); raised && f.Text != text {
		engine.SetFault(now, history.FaultLost, "") // more is lost: nobody has acknowledged that
	}
	engine.SetFault(now, history.FaultLost, text)
}

// lost compares the record that was found, which comes to state s, with the index and the
// notes beside it. It keeps what only the index has, and no number is given twice. It
// returns the sentence for the board, "" for a record that never lost its end.
func (c *Core) lost(s tracker.State, found journal.Found) string {
	l := history.FindLostAtStart(history.Path(c.Set.Data), journal.Dir(datadir.Journal(c.Set.Data)), found)
	if !l.Any() {
		if f, raised := s.Fault(history.FaultLost); raised && !f.Ended {
			return f.Text
		}
		return ""
	}
	c.log.Error("record", "problem", l.String())
	if err := errors.Join(l.Keep(history.Path(c.Set.Data)), c.journal.Above(l.Last)); err != nil {
		c.log.Warn("record", "err", err)
	}
	return l.Sentence()
}

// keys returns the keys of the keypads in a game; before the first in the next one.
func (c *Core) keys(p *game.Pack) (map[string]console.Map, console.Map) {
	if c.Set.Pads == nil {
		return nil, nil
	}
	return c.Set.Pads(cmp.Or(p, c.Pack))
}

func (c *Core) wanted(cfg config.Config) table.Config {
	return table.Config{Settings: cfg.Settings(), Pack: c.Pack.Source, Digest: c.Pack.Digest}
}

// day returns the local date of a stamp whose wall clock is trusted, else "".
func (c *Core) day(s tracker.Stamp) string {
	if !s.Trusted {
		return ""
	}
	return time.UnixMilli(s.Wall).In(c.location()).Format(time.DateOnly)
}

// location returns the house's time zone, which is read again only when it has changed: the
// table's loop waits for no file.
func (c *Core) location() *time.Location {
	if c.zone == nil || c.zone.String() != c.Set.Config.Zone {
		c.zone = c.Set.Config.Location()
	}
	return c.zone
}

// dayEndFor is how many minutes the record's code is shown in play after a gaming day.
const dayEndFor = 10

// dayEnded reports whether a gaming day has just ended.
func (c *Core) dayEnded(s tracker.Stamp) bool {
	return s.Trusted && c.Set.Config.DayEnded(time.UnixMilli(s.Wall).In(c.location()), dayEndFor)
}

// Run runs the table, the sources and the socket until ctx ends, then closes the
// record. If one of them fails, Run ends the others.
func (c *Core) Run(ctx context.Context, sources ...hw.Source) error {
	var socket net.Listener
	if c.Set.Socket != "" {
		var err error
		if socket, err = localapi.Listen(c.Set.Socket); err != nil {
			return errors.Join(err, c.journal.Close())
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	run := func(f func(context.Context)) { g.Go(func() error { f(ctx); return nil }) }
	afterBoard := func(f func(context.Context)) {
		run(func(ctx context.Context) {
			if c.waitForBoard(ctx) {
				f(ctx)
			}
		})
	}
	g.Go(func() error { return c.Table.Run(ctx) })
	for _, s := range slices.Concat(sources, c.Set.Panel.Sources) {
		g.Go(func() error { return s.Run(ctx, c.In) })
	}
	if socket != nil {
		g.Go(func() error { return localapi.Serve(ctx, socket, c.api()) })
	}
	g.Go(func() error { return c.waitForEnd(ctx) })
	run(c.overlay.run)
	afterBoard(c.pulse)
	if c.Set.Safe == 0 {
		afterBoard(c.keepIndex)
	}
	if c.Set.Machine != nil {
		afterBoard(c.watchMachine)
	}
	if c.Set.Staff != nil {
		run(c.watchStaff)
	}
	if !c.Set.Demo && len(c.Set.Config.Screens) > 0 {
		afterBoard(c.watchScreen)
	}
	for _, beside := range c.Set.Beside {
		afterBoard(func(ctx context.Context) { beside(ctx, c) })
	}
	err := g.Wait()
	if errors.Is(err, errEnded) {
		err = nil
	}
	return errors.Join(err, c.journal.Close())
}

func (c *Core) keepIndex(ctx context.Context) {
	c.shoes.Run(ctx, func(text string) { c.SetFaults(ctx, map[string]string{"history": text}) })
}

// endAfter is how long the page that asked for it is seen before the core ends.
const endAfter = 2 * time.Second

// errEnded ends everything that Run began.
var errEnded = errors.New("the core was asked to end")

// EndSoon lets Run end in a moment, as if its context had. It may be called from
// anywhere and more than once.
func (c *Core) EndSoon() {
	select {
	case c.ending <- struct{}{}:
	default: // it ends already
	}
}

// waitForEnd waits for EndSoon.
func (c *Core) waitForEnd(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-c.ending:
	}
	select {
	case <-ctx.Done():
	case <-time.After(endAfter):
	}
	return errEnded
}
