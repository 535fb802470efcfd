package main

import (
	"fmt"
	"os"
	"path/filepath"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/overlay"
	"shoeboard/tracker/game"
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
	Out    string `help:"Folder for the files." type:"path" default:"." placeholder:"DIR"`
}

// Run writes one file for each layout and game, of the venue's own maps for its game.
func (v *overlayVerb) Run(p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	games, err := chosenGames(v.Game)
	if err != nil {
		return err
	}
	layouts, err := overlay.Layouts(cfg, v.Layout)
	if err != nil {
		return err
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
			file := filepath.Join(v.Out, "overlay-"+layout+"-"+pack.ID+".svg")
			if err := d.Write(file, pack, layout, cfg.Keymap(config.Keypad{Layout: layout}, pack)); err != nil {
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
	number, err := config.TableNumber("", p.dataFolder("", path))
	if err != nil {
		return config.Config{}, err
	}
	cfg, _, err := p.loadConfig(path, number)
	return cfg, err
}
