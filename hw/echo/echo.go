// Package echo is the dealer's echo: the small display, two lines of twenty characters, on
// which the dealer reads what was keyed before anybody else does.
//
// Words: Lines are the two lines; a dialect is the set of commands that a line display on a
// serial port understands.
//
// A caller may assume what sink promises; lines that are too long are cut, a shorter line
// clears the rest of the one before it, and a character that is not printable ASCII is shown
// as a question mark, on every display alike. A text display of fewer than twenty columns
// shows the beginning of each line.
//
// # Line displays
//
// They are on a USB or serial port, 9600 bits a second as a rule, and are the normal echo,
// because a serial line reaches across a table and I2C does not. These bytes are sent, in
// hex, with L for the twenty characters of a line:
//
//	escpos  Epson DM-D and displays that follow it
//	        at the start  1b 40, 1f 01 (overwrite), 1f 43 00 (no cursor), 0c (clear)
//	        each time     1f 24 01 01 L, 1f 24 01 02 L (column 1 of line 1, of line 2)
//	        at the end    0c
//	cd5220  the other common set, by the name of a maker's protocol
//	        at the start  1b 40, 1b 5f 00 (no cursor), 0c (clear)
//	        each time     1b 51 41 L 0d, 1b 51 42 L 0d (upper line, lower line)
//	        at the end    0c
//	crlf    displays and terminals that only scroll
//	        on a change   0d 0a L 0d 0a L, without the blanks at the end of a line
//	        each second   0d, to see that it is there
//	        at the end    0d 0a 0d 0a
package echo

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"periph.io/x/conn/v3/i2c"

	"shoeboard/hw/linux"
	"shoeboard/hw/sink"
)

// columns are the characters of a line.
const columns = 20

// Lines are the two lines, the upper one first.
type Lines = [2]string

// fit cuts or pads a line to so many columns of printable ASCII.
func fit(line string, columns int) string {
	var b strings.Builder
	for _, r := range line {
		if b.Len() == columns {
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		b.WriteByte(byte(r))
	}
	return b.String() + strings.Repeat(" ", columns-b.Len())
}

// Wiring says which display it is and where it is connected.
type Wiring struct {
	Kind   string // "escpos", "cd5220", "crlf", "ssd1306", "serlcd" or "aip31068"
	Device string // a serial port, or the path of an I2C bus for the last three
}

// baud is the rate of line displays, in bits a second.
const baud = 9600

// Open opens the display, empty. It can be called again after it has gone.
func (w Wiring) Open() (sink.Device[Lines], error) {
	switch w.Kind {
	case "escpos", "cd5220", "crlf":
		port, err := linux.OpenSerial(w.Device, baud)
		if err != nil {
			return nil, err
		}
		return newLineDisplay(port, w.Kind)
	}
	open, known := map[string]func(i2c.BusCloser) (sink.Device[Lines], error){
		"ssd1306": newOLED, "serlcd": newSerLCD, "aip31068": newAIP31068,
	}[w.Kind]
	if !known {
		return nil, fmt.Errorf("echo: %q is no kind of display, "+
			`expected "escpos", "cd5220", "crlf", "ssd1306", "serlcd" or "aip31068"`, w.Kind)
	}
	b, err := linux.OpenI2C(w.Device)
	if err != nil {
		return nil, err
	}
	return open(b)
}

// newLineDisplay opens a line display of a dialect on a port, which it owns.
func newLineDisplay(port io.WriteCloser, dialect string) (sink.Device[Lines], error) {
	var d sink.Device[Lines]
	begin := ""
	switch dialect {
	case "escpos":
		d, begin = &placed{port, "\x1f\x24\x01\x01", "", "\x1f\x24\x01\x02", ""}, "\x1b@\x1f\x01\x1f\x43\x00\f"
	case "cd5220":
		d, begin = &placed{port, "\x1bQA", "\r", "\x1bQB", "\r"}, "\x1b@\x1b_\x00\f"
	case "crlf":
		d = &scrolling{port: port}
	default:
		return nil, errors.Join(fmt.Errorf("echo: %q is no dialect of a line display", dialect), port.Close())
	}
	if _, err := io.WriteString(port, begin); err != nil {
		return nil, errors.Join(err, port.Close())
	}
	return d, nil
}

// placed is a display on which a line is written in its place.
type placed struct {
	port                                 io.WriteCloser
	upper, afterUpper, lower, afterLower string
}

func (f *placed) Show(l Lines) error {
	text := f.upper + fit(l[0], columns) + f.afterUpper + f.lower + fit(l[1], columns) + f.afterLower
	_, err := io.WriteString(f.port, text)
	return err
}

func (f *placed) Close() error {
	_, err := io.WriteString(f.port, "\f")
	return errors.Join(err, f.port.Close())
}

// scrolling is a display that only appends lines.
type scrolling struct {
	port  io.WriteCloser
	shown *Lines
}

func (s *scrolling) Show(l Lines) error {
	text := "\r"
	if s.shown == nil || *s.shown != l {
		text = ""
		for _, line := range l {
			text += "\r\n" + strings.TrimRight(fit(line, columns), " ")
		}
	}
	_, err := io.WriteString(s.port, text)
	s.shown = &l
	return err
}

func (s *scrolling) Close() error {
	_, err := io.WriteString(s.port, "\r\n\r\n")
	return errors.Join(err, s.port.Close())
}
