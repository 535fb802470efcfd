package scene

import (
	"image/color"
	"slices"
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
	bonus bool   // not an outcome
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
		{"player", d.side(game.Player), s.Player, prev(func(p *stats.Shoe) int { return p.Player.N }), false, false},
		{"banker", d.side(game.Banker), s.Banker, prev(func(p *stats.Shoe) int { return p.Banker.N }), false, false},
		{"tie", d.side(game.Tie), s.Tie, prev(func(p *stats.Shoe) int { return p.Tie.N }), true, false},
	}
	for i, bet := range d.b.Game.Bets {
		if bet.ID == "tie" {
			continue
		}
		word := d.bet(bet.ID)
		word.name = word.brief()
		out = append(out, resultRow{bet.ID, word, countOf(s, i), prev(func(p *stats.Shoe) int { return countOf(p, i).N }), true, true})
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
	style, stack := d.labelSet(rowsOf, body.row(0, len(rowsOf)+1), cols)
	for i, r := range rowsOf {
		line := body.row(i, len(rowsOf)+1)
		d.rule("results.rule", b.X0+d.px(1), b.X1-d.px(1), line.Y0)
		d.resultRow(line, cols, r, style, stack)
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
		since, ok := d.fit(s, d.least(16), d.words.first.get("since"), d.words.first.Lang, c.since-c.share-d.u(9))
		if ok {
			d.text("results.since", since, c.since-since.Advance, base, t.Muted)
		}
	}
	d.putRight(one("results.percent", d.shape(s, "%", english), t.Muted), c.share, base)
	d.put(d.shoeTitle("results.title", "this_shoe", &d.b.Shoe, s, room), c.label, base)
	if c.prev > 0 && d.b.Previous != nil {
		r := d.shoeTitle("results.previous", "previous", d.b.Previous, s, c.prev-max(c.since, c.share)-d.u(80))
		r = append(r, piece{"results.previous.hands", d.shape(s, strconv.Itoa(d.b.Previous.Hands), english), s.cap * 0.4, t.Muted})
		d.putRight(r, c.prev, base)
	}
}

// shoeTitle is the title over a shoe's figures: that they are incomplete where a hand of
// it is lost.
func (d *drawing) shoeTitle(name string, title string, of *stats.Shoe, s set, room float32) row {
	if len(of.Lost) > 0 {
		return d.label(name, d.words.say("incomplete"), s, room, d.theme.Amber)
	}
	return d.label(name, d.words.say(title), s, room, d.theme.Muted)
}

// resultRow draws one bet's label and figures.
func (d *drawing) resultRow(b Box, c resultCols, r resultRow, label set, stack bool) {
	t := d.theme
	b.Y0 += d.px(2)
	big := d.figure(strconv.Itoa(r.count.N), 37, ExtraBold, b)
	base := round(big.baseline(b.Y0, b.Y1))
	d.putRight(one("results.count", big, t.Text), c.n, base)
	d.putRight(one("results.share", d.figure(shareOf(&d.b.Shoe, r.count), 30, Bold, b), t.Text), c.share, base)
	if c.since > 0 && r.since && r.count.Since >= 0 {
		d.putRight(one("results.hands-since", d.figure(strconv.Itoa(r.count.Since), 25, SemiBold, b), t.Muted), c.since, base)
	}
	if c.prev > 0 {
		d.putRight(one("results.prev", d.figure(r.prev, 29, SemiBold, b), t.Muted), c.prev, base)
	}
	right := c.n - d.figureRoom("88")
	if !stack {
		right = c.n - d.figureRoom(r.digits())
	}
	d.resultLabel(b, c.label, right, r.word, label, stack)
}

// shareOf returns a share of all hands of a shoe, a dash when a hand is lost.
func shareOf(s *stats.Shoe, c stats.Count) string {
	if len(s.Lost) > 0 {
		return "–"
	}
	return percent(c.Share)
}

// figureRoom is the width that the digits of a count take, and some air.
func (d *drawing) figureRoom(digits string) float32 {
	return d.shape(set{cap: d.cap(37), weight: ExtraBold, tabular: true}, digits, english).Advance + d.u(6)
}

// digits stand for the widest count that a row is laid out for: two for an outcome, one
// for a bonus bet, which hardly ever wins ten times in a shoe, until it does.
func (r resultRow) digits() string {
	if r.bonus && r.count.N < 10 {
		return "8"
	}
	return "88"
}

