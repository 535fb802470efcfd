package config

import (
	"fmt"
	"slices"

	"shoeboard/tracker/console"
	"shoeboard/tracker/strict"
)

// Lights are the lamps of the dealer's keys. Keys names them in the order of the
// lines, of the outputs of the registers, or of the pixels; "" is a lamp of no key.
type Lights struct {
	Name      string   `toml:"name" want:"a name in quotes"`
	Kind      string   `toml:"kind" want:"\"lines\", \"registers\" or \"pixels\""`
	Lines     []string `toml:"lines" want:"a list of pins such as [\"GPIO22\", \"GPIO23\"]"`
	ActiveLow bool     `toml:"active_low"`
	SPI       string   `toml:"spi" want:"the path of an SPI port such as \"/dev/spidev0.0\""`
	Keys      []string `toml:"keys" want:"a list of keys and bets such as [\"BANKER\", \"dragon-7\", \"OK\"]"`
}

// Buzzer is an active buzzer on one of the unit's pins.
type Buzzer struct {
	Name      string `toml:"name" want:"a name in quotes"`
	Line      string `toml:"line" want:"the name of a pin such as \"GPIO24\""`
	ActiveLow bool   `toml:"active_low"`
}

// Echo is the dealer's own display of two lines.
type Echo struct {
	Name   string `toml:"name" want:"a name in quotes"`
	Kind   string `toml:"kind" want:"\"escpos\", \"cd5220\", \"crlf\", \"ssd1306\", \"serlcd\" or \"aip31068\""`
	Device string `toml:"device" want:"a serial device (\"/dev/serial/by-id/…\"), or the path of an I2C bus"`
}

// Timer is a seven-segment display of the countdown, a MAX7219.
type Timer struct {
	Name       string `toml:"name" want:"a name in quotes"`
	SPI        string `toml:"spi" want:"the path of an SPI port such as \"/dev/spidev0.1\""`
	Digits     int    `toml:"digits" want:"a whole number of digits from 2 to 8"`
	Brightness int    `toml:"brightness" want:"a whole number from 0 to 15"`
}

// KeySwitch is the supervisor's key switch, which holds the board under review.
type KeySwitch struct {
	Name       string `toml:"name" want:"a name in quotes"`
	Line       string `toml:"line" want:"the name of a pin such as \"GPIO25\""`
	ActiveHigh bool   `toml:"active_high"`
}

func echoKinds() []string {
	return []string{"escpos", "cd5220", "crlf", "ssd1306", "serlcd", "aip31068"}
}

// panelDefaults fills in what the file does not say of the dealer's devices.
func (c *Config) panelDefaults(o origin) {
	mine := func(list string) bool { return o.table == "" || o.overrides(list) }
	if mine("light") {
		fill(c.Lights, o, "light", func(l Lights) Lights {
			d := Lights{Name: "lights", Kind: "lines"}
			if l.Kind == "registers" || l.Kind == "pixels" {
				d.SPI = "/dev/spidev0.0"
			}
			return d
		})
	}
	if mine("buzzer") {
		fill(c.Buzzers, o, "buzzer", func(Buzzer) Buzzer { return Buzzer{Name: "buzzer"} })
	}
	if mine("echo") {
		fill(c.Echoes, o, "echo", func(Echo) Echo { return Echo{Name: "echo", Kind: "escpos"} })
	}
	if mine("timer") {
		fill(c.Timers, o, "timer", func(Timer) Timer { return Timer{Name: "timer", SPI: "/dev/spidev0.1", Digits: 4, Brightness: 8} })
	}
	if mine("key_switch") {
		fill(c.KeySwitches, o, "key_switch", func(KeySwitch) KeySwitch { return KeySwitch{Name: "key-switch"} })
	}
}

