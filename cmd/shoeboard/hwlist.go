package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// hwVerb are a technician's verbs for the devices of a unit.
type hwVerb struct {
	Test hwTestVerb `cmd:"" help:"Walks through key lights, buzzer, echo and timer, one after the other."`
	List hwListVerb `cmd:"" help:"What devices there are, which of them the configuration uses, and what is wrong with those."`
}

type hwListVerb struct {
	JSON bool `help:"As one JSON object."`
}

// Run lists the devices. What is missing is told and is no failure of the verb.
func (v *hwListVerb) Run(p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	list := p.hardware().inventory(cfg, newPadBook(cfg.Data))
	if v.JSON {
		e := json.NewEncoder(p.out)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	return list.write(p.out)
}

// inventory is what there is. A class that this machine does not have is null.
type inventory struct {
	Inputs     []inputFound  `json:"inputs"`
	GPIO       []chipFound   `json:"gpio"`
	I2C        []busFound    `json:"i2c"`
	Serial     []serialFound `json:"serial"`
	Configured []deviceUse   `json:"configured"`
}

// inputFound is a device to type on.
type inputFound struct {
	Path   string `json:"path"`
	Vendor string `json:"vendor,omitempty"`
	Model  string `json:"product,omitempty"`
	Device string `json:"device"`
	Port   string `json:"port,omitempty"`
	Kind   string `json:"kind"` // "numeric pad", "keyboard", "keys" or "no keys"
	HeldBy string `json:"held_by,omitempty"`
	Why    string `json:"failed,omitempty"`
}

// chipFound is a GPIO chip with the lines that are in use.
type chipFound struct {
	Path  string   `json:"path,omitempty"`
	Label string   `json:"label,omitempty"`
	Lines int      `json:"lines,omitempty"`
	Used  []string `json:"used,omitempty"` // "GPIO5 by shoeboard keypad rows"
	Why   string   `json:"failed,omitempty"`
}

// busFound is an I2C bus.
type busFound struct {
	Path   string `json:"path"`
	Name   string `json:"name,omitempty"`
	HeldBy string `json:"held_by,omitempty"`
	Why    string `json:"failed,omitempty"`
}

// serialFound is a serial port, with the names that stay when it is plugged in again.
type serialFound struct {
	Path   string   `json:"path"`
	Names  []string `json:"names,omitempty"`
	Driver string   `json:"driver,omitempty"`
	HeldBy string   `json:"held_by,omitempty"`
	Why    string   `json:"failed,omitempty"`
}

// deviceUse is a device that the configuration names.
type deviceUse struct {
	Section string `json:"section"` // "keypad" or "shoe"
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Device  string `json:"device"` // what is meant
	Found   string `json:"found,omitempty"`
	HeldBy  string `json:"held_by,omitempty"`
	Why     string `json:"failed,omitempty"` // why it cannot work; empty: it can
}

// write is the inventory for a person.
func (l inventory) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	section(w, "INPUT DEVICES", l.Inputs, func(d inputFound) []string {
		return []string{d.Path, fmt.Sprintf("%q", d.Device), strings.Trim(d.Vendor+":"+d.Model, ":"), d.Port, state(d.Kind, d.HeldBy, d.Why)}
	})
	section(w, "GPIO CHIPS", l.GPIO, func(c chipFound) []string {
		if c.Path == "" {
			return []string{state("", "", c.Why)}
		}
		used := ""
		if len(c.Used) > 0 {
			used = "in use: " + strings.Join(c.Used, ", ")
		}
		return []string{c.Path, c.Label, fmt.Sprintf("%d lines", c.Lines), used}
	})
	section(w, "I2C BUSES", l.I2C, func(b busFound) []string { return []string{b.Path, b.Name, state("", b.HeldBy, b.Why)} })
	section(w, "SERIAL PORTS", l.Serial, func(s serialFound) []string {
		return []string{s.Path, s.Driver, state(strings.Join(s.Names, " "), s.HeldBy, s.Why)}
	})
	section(w, "CONFIGURATION", l.Configured, func(u deviceUse) []string {
		return []string{u.Section + " " + u.Name, u.Kind, u.Device, state(u.Found, u.HeldBy, u.Why)}
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

// state is how a device is, in words.
func state(found, heldBy, why string) string {
	text := found
	if heldBy != "" {
		text += "; held by " + heldBy
	}
	if why != "" {
		text += "; FAILED: " + why
	}
	return strings.TrimPrefix(text, "; ")
}
