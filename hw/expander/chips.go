package expander

import (
	"bytes"
	"fmt"
)

// chip is one kind of expander. Bit i of a port is its line i.
type chip interface {
	// setUp sets the chip up, with no column driven.
	setUp() error
	// read makes the columns in driven outputs, which are low, opens the others, and reads
	// both ports, in one transfer.
	read(driven uint8) (columns, rows uint8, err error)
	// check fails with a setting that is not as read and setUp have left it.
	check(driven uint8) error
	// probe returns the message after which a read changes nothing of the chip: the number
	// of a register with directions, or none where there are no registers.
	probe() []byte
}

// setting is an error: registers do not hold the values that were written.
type setting struct {
	register   uint8
	have, want []byte
}

func (s setting) Error() string {
	return fmt.Sprintf("registers %#02x and on hold % x, want % x", s.register, s.have, s.want)
}

// device is a chip's place on a bus.
type device struct {
	bus  Bus
	addr uint16
}

// write writes each of ws by itself.
func (d device) write(ws ...[]byte) error { return d.bus.TxWrites(d.addr, nil, ws...) }

// holds fails unless the registers from one on hold these values.
func (d device) holds(register uint8, want ...byte) error {
	have := make([]byte, len(want))
	if err := d.bus.TxWrites(d.addr, have, []byte{register}); err != nil {
		return err
	}
	if !bytes.Equal(have, want) {
		return setting{register, have, want}
	}
	return nil
}

// Registers of an MCP23017 with IOCON.BANK = 0, where those of both ports alternate.
const (
	mcpIODIRA = 0x00
	mcpBank1  = 0x05 // IOCON if BANK is 1, else GPINTENB
	mcpGPPUB  = 0x0d
	mcpGPIOA  = 0x12
	mcpOLATA  = 0x14

	mcpIOCON  = 0x44 // INTA and INTB joined, open drain, active low
	mcpUsable = 0x7f // A7 and B7 are outputs only
)

// mcp23017 pulls its rows up itself. Without its pull-ups, which a reset clears, its rows read
// anything: they are checked with every reading that has no column driven, and there is one at
// the end of every scan.
type mcp23017 struct {
	device
	rows uint8 // mask of those that interrupt
}

func (c mcp23017) setUp() error {
	for _, w := range [][]byte{
		{mcpBank1, 0},                           // a chip left in the other register order comes back
		{mcpOLATA, 0},                           // a column that is driven is low
		append([]byte{mcpIODIRA}, c.want(0)...), // and then everything else
	} {
		if err := c.write(w); err != nil {
			return err
		}
	}
	return nil
}

// want returns the values that the registers from IODIRA to GPPUB must hold.
func (c mcp23017) want(driven uint8) []byte {
	return []byte{
		mcpUsable &^ driven, mcpUsable, // directions: rows and open columns are inputs
		0, 0, // no inversion
		0, c.rows, // rows interrupt
		0, 0, 0, 0, // on every change
		mcpIOCON, mcpIOCON,
		mcpUsable, 0xff, // pull-ups; those of B tell a chip that was reset
	}
}

func (c mcp23017) read(driven uint8) (columns, rows uint8, err error) {
	drive := []byte{mcpIODIRA, mcpUsable &^ driven}
	if driven != 0 {
		b := make([]byte, 2)
		err = c.bus.TxWrites(c.addr, b, drive, []byte{mcpGPIOA})
		return b[0], b[1], err
	}
	b := make([]byte, 7) // GPPUB INTFA INTFB INTCAPA INTCAPB GPIOA GPIOB
	if err := c.bus.TxWrites(c.addr, b, drive, []byte{mcpGPPUB}); err != nil {
		return 0, 0, err
	}
	if b[0] != 0xff {
		err = setting{mcpGPPUB, b[:1], []byte{0xff}}
	}
	return b[5], b[6], err
}

func (c mcp23017) check(driven uint8) error { return c.holds(mcpIODIRA, c.want(driven)...) }

func (mcp23017) probe() []byte { return []byte{mcpIODIRA} }

// Registers of a TCA9555; of each there are two, of which the second follows the
// first, and the first the second.
const (
	tcaInput1 = 1
	tcaOutput = 2
	tcaInvert = 4
	tcaConfig = 6
)

// tca9555 has outputs that push and pull, of which only the low is used. A reset makes
// all lines inputs, so that driven columns do not go low.
type tca9555 struct{ device }

func (c tca9555) setUp() error {
	return c.write([]byte{tcaOutput, 0, 0xff}, []byte{tcaInvert, 0, 0}, []byte{tcaConfig, 0xff, 0xff})
}

// read reads the second port before the first: the chip forgets its interrupt when another
// device of the bus is read after register 0 was selected.
func (c tca9555) read(driven uint8) (columns, rows uint8, err error) {
	b := make([]byte, 2)
	err = c.bus.TxWrites(c.addr, b, []byte{tcaConfig, ^driven}, []byte{tcaInput1})
	return b[1], b[0], err
}

func (c tca9555) check(driven uint8) error {
	if err := c.holds(tcaOutput, 0, 0xff); err != nil {
		return err
	}
	if err := c.holds(tcaInvert, 0, 0); err != nil {
		return err
	}
	return c.holds(tcaConfig, ^driven, 0xff)
}

func (tca9555) probe() []byte { return []byte{tcaConfig} }

// pcf8575 has no registers: a line that is written 1 is a weak high, and an input, and
// every reading sets all that there is to set.
type pcf8575 struct{ device }

func (c pcf8575) setUp() error { return c.write([]byte{0xff, 0xff}) }

func (c pcf8575) read(driven uint8) (columns, rows uint8, err error) {
	b := make([]byte, 2)
	err = c.bus.TxWrites(c.addr, b, []byte{^driven, 0xff})
	return b[0], b[1], err
}

func (pcf8575) check(uint8) error { return nil }

func (pcf8575) probe() []byte { return nil }
