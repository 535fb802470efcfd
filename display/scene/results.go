package scene

import (
	"image/color"
	"strconv"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// resultRow is one line of the results.
type resultRow struct {
	name  string
	word  betWord
	count stats.Count
	prev  string // of the previous shoe; empty: none
	since bool   // hands since are told
}

// resultRows are the three outcomes, then every bet but the tie.
func (d *drawing) resultRows() []resultRow {
	s, p := &d.b.Shoe, d.b.Previous
	prev := func(of func(*stats.Shoe) int) string {
		if p == nil {
			return ""
		}
		return strconv.Itoa(of(p))
	}
	out := []resultRow{
		{"player", d.side(game.Player), s.Player, prev(func(p *stats.Shoe) int { return p.Player.N }), false},
		{"banker", d.side(game.Banker), s.Banker, prev(func(p *stats.Shoe) int { return p.Banker.N }), false},
		{"tie", d.side(game.Tie), s.Tie, prev(func(p *stats.Shoe) int { return p.Tie.N }), true},
	}
	for i, bet := range d.b.Game.Bets {
		if bet.ID == "tie" {
			continue
		}
		word := d.bet(bet.ID)
		word.name = word.brief()
		out = append(out, resultRow{bet.ID, word, countOf(s, i), prev(func(p *stats.Shoe) int { return countOf(p, i).N }), true})
	}
	return out
}

func countOf(s *stats.Shoe, bet int) stats.Count {
	if bet < len(s.Bets) {
		return s.Bets[bet]
	}
	return stats.Count{}
}

// resultCols are the right edges of the columns of figures, and the left edge
// of the labels. Zero: the column has given way.
type resultCols struct{ label, n, share, since, prev float32 }

// results draws the table of the shoe.
func (d *drawing) results() {
	b := d.p.results
	d.panel("results", b, d.theme.Panel, d.theme.Border)
	rowsOf := d.resultRows()
	cols := d.resultCols(b)
	head, body := b.top(round(d.u(42)))
	d.resultHead(head, cols)
	style := d.labelSet(rowsOf, body.row(0, len(rowsOf)+1), cols.n-d.figureRoom()-cols.label)
	for i, r := range rowsOf {
		line := body.row(i, len(rowsOf)+1)
		d.rule("results.rule", b.X0+d.px(1), b.X1-d.px(1), line.Y0)
		d.resultRow(line, cols, r, style)
	}
	last := body.row(len(rowsOf), len(rowsOf)+1)
	d.rule("results.rule", b.X0+d.px(1), b.X1-d.px(1), last.Y0)
	d.naturals(last, cols)
}

func (d *drawing) resultCols(b Box) resultCols {
	at := func(n float32) float32 { return b.X0 + d.u(n) }
	switch {
	case d.p.portrait && d.p.compact:
		return resultCols{at(21), b.X0 + b.W()*0.50, b.X0 + b.W()*0.69, 0, b.X1 - d.u(22)}
	case d.p.portrait:
		return resultCols{at(21), b.X0 + b.W()*0.43, b.X0 + b.W()*0.576, b.X0 + b.W()*0.672, b.X1 - d.u(22)}
	case d.p.compact:
		return resultCols{at(21), b.X1 - d.u(165), b.X1 - d.u(26), 0, 0}
	}
	return resultCols{at(21), at(252), at(372), at(459), 0}
}

// resultHead draws the line over the figures.
func (d *drawing) resultHead(b Box, c resultCols) {
	s := set{cap: d.cap(16), weight: SemiBold, tracking: 0.03}
	t, base := d.theme, b.Y1-round(d.u(13))
	room := c.share - d.u(30) - c.label
	if c.since > 0 {
		since, ok := d.fit(s, d.least(16), d.words.first.Get(Since), d.words.first.Lang, c.since-c.share-d.u(9))
		if ok {
			d.text("results.since", since, c.since-since.Advance, base, t.Muted)
		}
	}
	d.putRight(one("results.percent", d.shape(s, "%", English), t.Muted), c.share, base)
	title := d.label("results.title", d.words.say(ThisShoe), s, room, t.Muted)
	d.put(title, c.label, base)
	if c.prev > 0 && d.b.Previous != nil {
		r := d.label("results.previous", d.words.say(PreviousWord), s, c.prev-max(c.since, c.share)-d.u(80), t.Muted)
		r = append(r, piece{"results.previous.hands", d.shape(s, strconv.Itoa(d.b.Previous.Hands), English), s.cap * 0.4, t.Muted})
		d.putRight(r, c.prev, base)
	}
}

// resultRow draws one bet's label and figures.
func (d *drawing) resultRow(b Box, c resultCols, r resultRow, label set) {
	t := d.theme
	b.Y0 += d.px(2)
	big := d.figure(strconv.Itoa(r.count.N), 37, ExtraBold, b)
	base := round(big.Baseline(b.Y0, b.Y1))
	d.putRight(one("results.count", big, t.Text), c.n, base)
	d.putRight(one("results.share", d.figure(percent(r.count.Share), 30, Bold, b), t.Text), c.share, base)
	if c.since > 0 && r.since && r.count.Since >= 0 {
		d.putRight(one("results.hands-since", d.figure(strconv.Itoa(r.count.Since), 25, SemiBold, b), t.Muted), c.since, base)
	}
	if c.prev > 0 {
		d.putRight(one("results.prev", d.figure(r.prev, 29, SemiBold, b), t.Muted), c.prev, base)
	}
	d.resultLabel(b, c.label, c.n-d.figureRoom(), r.word, label)
}

// figureRoom is the width that two digits of a count take, and some air.
func (d *drawing) figureRoom() float32 {
	return d.shape(set{cap: d.cap(37), weight: ExtraBold, tabular: true}, "88", English).Advance + d.u(6)
}

// figure sets a number with capitals of n units, less where the row is low.
func (d *drawing) figure(text string, n float32, w Weight, b Box) *Run {
	cap := min(d.cap(n), max(d.least(min(n, 28)), round(b.H()*0.62)))
	return d.shape(set{cap: cap, weight: w, tabular: true}, text, English)
}

// labelSet is how the labels are set: all at one size, at which the names fit.
// Names that cannot are left to their short forms.
func (d *drawing) labelSet(rowsOf []resultRow, b Box, width float32) set {
	n := float32(22)
	if d.p.portrait {
		n = 25
	}
	s := set{cap: max(d.least(20), min(d.cap(n), round(b.H()*0.5))), weight: Bold}
	if d.words.second != nil && !d.p.portrait && b.H() >= d.u(56) { // two lines
		s.cap = max(d.least(20), min(s.cap, round((b.H()-d.u(12))/(1.2+square))))
	}
	for _, r := range rowsOf {
		if run, ok := d.fit(s, d.least(20), r.word.name.first, d.words.first.Lang, width); ok {
			s.cap = min(s.cap, s.cap*run.Style.Size/d.shape(s, "", d.words.first.Lang).Style.Size)
		}
	}
	return s
}

// resultLabel names a bet: the second language under the first where the row is
// high enough, else beside it, else not at all.
func (d *drawing) resultLabel(b Box, x, right float32, w betWord, s set) {
	first, fits := d.fit(s, d.least(20), w.name.first, d.words.first.Lang, right-x)
	if !fits {
		w.name.first = w.short
		first, _ = d.fit(s, d.least(20), w.short, d.words.first.Lang, right-x)
	}
	if d.p.portrait || b.H() < d.u(56) || w.name.second == "" {
		r := d.label("results.label", w.name, s, right-x, w.color)
		d.put(r, x, d.seat(r, b))
		return
	}
	second, ok := d.fit(s, d.least(20), w.name.second, d.words.second.Lang, right-x)
	if !ok {
		second, ok = d.fit(s, d.least(20), w.short, d.words.second.Lang, right-x)
	}
	if !ok || w.name.second == w.name.first || second.Text == first.Text {
		d.put(one("results.label", first, w.color), x, d.seat(one("", first, w.color), b))
		return
	}
	if first.Ink.H()+second.Ink.H()+d.px(4) > b.H() {
		r := d.label("results.label", w.name, s, right-x, w.color)
		d.put(r, x, d.seat(r, b))
		return
	}
	d.stacked("results.label", first, second, x, b, w.color)
}

// stacked puts two runs under each other about the middle of b.
func (d *drawing) stacked(name string, first, second *Run, x float32, b Box, col color.NRGBA) {
	gap := d.u(8)
	total := first.Ink.H() + gap + second.Ink.H()
	if total > b.H()-d.u(4) {
		gap = max(d.px(2), gap-(total-b.H()+d.u(4)))
		total = first.Ink.H() + gap + second.Ink.H()
	}
	top := (b.Y0 + b.Y1 - total) / 2
	d.text(name, first, x, top-first.Ink.Y0, col)
	d.text(name+".second", second, x, top+first.Ink.H()+gap-second.Ink.Y0, col)
}

// naturals draws the last line: how many of Player's and of Banker's.
func (d *drawing) naturals(b Box, c resultCols) {
	b.Y0 += d.px(2)
	t := d.theme
	n := d.naturalsRow("results.naturals", d.b.Shoe.Naturals, func(text string) *Run { return d.figure(text, 30, Bold, b) })
	base := round(n[0].run.Baseline(b.Y0, b.Y1))
	right := max(c.share, c.since)
	if d.p.portrait {
		right = c.n
	}
	s := set{cap: max(d.least(20), min(d.cap(24), round(b.H()*0.5))), weight: Bold}
	d.putRight(n, right, base)
	label := d.label("results.label.natural", d.words.say(NaturalWord), s, right-n.width()-d.u(20)-c.label, t.Text)
	d.put(label, c.label, d.seat(label, b))
	if c.prev > 0 && d.b.Previous != nil {
		d.putRight(d.naturalsRow("results.prev.naturals", d.b.Previous.Naturals, func(text string) *Run { return d.figure(text, 29, SemiBold, b) }), c.prev, base)
	}
}

func (d *drawing) naturalsRow(name string, n stats.Naturals, shape func(string) *Run) row {
	dot := shape("·")
	return row{
		{name + ".player", shape(strconv.Itoa(n.Player)), 0, d.theme.Player},
		{name + ".dot", dot, dot.CapHeight * 0.2, d.theme.Muted},
		{name + ".banker", shape(strconv.Itoa(n.Banker)), dot.CapHeight * 0.2, d.theme.Banker},
	}
}
