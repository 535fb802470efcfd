package evdev

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
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
	if m.whole() {
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

// whole says that m names one pad in one port, and not only some of that.
func (m Match) whole() bool {
	return m.Vendor != 0 && m.Product != 0 && m.Name != "" && m.Port != ""
}

// fits says that o is like m in all that m names.
func (m Match) fits(o Match) bool {
	return (m.Vendor == 0 || m.Vendor == o.Vendor) && (m.Product == 0 || m.Product == o.Product) &&
		(m.Name == "" || m.Name == o.Name) && (m.Port == "" || m.Port == o.Port)
}

// model is m without its port: what is equal in two pads of the same make.
func (m Match) model() Match {
	m.Port = ""
	return m
}

// beside reports whether m and o are two interfaces of one device.
func (m Match) beside(o Match) bool {
	device, _, one := strings.Cut(m.Port, "/input")
	others, _, two := strings.Cut(o.Port, "/input")
	return one && two && device == others && m != o && m.Vendor == o.Vendor && m.Product == o.Product
}

// Identity is what a node says of itself.
type Identity struct {
	Match
	Keys []uint16 // the key codes that it can send
}

// called describes a device in a sentence for the board: by its name if that is m's, which
// somebody has enrolled, else by its numbers alone. What a device calls itself may be a
// message to the players.
func (i Identity) called(m Match) string {
	if m.Name != "" && i.Name == m.Name {
		return i.String()
	}
	return fmt.Sprintf("%04x:%04x at %s", i.Vendor, i.Product, i.Port)
}

func (i Identity) has(code uint16) bool { return slices.Contains(i.Keys, code) }

// numeric says that the device has the keys of a numeric pad. Full keyboards and
// many badge readers have them too.
func (i Identity) numeric() bool { return i.has(keyKP0) && i.has(keyKPEnter) }

// reads says that the device calls itself a reader of badges, cards or bar codes. It
// types what it has read, and claims all the keys of a keyboard.
func (i Identity) reads() bool {
	name := strings.ToLower(i.Name)
	for _, word := range []string{"reader", "scanner", "barcode", "bar code", "rfid", "rf ideas", "magstripe", "badge"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// typing says that the device is something to type on, and not a power button,
// a mouse or a remote control.
func (i Identity) typing() bool {
	return (i.has(keyEnter) || i.has(keyKPEnter)) && (i.has(key1) || i.has(keyKP0))
}

// fitnessKeyboard is the fitness of what is a keyboard, to all that can be seen.
const fitnessKeyboard = 2

// fitness ranks what could be meant by the zero Match, least first. Most pads
// claim all the keys of a keyboard, so the name says more than the keys.
func (i Identity) fitness() int {
	name := strings.ToLower(i.Name)
	switch {
	case !i.has(keyQ):
		return 0
	case strings.Contains(name, "pad") || strings.Contains(name, "numeric"):
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

func cString(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return strings.ToValidUTF8(string(text), "?")
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
