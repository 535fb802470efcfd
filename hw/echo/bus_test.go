package echo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"

	"shoeboard/hw/sink"
)

// panel is a model of an I2C bus with one display on it.
type panel struct {
	addr   uint16
	write  func(w []byte)
	sent   int
	err    error
	closed int
}

func (p *panel) String() string { return "panel" }

func (p *panel) Tx(addr uint16, w, r []byte) error {
	switch {
	case p.err != nil:
		return p.err
	case addr != p.addr:
		return fmt.Errorf("no answer at %02x", addr)
	}
	p.sent += len(w)
	p.write(w)
	return nil
}

func (p *panel) SetSpeed(physic.Frequency) error { return errors.New("fixed") }

func (p *panel) Close() error {
	p.closed++
	return nil
}

// pixels is the memory of an SSD1306.
type pixels struct {
	panel
	ram        [8][128]byte
	on         bool
	setups     int
	page, x    int
	unexpected string
}

func newPixels() *pixels {
	s := &pixels{}
	s.addr = 0x3c
	for page := range s.ram {
		for x := range s.ram[page] {
			s.ram[page][x] = 0xaa // what it has after power-up
		}
	}
	s.write = func(w []byte) {
		switch {
		case w[0] == 0x40:
			for _, b := range w[1:] {
				s.ram[s.page][s.x] = b
				s.x++
			}
		case len(w) == 4 && w[1]&0xf0 == 0xb0:
			s.page, s.x = int(w[1]&7), int(w[2]&0xf)|int(w[3]&0xf)<<4
		case len(w) > 20:
			s.setups++
			s.on = w[len(w)-1] == 0xaf
		case w[1] == 0xae:
			s.on = false
		case w[1] != 0x81:
			s.unexpected += fmt.Sprintf("% x; ", w)
		}
	}
	return s
}

