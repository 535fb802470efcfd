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
	"shoeboard/cmd/internal/ports"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
)

// keypadVerb are a technician's verbs for keypads.
type keypadVerb struct {
	Test    keypadTestVerb  `cmd:"" help:"What the keypads send, live: codes, positions, keys, times, bounce, faults."`
	Learn   keypadLearnVerb `cmd:"" help:"Enrols the USB pad on which a key is pressed, by model and port."`
	Overlay overlayVerb     `cmd:"" help:"Writes printable overlays of the keypads (SVG, in true millimetres)."`
}

type overlayVerb struct {
	Layout string `help:"Only this layout: numpad-17, matrix-4x5 or a [keymap.NAME] of the configuration." placeholder:"NAME"`
	Game   string `help:"Only this game." placeholder:"ID"`
	Entry  string `help:"What is keyed: results or totals. The default is the configuration's." enum:"results,totals," default:"" placeholder:"WHAT"`
	Out    string `help:"Folder for the files." type:"path" default:"." placeholder:"DIR"`
}

// Run writes one file for each layout and game, of the venue's own maps for its game.
func (v *overlayVerb) Run(p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	cfg.Entry = cmp.Or(v.Entry, cfg.Entry)
	games, err := chosenGames(v.Game)
	if err != nil {
		return useError{err}
	}
	layouts, err := overlay.Layouts(cfg, v.Layout)
	if err != nil {
		return useError{err}
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

// chosenGames are the game of that id, or all for "".
func chosenGames(id string) ([]*game.Pack, error) {
	if id != "" {
		pack, err := config.Pack(id)
		return []*game.Pack{pack}, err
	}
	return config.Packs()
}

// ofTable is the configuration in force for this unit's table.
func (p *program) ofTable(path string) (config.Config, error) {
	number, unknown := datadir.TableOf(p.dataFolder("", path))
	p.warn("goes on as table "+number, unknown)
	cfg, _, err := p.loadConfig(path, number)
	return cfg, err
}

// gameOfTable is that with the game that it asks for.
func (p *program) gameOfTable(path string) (config.Config, *game.Pack, error) {
	cfg, err := p.ofTable(path)
	if err != nil {
		return cfg, nil, err
	}
	pack, err := config.Pack(cfg.Game)
	return cfg, pack, err
}

type keypadLearnVerb struct {
	Name    string  `arg:"" optional:"" help:"Keypad of the configuration that the pad is for; without it the first USB keypad."`
	Print   bool    `help:"Only print the lines for the configuration; remember nothing."`
	Seconds float64 `help:"How long to wait for a key." default:"60"`
}

// Run waits for a key on the wanted pad and enrols it.
func (v *keypadLearnVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	k, err := devices.LearnFor(cfg, v.Name)
	if err != nil && v.Name != "" {
		return useError{err}
	}
	if err != nil {
		return err
	}
	if err := within("--seconds", v.Seconds, 0.01, 3600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(v.Seconds*float64(time.Second)))
	defer cancel()
	fmt.Fprintf(p.out, "Press a key on the pad that is to be keypad %s (within %v s; Ctrl+C ends).\n", k.Name, v.Seconds)
	m, err := devices.Learn(ctx, devices.Below(p.root, p.log), p.out)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "It is %v.\n\nTo write it into the configuration:\n\n%s\n", m, devices.EnrolmentLines(k, m))
	if v.Print {
		return nil
	}
	book := ports.NewBook(cfg.Data)
	if err := book.Put(k, m); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "It is remembered in %s as well, so that the configuration need not change.\nA core that runs takes it at its next start: sudo systemctl restart shoeboard\n", book.Path)
	return nil
}

// longest is the most seconds that a verb runs by itself: a day.
const longest = 86400

type keypadTestVerb struct {
	Once    bool    `help:"Only see whether the keypads are there, and end."`
	Seconds float64 `help:"End after so many seconds; 0: when interrupted." default:"0"`
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
	t := devices.NewPadTest(devices.Below(p.root, p.log), cfg, pack, ports.NewBook(cfg.Data), p.coreAnswers(ctx, cfg.Socket))
	t.Once, t.Most = v.Once, time.Duration(v.Seconds*float64(time.Second))
	return t.Run(ctx, p.out, columns(p.out, 0) > 0)
}

// coreAnswers says whether a core runs on this unit. One that does not let this user
// in runs.
func (p *program) coreAnswers(ctx context.Context, socket string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, err := localapi.Client{Path: socket}.Board(ctx)
	return err == nil || errors.Is(err, fs.ErrPermission)
}
