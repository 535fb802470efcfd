package scene

import (
	"cmp"
	"strconv"
)

// previous draws the shoe before: its figures and its big road.
func (d *drawing) previous() {
	b, p := d.p.previous, d.b.Previous
	if b.Empty() || d.noticeTakes(b) {
		return
	}
	d.panel("previous", b, d.theme.Panel, d.theme.Border)
	in := b.inset(d.u(16), d.u(10))
	head, rest := in.top(round(d.u(32)))
	right := in.X1
	if p != nil {
		text, col := d.words.hands(p.Hands).first, d.theme.Text
		if len(p.Lost) > 0 {
			text, col = d.words.first.get("incomplete"), d.theme.Amber
		}
		hands := d.shape(set{cap: d.cap(19), weight: Bold}, text, d.words.first.Lang)
		right -= hands.Advance
		d.text("previous.hands", hands, right, hands.baseline(head.Y0, head.Y1), col)
	}
	s := set{cap: d.cap(17), weight: SemiBold, tracking: 0.03}
	title := d.label("previous.title", d.words.say("previous_shoe"), s, right-in.X0-d.u(20), d.theme.Muted)
	d.put(title, in.X0, round(title[0].run.baseline(head.Y0, head.Y1)))
	line, rest := rest.top(round(d.u(42)))
	_, field := rest.top(rest.H() - rows*round(d.u(18)))
	g := gridIn("previous.road", field.whole(), 1)
	if p != nil {
		d.previousLine(line)
	}
	d.field(g)
	if p != nil {
		d.bigMarks("previous", g, p, false)
	}
}

// naming names a bet, and naturals, in one of the board's languages.
type naming struct {
	of      func(betWord) string
	natural string
	lang    Lang
}

// namings returns the names to try for a place where room is short: ideographs where
// a language has them, else the first language, then the short names.
func (d *drawing) namings() []naming {
	first, second := d.words.first, d.words.second
	out := []naming{
		{func(b betWord) string { return b.name.first }, first.get("natural"), first.Lang},
		{func(b betWord) string { return b.short }, first.get("natural_short"), first.Lang},
	}
	if second == nil || !second.Lang.square() {
		return out
	}
	inSecond := func(b betWord) string { return cmp.Or(b.name.second, b.name.first) }
	return append([]naming{{inSecond, second.get("natural"), second.Lang}}, out...)
}

// previousLine sets the figures of the previous shoe in one line.
func (d *drawing) previousLine(b Box) {
	for _, n := range d.namings() {
		for _, cap := range []float32{d.cap(22), d.cap(20), d.cap(18), d.least(16)} {
			for _, gap := range []float32{24, 14} {
				r := d.figuresRow(n, cap, d.u(gap))
				if r.width() <= b.W() {
					d.put(r, b.X0, round(r[1].run.baseline(b.Y0, b.Y1)))
					return
				}
			}
		}
	}
}

func (d *drawing) figuresRow(n naming, cap, gap float32) row {
	word := func(text string) *Run {
		s := set{cap: cap, weight: Bold}
		if squares(text) {
			s.cap = cap / square * 1.2
		}
		return d.shape(s, text, n.lang)
	}
	digits := func(text string) *Run { return d.shape(set{cap: cap, weight: Bold, tabular: true}, text, english) }
	var r row
	for _, t := range d.tallies(d.b.Previous) {
		r = append(r, piece{"previous.label", word(n.of(t.word)), gap, t.word.color},
			piece{"previous.n", digits(strconv.Itoa(t.count.N)), cap * 0.4, t.word.color})
	}
	natural := d.naturalsRow("previous.naturals", d.b.Previous.Naturals, digits)
	natural[0].gap = cap * 0.4
	return append(append(r, piece{"previous.natural", word(n.natural), gap, d.theme.Muted}), natural...)
}
