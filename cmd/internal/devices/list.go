// Package devices is what a technician sees of the devices of a unit: which there are,
// who holds them, what the configuration makes of them, and what they do when they are
// tried.
//
// Words: the hardware is where devices are looked for; an inventory is everything seen
// once; a use is a device that the configuration names, with why it cannot work; a
// walk shows and sounds everything; learning finds the pad on which a key is pressed.
//
// A caller may assume that looking changes nothing and resets no device, that what
// cannot be looked at is said and is no error, and that nothing is left open. He may
// not assume that a device is free: a running core keeps its own, and is named then.
package devices

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Inventory is what there is. A class that this machine does not have is null.
type Inventory struct {
	Inputs     []InputFound  `json:"inputs"`
	GPIO       []ChipFound   `json:"gpio"`
	I2C        []BusFound    `json:"i2c"`
	Serial     []SerialFound `json:"serial"`
	Configured []Use         `json:"configured"`
}

// InputFound is a device to type on.
type InputFound struct {
	Path   string `json:"path"`
	Vendor string `json:"vendor,omitempty"`
	Model  string `json:"product,omitempty"`
	Device string `json:"device"`
	Port   string `json:"port,omitempty"`
	Kind   string `json:"kind"` // "numeric pad", "keyboard", "keys" or "no keys"
	HeldBy string `json:"held_by,omitempty"`
	Why    string `json:"failed,omitempty"`
}

// ChipFound is a GPIO chip with the lines that are in use.
type ChipFound struct {
	Path  string   `json:"path,omitempty"`
	Label string   `json:"label,omitempty"`
	Lines int      `json:"lines,omitempty"`
	Used  []string `json:"used,omitempty"` // "GPIO5 by shoeboard keypad rows"
	Why   string   `json:"failed,omitempty"`
}

// BusFound is an I2C bus.
type BusFound struct {
	Path   string `json:"path"`
	Name   string `json:"name,omitempty"`
	HeldBy string `json:"held_by,omitempty"`
	Why    string `json:"failed,omitempty"`
}

// SerialFound is a serial port, with the names that stay when it is plugged in again.
type SerialFound struct {
	Path   string   `json:"path"`
	Names  []string `json:"names,omitempty"`
	Driver string   `json:"driver,omitempty"`
	HeldBy string   `json:"held_by,omitempty"`
	Why    string   `json:"failed,omitempty"`
}

// Use is a device that the configuration names.
type Use struct {
	Section string `json:"section"` // of the configuration: "keypad", "shoe", "light", "buzzer", "echo", "timer", "key_switch"
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Device  string `json:"device"` // what is meant
	Found   string `json:"found,omitempty"`
	HeldBy  string `json:"held_by,omitempty"`
	Why     string `json:"failed,omitempty"` // why it cannot work; empty: it can
}

// Write is the inventory for a person.
func (l Inventory) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	section(w, "INPUT DEVICES", l.Inputs, func(d InputFound) []string {
		return []string{d.Path, fmt.Sprintf("%q", d.Device), strings.Trim(d.Vendor+":"+d.Model, ":"), d.Port, HowItIs(d.Kind, d.HeldBy, d.Why)}
	})
	section(w, "GPIO CHIPS", l.GPIO, func(c ChipFound) []string {
		if c.Path == "" {
			return []string{HowItIs("", "", c.Why)}
		}
		used := ""
		if len(c.Used) > 0 {
			used = "in use: " + strings.Join(c.Used, ", ")
		}
		return []string{c.Path, c.Label, fmt.Sprintf("%d lines", c.Lines), used}
	})
	section(w, "I2C BUSES", l.I2C, func(b BusFound) []string { return []string{b.Path, b.Name, HowItIs("", b.HeldBy, b.Why)} })
	section(w, "SERIAL PORTS", l.Serial, func(s SerialFound) []string {
		return []string{s.Path, s.Driver, HowItIs(strings.Join(s.Names, " "), s.HeldBy, s.Why)}
	})
	section(w, "CONFIGURATION", l.Configured, func(u Use) []string {
		return []string{u.Section + " " + u.Name, u.Kind, u.Device, HowItIs(u.Found, u.HeldBy, u.Why)}
	})
	return w.Flush()
}

// section writes one class of devices, or that there is none.
func section[T any](w io.Writer, title string, list []T, columns func(T) []string) {
	fmt.Fprintln(w, title)
	for _, d := range list {
		fmt.Fprintf(w, "  %s\n", strings.TrimRight(strings.Join(columns(d), "\t"), "\t "))
	}
	if list == nil {
		fmt.Fprintln(w, "  n/a")
	}
}

// HowItIs is how a device is, in words.
func HowItIs(found, heldBy, why string) string {
	text := found
	if heldBy != "" {
		text += "; held by " + heldBy
	}
	if why != "" {
		text += "; FAILED: " + why
	}
	return strings.TrimPrefix(text, "; ")
}
