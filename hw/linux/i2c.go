package linux

import (
	"errors"
	"fmt"
	"math"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// The kernel's i2c-dev.h.
const (
	i2cTimeout = 0x0702 // in units of 10 ms
	i2cRdwr    = 0x0707
	i2cRead    = 1
)

// i2cPatience is how long the adapter waits, in units of 10 ms.
const i2cPatience = 10

// i2cMessage is the kernel's struct i2c_msg.
type i2cMessage struct {
	addr, flags, size uint16
	buf               *byte
}

// i2cTransfer is the kernel's struct i2c_rdwr_ioctl_data.
type i2cTransfer struct {
	messages *i2cMessage
	n        uint32
}

// I2C is an opened bus (/dev/i2c-N), for periph's drivers too.
type I2C struct{ f *os.File }

var _ i2c.BusCloser = (*I2C)(nil)

// OpenI2C opens a bus by the path of its device.
func OpenI2C(path string) (*I2C, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("%w (is I2C enabled, and the program's user in group i2c?)", err)
	}
	err = Control(f, func(fd int) error { return unix.IoctlSetInt(fd, i2cTimeout, i2cPatience) })
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: not an I2C bus: %w", path, err)
	}
	return &I2C{f}, nil
}

// Tx writes w to the device at a 7-bit address and then reads r from it, in one transfer.
// Either may be empty, but not both.
func (b *I2C) Tx(addr uint16, w, r []byte) error { return b.TxWrites(addr, r, w) }

// TxWrites writes each of ws to the device at a 7-bit address, by itself, and then reads r
// from it, in one transfer. Empty ones are left out. There is one read, and it is the last,
// because the adapter of a Raspberry Pi does no others.
func (b *I2C) TxWrites(addr uint16, r []byte, ws ...[]byte) error {
	msgs := make([]i2cMessage, 0, len(ws)+1)
	for i, data := range append(ws[:len(ws):len(ws)], r) {
		if len(data) > math.MaxUint16 {
			return fmt.Errorf("%s: a transfer of %d bytes", b, len(data))
		}
		flags := uint16(0)
		if i == len(ws) {
			flags = i2cRead
		}
		if len(data) > 0 {
			msgs = append(msgs, i2cMessage{addr, flags, uint16(len(data)), &data[0]})
		}
	}
	if len(msgs) == 0 {
		return fmt.Errorf("%s: an empty transfer", b)
	}
	t := &i2cTransfer{&msgs[0], uint32(len(msgs))}
	if err := Ioctl(b.f, i2cRdwr, unsafe.Pointer(t)); err != nil {
		return fmt.Errorf("%s device %#02x: %w", b, addr, err)
	}
	return nil
}

// String returns the path of the bus.
func (b *I2C) String() string { return b.f.Name() }

// SetSpeed fails: the speed of a bus is set where the system is set up (400 kHz for an
// SSD1306, by dtparam on a Pi).
func (b *I2C) SetSpeed(physic.Frequency) error {
	return errors.New("the speed of an I2C bus is set with the system")
}

// Close closes the bus.
func (b *I2C) Close() error { return b.f.Close() }
