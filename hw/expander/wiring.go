package expander

import (
	"errors"
	"fmt"

	"shoeboard/hw/linux"
	"shoeboard/hw/matrix"
)

// Wiring says which chip it is and where.
type Wiring struct {
	Chip       string // "mcp23017" (or empty), "tca9555" or "pcf8575"
	Bus        string // path of the I2C bus, "/dev/i2c-1"
	Addr       uint16 // 0x20 to 0x27, by the chip's three address pins
	Rows, Cols int
	Dir        string // the folder of the GPIO chips, /dev
	Interrupt  string // the GPIO line of INTA or INTB, as for linux.FindLine; empty: none
}

// Open opens the bus and the interrupt's line and sets the chip up. It can be
// called again after they have gone.
func (w Wiring) Open() (matrix.Lines, error) {
	bus, err := linux.OpenI2C(w.Bus)
	if err != nil {
		return nil, err
	}
	intr, err := w.interrupt()
	if err != nil {
		return nil, errors.Join(err, bus.Close())
	}
	return Open(bus, intr, w)
}

// Probe fails unless the chip answers. It changes nothing of it.
func (w Wiring) Probe() error {
	bus, err := linux.OpenI2C(w.Bus)
	if err != nil {
		return err
	}
	c, _, err := w.chip(bus)
	if err == nil {
		err = bus.TxWrites(w.Addr, make([]byte, 1), c.probe())
	}
	return errors.Join(err, bus.Close())
}

// chip returns the chip on a bus and its name. It fails if the chip cannot have such a
// matrix.
func (w Wiring) chip(bus Bus) (c chip, name string, err error) {
	d, most := device{bus, w.Addr}, 8
	switch w.Chip {
	case "", "mcp23017":
		c, name, most = mcp23017{d, mask(w.Rows)}, "MCP23017", 7
	case "tca9555":
		c, name = tca9555{d}, "TCA9555"
	case "pcf8575":
		c, name = pcf8575{d}, "PCF8575"
	default:
		return nil, "", fmt.Errorf("keypad on an expander: %q is no chip, "+
			`expected "mcp23017", "tca9555" or "pcf8575"`, w.Chip)
	}
	if w.Rows < 1 || w.Rows > most || w.Cols < 1 || w.Cols > most {
		err = fmt.Errorf("keypad on %s: %d rows by %d columns; it has lines for 1 to %d of each",
			name, w.Rows, w.Cols, most)
	}
	return c, fmt.Sprintf("%s at %#02x", name, w.Addr), err
}

func (w Wiring) interrupt() (Interrupt, error) {
	if w.Interrupt == "" {
		return nil, nil
	}
	flags := linux.Input | linux.PullUp | linux.FallingEdge
	l, err := linux.RequestLines(w.Dir, "shoeboard keypad interrupt", flags, 0, w.Interrupt)
	if err != nil {
		return nil, err
	}
	return pin{l}, nil
}

// pin is an Interrupt on a GPIO line.
type pin struct{ *linux.Lines }

func (p pin) Low() (bool, error) {
	level, err := p.Get(1)
	return level == 0 && err == nil, err
}