// panel checks the dealer's devices and the supervisor's switch.
func (c *check) panel(t Config) {
	for i, l := range t.Lights {
		c.lights(strict.Item("light", i), l, t.Game)
	}
	for i, b := range t.Buzzers {
		c.pin(strict.Item("buzzer", i)+".line", b.Line)
	}
	for i, e := range t.Echoes {
		key := strict.Item("echo", i)
		c.oneOf(key+".kind", e.Kind, echoKinds()...)
		c.path(key+".device", e.Device)
	}
	for i, m := range t.Timers {
		key := strict.Item("timer", i)
		c.path(key+".spi", m.SPI)
		c.number(key+".digits", m.Digits, 2, 8, "of digits ")
		c.number(key+".brightness", m.Brightness, 0, 15, "")
	}
	for i, s := range t.KeySwitches {
		c.pin(strict.Item("key_switch", i)+".line", s.Line)
	}
	c.devices(t)
}

func (c *check) pin(key, pin string) {
	if !pinName(pin) {
		c.expect(key, "the name of a pin such as \"GPIO24\"")
	}
}

// lights checks where the lamps are. Each kind has keys of its own.
func (c *check) lights(key string, l Lights, game string) {
	c.oneOf(key+".kind", l.Kind, "lines", "registers", "pixels")
	onLines, onSPI := l.Kind == "lines", l.Kind == "registers" || l.Kind == "pixels"
	for name, fits := range map[string]bool{"lines": !onSPI, "active_low": !onSPI, "spi": !onLines} {
		if !fits && c.has(key+"."+name) {
			c.problem(c.key(key+"."+name), "is not for kind = \""+l.Kind+"\"", "")
		}
	}
	most := 64
	switch {
	case onLines:
		most = len(l.Lines)
		c.lampLines(key+".lines", l.Lines)
	case onSPI:
		c.path(key+".spi", l.SPI)
	}
	if n := len(l.Keys); n < 1 || n > most {
		c.expect(key+".keys", fmt.Sprintf("a list of 1 to %d keys and bets, one for each lamp", max(1, most)))
	}
	for i, k := range l.Keys {
		if k != "" && !slices.Contains(console.Keys(), console.Key(k)) {
			c.lampOf(strict.Item(key+".keys", i), k, game)
		}
	}
}

func (c *check) lampLines(key string, lines []string) {
	if len(lines) < 1 || len(lines) > 64 {
		c.expect(key, "a list of pins such as [\"GPIO22\", \"GPIO23\"]")
	}
	for i, line := range lines {
		if !pinName(line) || slices.Contains(lines[:i], line) {
			c.expect(strict.Item(key, i), "the name of a pin such as \"GPIO22\", each pin once")
		}
	}
}

// lampOf expects a bet of the game, or a key.
func (c *check) lampOf(key, bet, game string) {
	p := c.pack(game)
	if p == nil {
		return // the game is wrong, and that is told
	}
	known := []string{}
	for _, k := range console.Keys() {
		if k != console.KeyBonus {
			known = append(known, string(k))
		}
	}
	for _, b := range p.Bets {
		known = append(known, b.ID)
	}
	c.oneOf(key, bet, known...)
}

// devices expects every device to have a name that no other has: by its name the
// table knows what it is.
func (c *check) devices(t Config) {
	lists := []struct {
		list  string
		names []string
	}{
		{"keypad", namesOf(t.Keypads, func(d Keypad) string { return d.Name })},
		{"shoe", namesOf(t.Shoes, func(d Shoe) string { return d.Name })},
		{"light", namesOf(t.Lights, func(d Lights) string { return d.Name })},
		{"buzzer", namesOf(t.Buzzers, func(d Buzzer) string { return d.Name })},
		{"echo", namesOf(t.Echoes, func(d Echo) string { return d.Name })},
		{"timer", namesOf(t.Timers, func(d Timer) string { return d.Name })},
		{"key_switch", namesOf(t.KeySwitches, func(d KeySwitch) string { return d.Name })},
	}
	first := map[string]string{}
	for _, l := range lists {
		c.names(l.list, l.names)
		for i, name := range l.names {
			before, twice := first[name]
			if twice && before != l.list {
				c.problem(c.key(strict.Item(l.list, i)+".name"), fmt.Sprintf("is the name of a [[%s]] too", before), "a name of its own")
			} else {
				first[name] = l.list
			}
		}
	}
}

// namesOf are the names of the elements of a list.
func namesOf[T any](list []T, name func(T) string) []string {
	names := make([]string, len(list))
	for i, element := range list {
		names[i] = name(element)
	}
	return names
}
