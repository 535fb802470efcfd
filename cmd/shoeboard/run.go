package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"shoeboard/cmd/shoeboard/alive"
	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/ports"
	"shoeboard/cmd/shoeboard/stamp"
	"shoeboard/tracker/console"
)

// coreFlags are the flags of the verbs that run a core.
type coreFlags struct {
	Table  string `help:"Number of this table; remembered in the data folder." placeholder:"N"`
	Data   string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
	Socket string `help:"Socket of the core; without it the configuration's." type:"path" placeholder:"PATH"`
}

type runVerb struct {
	coreFlags
	SocketKeys bool `help:"Take key presses through the socket as well, for trials: see the verb press."`
}

// Run is the core of a unit: keypads, record, socket.
func (v *runVerb) Run(ctx context.Context, p *program, all *verbs) error {
	set, err := v.setup(p, all.Config)
	if err != nil {
		return err
	}
	count := alive.StartsBeside(set.socket)
	failed, err := count.Begin()
	if err != nil {
		p.log.Warn("safe mode", "err", err)
	}
	if failed >= alive.FailedStarts {
		set.safe = failed
	}
	well := func() { p.warn("starts", count.Well()) }
	set.well = well
	if set.panel, err = p.panel(set); err != nil {
		return err
	}
	c, err := openCore(p.log, set)
	if err != nil {
		if set.safe > 0 {
			return lastWords(ctx, p.log, set, err)
		}
		return err
	}
	stop := reloadOnHangup(ctx, p, c)
	defer stop()
	p.log.Info("core runs", "table", set.table, "game", set.config.Game, "data", set.data, "socket", set.socket, "safe", set.safe > 0)
	if err := c.run(ctx, ports.Below(p.root, p.log).Keypads(set.inForce(), c.pack, ports.NewBook(set.data))...); err != nil {
		return err
	}
	well()
	return nil
}

// setup is the core that flags, configuration and data folder describe.
func (v *runVerb) setup(p *program, path string) (coreSetup, error) {
	l, err := p.readConfig(path, v.Data)
	if err != nil {
		return coreSetup{}, err
	}
	number, err := config.TableNumber(v.Table, cmp.Or(v.Data, l.File.Table("").Data))
	if err != nil {
		return coreSetup{}, err
	}
	cfg := l.File.Table(number)
	set := coreSetup{data: cmp.Or(v.Data, cfg.Data), table: number, config: cfg, fault: l.Fault, clock: stamp.NewClock(1, false),
		socket: cmp.Or(v.Socket, cfg.Socket), keys: v.SocketKeys, hash: l.Hash(), pads: map[string]console.Map{}}
	set.reload = func() (config.InForce, error) { return p.readConfig(path, set.data) }
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		return coreSetup{}, err
	}
	set.other, _ = console.Layout("numpad-17", pack)
	for _, k := range cfg.Keypads {
		set.pads[k.Name] = cfg.Keymap(k, pack)
	}
	p.warn("configuration", l.KeepGood(set.data))
	if err := os.MkdirAll(filepath.Dir(set.socket), 0o755); err != nil {
		return coreSetup{}, fmt.Errorf("the socket's folder: %w", err)
	}
	return set, nil
}

// inForce is the configuration with as many devices as this start dares to use: in
// safe mode the dealer's keypad and nothing else.
func (s coreSetup) inForce() config.Config {
	cfg := s.config
	if s.safe > 0 {
		cfg.Keypads, cfg.Shoes = cfg.Keypads[:min(1, len(cfg.Keypads))], nil
		cfg.Lights, cfg.Buzzers, cfg.Echoes, cfg.Timers, cfg.KeySwitches = nil, nil, nil, nil, nil
	}
	return cfg
}

// panel is what this start has beside its keypads.
func (p *program) panel(set coreSetup) (*ports.Panel, error) {
	cfg, ports := set.inForce(), ports.Below(p.root, p.log)
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		return nil, err
	}
	return ports.Panel(cfg, pack, ports.Outlets()), nil
}

// warn logs an error that stops nothing.
func (p *program) warn(what string, err error) {
	if err != nil {
		p.log.Warn(what, "err", err)
	}
}

// reloadOnHangup reads the configuration again on SIGHUP until stop is called.
func reloadOnHangup(ctx context.Context, p *program, c *core) (stop func()) {
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
				if err := c.reloadConfig(ctx); err != nil {
					p.log.Error("configuration not taken", "err", err)
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
