package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/index"
	"shoeboard/cmd/shoeboard/ports"
	"shoeboard/cmd/shoeboard/stamp"
	"shoeboard/cmd/shoeboard/version"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// coreSetup says what a core is made of.
type coreSetup struct {
	data   string
	table  string
	config config.Config
	fault  *stats.ConfigFault // the file was refused; config is what stands in its place
	clock  *stamp.Clock
	demo   bool
	socket string // "": none
	pads   map[string]console.Map
	other  console.Map
	reload func() (config.InForce, error) // nil: nothing to read again
	keys   bool                           // take key presses through the socket
	hash   string                         // of the configuration, for the status line
	safe   int                            // failed starts before this one when it is a safe start, else 0
	well   func()                         // this start has come to something; may be nil
	panel  *ports.Panel                   // what there is beside keypads and screen; nil: nothing
}

// core is the table with its record, its history and its socket.
type core struct {
	set     coreSetup
	log     *slog.Logger
	journal *journal.Journal
	index   *index.Index
	hub     *localapi.Hub
	in      chan hw.Event
	table   *table.Table
	pack    *game.Pack
}

// openCore opens the record in the data folder and builds the table as it stood.
func openCore(log *slog.Logger, s coreSetup) (*core, error) {
	pack, err := config.Pack(s.config.Game)
	if err != nil {
		return nil, err
	}
	dir := config.JournalDir(s.data)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("the data folder: %w", err)
	}
	j, found, err := journal.Open(journal.Dir(dir), unitID())
	if err != nil {
		return nil, err
	}
	for _, problem := range found.Problems {
		log.Warn("record", "problem", problem.Error())
	}
	c := &core{set: s, log: log, journal: j, hub: localapi.NewHub(), in: make(chan hw.Event, 64), pack: pack}
	if err := c.build(found); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return c, nil
}

// build folds the record and brings back what was pending.
func (c *core) build(found journal.Found) error {
	state, err := table.Restore(found)
	if err != nil {
		return err
	}
	if c.set.panel == nil {
		c.set.panel = &ports.Panel{Counted: func() {}}
	}
	desk := table.NewDesk(table.Setup{State: state, Pads: c.set.pads, Default: c.set.other, Roles: c.set.panel.Roles, Log: c.log, Day: c.day})
	for _, problem := range found.Problems {
		desk.SetFault("record", "The record was damaged: "+problem.Error())
	}
	now := c.set.clock.Now()
	scratch, _, err := c.journal.LoadPending()
	if err != nil {
		c.log.Warn("pending entry", "err", err)
	}
	desk.Restarted(now, scratch)
	if c.set.safe > 0 {
		desk.SetFault("safe-mode", safeFault(c.set.safe))
	}
	if c.set.fault == nil && c.set.safe == 0 || state.Pack() == nil {
		desk.Configure(now, c.wanted(c.set.config))
	}
	if c.set.demo && state.Phase == tracker.TableClosed {
		desk.Wish(now, "demo", tracker.Command{Kind: tracker.TableOpened})
	}
	c.index = index.New(c.log, c.set.data, c.set.table, journal.Dir(config.JournalDir(c.set.data)), state)
	ended := c.index.Put
	if c.set.safe > 0 {
		ended = nil // a safe start keeps no index: the next makes up for it
	}
	c.table = table.New(table.Options{
		Desk: desk, Journal: c.journal, History: ended, Clock: c.set.clock.Now, Speed: c.set.clock.Speed,
		In: c.in, Publish: c.publish, Tone: c.set.panel.Sound, Panel: c.set.panel.Show, Counted: c.set.panel.Counted, Log: c.log,
		View: c.view(c.set.config, c.set.fault),
	})
	return nil
}

func (c *core) view(cfg config.Config, fault *stats.ConfigFault) table.View {
	return table.View{Zone: cfg.Zone, Demo: c.set.demo, OnScreen: !c.set.panel.HasEcho(), Config: fault,
		Status: statusLine(c.set.table, c.pack.ID, version.Read().Line(), c.set.hash)}
}

func (c *core) wanted(cfg config.Config) table.Wanted {
	return table.Wanted{Settings: cfg.Settings(), Pack: c.pack.Source, Digest: c.pack.Digest}
}

// day is the local date of a stamp whose wall clock is trusted.
func (c *core) day(s tracker.Stamp) string {
	if !s.Trusted {
		return ""
	}
	return time.UnixMilli(s.Wall).In(c.set.config.Location()).Format(time.DateOnly)
}

