// Package light is the lights of the keys: one lamp for each, on lines of a GPIO chip, on
// 74HC595 shift registers, or as a strip of APA102.
//
// Words: a lamp has a number, from 0, by its place on the chip, in the chain or on the
// strip; a Picture is the colour of every lamp.
//
// A caller may assume what sink promises, and that lamps which a picture does not name are
// off. A caller may not assume that a lamp has a colour: on lines and registers every
// colour except Off is on.
package light

import (
	"errors"
	"image/color"

	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/apa102"

	"shoeboard/hw/linux"
	"shoeboard/hw/sink"
)

// Color is red, green and blue, as in 0xRRGGBB.
type Color uint32

// The colours that keys are lit in.
const (
	Off   Color = 0
	White Color = 0xffffff
	Red   Color = 0xff0000
	Green Color = 0x00ff00
	Amber Color = 0xffa000
	Blue  Color = 0x0000ff
)

// Picture is the colour of every lamp, by its number.
type Picture []Color

// on returns the lamps that are not off, as bits; at most 64.
func (p Picture) on(lamps int) (bits uint64) {
	for i, c := range p[:min(len(p), lamps)] {
		if c != Off {
			bits |= 1 << i
		}
	}
	return bits
}

// Wiring says where the lamps are.
type Wiring struct {
	Dir       string   // folder of the GPIO chips, /dev
	Lines     []string // lamps on lines of one GPIO chip, named as for linux.FindLine
	ActiveLow bool     // a line that is low lights its lamp

	SPI       string // or path of an SPI port, "/dev/spidev0.0", with so many
	Registers int    // 74HC595 in a chain, eight lamps each; or
	Pixels    int    // APA102 on a strip
}

// mostRegisters is what 64 lamps need.
const mostRegisters = 8

// Open opens the lamps, all off. It can be called again after they have gone.
func (w Wiring) Open() (sink.Device[Picture], error) {
	switch {
	case len(w.Lines) > 0 && w.SPI == "":
		l, err := linux.RequestOutputs(w.Dir, "shoeboard key lights", w.ActiveLow, w.Lines...)
		if err != nil {
			return nil, err
		}
		return &lines{l, len(w.Lines)}, nil
	case len(w.Lines) > 0 || w.Registers < 0 || w.Registers > mostRegisters || w.Pixels < 0 ||
		(w.Registers > 0) == (w.Pixels > 0):
		return nil, errors.New("key lights: expected GPIO lines, or an SPI port with either 1 to 8 registers or pixels")
	}
	port, err := linux.OpenSPI(w.SPI)
	if err != nil {
		return nil, err
	}
	if w.Registers > 0 {
		return newRegisters(port, w.Registers)
	}
	return newStrip(port, w.Pixels)
}

// lines are lamps on lines of a GPIO chip, at most 64; bit i is lamp i.
type lines struct {
	sink.Lines
	lamps int
}

func (l *lines) Show(p Picture) error { return l.Set(p.on(l.lamps), ^uint64(0)>>(64-l.lamps)) }

func (l *lines) Close() error { return errors.Join(l.Show(nil), l.Lines.Close()) }

// newRegisters opens lamps on n 74HC595 in a chain, 1 to 8, over SPI: clock on SRCLK, data on
// SER, chip select on RCLK. Lamp 0 is output QA of the register next to the unit, lamp 8 QA
// of the next one. It owns the port.
//
// The bytes are written here: periph's driver knows one register, and does not write again
// what it has written once.
func newRegisters(port spi.PortCloser, n int) (sink.Device[Picture], error) {
	conn, err := port.Connect(linux.SPISpeed, spi.Mode0, 8)
	if err != nil {
		return nil, errors.Join(err, port.Close())
	}
	r := &registers{conn, port, n}
	if err := r.Show(nil); err != nil {
		return nil, errors.Join(err, port.Close())
	}
	return r, nil
}

type registers struct {
	conn spi.Conn
	port spi.PortCloser
	n    int
}

// Show shifts all bytes out, those of the farthest register first.
func (r *registers) Show(p Picture) error {
	bits := p.on(8 * r.n)
	var w []byte
	for i := r.n - 1; i >= 0; i-- {
		w = append(w, byte(bits>>(8*i)))
	}
	return r.conn.Tx(w, nil)
}

func (r *registers) Close() error { return errors.Join(r.Show(nil), r.port.Close()) }

// dim is the brightness, of 255, of pixels beside a dealer's hand.
const dim = 64

// newStrip opens a strip of APA102 over SPI. It owns the port.
func newStrip(port spi.PortCloser, pixels int) (sink.Device[Picture], error) {
	opts := apa102.PassThruOpts
	opts.NumPixels, opts.Intensity = pixels, dim
	dev, err := apa102.New(port, &opts)
	if err != nil {
		return nil, errors.Join(err, port.Close())
	}
	s := &strip{dev, port, pixels}
	if err := s.Show(nil); err != nil {
		return nil, errors.Join(err, port.Close())
	}
	return s, nil
}

type strip struct {
	dev    *apa102.Dev
	port   spi.PortCloser
	pixels int
}

func (s *strip) Show(p Picture) error {
	all := make([]color.NRGBA, s.pixels)
	for i, c := range p[:min(len(p), s.pixels)] {
		all[i] = color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 255}
	}
	_, err := s.dev.Write(apa102.ToRGB(all))
	return err
}

func (s *strip) Close() error { return errors.Join(s.Show(nil), s.port.Close()) }
