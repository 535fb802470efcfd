package config

import (
	"maps"
	"slices"
	"strings"

	"shoeboard/assets"
	"shoeboard/tracker/console"
	"shoeboard/tracker/strict"
)

// languages are the codes of the languages that the board speaks.
func languages() []string {
	var codes []string
	for _, l := range assets.Langs() {
		codes = append(codes, l.Code)
	}
	return codes
}

// themes are the names of the board's themes.
func themes() []string { return []string{"dark", "light", "colour-blind", "high-contrast"} }

// screens checks the pictures of the board.
func (c *check) screens(screens []Screen) {
	for i, s := range screens {
		key := strict.Item("screen", i)
		c.languages(key+".languages", s.Languages)
		c.oneOf(key+".theme", s.Theme, themes()...)
		if !slices.Contains([]int{0, 90, 180, 270}, s.Rotation) {
			c.expect(key+".rotation", "0, 90, 180 or 270 (degrees clockwise)")
		}
		c.oneOf(key+".bead_style", s.BeadStyle, "letters", "chinese", "totals")
		c.oneOf(key+".phase_bar", s.PhaseBar, "bottom", "top")
		if s.Pictures != "" {
			c.path(key+".pictures", s.Pictures)
		}
		c.number(key+".screen_inches", s.Inches, 5, 120, "of inches ")
		c.output(key+".output", s.Output, screens[:i])
	}
	c.names("screen", namesOf(screens, func(s Screen) string { return s.Name }))
}

// output expects the name of an output that no screen before has.
func (c *check) output(key, v string, before []Screen) {
	if v == "" {
		return
	}
	if len(v) > 24 || strings.Trim(v, nameLetters+".") != "" {
		c.expect(key, "the name of an output such as \"HDMI-2\", or \"\" for any")
	}
	if i := slices.IndexFunc(before, func(s Screen) bool { return s.Output == v }); i >= 0 {
		c.problem(c.key(key), "is the output of "+strict.Item("screen", i)+" too", "an output of its own")
	}
}

// languages expects one or two different ones.
func (c *check) languages(key string, chosen []string) {
	if n := len(chosen); n < 1 || n > 2 || n == 2 && chosen[0] == chosen[1] {
		c.expect(key, "one or two different languages such as [\"en\", \"zh-Hant\"]")
	}
	for i, l := range chosen {
		if !slices.Contains(languages(), l) {
			c.oneOf(strict.Item(key, i), l, languages()...)
			c.errs[len(c.errs)-1].Expected += languageNames
		}
	}
}

// languageNames explain the codes to who knows only the languages.
const languageNames = " (en English, zh-Hant Traditional Chinese, zh-Hans Simplified Chinese, vi Vietnamese, ko Korean, es Spanish, tl Tagalog)"

func keypadKinds() []string { return []string{"usb", "matrix", "expander"} }

// keypads checks the dealer's keypads.
func (c *check) keypads(t Config) {
	known := append(console.Layouts(), slices.Sorted(maps.Keys(t.Keymaps))...)
	for i, k := range t.Keypads {
		key := strict.Item("keypad", i)
		c.oneOf(key+".kind", k.Kind, keypadKinds()...)
		c.oneOf(key+".layout", k.Layout, known...)
		if (k.Layout == "numpad-17") != (k.Kind == "usb") && slices.Contains(console.Layouts(), k.Layout) {
			c.expect(key+".layout", "a layout for kind = \""+k.Kind+"\"")
		} else if c.together && (len(k.Rows) > 0 && len(k.Columns) > 0 || k.Kind != "matrix") {
			c.reach(key, k, t)
		}
		c.wiring(key, k)
	}
}

// wiring checks what says where a keypad is. Each kind has keys of its own.
func (c *check) wiring(key string, k Keypad) {
	for _, own := range []struct{ kind, name string }{
		{"usb", "vendor"}, {"usb", "product"}, {"usb", "device"}, {"usb", "port"},
		{"matrix", "rows"}, {"matrix", "columns"},
		{"expander", "chip"}, {"expander", "bus"}, {"expander", "address"}, {"expander", "interrupt"}, {"expander", "grid"},
	} {
		if own.kind != k.Kind && c.has(key+"."+own.name) {
			c.problem(c.key(key+"."+own.name), "is only for kind = \""+own.kind+"\"", "")
		}
	}
	switch k.Kind {
	case "usb":
		c.text(key+".device", k.Device, 100)
		c.text(key+".port", k.Port, 100)
	case "matrix":
		c.pins(key+".rows", k.Rows)
		c.pins(key+".columns", k.Columns)
	case "expander":
		c.oneOf(key+".chip", k.Chip, "mcp23017", "tca9555", "pcf8575")
		if k.Chip == "mcp23017" && max(k.Grid.Rows, k.Grid.Columns) > 7 {
			c.expect(key+".grid", "rows and columns up to \"7x7\", for A7 and B7 of an mcp23017 are outputs only")
		}
		c.path(key+".bus", k.Bus)
		if k.Address < 0x20 || k.Address > 0x27 {
			c.expect(key+".address", "the chip's address from 0x20 to 0x27")
		}
		if k.Interrupt != "" && !pinName(k.Interrupt) {
			c.expect(key+".interrupt", "the name of a pin such as \"GPIO4\"")
		}
	}
}

// pins expects the names of some pins, each once.
func (c *check) pins(key string, pins []string) {
	if len(pins) < 1 || len(pins) > 8 {
		c.expect(key, "a list of 1 to 8 pins such as [\"GPIO5\", \"GPIO6\"]")
	}
	for i, pin := range pins {
		if !pinName(pin) || slices.Contains(pins[:i], pin) {
			c.expect(strict.Item(key, i), "the name of a pin such as \"GPIO5\", each pin once")
		}
	}
}

// pinName says that a pin can be called so: "GPIO17", or the chip's label and a
// number, "pinctrl-rp1:17".
func pinName(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, odd)
}

// shoes checks the card-reading shoes.
func (c *check) shoes(shoes []Shoe) {
	for i, s := range shoes {
		key := strict.Item("shoe", i)
		c.oneOf(key+".kind", s.Kind, "tsp1", "angel-eye", "lines", "replay")
		if !strings.HasPrefix(s.Device, "/") && !(strings.HasPrefix(s.Device, "tcp://") && s.Kind != "replay") {
			c.expect(key+".device", "a path from the root such as \"/dev/serial/by-id/…\", or \"tcp://host:port\"")
		}
		if s.Kind == "lines" && s.FaceDown {
			c.expect(key+".face_down", "false for kind = \"lines\", which does not say when a card is turned")
		}
	}
}
