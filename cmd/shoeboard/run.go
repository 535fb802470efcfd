package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/stats"
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
}

// Run is the core of a unit: keypads, record, socket.
func (v *runVerb) Run(ctx context.Context, p *program, all *verbs) error {
	number, err := tableNumber(v.Table, p.dataFolder(v.Data, all.Config))
	if err != nil {
		return err
	}
	cfg, fault, err := p.loadConfig(all.Config, number)
	if err != nil {
		return err
	}
	set := coreSetup{data: or(v.Data, cfg.Data), table: number, config: cfg, fault: fault, clock: newClock(1, false),
		socket: or(v.Socket, cfg.Socket)}
	set.reload = func() (config.Config, *stats.ConfigFault) {
		cfg, fault, err := p.loadConfig(all.Config, number)
		if err != nil {
			return cfg, faultOf(all.Config, err)
		}
		return cfg, fault
	}
	pack, err := packNamed(cfg.Game)
	if err != nil {
		return err
	}
	set.other, _ = console.Layout("numpad-17", pack)
	set.pads = map[string]console.Map{}
	for _, k := range cfg.Keypads {
		set.pads[k.Name] = cfg.Keymap(k, pack)
	}
	sources := p.ports().keypads(cfg, pack, newPadBook(set.data))
	if set.socket != "" {
		if err := os.MkdirAll(filepath.Dir(set.socket), 0o755); err != nil {
			return fmt.Errorf("the socket's folder: %w", err)
		}
	}
	c, err := openCore(p.log, set)
	if err != nil {
		return err
	}
	stop := reloadOnHangup(ctx, p, c)
	defer stop()
	p.log.Info("core runs", "table", number, "game", cfg.Game, "data", set.data, "socket", set.socket)
	return c.run(ctx, sources...)
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

// tableNumber is the one fact of a unit: given by the flag and remembered in the
// data folder, else read from there, else 1.
func tableNumber(flag, data string) (string, error) {
	file := filepath.Join(data, "table")
	if flag != "" {
		if err := os.MkdirAll(data, 0o750); err != nil {
			return "", fmt.Errorf("the data folder: %w", err)
		}
		return flag, os.WriteFile(file, []byte(flag+"\n"), 0o640)
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		return "1", nil
	}
	if number := strings.TrimSpace(string(stored)); number != "" {
		return number, nil
	}
	return "1", nil
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
