package evdev

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Match says which pad is meant. A zero field means any: a Match that has one means
// any numeric pad that fits the others, and the zero Match any at all, for a table on
// which none has been enrolled yet.
type Match struct {
	Vendor  uint16 // USB vendor id
	Product uint16 // USB product id
	Name    string // the name that the device gives itself
	Port    string // the kernel's physical path, "usb-0000:01:00.0-1.2/input0"
}

// String describes the pad for a technician.
func (m Match) String() string {
	if m.Whole() {
		return fmt.Sprintf("%q (%04x:%04x) at %s", m.Name, m.Vendor, m.Product, m.Port)
	}
	text := "any numeric pad"
	if m.Name != "" {
		text += fmt.Sprintf(" %q", m.Name)
	}
	if m.Vendor != 0 || m.Product != 0 {
		text += fmt.Sprintf(" (%04x:%04x)", m.Vendor, m.Product)
	}
	if m.Port != "" {
		text += " at " + m.Port
	}
	return text
}

// Whole reports whether m names one pad in one port, and not only some of that.
func (m Match) Whole() bool {
	return m.Vendor != 0 && m.Product != 0 && m.Name != "" && m.Port != ""
}

// Fits reports whether o equals m in every field that m names.
func (m Match) Fits(o Match) bool {
	return (m.Vendor == 0 || m.Vendor == o.Vendor) && (m.Product == 0 || m.Product == o.Product) &&
		(m.Name == "" || m.Name == o.Name) && (m.Port == "" || m.Port == o.Port)
}

// NamedPad reports whether the device calls itself a pad. Most pads claim all the keys of a
// keyboard, so the name says more than the keys.
func (m Match) NamedPad() bool {
	name := strings.ToLower(m.Name)
	return strings.Contains(name, "pad") || strings.Contains(name, "numeric")
}

// SameModel reports whether m and o are of one model, in whatever port.
func (m Match) SameModel(o Match) bool {
	m.Port, o.Port = "", ""
	return m == o
}

// isBeside reports whether m and o are two interfaces of one device.
func (m Match) isBeside(o Match) bool {
	device, _, one := strings.Cut(m.Port, "/input")
	others, _, two := strings.Cut(o.Port, "/input")
	return one && two && device == others && m != o && m.Vendor == o.Vendor && m.Product == o.Product
}

// Identity describes a node, as it does itself.
type Identity struct {
	Match
	Keys []uint16 // the key codes that it can send
}

// called describes a device in a sentence for the board: by its name if that is m's, which
// somebody has enrolled, otherwise by its numbers alone. A device's own name may be a message
// to the players.
func (i Identity) called(m Match) string {
	if m.Name != "" && i.Name == m.Name {
		return i.String()
	}
	return fmt.Sprintf("%04x:%04x at %s", i.Vendor, i.Product, i.Port)
}

func (i Identity) has(code uint16) bool { return slices.Contains(i.Keys, code) }

// Numeric reports whether the device has the keys of a numeric pad. Full keyboards and many
// badge readers have them too.
func (i Identity) Numeric() bool { return i.has(keyKP0) && i.has(keyKPEnter) }

// Key codes of the kernel: the first button of mice and joysticks, and how many keys a power
// button or a remote control has at most.
const (
	firstButton = 0x100
	fewKeys     = 3
)

// Kind returns the kind of device, judged by its keys, for a technician: "numeric pad",
// "keyboard", "keys" or "no keys".
func (i Identity) Kind() string {
	keys := 0
	for _, code := range i.Keys {
		if code < firstButton {
			keys++
		}
	}
	switch {
	case keys <= fewKeys:
		return "no keys"
	case i.Numeric() && (!i.has(keyQ) || i.NamedPad()):
		return "numeric pad"
	case i.has(keyQ) && i.has(keyEnter):
		return "keyboard"
	}
	return "keys"
}

// isReader reports whether the device calls itself a reader of badges, cards or bar codes. It
// types what it has read, and claims all the keys of a keyboard.
func (i Identity) isReader() bool {
	name := strings.ToLower(i.Name)
	words := []string{"reader", "scanner", "barcode", "bar code", "rfid", "rf ideas", "magstripe", "badge"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// isTyping reports whether the device is something to type on, and not a power button, a
// mouse or a remote control.
func (i Identity) isTyping() bool {
	return (i.has(keyEnter) || i.has(keyKPEnter)) && (i.has(key1) || i.has(keyKP0))
}

// fitnessKeyboard is the fitness of a device that looks like a keyboard.
const fitnessKeyboard = 2

// fitness ranks the devices that the zero Match could mean, best first.
func (i Identity) fitness() int {
	switch {
	case !i.has(keyQ):
		return 0
	case i.NamedPad():
		return 1
	}
	return fitnessKeyboard
}

// identity reads the answers of the kernel: EVIOCGID (four 16-bit words: bus,
// vendor, product, version), two C strings and a bit for each key.
func identity(id, name, phys, keys []byte) Identity {
	return Identity{
		Match: Match{
			Vendor:  binary.NativeEndian.Uint16(id[2:]),
			Product: binary.NativeEndian.Uint16(id[4:]),
			Name:    cString(name),
			Port:    cString(phys),
		},
		Keys: codes(keys),
	}
}

// cString returns a text of a device's own: it goes to people's terminals, so nothing of it is
// left that one would act on.
func cString(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, string(text))
}

// codes lists the bits that are set.
func codes(bits []byte) []uint16 {
	var list []uint16
	for i, b := range bits {
		for j := range 8 {
			if b&(1<<j) != 0 {
				list = append(list, uint16(8*i+j))
			}
		}
	}
	return list
}
