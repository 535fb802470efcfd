package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// claim is a part of the unit that one device has to itself: a pin, a port, a chip at
// its address.
type claim struct {
	part string // one spelling for all: "pin GPIO5"
	key  string // where the configuration names it
	bus  string // a pin that carries this bus belongs to everything on it
}

// noun returns what kind of part it is.
func (cl claim) noun() string {
	noun, _, _ := strings.Cut(cl.part, " ")
	return noun
}

// apart expects every pin, port and chip to be one device's: who comes second finds it
// taken, and which is second is chance.
func (c *check) apart(t Config) {
	all := claims(t)
	line := func(cl claim) int { return c.p.Problem(c.key(cl.key), "").Line }
	slices.SortStableFunc(all, func(a, b claim) int { return cmp.Compare(line(a), line(b)) })
	first := map[string]claim{}
	for _, pinsOfBuses := range []bool{true, false} {
		for _, cl := range all {
			before, taken := first[cl.part]
			switch at := c.key(before.key); {
			case (cl.bus != "") != pinsOfBuses:
			case !taken:
				first[cl.part] = cl
			case pinsOfBuses: // one bus carries many
			case before.bus != "":
				c.problem(c.key(cl.key), fmt.Sprintf("is a pin of %s, which is %s on line %d", before.bus, at, line(before)), "a pin of its own")
			default:
				c.problem(c.key(cl.key), fmt.Sprintf("is the %s of %s too, on line %d", cl.noun(), at, line(before)), "a "+cl.noun()+" of its own")
			}
		}
	}
}

// claims returns all parts that the devices of a table use.
func claims(t Config) (all []claim) {
	pins := func(key string, names ...string) {
		for i, name := range names {
			if pinName(name) && !slices.Contains(names[:i], name) { // what is wrong with others is told
				all = append(all, claim{part: "pin " + pinCalled(name), key: strict.Item(key, i)})
			}
		}
	}
	pin := func(key, name string) {
		if pinName(name) {
			all = append(all, claim{part: "pin " + pinCalled(name), key: key})
		}
	}
	for i, k := range t.Keypads {
		key := strict.Item("keypad", i)
		switch k.Kind {
		case "matrix":
			pins(key+".rows", k.Rows...)
			pins(key+".columns", k.Columns...)
		case "expander":
			pin(key+".interrupt", k.Interrupt)
			all = append(all, claim{part: fmt.Sprintf("chip %s %#x", k.Bus, k.Address), key: key + ".address"})
			all = append(all, onBus(key+".bus", k.Bus)...)
		}
	}
	for i, l := range t.Lights {
		key := strict.Item("light", i)
		if l.Kind == "lines" {
			pins(key+".lines", l.Lines...)
		} else {
			all = append(all, onPort(key+".spi", l.SPI)...)
		}
	}
	for i, b := range t.Buzzers {
		pin(strict.Item("buzzer", i)+".line", b.Line)
	}
	for i, s := range t.KeySwitches {
		pin(strict.Item("key_switch", i)+".line", s.Line)
	}
	return append(all, portClaims(t)...)
}

// portClaims returns the ports and displays of shoes, echoes and timers. Any number of
// replays may read one file.
func portClaims(t Config) (all []claim) {
	for i, s := range t.Shoes {
		if s.Kind != "replay" {
			all = append(all, onPort(strict.Item("shoe", i)+".device", s.Device)...)
		}
	}
	for i, e := range t.Echoes {
		key := strict.Item("echo", i) + ".device"
		if slices.Contains([]string{"ssd1306", "serlcd", "aip31068"}, e.Kind) {
			all = append(all, claim{part: "display " + e.Device + " " + e.Kind, key: key})
			all = append(all, onBus(key, e.Device)...)
		} else {
			all = append(all, onPort(key, e.Device)...)
		}
	}
	for i, m := range t.Timers {
		all = append(all, onPort(strict.Item("timer", i)+".spi", m.SPI)...)
	}
	return all
}

// onPort claims a port, and the pins of a Pi that carry it.
func onPort(key, port string) []claim {
	if port == "" {
		return nil
	}
	return append(onBus(key, port), claim{part: "port " + port, key: key})
}

// onBus claims the pins of a Pi that carry a bus, wherever that is told to be.
func onBus(key, path string) (all []claim) {
	for _, bus := range []struct{ begins, says, pins string }{
		{"/dev/i2c-1", "the I2C bus", "GPIO2 GPIO3"},
		{"/dev/spidev0.", "the SPI bus", "GPIO10 GPIO11"}, // a port without an input leaves GPIO9 free
	} {
		if path == bus.begins || strings.HasSuffix(bus.begins, ".") && strings.HasPrefix(path, bus.begins) {
			for _, pin := range strings.Fields(bus.pins) {
				all = append(all, claim{part: "pin " + pin, key: key, bus: bus.says})
			}
		}
	}
	return all
}

// numbered is a pin of a Pi by its number: its name, whatever the case, the number
// alone, or as the chip of the pins has it.
var numbered = regexp.MustCompile(`^(?:(?i:gpio)|pinctrl-[^:]*:)?0*(\d{1,3})$`)

// pinCalled returns one name for a pin that can be written in several ways.
func pinCalled(name string) string {
	if n := numbered.FindStringSubmatch(name); n != nil {
		return "GPIO" + n[1]
	}
	return name
}

// Reached returns what of a keypad's map its keys can press: rows and columns that are not
// wired press nothing, and neither does a USB key on a matrix.
func (c Config) Reached(k Keypad, p *game.Pack) console.Map {
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

// reach expects the keys without which no hand can be saved where the keypad has keys.
// What its map does not have at all is the map's own error.
func (c *check) reach(key string, k Keypad, t Config) {
	if !slices.Contains(keypadKinds(), k.Kind) {
		return
	}
	p := c.pack(t.Game)
	if p == nil {
		p = &game.Pack{}
	}
	all, reached := taps(t.Keymap(k, p)), taps(t.Reached(k, p))
	var out []string
	rows, columns := 0, 0
	for _, needed := range needed() {
		pos, mapped := all[needed]
		if _, ok := reached[needed]; ok || !mapped {
			continue
		}
		out = append(out, fmt.Sprintf("%s at %s", needed, pos))
		row, column, _ := placeOf(pos)
		rows, columns = max(rows, row), max(columns, column)
	}
	if len(out) == 0 {
		return
	}
	says := "has no key for " + strings.Join(out, ", ") + ": no hand can be keyed"
	switch {
	case k.Kind == "usb":
		c.problem(c.key(key+".layout"), says, "names of keys such as KPENTER")
	case rows == 0:
		c.problem(c.key(key+".layout"), says, "places such as r1c1")
	case k.Kind == "expander":
		c.problem(c.key(key+".grid"), says, fmt.Sprintf("at least %q, rows x columns", Grid{rows, columns}))
	case rows > len(k.Rows):
		c.problem(c.key(key+".rows"), says, fmt.Sprintf("at least %d rows and %d columns", rows, columns))
	default:
		c.problem(c.key(key+".columns"), says, fmt.Sprintf("at least %d rows and %d columns", rows, columns))
	}
}

// taps returns the keys of a map with their positions, of several the first.
func taps(m console.Map) map[console.Key]string {
	at := map[console.Key]string{}
	for _, pos := range slices.Backward(slices.Sorted(maps.Keys(m))) {
		at[m[pos].Tap] = pos
	}
	return at
}
