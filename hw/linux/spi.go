package linux

import (
	"fmt"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/host/v3/sysfs"
)

// SPISpeed is what the leads across a table bear.
const SPISpeed = physic.MegaHertz

// OpenSPI opens a port by its path, "/dev/spidevB.C" with the number of the bus and of the
// chip select, for periph's drivers. It is no faster than SPISpeed, whatever the device
// could do.
func OpenSPI(path string) (spi.PortCloser, error) {
	var bus, chip int
	if n, err := fmt.Sscanf(path, "/dev/spidev%d.%d", &bus, &chip); err != nil || n != 2 {
		return nil, fmt.Errorf("%q is no SPI port, expected a path such as /dev/spidev0.0", path)
	}
	port, err := sysfs.NewSPI(bus, chip)
	if err != nil {
		return nil, fmt.Errorf("%w (is SPI enabled, and the program's user in group spi?)", err)
	}
	if err := port.LimitSpeed(SPISpeed); err != nil {
		port.Close()
		return nil, err
	}
	return port, nil
}
