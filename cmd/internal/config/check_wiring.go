package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"shoeboard/tracker/strict"
)

// claim is something that a section has to itself: a name, a bet's limit, an output, or a
// part of the unit such as a pin, a port, or a chip at its address.
type claim struct {
	part string // one spelling for all: "pin GPIO5"
	key  string // where the configuration names it
	bus  string // a pin that carries this bus belongs to everything on it
}

// conflicts expects everything that is claimed to be claimed once. Of two devices the
// second to open a pin, port or chip fails, and which is second is chance.
func (c *check) conflicts(t Config) {
	all := claims(t)
	line := func(cl claim) int { return c.p.Problem(c.key(cl.key), "").Line }
	slices.SortStableFunc(all, func(a, b claim) int { return cmp.Compare(line(a), line(b)) })
	first := map[string]claim{}
	for _, pinsOfBuses := range []bool{true, false} {
		for _, cl := range all {
			before, taken := first[cl.part]
			noun, _, _ := strings.Cut(cl.part, " ")
			switch at := c.key(before.key); {
			case (cl.bus != "") != pinsOfBuses:
			case !taken:
				first[cl.part] = cl
			case pinsOfBuses: // one bus carries many
			case before.bus != "":
				problem := fmt.Sprintf("is a pin of %s, which %s uses on line %d", before.bus, at, line(before))
				c.problem(c.key(cl.key), problem, "a pin of its own")
			default:
				on := "" // the defaults are on no line
				if c.has(before.key[:strings.LastIndexAny(before.key, ".")]) {
					on = fmt.Sprintf(", on line %d", line(before))
				}
				c.problem(c.key(cl.key), "is the "+noun+" of "+at+" too"+on, "another "+noun)
			}
		}
	}
}

// claims returns everything that the sections of a table have to themselves.
func claims(t Config) (all []claim) {
	for _, s := range t.settings() {
		text, _ := s.value.Interface().(string)
		list, _ := s.value.Interface().([]string)
		section, _, _ := strings.Cut(s.key, "[")
		rule, _, _ := strings.Cut(s.field.Tag.Get("rule"), " ")
		switch name := s.field.Tag.Get("toml"); {
		case !s.fits():
		case rule == "pin" || rule == "pins":
			all = append(all, onPin(s.key, text)...)
			for i, pin := range list {
				all = append(all, onPin(strict.Item(s.key, i), pin)...)
			}
		case section == "limit" && name == "bets":
			for i, bet := range list {
				all = append(all, claim{part: "bet " + bet, key: strict.Item(s.key, i)})
			}
		case name == "spi":
			all = append(all, onPort(s.key, text)...)
		case name == "output" && text != "":
			all = append(all, claim{part: "output " + text, key: s.key})
		case name == "name" && section == "screen":
			all = append(all, claim{part: "name of a screen " + text, key: s.key})
		case name == "name": // the table knows a device by its name
			all = append(all, claim{part: "name of a device " + text, key: s.key})
		}
	}
	for i, k := range t.Keypads {
		if key := strict.Item("keypad", i); k.Kind == "expander" {
			all = append(all, claim{part: fmt.Sprintf("chip %s %#x", k.Bus, k.Address), key: key + ".address"})
			all = append(all, onBus(key+".bus", k.Bus)...)
		}
	}
	for i, s := range t.Shoes {
		if s.Kind != "replay" { // any number of replays may read one file
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
	return all
}

// onPin claims a pin. A name that no pin can have is an error by itself.
func onPin(key, pin string) []claim {
	if !pinName(pin) {
		return nil
	}
	return []claim{{part: "pin " + canonicalPin(pin), key: key}}
}

// onPort claims a port, and the pins of a Pi that carry it.
func onPort(key, port string) []claim {
	if port == "" {
		return nil
	}
	return append(onBus(key, port), claim{part: "port " + port, key: key})
}

// onBus claims the pins of a Pi that carry the bus of a device path.
func onBus(key, path string) (all []claim) {
	bus, pins := "", []string(nil)
	switch {
	case path == "/dev/i2c-1":
		bus, pins = "the I2C bus", []string{"GPIO2", "GPIO3"}
	case strings.HasPrefix(path, "/dev/spidev0."):
		bus, pins = "the SPI bus", []string{"GPIO10", "GPIO11"} // a port without an input leaves GPIO9 free
	}
	for _, pin := range pins {
		all = append(all, claim{part: "pin " + pin, key: key, bus: bus})
	}
	return all
}

// numbered matches a pin of a Pi by its number: its name in any case, the number
// alone, or as the chip of the pins has it.
var numbered = regexp.MustCompile(`^(?:(?i:gpio)|pinctrl-[^:]*:)?0*(\d{1,3})$`)

// canonicalPin returns one name for a pin that can be written in several ways.
func canonicalPin(name string) string {
	if n := numbered.FindStringSubmatch(name); n != nil {
		return "GPIO" + n[1]
	}
	return name
}
