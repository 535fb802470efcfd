package testkit

import (
	"shoeboard/cmd/internal/config"
	"shoeboard/hw/evdev"
)

// SomePad is a numeric pad in a port; it claims the keys of a keyboard, as most do.
func SomePad(name, port string) evdev.Identity {
	id := evdev.Identity{Match: evdev.Match{Vendor: 0x1a2c, Product: 0x2124, Name: name, Port: port}}
	for code := range uint16(111) {
		id.Keys = append(id.Keys, code+1)
	}
	return id
}

// Two ports of a unit, as the kernel names them.
const (
	PortA = "usb-0000:01:00.0-1.2/input0"
	PortB = "usb-0000:01:00.0-1.3/input0"
)

// PadNamed is a USB keypad of a configuration.
func PadNamed(name string) config.Keypad {
	return config.Keypad{Name: name, Kind: "usb", Layout: "numpad-17"}
}

// Key codes of the kernel.
const (
	CodeOK  = 96 // KPENTER
	CodeKP1 = 79
)

// WiredPad is a [[keypad]] of 5 rows and 4 columns on wires.
const WiredPad = `
[[keypad]]
name = "wired"
kind = "matrix"
layout = "matrix-4x5"
rows = ["GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26"]
columns = ["GPIO12", "GPIO16", "GPIO20", "GPIO21"]
`
