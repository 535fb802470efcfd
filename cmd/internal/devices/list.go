package devices

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw/evdev"
	"shoeboard/hw/linux"
)

// Inventory lists the devices of a unit. A class that this machine does not have is null.
type Inventory struct {
	Inputs     []inputFound  `json:"inputs"`
	GPIO       []chipFound   `json:"gpio"`
	I2C        []busFound    `json:"i2c"`
	Serial     []serialFound `json:"serial"`
	Configured []Use         `json:"configured"`
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

// Use is a device that the configuration names. Section is "keypad", "shoe", "light",
// "buzzer", "echo", "timer" or "key_switch".
type Use struct {
	Section string `json:"section"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Device  string `json:"device"` // as the configuration describes it
	Found   string `json:"found,omitempty"`
	HeldBy  string `json:"held_by,omitempty"`
	Why     string `json:"failed,omitempty"` // why it cannot work; empty: it can
}

// State describes where the device was found and who holds it.
func (u Use) State() string { return state(u.Found, u.HeldBy, "") }

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

// Write writes the inventory for a person.
func (l Inventory) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	section(w, "INPUT DEVICES", l.Inputs, func(d inputFound) []string {
		return []string{d.Path, fmt.Sprintf("%q", d.Device), strings.Trim(d.Vendor+":"+d.Model, ":"), d.Port,
			state(d.Kind, d.HeldBy, d.Why)}
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
	section(w, "I2C BUSES", l.I2C, func(b busFound) []string {
		return []string{b.Path, b.Name, state("", b.HeldBy, b.Why)}
	})
	section(w, "SERIAL PORTS", l.Serial, func(s serialFound) []string {
		return []string{s.Path, s.Driver, state(strings.Join(s.Names, " "), s.HeldBy, s.Why)}
	})
	section(w, "CONFIGURATION", l.Configured, func(u Use) []string {
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

// uses finds the devices that a configuration names.
type uses struct {
	Hardware
	inputs   []input
	chips    []linux.Chip
	held     holders
	enrolled *Enrolments
}

// of returns the uses of a configuration. Lamps, a buzzer and a timer do not answer: without
// lighting them nothing more can be known than that their lines or their port are there.
func (f uses) of(cfg config.Config) (list []Use) {
	for _, k := range cfg.Keypads {
		list = append(list, f.keypad(k))
	}
	for _, s := range cfg.Shoes {
		u := Use{Section: "shoe", Name: s.Name, Kind: s.Kind, Device: s.Device}
		if !strings.HasPrefix(s.Device, "tcp://") { // one on the network is not called
			u = f.onNode(u, s.Device)
		}
		list = append(list, u)
	}
	for _, o := range f.outputs(cfg, f.Outputs()) {
		u := Use{Section: o.section, Name: o.name, Kind: o.kind, Device: o.device}
		if len(o.lines) > 0 {
			u = f.onLines(u, o.lines...)
		} else {
			u = f.onNode(u, o.node)
		}
		list = append(list, u)
	}
	return list
}

func (f uses) keypad(k config.Keypad) Use {
	u := Use{Section: "keypad", Name: k.Name, Kind: k.Kind}
	switch k.Kind {
	case "usb":
		return f.usb(u, k)
	case "matrix":
		u.Device = "rows " + strings.Join(k.Rows, " ") + ", columns " + strings.Join(k.Columns, " ")
		return f.onLines(u, slices.Concat(k.Rows, k.Columns)...)
	}
	return f.onExpander(u, k)
}

func (f uses) usb(u Use, k config.Keypad) Use {
	m, err := f.enrolled.find(k)
	u.Device = padText(m)
	var elsewhere, denied []string
	standIn := ""
	for _, in := range f.inputs {
		switch {
		case in.err != nil:
			denied = append(denied, in.path)
		case isMeant(m, in.id):
			u.Found, u.HeldBy = in.path, f.held.words(in.path)
			return u
		case standIn == "" && !m.Whole() && m.Fits(in.id.Match) && in.id.Numeric():
			standIn = in.path
		case m.Whole() && m.SameModel(in.id.Match):
			elsewhere = append(elsewhere, "one stands in, in port "+in.id.Port+": sudo shoeboard keypad learn "+k.Name)
		}
	}
	if standIn != "" {
		u.Device += " (a keyboard stands in)"
		u.Found, u.HeldBy = standIn, f.held.words(standIn)
		return u
	}
	u.Why = "not plugged in"
	if len(elsewhere) > 0 {
		u.Why = strings.Join(elsewhere, ", ")
	}
	if err != nil {
		u.Why = err.Error() + "; " + u.Why
	}
	if len(denied) > 0 {
		u.Why += "; no access to " + strings.Join(denied, ", ")
	}
	return u
}

// AnyPad describes a keypad of which none is enrolled.
const AnyPad = "any numeric pad"

// padText describes a pad of the configuration.
func padText(m evdev.Match) string {
	id := idOf(m)
	var words []string
	for _, part := range [][2]string{
		{"", id.Device}, {"vendor ", id.Vendor}, {"product ", id.Product}, {"port ", id.Port},
	} {
		if part[1] != "" {
			words = append(words, part[0]+part[1])
		}
	}
	if len(words) == 0 {
		return AnyPad
	}
	return strings.Join(words, ", ")
}

// isMeant reports whether a device is the one that m means.
func isMeant(m evdev.Match, id evdev.Identity) bool {
	if m.Whole() {
		return id.Match == m
	}
	return m.Fits(id.Match) && id.Kind() == "numeric pad"
}

func (f uses) onExpander(u Use, k config.Keypad) Use {
	bus := f.path(k.Bus)
	u.Device = fmt.Sprintf("%s at %#02x on %s", strings.ToUpper(k.Chip), k.Address, k.Bus)
	u.HeldBy = f.held.words(bus)
	var why []string
	if err := f.probe(f.expander(k)); err != nil {
		why = append(why, err.Error())
	} else {
		u.Found = bus
	}
	if k.Interrupt != "" {
		u.Device += ", interrupt on " + k.Interrupt
		if _, err := linux.FindLine(f.chips, k.Interrupt); err != nil {
			why = append(why, err.Error())
		}
	}
	u.Why = strings.Join(why, "; ")
	return u
}

// onLines completes a use of lines of one GPIO chip.
func (f uses) onLines(u Use, names ...string) Use {
	var why []string
	for _, name := range names {
		line, err := linux.FindLine(f.chips, name)
		switch {
		case err != nil:
			why = append(why, err.Error())
			continue
		case u.Found != "" && u.Found != line.Path:
			why = append(why, fmt.Sprintf("%s is on %s and the first on %s; they must be on one chip",
				name, line.Path, u.Found))
			continue
		}
		chip := f.chips[slices.IndexFunc(f.chips, func(c linux.Chip) bool { return c.Path == line.Path })]
		u.Found, u.HeldBy = line.Path, cmp.Or(consumer(chip.Lines[line.Offset]), u.HeldBy)
	}
	u.Why = strings.Join(slices.Compact(why), "; ")
	return u
}

// onNode completes a use of a device file. It does not open it: that alone resets some
// devices.
func (f uses) onNode(u Use, device string) Use {
	path := f.path(device)
	if _, err := os.Stat(path); err != nil {
		u.Why = missing(device)
		if !os.IsNotExist(err) {
			u.Why = err.Error()
		}
		return u
	}
	u.Found = path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		u.Found = target
	}
	u.HeldBy, u.Why = f.held.words(u.Found), unreadable(u.Found)
	return u
}

// missing returns why a device file may not be there.
func missing(device string) string {
	switch {
	case strings.HasPrefix(device, "/dev/spidev"):
		return "there is no such SPI port; is SPI enabled (dtparam=spi=on)?"
	case strings.HasPrefix(device, "/dev/i2c-"):
		return "there is no such I2C bus; is I2C enabled (dtparam=i2c_arm=on)?"
	}
	return "not plugged in"
}
