package plain

import (
	"strings"
	"unicode"
)

// ink is the ANSI parameters of a text; empty is the terminal's own.
type ink string

// Blue, red and green mean Player, Banker and Tie and nothing else.
const (
	plainInk ink = ""
	strong   ink = "1"
	dim      ink = "2"
	newest   ink = "7" // put behind another
	blinking ink = "5" // put before another
	playerI  ink = "94"
	bankerI  ink = "91"
	tieI     ink = "92"
	gold     ink = "1;93"
	alarm    ink = "1;30;103"
)

// over puts a second ink over the first.
func (k ink) over(l ink) ink {
	if k == "" || l == "" {
		return k + l
	}
	return k + ";" + l
}

// cell is one column of one line. The second column of a wide character is a
// cell without text.
type cell struct {
	text string
	ink  ink
}

// page is a grid that grows downwards.
type page struct {
	width int
	rows  [][]cell
}

// line adds an empty line and returns its number.
func (p *page) line() int {
	p.rows = append(p.rows, nil)
	return len(p.rows) - 1
}

// text writes s at column x of line y and returns the column after it. What goes
// over the page's edge is cut and marked with ~.
func (p *page) text(x, y int, k ink, s string) int {
	for _, c := range cells(clip(s, p.width-x)) {
		p.set(x, y, cell{c, k})
		x++
	}
	return x
}

func (p *page) set(x, y int, c cell) {
	for len(p.rows[y]) <= x {
		p.rows[y] = append(p.rows[y], cell{text: " "})
	}
	p.rows[y][x] = c
}

// right writes s so that it ends at the page's edge, on a line of its own if what
// stands on line y is in its way.
func (p *page) right(y int, k ink, s string) {
	x := max(p.width-len(cells(s)), 0)
	if len(p.rows[y]) > 0 && len(p.rows[y])+2 > x {
		y = p.line()
	}
	p.text(x, y, k, s)
}

// wrap writes s over as many lines as it takes, the later ones indented.
func (p *page) wrap(k ink, s string) {
	x, y := 0, p.line()
	for _, word := range strings.Fields(s) {
		if x > 0 && x+1+len(cells(word)) > p.width {
			x, y = 2, p.line()
		} else if x > 0 {
			x = p.text(x, y, k, " ")
		}
		x = p.text(x, y, k, word)
	}
}

// item is a name with what belongs to it.
type item struct {
	ink         ink // of the name
	name, value string
}

// items writes a caption and items over as many lines as they take; an item is
// never broken unless it is alone wider than the page. Nothing without items.
func (p *page) items(caption string, items []item) {
	if len(items) == 0 {
		return
	}
	const gap = 3
	y := p.line()
	x := p.text(0, y, dim, caption)
	indent := x + gap - 1
	x = indent
	for _, it := range items {
		if x > indent && x+len(cells(it.name))+1+len(cells(it.value)) > p.width {
			x, y = indent, p.line()
		}
		x = p.text(x, y, it.ink, it.name)
		x = p.text(x+1, y, strong, it.value) + gap
	}
}

// String is the page's lines, each without blanks at its end.
func (p *page) String(colour bool) string {
	var s strings.Builder
	for _, row := range p.rows {
		writeRow(&s, trim(row), colour)
		s.WriteByte('\n')
	}
	return s.String()
}

func writeRow(s *strings.Builder, row []cell, colour bool) {
	now := plainInk
	for _, c := range row {
		if colour && c.ink != now {
			s.WriteString("\x1b[0m")
			if c.ink != plainInk {
				s.WriteString("\x1b[" + string(c.ink) + "m")
			}
			now = c.ink
		}
		s.WriteString(c.text)
	}
	if now != plainInk {
		s.WriteString("\x1b[0m")
	}
}

func trim(row []cell) []cell {
	for len(row) > 0 && row[len(row)-1].text == " " {
		row = row[:len(row)-1]
	}
	return row
}

// cells splits s into terminal columns: one string a column, an empty one behind
// a wide character. A mark without a width stays with the letter before it.
// Characters that would command the terminal come out as "?".
func cells(s string) []string {
	var out []string
	last := -1
	for _, r := range s {
		switch w := columns(r); {
		case w == 0 && last >= 0:
			out[last] += string(r)
		case w > 0:
			if unicode.IsControl(r) || !unicode.IsPrint(r) && r != ' ' {
				r = '?'
			}
			last = len(out)
			out = append(out, string(r))
			if w == 2 {
				out = append(out, "")
			}
		}
	}
	return out
}

// columns is how many terminal columns r takes.
func columns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	for _, wide := range [][2]rune{
		{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe4f},
		{0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
	} {
		if r >= wide[0] && r <= wide[1] {
			return 2
		}
	}
	return 1
}

// clip cuts s to n columns and marks a cut with ~.
func clip(s string, n int) string {
	c := cells(s)
	if len(c) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	c = c[:n-1]
	if n > 1 && len(c) > 0 && columns([]rune(c[len(c)-1] + " ")[0]) == 2 {
		c[len(c)-1] = " " // half of a wide character
	}
	return strings.Join(c, "") + "~"
}
