package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/maintenance"
	"shoeboard/cmd/internal/secret"
	"shoeboard/cmd/internal/staff"
	"shoeboard/cmd/internal/takeover"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/hw"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// coreFlags are the flags of the verbs that run a core.
type coreFlags struct {
	Table string `help:"Number of this table; stored in the data folder." placeholder:"N"`
	dataFlag
	socketFlag
}

type runVerb struct {
	coreFlags
	SocketKeys bool `help:"Also accept key presses through the socket, for tests."`
}

// Run runs the core of a unit: keypads, record, socket.
func (v *runVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	data := p.dataFolder(v.Data, all.Config)
	if err := datadir.RefuseRoot(data); err != nil {
		return err
	}
	questions, err := transfer.Begin(data, core.ID(), p.slot(), p.venue())
	p.warn("take-over", err)
	set, keypads, err := v.begin(p, all.Config)
	if err != nil {
		return err
	}
	declined := false
	if len(questions) > 0 {
		yes, err := takeover.Ask(ctx, takeover.Setup{Setup: set, Keypads: keypads, Questions: questions, Log: p.log})
		if err != nil || ctx.Err() != nil {
			return err
		}
		declined = !yes
		set.Healthy()                                               // the core counts as a start of its own
		if set, keypads, err = v.begin(p, all.Config); err != nil { // of the table that it has now
			return err
		}
	}
	set.Maintenance = p.maintenance(set, all.Config)
	set.Staff = func() (bool, error) { return staff.Required(set.Data, p.keys()) }
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	set.Beside = append(set.Beside, func(ctx context.Context, c *core.Core) { p.reloadOn(ctx, hangups, c) })
	if set.Safe == 0 {
		set.Beside = append(set.Beside, p.mirror(declined))
	}
	c, err := core.Open(p.log, set)
	if err != nil && set.Safe > 0 {
		return core.LastWords(ctx, p.log, set, err)
	}
	if err != nil {
		return err
	}
	p.log.Info("core runs", "table", set.Table, "game", set.Config.Game, "data", set.Data, "socket", set.Socket,
		"safe", set.Safe > 0)
	if err := c.Run(ctx, keypads...); err != nil {
		return err
	}
	set.Healthy()
	return nil
}

// begin counts this start, and returns the core that flags, configuration and data folder
// describe, with its keypads: a safe one after starts that failed.
func (v *runVerb) begin(p *program, path string) (core.Setup, []hw.Source, error) {
	set, err := v.setup(p, path)
	if err != nil {
		return set, nil, err
	}
	starts := watchdog.Starts(filepath.Dir(set.Socket))
	failed, err := starts.Begin()
	p.warn("safe mode", err)
	if failed >= watchdog.FailedStarts {
		set.Safe = failed
	}
	set.Healthy = func() { p.warn("starts", starts.Healthy()) }
	pack, err := config.Pack(set.Config.Game)
	if err != nil {
		return set, nil, nil // core.Open fails for it, and the last words can say so
	}
	hardware := devices.Below(p.root, p.log)
	set.Panel = hardware.Indicators(set.InForce(), pack, hardware.Outputs())
	return set, hardware.Keypads(set.InForce(), devices.NewEnrolments(set.Data)), nil
}

func (v *runVerb) setup(p *program, path string) (core.Setup, error) {
	l, err := p.readConfig(path, v.Data)
	if err != nil {
		return core.Setup{}, err
	}
	number, unknown := v.table(p, cmp.Or(v.Data, l.File.Table("").Data))
	cfg := l.File.Table(number)
	cfg.Data, cfg.Socket = cmp.Or(v.Data, cfg.Data), cmp.Or(v.Socket, cfg.Socket)
	p.warn("configuration", l.KeepGood(cfg.Data))
	if err := os.MkdirAll(filepath.Dir(cfg.Socket), 0o755); err != nil {
		return core.Setup{}, fmt.Errorf("the socket's folder: %w", err)
	}
	return core.Setup{Data: cfg.Data, Table: number, Unknown: unknown, Config: cfg, Fault: l.Fault, Hash: l.Hash(),
		Clock: clock.New(1, false), Socket: cfg.Socket, Keys: v.SocketKeys, Pads: keysOf(cfg),
		Service: watchdog.IsManaged(), Machine: doctor.Machine(os.DirFS(p.root), cfg),
		Reload: func() (config.Loaded, error) { return p.readConfig(path, cfg.Data) }}, nil
}

