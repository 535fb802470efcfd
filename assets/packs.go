package assets

import (
	"embed"
	"strings"
)

//go:embed packs/*.toml
var packFiles embed.FS

// PackIDs lists the rule packs that are built in, in alphabetical order.
func PackIDs() []string {
	entries, err := packFiles.ReadDir("packs")
	if err != nil {
		panic("the rule packs were not built in: " + err.Error()) // cannot happen in a program that was tested
	}
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = strings.TrimSuffix(entry.Name(), ".toml")
	}
	return ids
}

// Pack returns the bytes of a built-in rule pack, not to be changed, and the
// name of its file for messages; ok is false when there is no such pack. What
// the bytes mean knows tracker/game.
func Pack(id string) (file string, data []byte, ok bool) {
	file = "packs/" + id + ".toml"
	data, err := packFiles.ReadFile(file)
	return file, data, err == nil
}
