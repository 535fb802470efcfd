// Package core is the core of a unit as a value: the table with its record, its index
// and its socket, built from a Setup that a test can fill with fakes and a temporary
// folder.
//
// Words: a safe start uses as little as possible after starts that failed; the last
// words are what the screen shows of a core that cannot start.
//
// A caller may assume that Open takes the record's lock and starts nothing, that Run
// ends everything it began before it returns and closes the record, and that a
// configuration which is refused changes nothing but a sentence on the board. He may
// not Run a Core twice, nor leave one that was opened without running it.
package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/index"
	"shoeboard/cmd/internal/ports"
	"shoeboard/cmd/internal/screentest"
	"shoeboard/cmd/internal/version"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// Setup says what a core is made of.
type Setup struct {
	Data    string // folder of the record
	Table   string // number of the table
	Unknown error  // why the unit does not know it; Table is the record's then, or "?"
	Config  config.Config
	Fault   *stats.ConfigFault // the file was refused; Config is what stands in its place
	Clock   *clock.Clock
	Demo    bool                          // the table opens by itself, and the board says DEMO
	Socket  string                        // "": none
	Pads    table.Keys                    // of the keypads, by their names; nil: there are none
	Reload  func() (config.Loaded, error) // nil: nothing to read again
	Keys    bool                          // take key presses through the socket
	Hash    string                        // of the configuration, for the status line
	Safe    int                           // failed starts before this one when it is a safe start, else 0
	Service bool                          // the service manager runs it: a screen has to come
	Well    func()                        // this start has come to something; may be nil
	Panel   *ports.Panel                  // what there is beside keypads and screen; nil: nothing

	Machine *doctor.Patient // is watched for faults; nil: it is not

	Maintenance Maintenance // does the tasks of the technician's menu; nil: nothing does
	// Beside are run with the core, from its first board on, and end with it.
	Beside []func(ctx context.Context, c *Core)
}

// Core is the table with its record, its history and its socket.
type Core struct {
	Set     Setup // as it is in force; what of it a Reload changes belongs to the table's loop
	log     *slog.Logger
	ending  chan struct{}
	journal *journal.Journal
	index   *index.Index
	Hub     *localapi.Hub // its boards
	In      chan hw.Event // the only way in
	Table   *table.Table
	Pack    *game.Pack // the game that the configuration asks for
	pages   *screentest.Keeper
	flash   flash
	drawn   *drawn
}

