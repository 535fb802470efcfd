package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/overlay"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
)

// keypadVerb groups a technician's verbs for keypads.
type keypadVerb struct {
	Test    keypadTestVerb  `cmd:"" help:"Show live what the keypads send: codes, keys, times, bounce, faults."`
	Learn   keypadLearnVerb `cmd:"" help:"Enrol the USB pad on which a key is pressed, by model and port."`
	Overlay overlayVerb     `cmd:"" help:"Write printable overlays of the keypads (SVG, in true millimetres)."`
}

type overlayVerb struct {
	Layout string `help:"Draw only this layout: numpad-17, matrix-4x5 or a [keymap.NAME]." placeholder:"NAME"`
	Game   string `help:"Draw only this game." placeholder:"ID"`
	Entry  string `help:"Draw results or totals; the default is the configuration's." enum:"results,totals," default:""`
	Out    string `help:"Folder for the files." type:"path" default:"." placeholder:"DIR"`
}

// Run writes one file for each layout and game; for a venue's own map, for its game only.
func (v *overlayVerb) Run(p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	cfg.Entry = cmp.Or(v.Entry, cfg.Entry)
	games, err := chosenGames(v.Game)
	if err != nil {
		return usageError{err}
	}
	layouts, err := overlay.Layouts(cfg, v.Layout)
	if err != nil {
		return usageError{err}
	}
	d, err := overlay.New()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(v.Out, 0o755); err != nil {
		return fmt.Errorf("the folder for the overlays: %w", err)
	}
	for _, layout := range layouts {
		for _, pack := range games {
			if _, own := cfg.Keymaps[layout]; own && v.Game == "" && pack.ID != cfg.Game {
				continue // a venue's map names the bets of its game
			}
			name := layout
			if cfg.Entry == string(tracker.EntryTotals) {
				name += "-totals"
			}
			file := filepath.Join(v.Out, "overlay-"+name+"-"+pack.ID+".svg")
			if err := d.Write(file, pack, name, cfg.Caps(config.Keypad{Layout: layout}, pack)); err != nil {
				return err
			}
			fmt.Fprintln(p.out, file)
		}
	}
	return nil
}

// chosenGames returns the game of that id, or all for "".
func chosenGames(id string) ([]*game.Pack, error) {
	if id != "" {
		pack, err := config.Pack(id)
		return []*game.Pack{pack}, err
	}
	return config.Packs()
}

// ofTable loads the configuration of this unit's table.
func (p *program) ofTable(path string) (config.Config, error) {
	number, unknown := datadir.TableOf(p.dataFolder("", path))
	p.warn("goes on as table "+number, unknown)
	cfg, _, err := p.loadConfig(path, number)
	return cfg, err
}

// gameOfTable loads that with its game.
func (p *program) gameOfTable(path string) (config.Config, *game.Pack, error) {
	cfg, err := p.ofTable(path)
	if err != nil {
		return cfg, nil, err
	}
	pack, err := config.Pack(cfg.Game)
	return cfg, pack, err
}

type keypadLearnVerb struct {
	Name    string  `arg:"" optional:"" help:"Keypad of the configuration; the default is the first USB keypad."`
	Print   bool    `help:"Only print the lines for the configuration; store nothing."`
	Seconds float64 `help:"Seconds to wait for a key." default:"60"`
}

// Run waits for a key on the wanted pad and enrols it.
func (v *keypadLearnVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	k, err := devices.LearnFor(cfg, v.Name)
	if err != nil && v.Name != "" {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if err := within("--seconds", v.Seconds, 0.01, 3600); err != nil {
		return err
	}
	ctx, cancel := forSeconds(ctx, v.Seconds)
	defer cancel()
	fmt.Fprintf(p.out, "Press a key on the pad for keypad %s (within %v s; Ctrl+C ends).\n", k.Name, v.Seconds)
	m, err := devices.Below(p.root, p.log).Learn(ctx, p.out)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "It is %v.\n\nTo write it into the configuration:\n\n%s\n", m, devices.EnrolmentLines(k, m))
	if v.Print {
		return nil
	}
	enrolled := devices.NewEnrolments(cfg.Data)
	if err := enrolled.Put(k, m); err != nil {
		return err
	}
	core := localapi.Client{Path: cfg.Socket}
	p.tellUnrecorded(core.Acted(context.WithoutCancel(ctx), "keypad-enrolled", k.Name, m.String(), os.Getenv("SUDO_UID")))
	fmt.Fprintf(p.out, "It is also remembered in %s, so the configuration need not change.\n"+
		"A running core uses it from its next start on: sudo systemctl restart shoeboard\n", enrolled.Path)
	return nil
}

// longest is how many seconds a verb runs at most by itself: a day.
const longest = 86400

type keypadTestVerb struct {
	Once    bool    `help:"Only check whether the keypads are connected."`
	Seconds float64 `help:"Stop after this many seconds; 0: never." default:"0"`
}

// Run shows what the keypads of the configuration send, live.
func (v *keypadTestVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if err := within("--seconds", v.Seconds, 0, longest); err != nil {
		return err
	}
	cfg, pack, err := p.gameOfTable(all.Config)
	if err != nil {
		return err
	}
	ctx, cancel := forSeconds(ctx, v.Seconds)
	defer cancel()
	return devices.Below(p.root, p.log).TestKeypads(ctx, devices.KeypadTest{
		Config: cfg, Pack: pack, Enrolled: devices.NewEnrolments(cfg.Data),
		CoreRuns: p.coreAnswers(ctx, cfg.Socket), Live: columns(p.out, 0) > 0, Once: v.Once,
	}, p.out)
}

// forSeconds returns a context that ends after so many seconds; 0: with ctx.
func forSeconds(ctx context.Context, seconds float64) (context.Context, context.CancelFunc) {
	if seconds == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
}

// coreAnswers reports whether a core runs on this unit. One that does not let this user in
// runs.
func (p *program) coreAnswers(ctx context.Context, socket string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, err := localapi.Client{Path: socket}.Board(ctx)
	return err == nil || errors.Is(err, fs.ErrPermission)
}