func TestOLEDShowsTheLines(t *testing.T) {
	s := newPixels()
	d, err := newOLED(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []Lines{{"49 BETS OPEN     18s", "LAST 48 BANKER D7"}, {"49 BETS OPEN     17s", "LAST 48 BANKER D7"}, {"49 BETS OPEN     17s", "LAST 48 BANKER D7"}, {}} {
		s.sent = 0
		if err := d.Show(l); err != nil {
			t.Fatal(err)
		}
		if want := paint(l); !slices.Equal(slices.Concat(s.ram[0][:], s.ram[1][:], s.ram[2][:], s.ram[3][:], s.ram[4][:], s.ram[5][:], s.ram[6][:], s.ram[7][:]), want.Pix) {
			t.Errorf("%q is not what is shown", l)
		}
		if most := []int{1200, 150, 10, 1200}[i]; s.sent > most {
			t.Errorf("%d bytes were sent for %q, at 100 kHz %d ms", s.sent, l, s.sent*9/100)
		}
	}
	if d.Close(); s.on || s.closed != 1 || s.unexpected != "" {
		t.Errorf("left on: %v, closed %d times, unexpected %s", s.on, s.closed, s.unexpected)
	}
}

// A display that lost its supply for a moment answers again, and shows anything.
func TestOLEDThatLostItsSupplyIsRightAgainWithinHalfAMinute(t *testing.T) {
	s := newPixels()
	d, err := newOLED(s)
	if err != nil {
		t.Fatal(err)
	}
	l := Lines{"49 BETS OPEN", "LAST 48 BANKER"}
	d.Show(l)
	s.ram, s.on = newPixels().ram, false
	for range oledRedo {
		d.Show(l)
	}
	if !s.on || !slices.Equal(s.ram[2][:], paint(l).Pix[256:384]) || s.setups != 2 {
		t.Errorf("on %v, set up %d times, row % x", s.on, s.setups, s.ram[2][:8])
	}
}

func TestOLEDThatHasGoneIsAnError(t *testing.T) {
	s := newPixels()
	d, err := newOLED(s)
	if err != nil {
		t.Fatal(err)
	}
	for range oledRedo - 1 {
		d.Show(Lines{})
	}
	s.err = errors.New("no answer")
	for range oledRedo { // also while it is set up again
		if err := d.Show(Lines{}); err == nil {
			t.Error("it is not missed")
		}
	}
	if err := d.Close(); err == nil || s.closed != 1 {
		t.Errorf("closed %d times, %v", s.closed, err)
	}
	if d, err := newOLED(s); err == nil || d != nil || s.closed != 2 {
		t.Errorf("opened: %v, closed %d times", err, s.closed)
	}
}

func TestLongLinesAreBrokenWhereTheyMayBe(t *testing.T) {
	for line, want := range map[string][]string{
		"":                     {""},
		"49 BETS OPEN   18s":   {"49 BETS OPEN   18s"},
		"49 BETS OPEN     18s": {"49 BETS OPEN 18s"},
		"OK=SAVE   CLEAR=DROP": {"OK=SAVE CLEAR=DROP"},
		"49? BANKER NAT SAVED": {"49? BANKER NAT", "SAVED"},
		"12345678901234567890": {"123456789012345678", "90"},
		"123456789012345678 X": {"123456789012345678", "X"},
	} {
		if got := rowsOf(fit(line, columns)); !slices.Equal(got, want) {
			t.Errorf("%q is broken into %q, want %q", line, got, want)
		}
	}
}

// letters is the memory of a text display.
type letters struct {
	panel
	ram [128]byte
	at  int
	on  bool
}

func newLetters(addr uint16) *letters {
	l := &letters{}
	l.addr = addr
	l.clear()
	return l
}

func (l *letters) clear() {
	for i := range l.ram {
		l.ram[i] = ' '
	}
	l.at = 0
}

// command does one command of an HD44780.
func (l *letters) command(c byte) {
	switch {
	case c&0x80 != 0:
		l.at = int(c & 0x7f)
	case c == 1:
		l.clear()
	case c&0xf8 == 8:
		l.on = c&4 != 0
	}
}

func (l *letters) put(b []byte) {
	for _, c := range b {
		l.ram[l.at] = c
		l.at++
	}
}

func TestSerLCDShowsTheLines(t *testing.T) {
	l := newLetters(0x72)
	l.write = func(w []byte) {
		switch {
		case w[0] == 0xfe:
			l.command(w[1])
		case w[0] == 0x7c && w[1] == 0x2d:
			l.clear()
		default:
			l.put(w)
		}
	}
	shows(t, l, func() (sink.Device[Lines], error) { return newSerLCD(l) }, columns)
}

func TestAIP31068ShowsTheBeginningOfTheLines(t *testing.T) {
	l := newLetters(0x3e)
	l.write = func(w []byte) {
		for len(w) > 2 && w[0] == 0x80 { // one byte, and more to come
			l.command(w[1])
			w = w[2:]
		}
		switch {
		case w[0] == 0x40:
			l.put(w[1:])
		case len(w) > 1 && w[0] == 0:
			l.command(w[1])
		}
	}
	shows(t, l, func() (sink.Device[Lines], error) { return newAIP31068(l) }, 16)
}

func shows(t *testing.T, l *letters, open func() (sink.Device[Lines], error), columns int) {
	t.Helper()
	d, err := open()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Lines{{"49 BETS OPEN     18s", "LAST 48 BANKER D7"}, {"SHORT", "莊"}} {
		if err := d.Show(want); err != nil {
			t.Fatal(err)
		}
		for i, at := range []int{0, 64} {
			if got := string(l.ram[at : at+columns]); got != fit(want[i], columns) {
				t.Errorf("line %d of %q is shown as %q", i+1, want, got)
			}
		}
	}
	if !l.on {
		t.Error("the display is off")
	}
	if d.Close(); strings.TrimSpace(string(l.ram[:])) != "" || l.closed != 1 {
		t.Errorf("left showing %q", l.ram)
	}
	l.err = errors.New("no answer")
	if err := d.Show(Lines{}); err == nil {
		t.Error("a display that has gone is not missed")
	}
	if d, err := open(); err == nil || d != nil || l.closed != 2 {
		t.Errorf("opened: %v, closed %d times", err, l.closed)
	}
}

// The bytes to an SSD1306 are also those that periph's own bus recorder sees.
func TestOLEDIsSetUpBeforeItIsDrawnOn(t *testing.T) {
	r := &i2ctest.Record{}
	if _, err := newOLED(recorded{r}); err != nil {
		t.Fatal(err)
	}
	if len(r.Ops) != 17 || r.Ops[0].Addr != 0x3c || r.Ops[0].W[1] != 0xae || len(r.Ops[2].W) != 129 {
		t.Errorf("%d transfers, the first %+v", len(r.Ops), r.Ops[0])
	}
}

type recorded struct{ *i2ctest.Record }

func (recorded) Close() error { return nil }