// Open opens the record in the data folder and builds the table as it stood.
func Open(log *slog.Logger, s Setup) (*Core, error) {
	pack, err := config.Pack(s.Config.Game)
	if err != nil {
		return nil, err
	}
	c := &Core{Set: s, log: log, Hub: localapi.NewHub(), In: make(chan hw.Event, 64), Pack: pack, ending: make(chan struct{}, 1),
		flash: flash{asked: make(chan struct{}, 1)}, drawn: newDrawn()}
	found, err := c.open()
	if err != nil {
		return nil, err
	}
	for _, problem := range found.Problems {
		log.Warn("record", "problem", problem.Error())
	}
	if err := c.build(found); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// build folds the record and brings back what was pending.
func (c *Core) build(found journal.Found) error {
	state, unfit := table.Restore(found)
	if c.Set.Panel == nil {
		c.Set.Panel = &ports.Panel{Counted: func() {}}
	}
	desk := table.NewDesk(table.Setup{State: state, Keys: c.keys, Roles: c.Set.Panel.Roles, Log: c.log, Day: c.day})
	c.recordFaults(desk, found, unfit)
	now := c.Set.Clock.Now()
	desk.Restarted(now, c.pending())
	for code, text := range c.Set.faults() {
		desk.SetFault(code, text)
	}
	if c.Set.Fault == nil && c.Set.Safe == 0 || state.Pack() == nil {
		desk.Configure(now, c.wanted(c.Set.Config))
	}
	if c.Set.Demo && state.Phase == tracker.TableClosed {
		desk.Wish(now, "demo", tracker.Command{Kind: tracker.TableOpened})
	}
	c.index = index.New(c.log, c.Set.Data, c.Set.Table, journal.Dir(datadir.Journal(c.Set.Data)), state)
	ended := c.index.Put
	if c.Set.Safe > 0 {
		ended = nil // a safe start keeps no index: the next makes up for it
	}
	var errands func(context.Context, menu.Task) menu.Result
	if c.Set.Maintenance != nil {
		errands = c.maintain
	}
	c.Table = table.New(table.Options{
		Errands: errands, Desk: desk, Journal: c.journal, History: ended, Clock: c.Set.Clock.Now, Speed: c.Set.Clock.Speed,
		In: c.In, Publish: c.publish, Tone: c.Set.Panel.Sound, Panel: c.Set.Panel.Show, Counted: c.Set.Panel.Counted, Log: c.log,
		View: c.view(c.Set.Config, c.Set.Fault),
	})
	c.pages = screentest.NewKeeper(c.Table.Do, c.Hub, c.log)
	return nil
}

// Maintenance does the tasks of the technician's menu.
type Maintenance interface {
	Do(ctx context.Context, t menu.Task, env Env) menu.Result
}

// Env is what a task may need of the core, as it is in force now.
type Env struct {
	Game, Hash string // id; hash of the configuration
	Zone       *time.Location
	Trusted    bool   // the wall clock is right
	End        func() // ends the core soon, in order: its supervisor starts it again
}

func (c *Core) maintain(ctx context.Context, t menu.Task) menu.Result {
	env := Env{Trusted: c.Set.Clock.Now().Trusted, End: c.EndSoon}
	err := c.Table.Do(ctx, func(*table.Desk, *table.View) {
		env.Game, env.Hash, env.Zone = c.Pack.ID, c.Set.Hash, c.Set.Config.Location()
	})
	if err != nil {
		return menu.Result{Failed: true, Lines: []string{err.Error()}}
	}
	return c.Set.Maintenance.Do(ctx, t, env)
}

// keys are those of the keypads in a game; before the first in the one that is to come.
func (c *Core) keys(p *game.Pack) (map[string]console.Map, console.Map) {
	if c.Set.Pads == nil {
		return nil, nil
	}
	return c.Set.Pads(cmp.Or(p, c.Pack))
}

func (c *Core) view(cfg config.Config, fault *stats.ConfigFault) table.View {
	return table.View{Zone: cfg.Zone, Demo: c.Set.Demo, OnScreen: !c.Set.Panel.HasEcho(), Config: fault,
		Status: version.Read().Line() + " · configuration " + c.Set.Hash}
}

func (c *Core) wanted(cfg config.Config) table.Wanted {
	return table.Wanted{Settings: cfg.Settings(), Pack: c.Pack.Source, Digest: c.Pack.Digest}
}

// day is the local date of a stamp whose wall clock is trusted.
func (c *Core) day(s tracker.Stamp) string {
	if !s.Trusted {
		return ""
	}
	return time.UnixMilli(s.Wall).In(c.Set.Config.Location()).Format(time.DateOnly)
}

// Run runs the table, the sources and the socket until ctx ends, then closes the
// record. Whatever of them fails ends the others.
func (c *Core) Run(ctx context.Context, sources ...hw.Source) error {
	var socket net.Listener
	if c.Set.Socket != "" {
		var err error
		if socket, err = localapi.Listen(c.Set.Socket); err != nil {
			return errors.Join(err, c.close())
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return c.Table.Run(ctx) })
	for _, s := range slices.Concat(sources, c.Set.Panel.Sources) {
		g.Go(func() error { return s.Run(ctx, c.In) })
	}
	if socket != nil {
		g.Go(func() error { return localapi.Serve(ctx, socket, c.api().Handler()) })
	}
	g.Go(func() error { c.pulse(ctx); return nil })
	g.Go(func() error { c.pages.Run(ctx); return nil })
	g.Go(func() error { c.endFlash(ctx); return nil })
	if c.Set.Safe == 0 {
		g.Go(func() error { c.keepIndex(ctx); return nil })
	}
	if c.Set.Machine != nil {
		g.Go(func() error { c.watchMachine(ctx); return nil })
	}
	if !c.Set.Demo && len(c.Set.Config.Screens) > 0 {
		g.Go(func() error { c.watchScreen(ctx); return nil })
	}
	g.Go(func() error { return c.end(ctx) })
	for _, run := range c.Set.Beside {
		g.Go(func() error {
			if c.started(ctx) {
				run(ctx, c)
			}
			return nil
		})
	}
	err := g.Wait()
	if errors.Is(err, errEnded) {
		err = nil
	}
	return errors.Join(err, c.close())
}

// keepIndex keeps the index from the first board on, which does not wait for it.
func (c *Core) keepIndex(ctx context.Context) {
	if c.started(ctx) {
		c.index.Run(ctx, func(text string) { c.setFaults(ctx, map[string]string{"history": text}) })
	}
}

// api is what the socket may ask of the core.
func (c *Core) api() localapi.Core {
	api := localapi.Core{
		Hub:         c.Hub,
		Version:     programVersion(),
		Alive:       func(ctx context.Context) error { return c.Table.Do(ctx, func(*table.Desk, *table.View) {}) },
		Identify:    c.identify,
		ScreenTest:  c.screenTest,
		Screens:     screens(),
		Drawn:       c.drawn.take,
		DrawnAgo:    c.drawn.ago,
		Acknowledge: c.acknowledge,
		Correct:     c.correct,
	}
	if c.Set.Reload != nil {
		api.Reload = c.Reload
	}
	if c.Set.Keys {
		api.Press = c.pressed(hw.NewTeller("socket", c.In))
	}
	return api
}

func programVersion() localapi.Version {
	b := version.Read()
	return localapi.Version{Program: b.Version, Revision: b.Revision, Go: b.Go, Board: stats.BoardVersion}
}

// Reload reads the configuration again. A bad one changes nothing but the
// sentence on the board. Totals that cannot be keyed yet wait for the next start, and
// that is an error too.
func (c *Core) Reload(ctx context.Context) error {
	l, err := c.Set.Reload()
	if err != nil {
		return err
	}
	cfg, waits := c.Set.keyable(l.File.Table(c.Set.Table))
	var why error
	err = c.Table.Do(ctx, func(d *table.Desk, v *table.View) {
		v.Config = l.Fault
		d.SetFault(stats.ConfigCode, configFault(l.Fault))
		if l.Fault != nil {
			why = errors.New(config.FaultText(l.Fault))
			return
		}
		pack, err := config.Pack(cfg.Game)
		if err != nil {
			why = err
			return
		}
		c.Pack, c.Set.Hash = pack, l.Hash()
		c.Set.Config.Zone = cfg.Zone
		v.Zone, v.Status = cfg.Zone, c.view(cfg, nil).Status
		d.Configure(c.Set.Clock.Now(), c.wanted(cfg))
	})
	if err != nil || why != nil {
		return errors.Join(err, why)
	}
	return errors.Join(waits, l.KeepGood(c.Set.Data))
}

// keyable is a configuration without its totals, and says so, where the keypads lack keys
// for them: their maps are those of this start.
func (s Setup) keyable(cfg config.Config) (config.Config, error) {
	if cfg.Entry != string(tracker.EntryTotals) {
		return cfg, nil
	}
	for _, k := range s.Config.Keypads {
		if missing := s.Config.TotalsLack(k); len(missing) > 0 {
			cfg.Entry = string(tracker.EntryResults)
			return cfg, fmt.Errorf("entry = \"totals\" waits for the next start, all else is taken: keypad %s has no key yet for %s: sudo systemctl restart shoeboard", k.Name, strings.Join(missing, ", "))
		}
	}
	return cfg, nil
}

// InForce is the configuration with as many devices as this start dares to use: in
// safe mode the dealer's keypad and nothing else.
func (s Setup) InForce() config.Config {
	cfg := s.Config
	if s.Safe > 0 {
		cfg.Keypads, cfg.Shoes = cfg.Keypads[:min(1, len(cfg.Keypads))], nil
		cfg.Lights, cfg.Buzzers, cfg.Echoes, cfg.Timers, cfg.KeySwitches = nil, nil, nil, nil, nil
	}
	return cfg
}
