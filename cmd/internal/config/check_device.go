package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"shoeboard/assets"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// devices checks screens, keypads, shoes and lamps beyond the rules of their fields.
// together: keypads are compared with their key maps too.
func (c *check) devices(t Config, together bool) {
	for i, s := range t.Screens {
		key := strict.Item("screen", i)
		c.languages(key+".languages", s.Languages)
		if !slices.Contains([]int{0, 90, 180, 270}, s.Rotation) {
			c.expect(key+".rotation", "0, 90, 180 or 270 (degrees clockwise)")
		}
		if len(s.Output) > 24 || strings.Trim(s.Output, nameLetters+".") != "" {
			c.expect(key+".output", "the name of an output such as \"HDMI-2\", or \"\" for any")
		}
	}
	for i, k := range t.Keypads {
		c.keypad(strict.Item("keypad", i), k, t, together)
	}
	for i, s := range t.Shoes {
		key := strict.Item("shoe", i)
		if !strings.HasPrefix(s.Device, "/") && !(strings.HasPrefix(s.Device, "tcp://") && s.Kind != "replay") {
			c.expect(key+".device", "an absolute path such as \"/dev/serial/by-id/…\", or \"tcp://host:port\"")
		}
		if s.Kind == "lines" && s.FaceDown {
			c.expect(key+".face_down", "false for kind = \"lines\", which does not say when a card is turned")
		}
	}
	for i, l := range t.Lights {
		c.lamps(strict.Item("light", i), l, t.Game)
	}
}

// languages expects one or two different ones.
func (c *check) languages(key string, chosen []string) {
	if n := len(chosen); n < 1 || n > 2 || n == 2 && chosen[0] == chosen[1] {
		c.expect(key, "one or two different languages such as [\"en\", \"zh-Hant\"]")
	}
	var known []string
	for _, l := range assets.Langs() {
		known = append(known, l.Code)
	}
	for i, l := range chosen {
		if !slices.Contains(known, l) {
			c.oneOf(strict.Item(key, i), l, known...)
			c.errs[len(c.errs)-1].Expected += languageNames
		}
	}
}

// languageNames explains the codes to people who know only the languages.
const languageNames = " (en English, zh-Hant Traditional Chinese, zh-Hans Simplified Chinese, " +
	"vi Vietnamese, ko Korean, es Spanish, tl Tagalog)"

// keypad checks the layout of a keypad and the size of its chip.
func (c *check) keypad(key string, k Keypad, t Config, together bool) {
	builtIn := slices.Contains(console.Layouts(), k.Layout)
	c.oneOf(key+".layout", k.Layout, append(console.Layouts(), slices.Sorted(maps.Keys(t.Keymaps))...)...)
	switch wired := len(k.Rows) > 0 && len(k.Columns) > 0 || k.Kind != "matrix"; {
	case builtIn && (k.Layout == "numpad-17") != (k.Kind == "usb"):
		c.expect(key+".layout", "a layout for kind = \""+k.Kind+"\"")
	case together && wired:
		c.reach(key, k, t)
	}
	if k.Chip == "mcp23017" && max(k.Grid.Rows, k.Grid.Columns) > 7 {
		c.expect(key+".grid", "rows and columns up to \"7x7\", for A7 and B7 of an mcp23017 are outputs only")
	}
}

// reach expects that the keypad is wired for the keys without which no hand can be saved.
// Keys that its map does not have are an error of the map.
func (c *check) reach(key string, k Keypad, t Config) {
	p := c.pack(t.Game)
	if p == nil {
		p = &game.Pack{}
	}
	all, reached := taps(t.Keymap(k, p)), taps(t.reached(k, p))
	var missing []string
	rows, columns := 0, 0
	for _, needed := range needed() {
		pos, mapped := all[needed]
		if _, ok := reached[needed]; ok || !mapped {
			continue
		}
		missing = append(missing, fmt.Sprintf("%s at %s", needed, pos))
		row, column, _ := placeOf(pos)
		rows, columns = max(rows, row), max(columns, column)
	}
	if len(missing) == 0 {
		return
	}
	at, expected := ".columns", fmt.Sprintf("at least %d rows and %d columns", rows, columns)
	switch {
	case k.Kind == "usb":
		at, expected = ".layout", "names of keys such as KPENTER"
	case rows == 0:
		at, expected = ".layout", "places such as r1c1"
	case k.Kind == "expander":
		at, expected = ".grid", fmt.Sprintf("at least %q, rows x columns", grid{rows, columns})
	case rows > len(k.Rows):
		at = ".rows"
	}
	c.problem(c.key(key+at), "has no key for "+strings.Join(missing, ", ")+": no hand can be keyed", expected)
}

// reached returns the part of a keypad's map that its keys can press: rows and columns that
// are not wired press nothing, and neither does a USB key on a matrix.
func (c Config) reached(k Keypad, p *game.Pack) console.Map {
	m := c.Keymap(k, p)
	maps.DeleteFunc(m, func(pos string, _ console.Binding) bool { return !k.has(pos) })
	return m
}

// has reports whether the keypad can have a key at this position.
func (k Keypad) has(pos string) bool {
	row, column, wired := placeOf(pos)
	switch k.Kind {
	case "matrix":
		return wired && row <= len(k.Rows) && column <= len(k.Columns)
	case "expander":
		return wired && row <= k.Grid.Rows && column <= k.Grid.Columns
	}
	return !wired
}

// placeOf returns the row and the column of a position "r5c4", false for a USB key.
func placeOf(pos string) (row, column int, ok bool) {
	n, err := fmt.Sscanf(pos, "r%dc%d", &row, &column)
	return row, column, n == 2 && err == nil
}

// taps returns the keys of a map with their positions, the first where there are several.
func taps(m console.Map) map[console.Key]string {
	at := map[console.Key]string{}
	for _, pos := range slices.Backward(slices.Sorted(maps.Keys(m))) {
		at[m[pos].Tap] = pos
	}
	return at
}

// lamps checks the keys of lamps: one for each line, each a key or a bet of the game.
func (c *check) lamps(key string, l Lights, game string) {
	most := 64
	if l.Kind == "lines" {
		most = max(1, len(l.Lines))
	}
	if n := len(l.Keys); n < 1 || n > most {
		c.expect(key+".keys", fmt.Sprintf("a list of 1 to %d keys and bets, one for each lamp", most))
	}
	p := c.pack(game)
	if p == nil {
		return // the game is an error at its own key
	}
	known := []string{""}
	for _, k := range console.Keys() {
		known = append(known, string(k))
	}
	for _, b := range p.Bets {
		known = append(known, b.ID)
	}
	for i, k := range l.Keys {
		if !slices.Contains(known, k) {
			c.oneOf(strict.Item(key+".keys", i), k, known[1:]...)
		}
	}
}
