// Package ports makes sources and sinks of what a configuration names: keypads,
// card-reading shoes, lights, buzzer, echo, timer and key switch of a unit.
//
// Words: the ports are the devices below a root; the book remembers which USB pad
// stands for which keypad; a panel is everything beside keypads and screen.
//
// A caller may assume that building opens nothing: a source or a sink opens its
// device when it runs, tells of one that is missing, and goes on without it; that a
// pad in another port is accepted only by a held OK; and that a Panel never waits. He
// may not use a Panel from two goroutines.
package ports

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/evdev"
	"shoeboard/hw/expander"
	"shoeboard/hw/linux"
	"shoeboard/hw/matrix"
	"shoeboard/tracker/game"
)

// AcceptHold is how long OK is held on a pad in another port to accept it there.
const AcceptHold = 2 * time.Second

// settle is how long the rows of a matrix take to follow its columns.
const settle = 50 * time.Microsecond

// Ports are the devices of a unit, as sources are built on them.
type Ports struct {
	Dev   string                                           // the folder of devices, /dev
	Input evdev.Host                                       // the input devices
	Wires func(config.Keypad) func() (matrix.Lines, error) // opens the wires of a keypad
	Now   func() time.Duration                             // the boot-time clock
	Log   *slog.Logger
}

// Below are the devices below a folder that stands for "/".
func Below(root string, log *slog.Logger) Ports {
	dev := filepath.Join(root, "dev")
	p := Ports{Dev: dev, Input: evdev.Kernel{Dir: filepath.Join(dev, "input")}, Now: linux.BootTime, Log: log}
	p.Wires = p.wiring
	return p
}

// wiring is how the wires of a matrix or of an expander are opened.
func (p Ports) wiring(k config.Keypad) func() (matrix.Lines, error) {
	if k.Kind == "expander" {
		return expander.Wiring{Chip: k.Chip, Bus: p.Path(k.Bus), Addr: uint16(k.Address), Rows: k.Grid.Rows, Cols: k.Grid.Columns,
			Dir: p.Dev, Interrupt: k.Interrupt}.Open
	}
	return matrix.Wiring{Dir: p.Dev, Rows: k.Rows, Cols: k.Columns, Settle: settle}.Open
}

// Keypads are the sources of all [[keypad]]s. A device that is missing is told of
// by its source when it runs; it is no reason to run without the others.
func (p Ports) Keypads(cfg config.Config, pack *game.Pack, book *Book) []hw.Source {
	var sources []hw.Source
	for _, k := range cfg.Keypads {
		switch k.Kind {
		case "usb":
			ok, _ := cfg.Keymap(k, pack).Find("OK")
			sources = append(sources, p.usb(k, ok, Others(cfg, k, book), book))
		default:
			sources = append(sources, p.Wired(k, debounce.Contacts()))
		}
	}
	return sources
}

// Wired is the source of a keypad on wires of the unit's own.
func (p Ports) Wired(k config.Keypad, times debounce.Times) hw.Source {
	set := matrix.Settings{Name: k.Name, Rows: len(k.Rows), Cols: len(k.Columns), Diodes: k.Diodes, Times: times,
		Check: "its cable, and rows and columns of keypad " + k.Name + " in the configuration"}
	if k.Kind == "expander" {
		set.Rows, set.Cols = k.Grid.Rows, k.Grid.Columns
		set.Check = fmt.Sprintf("its cable and supply, and bus (%s), chip and address (%#02x) of keypad %s in the configuration", k.Bus, k.Address, k.Name)
	}
	return matrix.New(set, p.Wires(k), p.Now)
}

// Path is a path of the configuration below the root.
func (p Ports) Path(path string) string { return filepath.Join(p.Dev, "..", path) }

// Others are the pads that are enrolled for other keypads of the configuration.
func Others(cfg config.Config, k config.Keypad, book *Book) []evdev.Match {
	var taken []evdev.Match
	for _, o := range cfg.Keypads {
		if o.Kind != "usb" || o.Name == k.Name {
			continue
		}
		if m, _ := book.Find(o); Whole(m) {
			taken = append(taken, m)
		}
	}
	return taken
}

// Whole says that m names one pad in one port, and not only some of that.
func Whole(m evdev.Match) bool {
	return m.Vendor != 0 && m.Product != 0 && m.Name != "" && m.Port != ""
}

// usb is the source of a USB pad. ok is the position that accepts a pad in another
// port when it is held.
func (p Ports) usb(k config.Keypad, ok string, taken []evdev.Match, book *Book) hw.Source {
	m, err := book.Find(k)
	if err != nil {
		p.Log.Warn("keypads", "keypad", k.Name, "err", err)
	}
	u := &usbPad{log: p.Log.With("keypad", k.Name), news: make(chan evdev.Match, 1)}
	anyPad := m == evdev.Match{}
	u.remember = func(m evdev.Match) error {
		if anyPad && !CallsItselfPad(m.Name) {
			return nil
		}
		u.log.Info("keypad accepted", "pad", m)
		return book.Put(k, m)
	}
	u.pad = evdev.New(evdev.Settings{Name: k.Name, Match: m, Taken: taken, AcceptKey: ok, AcceptHold: AcceptHold,
		Accepted: u.accepted, Times: debounce.Pads()}, p.Input)
	return u
}

// CallsItselfPad says that a device found where any pad will do is surely a pad. A
// keyboard that stands in for one must not keep the pad out when that comes.
func CallsItselfPad(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "pad") || strings.Contains(name, "numeric")
}

// usbPad is a pad that is remembered once it has been accepted.
type usbPad struct {
	pad      *evdev.Pad
	remember func(evdev.Match) error
	news     chan evdev.Match // accepted, not yet remembered
	log      *slog.Logger
}

// Run tells of the pad until ctx ends.
func (u *usbPad) Run(ctx context.Context, out chan<- hw.Event) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m := range u.news {
			if err := u.remember(m); err != nil {
				u.log.Error("keypad is accepted until the program ends only", "pad", m, "err", err)
			}
		}
	}()
	err := u.pad.Run(ctx, out)
	close(u.news)
	<-done
	return err
}

// accepted hands m on to be remembered: the disk must not make a key wait. A pad
// that was not yet remembered when the next was accepted need not be.
func (u *usbPad) accepted(m evdev.Match) {
	select {
	case <-u.news:
	default:
	}
	u.news <- m
}

// Fits says that m is like what is known of a pad; a zero field is any.
func Fits(like, m evdev.Match) bool {
	return (like.Vendor == 0 || like.Vendor == m.Vendor) && (like.Product == 0 || like.Product == m.Product) &&
		(like.Name == "" || like.Name == m.Name) && (like.Port == "" || like.Port == m.Port)
}
