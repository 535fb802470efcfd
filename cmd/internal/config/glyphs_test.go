package config

import (
	"strings"
	"testing"

	"shoeboard/tracker/game"
)

// A venue's own text is shown whole or refused with the character: never as a box.
func TestTextWithoutAGlyphIsRefused(t *testing.T) {
	var packs []*game.Pack
	for text, fault := range map[string]string{
		"venue = \"龍門 Casino · Sòng bạc · 카지노\"\n":            "",
		"[texts]\nmessage = \"Ask for \U0001F409 tonight\"\n": "message = ",
	} {
		_, err := Read("venue.toml", []byte(text), packs)
		told := ""
		if err != nil {
			told = err.Error()
		}
		if fault == "" && strings.Contains(told, "glyph") {
			t.Errorf("%q: %s", text, told)
		}
		if fault != "" && !(strings.Contains(told, "venue.toml:2:") && strings.Contains(told, "the board has no glyph for '🐉'")) {
			t.Errorf("%q: %q", text, told)
		}
	}
}
