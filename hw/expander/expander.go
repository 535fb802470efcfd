// Package expander is a key matrix on an MCP23017, sixteen lines on an I2C bus.
//
// Words: the columns are lines A0 to A6, the rows are B0 to B6 (A7 and B7 can be
// outputs only and stay unused); the interrupt is the chip's INTA or INTB, joined
// inside it, on a GPIO line, or none.
//
// A caller may assume what matrix promises, and: both ports are read whole; a
// transfer that fails, a chip that has lost its settings (a brown-out) and a
// column that does not go low are errors, never levels, and are seen at the next
// scan or, at rest, within half a second; the interrupt is believed by its level,
// not by its edge, so that one that came early or stays low delays nothing; an
// interrupt that does not come is found out by the first key held for half a
// second, and the rows are polled from then on.
//
// The chip is asked through our own package i2c: periph's driver for it returns
// Low, which is "pressed", when the bus fails, and has no interrupts.
package expander

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"shoeboard/hw/matrix"
)

// Bus is an I2C bus: one transfer of a write and a read.
type Bus interface {
	Tx(addr uint16, w, r []byte) error
	Close() error
}

// Interrupt is the line that the chip pulls low when a row has changed.
type Interrupt interface {
	Low() (bool, error)
	// Wait returns after a falling edge, after d, or when ctx ends.
	Wait(ctx context.Context, d time.Duration) error
	Close() error
}

// Registers with IOCON.BANK = 0, where those of both ports alternate.
const (
	regIODIRA = 0x00
	regBank1  = 0x05 // IOCON if BANK is 1, else GPINTENB
	regGPPUB  = 0x0d
	regOLATA  = 0x14
)

const (
	iocon        = 0x44            // INTA and INTB joined, open drain, active low
	usable       = 0x7f            // A7 and B7 are outputs only
	settingsSize = regGPPUB + 1    // registers from IODIRA to GPPUB
	portsSize    = 0x13 - 0x0d + 1 // registers from GPPUB to GPIOB
	mostWires    = 7               // of a port
	pollEvery    = 10 * time.Millisecond
)

// Lines are the wires of a matrix on the chip.
type Lines struct {
	bus    Bus
	intr   Interrupt // nil: none
	addr   uint16
	rows   uint8 // mask
	driven uint8 // columns that are low
	deaf   bool  // the interrupt has been seen not to come
}

var _ matrix.Lines = (*Lines)(nil)

// Open sets the chip at addr up for a matrix of that size and takes bus and intr
// over; intr may be nil. If it fails they are closed.
func Open(bus Bus, intr Interrupt, addr uint16, rows, cols int) (*Lines, error) {
	l := &Lines{bus: bus, intr: intr, addr: addr, rows: 1<<rows - 1}
	if rows < 1 || rows > mostWires || cols < 1 || cols > mostWires {
		return nil, errors.Join(fmt.Errorf("keypad on MCP23017: %d rows by %d columns; 1 to 7 of each, because A7 and B7 are outputs only", rows, cols), l.Close())
	}
	for _, w := range [][]byte{
		{regBank1, 0},                          // a chip left in the other register order comes back
		{regOLATA, 0},                          // a column that is driven is low
		append([]byte{regIODIRA}, l.want()...), // and then everything else
	} {
		if err := l.bus.Tx(addr, w, nil); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// want is what the settings' registers must hold.
func (l *Lines) want() []byte {
	return []byte{
		usable &^ l.driven, usable, // directions: rows and open columns are inputs
		0, 0, // no inversion
		0, l.rows, // rows interrupt
		0, 0, 0, 0, // on every change
		iocon, iocon,
		usable, 0xff, // pull-ups; those of B tell a chip that was reset
	}
}

// Arm drives all columns, checks all settings and lets go of the interrupt.
func (l *Lines) Arm() error {
	if err := l.Drive(0xff); err != nil {
		return err
	}
	have := make([]byte, settingsSize)
	if err := l.bus.Tx(l.addr, []byte{regIODIRA}, have); err != nil {
		return err
	}
	if want := l.want(); !bytes.Equal(have, want) {
		return fmt.Errorf("MCP23017 at %#02x has lost its settings (was its supply cut?): registers % x, want % x", l.addr, have, want)
	}
	_, err := l.Rows()
	return err
}

// Drive makes the columns in cols outputs, which are low, and the others inputs.
func (l *Lines) Drive(cols uint8) error {
	l.driven = cols & usable
	return l.bus.Tx(l.addr, []byte{regIODIRA, usable &^ l.driven}, nil)
}

// Settle does nothing: a transfer takes longer than the wires.
func (l *Lines) Settle() {}

// Rows reads both ports, and with them that the pull-ups are still on and the
// driven columns low. It lets go of the interrupt.
func (l *Lines) Rows() (uint8, error) {
	b := make([]byte, portsSize) // GPPUB INTFA INTFB INTCAPA INTCAPB GPIOA GPIOB
	if err := l.bus.Tx(l.addr, []byte{regGPPUB}, b); err != nil {
		return 0, err
	}
	pullUps, columns, rows := b[0], b[5], b[6]
	if pullUps != 0xff {
		return 0, fmt.Errorf("MCP23017 at %#02x has lost its settings (was its supply cut?): pull-ups %02x", l.addr, pullUps)
	}
	if high := columns & l.driven; high != 0 {
		return 0, fmt.Errorf("MCP23017 at %#02x: columns %07b do not go low; a wire touches the supply", l.addr, high)
	}
	return ^rows & l.rows, nil
}

// Wait waits for the interrupt, or polls.
func (l *Lines) Wait(ctx context.Context, d time.Duration) error {
	if l.intr == nil || l.deaf {
		return l.poll(ctx, d)
	}
	if low, err := l.intr.Low(); low || err != nil {
		return err
	}
	start := time.Now()
	if err := l.intr.Wait(ctx, d); err != nil || time.Since(start) < d {
		return err
	}
	low, err := l.intr.Low()
	if low || err != nil {
		return err
	}
	rows, err := l.Rows()
	l.deaf = rows != 0 // a key is down, and the interrupt did not say so
	return err
}

func (l *Lines) poll(ctx context.Context, d time.Duration) error {
	end := time.After(d)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-end:
			return nil
		case <-tick.C:
			if low, err := l.Rows(); low != 0 || err != nil {
				return err
			}
		}
	}
}

// Close closes the bus and the interrupt, and leaves the chip as it is.
func (l *Lines) Close() error {
	err := l.bus.Close()
	if l.intr != nil {
		err = errors.Join(err, l.intr.Close())
	}
	return err
}
