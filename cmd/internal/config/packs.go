package config

import (
	"fmt"

	"shoeboard/assets"
	"shoeboard/tracker/game"
)

// Packs are the rule packs built in, loaded.
func Packs() ([]*game.Pack, error) {
	var all []*game.Pack
	for _, id := range assets.PackIDs() {
		file, data, _ := assets.Pack(id)
		p, err := game.Load(file, data)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Pack is the built-in rule pack of that id.
func Pack(id string) (*game.Pack, error) {
	file, data, ok := assets.Pack(id)
	if !ok {
		return nil, fmt.Errorf("game %q is not known: expected one of %v", id, assets.PackIDs())
	}
	return game.Load(file, data)
}

// PackSource is the text of the built-in rule pack of that id.
func PackSource(id string) (text []byte, ok bool) {
	_, text, ok = assets.Pack(id)
	return text, ok
}