// run runs the table, the sources and the socket until ctx ends, then closes the
// record. Whatever of them fails ends the others.
func (c *core) run(ctx context.Context, sources ...hw.Source) error {
	var socket net.Listener
	if c.set.socket != "" {
		var err error
		if socket, err = localapi.Listen(c.set.socket); err != nil {
			return errors.Join(err, c.close())
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return c.table.Run(ctx) })
	for _, s := range slices.Concat(sources, c.set.panel.Sources) {
		g.Go(func() error { return s.Run(ctx, c.in) })
	}
	if socket != nil {
		g.Go(func() error { return localapi.Serve(ctx, socket, c.api()) })
	}
	g.Go(func() error { c.pulse(ctx); return nil })
	if c.set.safe == 0 {
		g.Go(func() error { c.keepIndex(ctx); return nil })
	}
	return errors.Join(g.Wait(), c.close())
}

func (c *core) close() error { return c.journal.Close() }

// keepIndex keeps the index from the first board on, which does not wait for it.
func (c *core) keepIndex(ctx context.Context) {
	for b, newer := c.hub.Newest(); b == nil; b, newer = c.hub.Newest() {
		select {
		case <-newer:
		case <-ctx.Done():
			return
		}
	}
	c.index.Run(ctx, func(text string) {
		err := c.table.Do(ctx, func(d *table.Desk, _ *table.View) { d.SetFault("history", text) })
		if err != nil {
			c.log.Warn("history", "err", err)
		}
	})
}

// api is what the socket may ask of the core.
func (c *core) api() localapi.Core {
	b := version.Read()
	api := localapi.Core{
		Hub:     c.hub,
		Version: localapi.Version{Program: b.Version, Revision: b.Revision, Go: b.Go, Board: stats.BoardVersion},
		Alive:   func(ctx context.Context) error { return c.table.Do(ctx, func(*table.Desk, *table.View) {}) },
		Identify: func(ctx context.Context, d time.Duration) error {
			return c.identify(ctx, d)
		},
	}
	if c.set.reload != nil {
		api.Reload = c.reloadConfig
	}
	if c.set.keys {
		api.Press = c.pressed(hw.NewTeller("socket", c.in))
	}
	return api
}

// identify flashes the table's number for d.
func (c *core) identify(ctx context.Context, d time.Duration) error {
	show := func(on bool) func(*table.Desk, *table.View) {
		return func(_ *table.Desk, v *table.View) { v.Identify = on }
	}
	if err := c.table.Do(ctx, show(d > 0)); err != nil || d <= 0 {
		return err
	}
	time.AfterFunc(d, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := c.table.Do(ctx, show(false)); err != nil {
			c.log.Warn("identify", "err", err)
		}
	})
	return nil
}

// reloadConfig reads the configuration again. A bad one changes nothing but the
// sentence on the board.
func (c *core) reloadConfig(ctx context.Context) error {
	l, err := c.set.reload()
	if err != nil {
		return err
	}
	cfg := l.File.Table(c.set.table)
	var why error
	err = c.table.Do(ctx, func(d *table.Desk, v *table.View) {
		v.Config = l.Fault
		if l.Fault != nil {
			why = errors.New(config.Told(l.Fault))
			return
		}
		pack, err := config.Pack(cfg.Game)
		if err != nil {
			why = err
			return
		}
		c.pack, c.set.hash = pack, l.Hash()
		v.Zone, v.Status = cfg.Zone, c.view(cfg, nil).Status
		d.Configure(c.set.clock.Now(), c.wanted(cfg))
	})
	if err != nil || why != nil {
		return errors.Join(err, why)
	}
	return l.KeepGood(c.set.data)
}

// unitID names this unit in its journal: the board's serial number where there is
// one, else the machine's id, else a word.
func unitID() string {
	for _, path := range []string{"/proc/device-tree/serial-number", "/etc/machine-id"} {
		if data, err := os.ReadFile(path); err == nil {
			if id := printable(data); id != "" {
				return id
			}
		}
	}
	return "unit"
}

func printable(data []byte) string {
	out := make([]byte, 0, len(data))
	for _, b := range data {
		if b > ' ' && b < 0x7f {
			out = append(out, b)
		}
	}
	return string(out[:min(len(out), 32)])
}

// loadConfig reads the configuration that is in force for the table. For a
// refused file the last good one stands in, with the first fault, to be shown.
func (p *program) loadConfig(path, tableNumber string) (config.Config, *stats.ConfigFault, error) {
	l, err := p.readConfig(path, "")
	if err != nil {
		return config.Config{}, nil, err
	}
	return l.File.Table(tableNumber), l.Fault, nil
}

// readConfig reads the configuration in force, as config.Source does.
func (p *program) readConfig(path, data string) (config.InForce, error) {
	return p.source().Read(path, data)
}

func (p *program) source() config.Source { return config.Source{Root: p.root, Log: p.log} }
