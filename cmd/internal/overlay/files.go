package overlay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/config"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Write writes the overlay of a map in a game into a file, whole or not at all.
func (d *Drafter) Write(file string, pack *game.Pack, layout string, m console.Map) error {
	pg, err := d.page(pack, layout, m)
	if err != nil {
		return err
	}
	svg, err := pg.svg()
	if err != nil {
		return err
	}
	return renameio.WriteFile(file, svg, 0o644)
}

// Layouts returns the layout of that name, or for "" the built-in ones and those of the
// configuration.
func Layouts(cfg config.Config, name string) ([]string, error) {
	known := console.Layouts()
	for own := range cfg.Keymaps {
		known = append(known, own)
	}
	slices.SortFunc(known[len(console.Layouts()):], cmp.Compare[string])
	if name == "" {
		return known, nil
	}
	if !slices.Contains(known, name) {
		return nil, fmt.Errorf("layout %q is not known: expected one of %v", name, known)
	}
	return []string{name}, nil
}
