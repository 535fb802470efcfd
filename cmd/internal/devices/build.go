// Package devices is everything that the program does with the devices of a unit: it makes
// sources and outputs of what a configuration names, and it lists, tests, learns and
// monitors devices for a technician.
//
// Words: the hardware is the devices below a root; an enrolment is the USB pad that was
// accepted for a keypad; indicators are the devices that show and sound what the dealer
// does; an inventory is everything seen once; a use is a device that the configuration
// names, with why it cannot work.
//
// A caller may assume that building opens nothing: a source opens its device when it runs,
// reports one that is missing, and goes on without it; that a pad in another port is
// accepted only by a held OK; that indicators never wait; that listing changes nothing and
// resets no device, and that what cannot be examined is reported and is no error. A caller
// may not use Indicators from two goroutines, nor assume that a device is free: a running
// core keeps its own, and is named then.
package devices

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
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// Hardware is the devices of a unit.
type Hardware struct {
	Dev   string                                           // the folder of devices, /dev
	Input evdev.Host                                       // the input devices
	Wires func(config.Keypad) func() (matrix.Lines, error) // opens the wires of a keypad
	Now   func() time.Duration                             // the boot-time clock
	Log   *slog.Logger

	sys, proc string
	chips     func(dir string) ([]linux.Chip, error)
	probe     func(expander.Wiring) error
}

// Below returns the devices below a folder that stands for "/".
func Below(root string, log *slog.Logger) Hardware {
	dev := filepath.Join(root, "dev")
	h := Hardware{Dev: dev, Input: evdev.Kernel{Dir: filepath.Join(dev, "input")}, Now: linux.BootTime, Log: log,
		sys: filepath.Join(root, "sys"), proc: filepath.Join(root, "proc"),
		chips: linux.Chips, probe: expander.Wiring.Probe}
	h.Wires = h.wires
	return h
}

// path returns a path of the configuration below the root.
func (h Hardware) path(path string) string { return filepath.Join(h.Dev, "..", path) }

// settle is how long the rows of a matrix take to follow its columns.
const settle = 50 * time.Microsecond

// wires returns what opens the wires of a matrix or of an expander.
func (h Hardware) wires(k config.Keypad) func() (matrix.Lines, error) {
	if k.Kind == "expander" {
		return h.expander(k).Open
	}
	return matrix.Wiring{Dir: h.Dev, Rows: k.Rows, Cols: k.Columns, Settle: settle}.Open
}

func (h Hardware) expander(k config.Keypad) expander.Wiring {
	return expander.Wiring{Chip: k.Chip, Bus: h.path(k.Bus), Addr: uint16(k.Address),
		Rows: k.Grid.Rows, Cols: k.Grid.Columns, Dir: h.Dev, Interrupt: k.Interrupt}
}

// Keypads returns the sources of all [[keypad]]s.
func (h Hardware) Keypads(cfg config.Config, enrolled *Enrolments) []hw.Source {
	var sources []hw.Source
	for _, k := range cfg.Keypads {
		if k.Kind != "usb" {
			sources = append(sources, h.wired(k, debounce.Contacts()))
			continue
		}
		sources = append(sources, h.usb(k, enrolled.others(cfg, k), enrolled))
	}
	return sources
}

// wired returns the source of a keypad on wires of the unit's own.
func (h Hardware) wired(k config.Keypad, times debounce.Times) hw.Source {
	set := matrix.Settings{Name: k.Name, Rows: len(k.Rows), Cols: len(k.Columns), Diodes: k.Diodes, Times: times,
		Check: "its cable, and rows and columns of keypad " + k.Name + " in the configuration"}
	if k.Kind == "expander" {
		set.Rows, set.Cols = k.Grid.Rows, k.Grid.Columns
		set.Check = fmt.Sprintf("its cable and supply, and bus (%s), chip and address (%#02x) of keypad %s "+
			"in the configuration", k.Bus, k.Address, k.Name)
	}
	return matrix.New(set, h.Wires(k), h.Now)
}

// usb returns the source of a USB pad.
func (h Hardware) usb(k config.Keypad, others []evdev.Match, enrolled *Enrolments) hw.Source {
	m, err := enrolled.find(k)
	if err != nil {
		h.Log.Warn("keypads", "keypad", k.Name, "err", err)
	}
	u := &usbPad{log: h.Log.With("keypad", k.Name), accepted: make(chan evdev.Match, 1)}
	anyPad := m == evdev.Match{}
	u.enrol = func(m evdev.Match) error {
		if anyPad && !m.NamedPad() { // a keyboard that stands in must not keep a pad out when it comes
			return nil
		}
		u.log.Info("keypad accepted", "pad", m)
		return enrolled.Put(k, m)
	}
	u.pad = evdev.New(evdev.Settings{Name: k.Name, Match: m, Others: others,
		Accepted: u.accept, Times: debounce.Pads()}, h.Input)
	return u
}

// usbPad is a pad that is enrolled once it has been accepted.
type usbPad struct {
	pad      *evdev.Pad
	enrol    func(evdev.Match) error
	accepted chan evdev.Match // not enrolled yet
	log      *slog.Logger
}

// Run runs the pad's source until ctx ends.
func (u *usbPad) Run(ctx context.Context, out chan<- hw.Event) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m := range u.accepted {
			if err := u.enrol(m); err != nil {
				u.log.Error("keypad is accepted until the program ends only", "pad", m, "err", err)
			}
		}
	}()
	err := u.pad.Run(ctx, out)
	close(u.accepted)
	<-done
	return err
}

// accept passes m on to be enrolled: the disk must not make a key wait. A pad that was not
// enrolled when the next was accepted need not be.
func (u *usbPad) accept(m evdev.Match) {
	select {
	case <-u.accepted:
	default:
	}
	u.accepted <- m
}

// shoes returns the sources of all [[shoe]]s, and what tells them that a hand was recorded.
func (h Hardware) shoes(cfg config.Config, pack *game.Pack) (sources []hw.Source, counted func()) {
	var readers []*shoe.Source
	for _, s := range cfg.Shoes {
		w := shoe.Wiring{Kind: s.Kind, Device: s.Device}
		if !strings.HasPrefix(s.Device, "tcp://") {
			w.Device = h.path(s.Device)
		}
		r, err := w.Source(shoe.Settings{Name: s.Name, Rules: rulesOf(pack), FaceDown: s.FaceDown}, h.Now)
		if err == nil {
			readers = append(readers, r)
		}
		sources = append(sources, optional{name: s.Name, now: h.Now, source: r, err: err})
	}
	return sources, func() {
		for _, r := range readers {
			r.Align()
		}
	}
}

// optional is a source that the table can do without: what keeps it from running is
// reported, and ends nothing.
type optional struct {
	name   string
	now    func() time.Duration
	source hw.Source
	err    error // why there is no source
}

// Run runs the source until ctx ends.
func (o optional) Run(ctx context.Context, out chan<- hw.Event) error {
	err := o.err
	if err == nil {
		err = o.source.Run(ctx, out)
	}
	if err != nil && ctx.Err() == nil {
		hw.NewTeller(o.name, out).Notice(ctx, hw.Faulty, "", err.Error(), o.now())
		<-ctx.Done()
	}
	return nil
}

// rulesOf returns the drawing rules of a game, for a shoe's source.
func rulesOf(pack *game.Pack) shoe.Rules {
	return func(player, banker []card.Card) error {
		_, err := pack.FromCards(player, banker)
		return err
	}
}