// figure sets a number with capitals of n units, less where the row is low.
func (d *drawing) figure(text string, n float32, w Weight, b Box) *Run {
	cap := min(d.cap(n), max(d.least(min(n, 28)), round(b.H()*0.62)))
	return d.shape(set{cap: cap, weight: w, tabular: true}, text, english)
}

// labelSet is how the labels are set: all at one size, at which the names fit, and
// whether the second language stands under the first. Names that do not fit are left
// to their short forms.
func (d *drawing) labelSet(rowsOf []resultRow, b Box, c resultCols) (s set, stack bool) {
	width := c.n - d.figureRoom("88") - c.label
	n := float32(22)
	if d.p.portrait {
		n = 25
	}
	s = set{cap: max(d.least(20), min(d.cap(n), round(b.H()*0.5))), weight: Bold}
	if d.words.second != nil && !d.p.portrait && b.H() >= d.u(56) { // two lines
		s.cap = max(d.least(20), min(s.cap, round((b.H()-d.u(12))/(1.2+square))))
	}
	for _, r := range rowsOf {
		if run, ok := d.fit(s, d.least(20), r.word.name.first, d.words.first.Lang, width); ok {
			s.cap = min(s.cap, s.cap*run.Style.Size/d.shape(s, "", d.words.first.Lang).Style.Size)
		}
	}
	if d.p.portrait || b.H() < d.u(56) {
		return s, false
	}
	small := s
	small.cap = d.least(20)
	if d.crowded(rowsOf, b, s) && d.besides(rowsOf, small, c) {
		return small, false
	}
	return s, true
}

// crowded reports whether two languages under each other would touch the rules.
func (d *drawing) crowded(rowsOf []resultRow, b Box, s set) bool {
	return slices.ContainsFunc(rowsOf, func(r resultRow) bool {
		name := r.word.name
		if name.second == "" {
			return false
		}
		first, second := d.shape(s, name.first, d.words.first.Lang), d.shape(s, name.second, d.words.second.Lang)
		return first.Ink.H()+second.Ink.H() > b.H()-d.u(18)
	})
}

// besides reports whether every label has room for both languages in one line.
func (d *drawing) besides(rowsOf []resultRow, s set, c resultCols) bool {
	return !slices.ContainsFunc(rowsOf, func(r resultRow) bool {
		width := c.n - d.figureRoom(r.digits()) - c.label
		return r.word.name.second != "" && len(d.label("results.label", r.word.name, s, width, r.word.color)) < 2
	})
}

// resultLabel names a bet: the second language under the first where the rows are
// high enough, else beside it, else not at all.
func (d *drawing) resultLabel(b Box, x, right float32, w betWord, s set, stack bool) {
	first, fits := d.fit(s, d.least(20), w.name.first, d.words.first.Lang, right-x)
	if !fits {
		w.name.first = w.short
		first, _ = d.fit(s, d.least(20), w.short, d.words.first.Lang, right-x)
	}
	if !stack || w.name.second == "" {
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
	base := round(n[0].run.baseline(b.Y0, b.Y1))
	right := max(c.share, c.since)
	if d.p.portrait {
		right = c.n
	}
	s := set{cap: max(d.least(20), min(d.cap(24), round(b.H()*0.5))), weight: Bold}
	d.putRight(n, right, base)
	label := d.label("results.label.natural", d.words.say("natural"), s, right-n.width()-d.u(20)-c.label, t.Text)
	d.put(label, c.label, d.seat(label, b))
	if c.prev > 0 && d.b.Previous != nil {
		d.putRight(d.naturalsRow("results.prev.naturals", d.b.Previous.Naturals, func(text string) *Run { return d.figure(text, 29, SemiBold, b) }), c.prev, base)
	}
}

// naturalsRow is Player's number and Banker's, with a dot in the middle of the ink
// between them: a narrow digit in a tabular box would seem to stand off on one side.
func (d *drawing) naturalsRow(name string, n stats.Naturals, shape func(string) *Run) row {
	player, dot, banker := shape(strconv.Itoa(n.Player)), shape("·"), shape(strconv.Itoa(n.Banker))
	air := dot.CapHeight * 0.4
	return row{
		{name + ".player", player, 0, d.theme.Player},
		{name + ".dot", dot, air - player.after() - dot.Ink.X0, d.theme.Muted},
		{name + ".banker", banker, air - dot.after() - banker.Ink.X0, d.theme.Banker},
	}
}
