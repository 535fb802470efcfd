package scene

import (
	"image/color"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/shaping"
)

// set says how a text is set: cap is the height of its capitals in pixels, or,
// for a script that fills squares, what such a height stands for.
type set struct {
	cap      float32
	weight   Weight
	tabular  bool
	tracking float32
}

// square makes characters that fill a square this much taller than capitals of
// the same set, so that they weigh the same to the eye.
const square = 1.32

// shape sets text in a language; one without a character that fills a square is
// set as Latin.
func (c *canvas) shape(s set, text string, l Lang) *Run {
	style := Style{Size: c.fonts.CapSize(s.cap), Weight: s.weight, Tabular: s.tabular, Tracking: s.tracking, Lang: l}
	if l.square() && squares(text) {
		style.Size, style.Tracking = c.fonts.hanSize(s.cap*square), 0
	}
	return c.fonts.Shape(style, text)
}

// broken sets text in lines no wider than width.
func (c *canvas) broken(s set, text string, l Lang, width float32) []*Run {
	whole := c.shape(s, text, l)
	if whole.Advance <= width {
		return []*Run{whole}
	}
	var out []*Run
	for _, line := range c.fonts.lines(whole, width, shaping.WhenNecessary) {
		out = append(out, c.shape(s, line, l))
	}
	return out
}

// inTwo sets text in two lines, the longer as short as it can be, or in one where there
// is no place to break it.
func (c *canvas) inTwo(s set, text string, l Lang) []*Run {
	whole := c.shape(s, text, l)
	for width := whole.Advance / 2; ; width *= 1.05 {
		lines := c.fonts.lines(whole, width, shaping.Never)
		if len(lines) > 2 {
			continue
		}
		var out []*Run
		for _, line := range lines {
			out = append(out, c.shape(s, line, l))
		}
		return out
	}
}

// fit sets text with its capitals between least and s.cap, as large as fits
// into width, and reports whether it fits at all.
func (c *canvas) fit(s set, least float32, text string, l Lang, width float32) (*Run, bool) {
	run := c.shape(s, text, l)
	for run.Advance > width && s.cap > least {
		s.cap = max(least, min(s.cap-1, s.cap*width/run.Advance))
		run = c.shape(s, text, l)
	}
	return run, run.Advance <= width
}

// write sets one line in the board's language, smaller where it must be to fit into b:
// share is 0 where it begins at the left of b, 1 where it ends at the right.
func (d *drawing) write(name, text string, s set, b Box, share float32, col color.NRGBA) {
	run, _ := d.fit(s, d.least(leastOf(name)), text, d.words.first.Lang, b.W())
	d.text(name, run, b.X0+(b.W()-run.Advance)*share, run.baseline(b.Y0, b.Y1), col)
}

// piece is one run of a row with the gap before it.
type piece struct {
	name  string
	run   *Run
	gap   float32
	color color.NRGBA
}

// row is a line of text in pieces, side by side on one baseline.
type row []piece

func (r row) width() float32 {
	var w float32
	for i, p := range r {
		if i > 0 {
			w += p.gap
		}
		w += p.run.Advance
	}
	return w
}

// ink returns what the row covers when it begins at x = 0 on baseline 0.
func (r row) ink() Box {
	var b Box
	var x float32
	for i, p := range r {
		if i > 0 {
			x += p.gap
		}
		b = b.Union(p.run.Ink.Move(x, 0))
		x += p.run.Advance
	}
	return b
}

// seat returns the baseline that puts a row in the middle of b: by the capitals of
// its first run, or by the ink of characters that fill squares, and in any case
// so that no accent leaves b.
func (c *canvas) seat(r row, b Box) float32 {
	if len(r) == 0 {
		return b.Y1
	}
	first := r[0].run
	base := first.baseline(b.Y0, b.Y1)
	if squares(first.Text) {
		base = first.middle(b.Y0, b.Y1)
	}
	ink := r.ink()
	base = min(base, b.Y1-ink.Y1)
	return round(max(base, b.Y0-ink.Y0))
}

// put paints a row from x on.
func (c *canvas) put(r row, x, baseline float32) {
	for i, p := range r {
		if i > 0 {
			x += p.gap
		}
		c.text(p.name, p.run, x, baseline, p.color)
		x += p.run.Advance
	}
}

// putRight paints a row that ends at x.
func (c *canvas) putRight(r row, x, baseline float32) { c.put(r, x-r.width(), baseline) }

// putCentre paints a row about x.
func (c *canvas) putCentre(r row, x, baseline float32) { c.put(r, x-r.width()/2, baseline) }

// one makes a row of a single run.
func one(name string, run *Run, col color.NRGBA) row { return row{{name: name, run: run, color: col}} }

// both sets a phrase in one line, the second language beside the first.
func (d *drawing) both(name string, p phrase, s set, col color.NRGBA) row {
	r := one(name, d.shape(s, p.first, d.words.first.Lang), col)
	if p.second == "" {
		return r
	}
	gap := s.cap * 0.38
	if d.words.alike() {
		r = append(r, piece{name + ".slash", d.shape(s, "/", english), gap, d.theme.Muted})
	}
	return append(r, piece{name + ".second", d.shape(s, p.second, d.words.second.Lang), gap, col})
}

// label sets a phrase in one line of a width: in both languages down to the least size,
// then without the second.
func (d *drawing) label(name string, p phrase, s set, width float32, col color.NRGBA) row {
	least := d.least(leastOf(name))
	for try := s; p.second != "" && try.cap >= least; try.cap-- {
		if r := d.both(name, p, try, col); r.width() <= width {
			return r
		}
	}
	run, _ := d.fit(s, least, p.first, d.words.first.Lang, width)
	return one(name, run, col)
}

// mixed sets a text word by word: in a language that fills squares, words
// without such characters are set as Latin, at the size of capitals.
func (c *canvas) mixed(name string, s set, text string, l Lang, col color.NRGBA) row {
	if !l.square() {
		return one(name, c.shape(s, text, l), col)
	}
	var r row
	for _, word := range strings.Fields(text) {
		r = append(r, piece{name, c.shape(s, word, l), s.cap * 0.38, col})
	}
	return r
}

// squares reports whether a text has characters that fill a square.
func squares(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hangul) })
}

// measure is the least cap height of the texts whose names begin so, in units
// of a 27-inch panel with 1080 lines.
type measure struct {
	prefix string
	cap    float32
}

// measures are looked through in order; what no line names is at least 16 tall.
var measures = []measure{
	{"bar.phase", 70}, {"bar.second", 60}, {"bar.line", 32}, {"bar.countdown", 85},
	{"results.count", 28}, {"results.naturals", 28}, {"results.share", 28}, {"limits.figure", 28},
	{"results.label", 20}, {"limits.label", 20},
	{"collection.rate", 26},
	{"bead.letter", 17},
	{"caption", 12}, {"attract.staff", 12}, {"big.ties", 10}, {"attract.ties", 10}, {"previous.ties", 5},
	{"demo", 0}, {"corner", 12},
}

// leastOf returns the least cap height of a named text, in units.
func leastOf(name string) float32 {
	for _, m := range measures {
		if strings.HasPrefix(name, m.prefix) {
			return m.cap
		}
	}
	return 16
}
