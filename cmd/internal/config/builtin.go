package config

import (
	"bytes"
	_ "embed"
	"fmt"

	"shoeboard/assets"
	"shoeboard/tracker/game"
)

//go:embed init.toml
var initial []byte

// Init returns a file to begin with: every key with what it means and its default.
func Init() []byte { return bytes.Clone(initial) }

// Packs returns the built-in rule packs.
func Packs() ([]*game.Pack, error) {
	var all []*game.Pack
	for _, id := range assets.PackIDs() {
		p, err := Pack(id)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Pack returns the built-in rule pack of that id.
func Pack(id string) (*game.Pack, error) {
	file, data, ok := assets.Pack(id)
	if !ok {
		return nil, fmt.Errorf("game %q is not known: expected one of %v", id, assets.PackIDs())
	}
	return game.Load(file, data)
}

// PackSource returns the text of the built-in rule pack of that id.
func PackSource(id string) (text []byte, ok bool) {
	_, text, ok = assets.Pack(id)
	return text, ok
}
