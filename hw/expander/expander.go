// Package expander is a key matrix on an I2C expander of sixteen lines: an MCP23017, a
// TCA9555 or a PCF8575.
//
// Words: the columns are the lines of the first port (A0 and on; P00 and on), the rows
// those of the second (B0, P10); the interrupt is the chip's INT (INTA or INTB of an
// MCP23017, joined inside it), on a GPIO line, or none.
//
// The rows need to be pulled up. An MCP23017 does it by itself (100 kOhm); so does a
// PCF8575, weakly, so that leads over 30 cm want 10 kOhm from each row to the supply; a
// TCA9555 has no pull-ups and needs 10 kOhm on every row and column that is used. A7
// and B7 of an MCP23017 can be outputs only and stay unused, so it has seven rows and
// columns at most; the others have eight. Its interrupt is an open drain, which the
// GPIO line pulls up.
//
// A caller may assume what matrix promises, and: both ports are read whole; a
// transfer that fails, a chip that has lost its settings (a brown-out) and a
// column that does not go low are errors, never levels, and are seen at the next
// scan or, at rest, within half a second; the interrupt is believed by its level,
// not by its edge, so that one that came early or stays low delays nothing; an
// interrupt that does not come is found out by the first key held for half a
// second, and the rows are polled from then on.
//
// The chips have our own driver: periph's returns Low, which is "pressed", when the bus fails,
// and has no interrupts.
package expander

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"shoeboard/hw/matrix"
)

// Bus is an I2C bus: one transfer of some writes and a read.
type Bus interface {
	TxWrites(addr uint16, r []byte, ws ...[]byte) error
	Close() error
}

// Interrupt is the line that the chip pulls low when a row has changed.
type Interrupt interface {
	Low() (bool, error)
	// Wait returns after a falling edge, after d, or when ctx ends.
	Wait(ctx context.Context, d time.Duration) error
	Close() error
}

// pollEvery is how often the rows of a resting keypad without an interrupt are read.
// With ten milliseconds of stable contact and a scan a press is told within thirty.
const pollEvery = 12 * time.Millisecond

// Lines are the wires of a matrix on the chip.
type Lines struct {
	bus    Bus
	intr   Interrupt // nil: none
	chip   chip
	name   string // for errors
	cols   uint8  // mask
	rows   uint8  // mask
	driven uint8  // columns that are low
	deaf   bool   // the interrupt has failed to come
}

var _ matrix.Lines = (*Lines)(nil)

// Open sets the chip up for the matrix of w and owns bus and intr; intr may be nil. If it
// fails they are closed.
func Open(bus Bus, intr Interrupt, w Wiring) (*Lines, error) {
	l := &Lines{bus: bus, intr: intr, cols: mask(w.Cols), rows: mask(w.Rows)}
	var err error
	if l.chip, l.name, err = w.chip(bus); err == nil {
		err = l.chip.setUp()
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func mask(n int) uint8 { return uint8(1<<n - 1) }

// Arm drives all columns, lets go of the interrupt and checks all settings.
func (l *Lines) Arm() error {
	if err := l.Drive(l.cols); err != nil {
		return err
	}
	if _, err := l.Rows(); err != nil {
		return err
	}
	return l.lost(l.chip.check(l.driven))
}

// lost explains an error of a setting that has changed.
func (l *Lines) lost(err error) error {
	var s setting
	if errors.As(err, &s) {
		return fmt.Errorf("%s has lost its settings (was its supply cut?): %w", l.name, err)
	}
	return err
}

// Drive makes the columns in cols outputs, which are low, and the others inputs, with the
// next reading.
func (l *Lines) Drive(cols uint8) error {
	l.driven = cols & l.cols
	return nil
}

// Settle returns at once: the bytes between the columns' change and the reading take longer
// than the wires.
func (l *Lines) Settle() {}

// Rows drives the columns and reads both ports, in one transfer, and with them that the
// driven columns are low. It lets go of the interrupt.
func (l *Lines) Rows() (uint8, error) {
	columns, rows, err := l.chip.read(l.driven)
	if err != nil {
		return 0, l.lost(err)
	}
	if high := columns & l.driven; high != 0 {
		return 0, fmt.Errorf("%s: columns %08b do not go low; a wire touches the supply, "+
			"or the chip has lost its settings", l.name, high)
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

// poll reads the rows with all columns driven, so that one reading sees any key. It
// keeps its thread: a goroutine that goes from thread to thread costs twice as much. What
// it costs is the waking up, not the reading: a sleep in the kernel, one message less on
// the bus and no memory taken were tried and measured, and saved nothing.
func (l *Lines) poll(ctx context.Context, d time.Duration) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
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
