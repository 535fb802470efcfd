// Package segments is the seven-segment timer beside the dealer: a MAX7219 with two to
// eight digits.
//
// A caller may assume what sink promises; seconds under a hundred are shown as seconds, more
// as minutes and seconds ("1.45"); a negative number is dark. Everything, setup included, is
// written each time, so that a display that a spike has disturbed is right again a second
// later. That is why the registers are written here: periph's driver sets a display up once,
// and does not say when that fails.
package segments

import (
	"errors"
	"fmt"

	"periph.io/x/conn/v3/spi"

	"shoeboard/hw/linux"
	"shoeboard/hw/sink"
)

// The chip's registers. Digit n, counted from the right and from 1, is register n.
const (
	regDecode    = 0x09
	regIntensity = 0x0a
	regScanLimit = 0x0b
	regOn        = 0x0c
	regTest      = 0x0f
)

// The chip's characters beside 0 to 9.
const (
	blank = 0x0f
	point = 0x80 // added to a digit
)

// Dark shows no digit.
const Dark = -1

// Wiring says where the display is.
type Wiring struct {
	SPI       string // path of an SPI port, "/dev/spidev0.0"
	Digits    int    // 2 to 8
	Intensity int    // 0 to 15
}

// Open opens the display, dark.
func (w Wiring) Open() (sink.Device[int], error) {
	if w.Digits < 2 || w.Digits > 8 || w.Intensity < 0 || w.Intensity > 15 {
		return nil, fmt.Errorf("timer: %d digits at intensity %d, expected 2 to 8 digits at 0 to 15",
			w.Digits, w.Intensity)
	}
	port, err := linux.OpenSPI(w.SPI)
	if err != nil {
		return nil, err
	}
	return newDisplay(port, w.Digits, w.Intensity)
}

// newDisplay opens a display on a port, which it owns.
func newDisplay(port spi.PortCloser, digits, intensity int) (sink.Device[int], error) {
	conn, err := port.Connect(linux.SPISpeed, spi.Mode0, 8)
	if err != nil {
		return nil, errors.Join(err, port.Close())
	}
	d := &display{conn, port, digits, byte(intensity)}
	if err := d.Show(Dark); err != nil {
		return nil, errors.Join(err, port.Close())
	}
	return d, nil
}

type display struct {
	conn      spi.Conn
	port      spi.PortCloser
	digits    int
	intensity byte
}

func (d *display) Show(seconds int) error {
	writes := [][2]byte{
		{regTest, 0}, {regScanLimit, byte(d.digits - 1)}, {regDecode, 0xff}, {regIntensity, d.intensity},
	}
	for i, code := range codes(seconds, d.digits) {
		writes = append(writes, [2]byte{byte(i + 1), code})
	}
	for _, w := range append(writes, [2]byte{regOn, 1}) {
		if err := d.conn.Tx(w[:], nil); err != nil {
			return err
		}
	}
	return nil
}

func (d *display) Close() error { return errors.Join(d.Show(Dark), d.port.Close()) }

// codes returns the digits from the right. A number that is too long is 9 in every place.
func codes(seconds, digits int) []byte {
	text := ""
	switch {
	case seconds >= 100:
		text = fmt.Sprintf("%d%02d", seconds/60, seconds%60)
	case seconds >= 0:
		text = fmt.Sprint(seconds)
	}
	all := make([]byte, digits)
	for i := range all {
		switch at := len(text) - 1 - i; {
		case len(text) > digits:
			all[i] = 9
		case at < 0:
			all[i] = blank
		default:
			all[i] = text[at] - '0'
		}
	}
	if seconds >= 100 && digits > 2 && len(text) <= digits {
		all[2] |= point
	}
	return all
}
