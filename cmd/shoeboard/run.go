package main

import (
	"cmp"
	"context"
	"fmt"
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
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/hw"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// coreFlags are the flags of the verbs that run a core.
type coreFlags struct {
	Table string `help:"Number of this table; remembered in the data folder." placeholder:"N"`
	dataFlag
	socketFlag
}

type runVerb struct {
	coreFlags
	SocketKeys bool `help:"Take key presses through the socket as well, for trials: see the verb press."`
}

// Run is the core of a unit: keypads, record, socket.
func (v *runVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	data := p.dataFolder(v.Data, all.Config)
	if err := datadir.RefuseRoot(data); err != nil {
		return err
	}
	questions, err := transfer.Begin(data, core.ID(), p.slot())
	p.warn("take-over", err)
	set, err := v.begin(p, all.Config)
	if err != nil {
		return err
	}
	declined := false
	if len(questions) > 0 {
		yes, err := p.askTakeOver(ctx, set, questions)
		if err != nil || ctx.Err() != nil {
			return err
		}
		declined = !yes
		if set, err = v.begin(p, all.Config); err != nil { // of the table that it has now
			return err
		}
	}
	set.Maintenance = p.maintenance(set, all.Config)
	if set.Safe == 0 {
		set.Beside = p.mirror(set, declined)
	}
	c, err := p.open(&set)
	if err != nil {
		if set.Safe > 0 {
			return core.LastWords(ctx, p.log, set, err)
		}
		return err
	}
	stop := reloadOnHangup(ctx, p, c)
	defer stop()
	p.log.Info("core runs", "table", set.Table, "game", set.Config.Game, "data", set.Data, "socket", set.Socket, "safe", set.Safe > 0)
	if err := c.Run(ctx, p.keypads(set, c.Pack)...); err != nil {
		return err
	}
	set.Healthy()
	return nil
}

// begin counts this start, and returns the core that it opens: a safe one after starts
// that failed.
func (v *runVerb) begin(p *program, path string) (core.Setup, error) {
	set, err := v.setup(p, path)
	if err != nil {
		return set, err
	}
	count := watchdog.Starts(filepath.Dir(set.Socket))
	failed, err := count.Begin()
	p.warn("safe mode", err)
	if failed >= watchdog.FailedStarts {
		set.Safe = failed
	}
	set.Healthy = func() { p.warn("starts", count.Healthy()) }
	return set, nil
}

// open opens the core with what it has beside its keypads. What fails in either, the
// last words can say.
func (p *program) open(set *core.Setup) (c *core.Core, err error) {
	if set.Panel, err = p.panel(*set); err != nil {
		return nil, err
	}
	return core.Open(p.log, *set)
}

// setup is the core that flags, configuration and data folder describe.
func (v *runVerb) setup(p *program, path string) (core.Setup, error) {
	l, err := p.readConfig(path, v.Data)
	if err != nil {
		return core.Setup{}, err
	}
	number, unknown, err := v.table(p, cmp.Or(v.Data, l.File.Table("").Data))
	if err != nil {
		return core.Setup{}, err
	}
	cfg := l.File.Table(number)
	cfg.Data, cfg.Socket = cmp.Or(v.Data, cfg.Data), cmp.Or(v.Socket, cfg.Socket)
	set := core.Setup{Data: cfg.Data, Table: number, Unknown: unknown, Config: cfg, Fault: l.Fault, Clock: clock.New(1, false),
		Socket: cfg.Socket, Keys: v.SocketKeys, Hash: l.Hash(), Pads: keysOf(cfg), Service: watchdog.IsManaged()}
	set.Machine = doctor.Machine(os.DirFS(p.root), set.Config)
	set.Reload = func() (config.Loaded, error) { return p.readConfig(path, set.Data) }
	p.warn("configuration", l.KeepGood(set.Data))
	if err := os.MkdirAll(filepath.Dir(set.Socket), 0o755); err != nil {
		return core.Setup{}, fmt.Errorf("the socket's folder: %w", err)
	}
	return set, nil
}

// keysOf are the keys of the configured keypads, and a numeric pad's for what else there is.
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

// table is the number of this unit's table, and why it is not known when the record has
// to stand in for the data folder.
func (v *coreFlags) table(p *program, data string) (number string, unknown, err error) {
	if v.Table != "" {
		return v.Table, nil, datadir.WriteTable(data, v.Table)
	}
	number, unknown = datadir.TableOf(data)
	p.warn("goes on as table "+number, unknown)
	return number, unknown, nil
}

// keypads are the keypads of this start.
func (p *program) keypads(set core.Setup, pack *game.Pack) []hw.Source {
	return devices.Below(p.root, p.log).Keypads(set.InForce(), pack, devices.NewEnrolments(set.Data))
}

// panel is what this start has beside its keypads.
func (p *program) panel(set core.Setup) (*devices.Indicators, error) {
	cfg, h := set.InForce(), devices.Below(p.root, p.log)
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		return nil, err
	}
	return h.Indicators(cfg, pack, h.Outputs()), nil
}

// reloadOnHangup reads the configuration again on SIGHUP until stop is called.
func reloadOnHangup(ctx context.Context, p *program, c *core.Core) (stop func()) {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-ctx.Done():
				return
			case <-hup:
				if err := c.Reload(ctx); err != nil {
					p.log.Error("configuration read again", "err", err)
				}
			}
		}
	}()
	return func() {
		signal.Stop(hup)
		cancel()
		<-gone
	}
}

// dataFolder is the folder in force before the table's number is known.
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
