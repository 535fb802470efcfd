package expander

import (
	"errors"

	"shoeboard/hw/gpio"
	"shoeboard/hw/i2c"
	"shoeboard/hw/matrix"
)

// Wiring says where the chip is.
type Wiring struct {
	Bus        string // path of the I2C bus, "/dev/i2c-1"
	Addr       uint16 // 0x20 to 0x27, by the chip's three address pins
	Rows, Cols int
	Dir        string // the folder of the GPIO chips, /dev
	Interrupt  string // the GPIO line of INTA or INTB, as for gpio.Find; empty: none
}

// Open opens the bus and the interrupt's line and sets the chip up. It can be
// called again after they have gone.
func (w Wiring) Open() (matrix.Lines, error) {
	bus, err := i2c.Open(w.Bus)
	if err != nil {
		return nil, err
	}
	intr, err := w.interrupt()
	if err != nil {
		return nil, errors.Join(err, bus.Close())
	}
	return Open(bus, intr, w.Addr, w.Rows, w.Cols)
}

func (w Wiring) interrupt() (Interrupt, error) {
	if w.Interrupt == "" {
		return nil, nil
	}
	chips, chipErr := gpio.Chips(w.Dir)
	place, err := gpio.Find(chips, w.Interrupt)
	if err != nil {
		return nil, errors.Join(err, chipErr)
	}
	l, err := gpio.Request("shoeboard keypad interrupt", []gpio.Place{place}, gpio.Input|gpio.PullUp|gpio.FallingEdge, 0)
	if err != nil {
		return nil, err
	}
	return pin{l}, nil
}

// pin is an Interrupt on a GPIO line.
type pin struct{ *gpio.Lines }

func (p pin) Low() (bool, error) {
	level, err := p.Get(1)
	return level == 0 && err == nil, err
}
