// Package i2c is one I2C bus of the kernel (/dev/i2c-N).
//
// A caller may assume: a transfer happens whole, without another master's between
// its write and its read, or fails with an error that says where; no answer is
// ENXIO or EREMOTEIO, as the adapter has it; a bus that hangs is given up after a
// tenth of a second. What was read before an error is worth nothing.
//
// It is our own, of one ioctl, because the keypads need nothing more of it.
package i2c

import (
	"fmt"
	"math"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"shoeboard/hw/ioctl"
)

// The kernel's i2c-dev.h.
const (
	i2cTimeout = 0x0702 // in units of 10 ms
	i2cRdwr    = 0x0707
	flagRead   = 1
)

// patience is how long the adapter waits, in units of 10 ms.
const patience = 10

// message is the kernel's struct i2c_msg.
type message struct {
	addr, flags, size uint16
	buf               *byte
}

// transfer is the kernel's struct i2c_rdwr_ioctl_data.
type transfer struct {
	messages *message
	n        uint32
}

// Bus is an opened bus.
type Bus struct{ f *os.File }

// Open opens a bus by the path of its device.
func Open(path string) (*Bus, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("%w (is I2C enabled, and the program's user in group i2c?)", err)
	}
	err = ioctl.Control(f, func(fd int) error { return unix.IoctlSetInt(fd, i2cTimeout, patience) })
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: not an I2C bus: %w", path, err)
	}
	return &Bus{f}, nil
}

// Tx writes w to the device at a 7-bit address and then reads r from it, in one
// transfer. Either may be empty, but not both.
func (b *Bus) Tx(addr uint16, w, r []byte) error { return b.TxWrites(addr, r, w) }

// TxWrites writes each of ws to the device at a 7-bit address, by itself, and then
// reads r from it, in one transfer. Empty ones are left out. There is one read, and it
// is the last, because the adapter of a Raspberry Pi does no others.
func (b *Bus) TxWrites(addr uint16, r []byte, ws ...[]byte) error {
	msgs := make([]message, 0, len(ws)+1)
	add := func(flags uint16, data []byte) error {
		if len(data) > math.MaxUint16 {
			return fmt.Errorf("%s: a transfer of %d bytes", b.f.Name(), len(data))
		}
		if len(data) > 0 {
			msgs = append(msgs, message{addr, flags, uint16(len(data)), &data[0]})
		}
		return nil
	}
	for _, w := range ws {
		if err := add(0, w); err != nil {
			return err
		}
	}
	if err := add(flagRead, r); err != nil {
		return err
	}
	if len(msgs) == 0 {
		return fmt.Errorf("%s: a transfer of nothing", b.f.Name())
	}
	t := &transfer{&msgs[0], uint32(len(msgs))}
	if err := ioctl.Do(b.f, i2cRdwr, unsafe.Pointer(t)); err != nil {
		return fmt.Errorf("%s device %#02x: %w", b.f.Name(), addr, err)
	}
	return nil
}

// Close closes the bus.
func (b *Bus) Close() error { return b.f.Close() }
