package echo

import (
	"errors"
	"image"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
	"periph.io/x/conn/v3/display"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/devices/v3/aip31068"
	"periph.io/x/devices/v3/serlcd"
	"periph.io/x/devices/v3/ssd1306"
	"periph.io/x/devices/v3/ssd1306/image1bit"

	"shoeboard/hw/sink"
)

// The addresses of text displays. An SSD1306 is at 3c.
const (
	serlcdAddr   = 0x72
	aip31068Addr = 0x3e
)

// The SSD1306: a half for each line, with room for eighteen characters in a row.
const (
	oledWide, oledHigh = 128, 64
	oledColumns        = 18
	oledRedo           = 30 // times it is shown before it is set up again
)

// oled is an SSD1306 of 128 by 64 pixels on a bus, which it owns.
type oled struct {
	bus   i2c.BusCloser
	dev   *ssd1306.Dev
	times int
}

func newOLED(b i2c.BusCloser) (sink.Device[Lines], error) {
	o := &oled{bus: b}
	if err := o.Show(Lines{}); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return o, nil
}

// Show draws what has changed. Every so often the display is set up again and drawn whole,
// for one that lost its supply for a moment; otherwise a command checks that it answers.
func (o *oled) Show(l Lines) (err error) {
	if o.times%oledRedo == 0 {
		if o.dev, err = ssd1306.NewI2C(o.bus, &ssd1306.Opts{W: oledWide, H: oledHigh}); err != nil {
			return err
		}
	} else if err := o.dev.SetContrast(0xff); err != nil {
		return err
	}
	o.times++
	return o.dev.Draw(o.dev.Bounds(), paint(l), image.Point{})
}

func (o *oled) Close() error {
	err := o.Show(Lines{})
	if err == nil {
		err = o.dev.Halt()
	}
	return errors.Join(err, o.bus.Close())
}

// paint draws the lines, each in its half: in one row twice as high as the font, or in two
// if it is too long for one.
func paint(l Lines) *image1bit.VerticalLSB {
	page := image1bit.NewVerticalLSB(image.Rect(0, 0, oledWide, oledHigh))
	for i, line := range l {
		rows := rowsOf(fit(line, columns))
		scale := 2 / len(rows)
		high := scale * basicfont.Face7x13.Height
		top := i*oledHigh/2 + (oledHigh/2-len(rows)*high)/2
		for n, row := range rows {
			paintRow(page, row, top+n*high, scale)
		}
	}
	return page
}

// rowsOf breaks a line into one row, with fewer blanks if necessary, or two.
func rowsOf(line string) []string {
	if line = strings.TrimRight(line, " "); len(line) <= oledColumns {
		return []string{line}
	}
	line = strings.Join(strings.Fields(line), " ")
	if len(line) <= oledColumns {
		return []string{line}
	}
	at := oledColumns
	if blank := strings.LastIndexByte(line[:oledColumns+1], ' '); blank > 0 {
		at = blank
	}
	return []string{line[:at], strings.TrimLeft(line[at:], " ")}
}

// paintRow draws a row whose upper edge is at top, scale times as high as the font.
func paintRow(page *image1bit.VerticalLSB, row string, top, scale int) {
	face := basicfont.Face7x13
	line := image.NewGray(image.Rect(0, 0, oledWide, face.Height))
	d := font.Drawer{Dst: line, Src: image.White, Face: face, Dot: fixed.P(1, face.Ascent)}
	d.DrawString(row)
	for y := range scale * face.Height {
		for x := range oledWide {
			page.SetBit(x, top+y, line.GrayAt(x, y/scale).Y > 0x7f)
		}
	}
}

// newSerLCD opens a SparkFun SerLCD of 20 by 4 characters on a bus, which it owns.
func newSerLCD(b i2c.BusCloser) (sink.Device[Lines], error) {
	return newText(serlcd.NewConn(&i2c.Dev{Bus: b, Addr: serlcdAddr}, 4, columns), b)
}

// newAIP31068 opens a text display with that controller, 16 by 2 characters, on a bus,
// which it owns.
func newAIP31068(b i2c.BusCloser) (sink.Device[Lines], error) {
	dev, err := aip31068.New(b, aip31068Addr, nil, 2, 16)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return newText(dev, b)
}

// text is any text display that periph drives, on a bus, which it owns.
type text struct {
	dev display.TextDisplay
	bus i2c.BusCloser
}

func newText(d display.TextDisplay, b i2c.BusCloser) (sink.Device[Lines], error) {
	t := &text{d, b}
	if err := errors.Join(d.Display(true), d.Clear()); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return t, nil
}

func (t *text) Show(l Lines) error {
	for i, line := range l {
		if err := t.dev.MoveTo(t.dev.MinRow()+i, t.dev.MinCol()); err != nil {
			return err
		}
		if _, err := t.dev.WriteString(fit(line, min(t.dev.Cols(), columns))); err != nil {
			return err
		}
	}
	return nil
}

func (t *text) Close() error { return errors.Join(t.dev.Clear(), t.bus.Close()) }
