// Package spi opens an SPI port of the kernel (/dev/spidev0.0) for periph's drivers.
//
// A caller may assume that nothing but the named port is touched: no other driver
// of periph's is started. The error of a port that is not there says what to look
// for.
package spi

import (
	"fmt"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/host/v3/sysfs"
)

// Speed is what the leads across a table bear.
const Speed = physic.MegaHertz

// Open opens a port by its path, "/dev/spidevB.C" with the number of the bus and of
// the chip select. It is no faster than Speed, whatever the device could do.
func Open(path string) (spi.PortCloser, error) {
	var bus, chip int
	if n, err := fmt.Sscanf(path, "/dev/spidev%d.%d", &bus, &chip); err != nil || n != 2 {
		return nil, fmt.Errorf("%q is no SPI port, expected a path such as /dev/spidev0.0", path)
	}
	port, err := sysfs.NewSPI(bus, chip)
	if err != nil {
		return nil, fmt.Errorf("%w (is SPI enabled, and the program's user in group spi?)", err)
	}
	if err := port.LimitSpeed(Speed); err != nil {
		port.Close()
		return nil, err
	}
	return port, nil
}
