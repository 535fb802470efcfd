package echo

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"shoeboard/hw/sink"
)

// glass is a model of a line display: two lines of twenty characters.
type glass struct {
	rows     [2][columns]byte
	row, col int
	unknown  string // what it did not understand
	sent     bytes.Buffer
	cursor   bool
	closed   int
	err      error
}

func newGlass() *glass {
	g := &glass{cursor: true}
	g.clear()
	return g
}

func (g *glass) clear() {
	for r := range g.rows {
		copy(g.rows[r][:], strings.Repeat(" ", columns))
	}
	g.row, g.col = 0, 0
}

func (g *glass) put(b byte) {
	if g.col == columns {
		g.row, g.col = (g.row+1)%2, 0
	}
	g.rows[g.row][g.col] = b
	g.col++
}

// commands are what the model understands, longest first where one begins another.
var commands = []struct {
	prefix string
	size   int // with its arguments
	do     func(g *glass, args string)
}{
	{"\x1b@", 2, func(g *glass, _ string) { g.clear() }},
	{"\x1f\x01", 2, func(*glass, string) {}},
	{"\x1f\x43", 3, func(g *glass, args string) { g.cursor = args != "\x00" }},
	{"\x1b_", 3, func(g *glass, args string) { g.cursor = args != "\x00" }},
	{"\x1f\x24", 4, func(g *glass, args string) { g.col, g.row = int(args[0])-1, int(args[1])-1 }},
	{"\x1bQA", 24, func(g *glass, args string) { g.line(0, args) }},
	{"\x1bQB", 24, func(g *glass, args string) { g.line(1, args) }},
	{"\f", 1, func(g *glass, _ string) { g.clear() }},
	{"\r", 1, func(g *glass, _ string) { g.col = 0 }},
	{"\n", 1, func(g *glass, _ string) { g.feed() }},
}

func (g *glass) line(row int, args string) {
	copy(g.rows[row][:], args)
	if args[columns] != '\r' {
		g.unknown += "line without its end "
	}
}

func (g *glass) feed() {
	if g.row == 1 {
		g.rows[0] = g.rows[1]
		copy(g.rows[1][:], strings.Repeat(" ", columns))
	}
	g.row = 1
}

func (g *glass) Write(b []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	g.sent.Write(b)
next:
	for text := string(b); text != ""; {
		for _, c := range commands {
			if strings.HasPrefix(text, c.prefix) && len(text) >= c.size {
				c.do(g, text[len(c.prefix):c.size])
				text = text[c.size:]
				continue next
			}
		}
		if text[0] < ' ' || text[0] > '~' {
			g.unknown += text[:1]
		} else {
			g.put(text[0])
		}
		text = text[1:]
	}
	return len(b), nil
}

func (g *glass) Close() error {
	g.closed++
	return nil
}

func (g *glass) lines() Lines { return Lines{string(g.rows[0][:]), string(g.rows[1][:])} }

func TestLineDisplaysShowTheLinesAndNothingElse(t *testing.T) {
	for _, dialect := range []string{"escpos", "cd5220", "crlf"} {
		g := newGlass()
		d, err := newLineDisplay(g, dialect)
		if err != nil {
			t.Fatal(err)
		}
		if dialect != "crlf" && g.cursor {
			t.Errorf("%s: the cursor blinks", dialect)
		}
		for _, c := range []struct{ show, want Lines }{
			{Lines{"49 BETS OPEN     18s", "LAST 48 BANKER D7"}, Lines{"49 BETS OPEN     18s", "LAST 48 BANKER D7   "}},
			{Lines{"49 BETS OPEN     18s", "LAST 48 BANKER D7"}, Lines{"49 BETS OPEN     18s", "LAST 48 BANKER D7   "}}, // again
			{Lines{"SHORT", ""}, Lines{"SHORT               ", "                    "}},
			{Lines{"莊贏 naïve\x1b@\n", strings.Repeat("123456789 ", 4)}, Lines{"?? na?ve?@?         ", "123456789 123456789 "}},
		} {
			if err := d.Show(c.show); err != nil {
				t.Fatal(err)
			}
			if got := g.lines(); got != c.want {
				t.Errorf("%s: %q is shown as %q", dialect, c.show, got)
			}
		}
		if d.Close(); strings.TrimSpace(g.lines()[0]+g.lines()[1]) != "" || g.closed != 1 {
			t.Errorf("%s: left showing %q", dialect, g.lines())
		}
		if g.unknown != "" {
			t.Errorf("%s: the display did not understand %q", dialect, g.unknown)
		}
	}
}

func TestBytesAreThoseOfTheDocument(t *testing.T) {
	for dialect, want := range map[string]string{
		"escpos": "\x1b\x40\x1f\x01\x1f\x43\x00\x0c" + "\x1f\x24\x01\x01A                   \x1f\x24\x01\x02B                   " + "\x0c",
		"cd5220": "\x1b\x40\x1b\x5f\x00\x0c" + "\x1b\x51\x41A                   \x0d\x1b\x51\x42B                   \x0d" + "\x0c",
		"crlf":   "\x0d\x0aA\x0d\x0aB" + "\x0d\x0a\x0d\x0a",
	} {
		g := newGlass()
		d, err := newLineDisplay(g, dialect)
		if err != nil {
			t.Fatal(err)
		}
		d.Show(Lines{"A", "B"})
		d.Close()
		if g.sent.String() != want {
			t.Errorf("%s: sent %q, want %q", dialect, g.sent.String(), want)
		}
	}
}

// A display that only scrolls must not scroll every second, and still be missed
// when it has gone.
func TestScrollingDisplayIsLeftStandingAndAskedFor(t *testing.T) {
	g := newGlass()
	d, _ := newLineDisplay(g, "crlf")
	d.Show(Lines{"A", "B"})
	before := g.sent.Len()
	d.Show(Lines{"A", "B"})
	if got := g.sent.String()[before:]; got != "\r" {
		t.Errorf("sent %q again", got)
	}
	g.err = errors.New("unplugged")
	if err := d.Show(Lines{"A", "B"}); err == nil {
		t.Error("it is not missed")
	}
}

func TestDisplayThatFailsAtTheStartIsClosed(t *testing.T) {
	g := newGlass()
	g.err = errors.New("unplugged")
	var d sink.Device[Lines]
	d, err := newLineDisplay(g, "escpos")
	if err == nil || d != nil || g.closed != 1 {
		t.Errorf("%v, closed %d times", err, g.closed)
	}
}

func TestWiringThatCannotBeIsAClearError(t *testing.T) {
	none := t.TempDir() + "/none"
	for _, c := range []struct {
		Wiring
		says string
	}{
		{Wiring{Kind: "vfd"}, `"vfd" is no kind of display`}, {Wiring{Kind: "escpos", Device: none}, "no such file"},
		{Wiring{Kind: "ssd1306", Device: none}, "group i2c"},
	} {
		if d, err := c.Open(); err == nil || d != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want something with %q", c.Wiring, err, c.says)
		}
	}
	if _, err := newLineDisplay(newGlass(), "vfd"); err == nil {
		t.Error("a dialect that there is not was opened")
	}
}