// keysOf returns the keys of the configured keypads, and those of a numeric pad for any
// other source.
func keysOf(cfg config.Config) table.Keys {
	return func(p *game.Pack) (map[string]console.Map, console.Map) {
		pads := map[string]console.Map{}
		for _, k := range cfg.Keypads {
			pads[k.Name] = cfg.Keymap(k, p)
		}
		other, _ := console.Layout("numpad-17", p)
		return pads, other
	}
}

// table returns the number of this unit's table, and why it is not known when the record
// must stand in for the data folder.
func (v *coreFlags) table(p *program, data string) (number string, unknown error) {
	if v.Table != "" {
		p.warn("table "+v.Table+" for this start only", datadir.WriteTable(data, v.Table))
		return v.Table, nil
	}
	number, unknown = datadir.TableOf(data)
	p.warn("goes on as table "+number, unknown)
	return number, unknown
}

// bundleLines is how much of the logs a bundle on a stick has.
const bundleLines = 2000

// maintenance returns what does the tasks of the technician's menu.
func (p *program) maintenance(set core.Setup, path string) *maintenance.Unit {
	u := &maintenance.Unit{Data: set.Data, Socket: set.Socket, Table: set.Table, ID: core.ID(), Build: version.Read(),
		Slot: p.slot(), Helper: p.helperSocket(),
		Staff: staff.NewChecker(set.Data, p.keys(), set.Clock.Mono)}
	u.Collect = func(ctx context.Context) (*doctor.Unit, error) {
		return doctor.Collect(ctx, p.root, path, set.Data, set.Socket)
	}
	u.Bundle = func(ctx context.Context, out io.Writer) error {
		unit, err := u.Collect(ctx)
		if err == nil {
			_, err = doctor.Bundle(ctx, unit, u.ID, bundleLines, out)
		}
		return err
	}
	return u
}

// mirror returns what keeps the mirror of the record on a stick that is left in. A stick
// with another unit's mirror, put into a unit without a hand, ends the core: the next start
// asks whether to take its table over. Not when that was declined.
func (p *program) mirror(declined bool) func(context.Context, *core.Core) {
	return func(ctx context.Context, c *core.Core) {
		m := transfer.Mirror{Slot: p.slot(), Data: c.Set.Data, Unit: core.ID(), Program: version.Read().Line(),
			Venue: p.venue,
			Fault: func(code, text string) { c.SetFaults(ctx, map[string]string{code: text}) }}
		if !declined {
			m.Found = c.EndSoon
		}
		m.Run(ctx)
	}
}

// reloadOn reads the configuration again on each hangup until ctx ends.
func (p *program) reloadOn(ctx context.Context, hangups <-chan os.Signal, c *core.Core) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			if err := c.Reload(ctx); err != nil {
				p.log.Error("configuration read again", "err", err)
			}
		}
	}
}

// dataFolder returns the folder in force before the table's number is known.
func (p *program) dataFolder(flag, path string) string {
	if flag != "" {
		return flag
	}
	cfg, _, err := p.loadConfig(path, "")
	if err != nil {
		return config.Default().Data
	}
	return cfg.Data
}

// venue returns the house's key, the zero Key where the unit has none that can be read.
func (p *program) venue() secret.Key {
	k, err := secret.Read(filepath.Join(p.keys(), secret.Venue))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.log.Warn("the venue's key", "err", err)
	}
	return k
}

// keys returns the folder of the unit's secret keys.
func (p *program) keys() string { return filepath.Join(p.root, secret.Folder) }
