package scene

import (
	"cmp"
	"image/color"
	"slices"
	"strconv"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// tally is how often something that the board counts happened in a shoe.
type tally struct {
	word  betWord
	count stats.Count
}

// tallies returns the three outcomes, then every bet except the tie.
func (d *drawing) tallies(s *stats.Shoe) []tally {
	out := []tally{{d.side(game.Player), s.Player}, {d.side(game.Banker), s.Banker}, {d.side(game.Tie), s.Tie}}
	for i, bet := range d.b.Game.Bets {
		if bet.ID == "tie" {
			continue
		}
		t := tally{word: d.bet(bet.ID)}
		if i < len(s.Bets) {
			t.count = s.Bets[i]
		}
		out = append(out, t)
	}
	return out
}

// resultCols are the right edges of the columns of figures, and the left edge
// of the labels. Zero: the column has given way.
type resultCols struct{ label, n, share, since, prev float32 }

func (d *drawing) resultCols(b Box) resultCols {
	at := func(n float32) float32 { return b.X0 + d.u(n) }
	part := func(n float32) float32 { return b.X0 + b.W()*n }
	switch {
	case d.p.portrait && d.p.compact:
		return resultCols{at(21), part(0.50), part(0.69), 0, b.X1 - d.u(22)}
	case d.p.portrait:
		return resultCols{at(21), part(0.43), part(0.576), part(0.672), b.X1 - d.u(22)}
	case d.p.compact:
		return resultCols{at(21), b.X1 - d.u(165), b.X1 - d.u(26), 0, 0}
	}
	return resultCols{at(21), at(252), at(372), at(459), 0}
}

// results draws the table of the shoe.
func (d *drawing) results() {
	b, t := d.p.results, d.theme
	d.panel("results", b, t.Panel, t.Border)
	now, before := d.tallies(&d.b.Shoe), []tally(nil)
	if d.b.Previous != nil {
		before = d.tallies(d.b.Previous)
	}
	for i := range now {
		now[i].word.name = now[i].word.brief()
	}
	cols := d.resultCols(b)
	head, body := b.top(round(d.u(42)))
	d.resultHead(head, cols)
	n := len(now) + 1
	style, stack := d.labelSet(now, body.row(0, n), cols)
	for i := range n {
		line := body.row(i, n)
		d.rule("results.rule", b.X0+d.px(1), b.X1-d.px(1), line.Y0)
		line.Y0 += d.px(2)
		if i == len(now) {
			d.naturals(line, cols)
			break
		}
		d.figures(line, cols, now, before, i)
		right := cols.n - d.figureRoom("88")
		if !stack {
			right = cols.n - d.figureRoom(digits(now, i))
		}
		d.resultLabel(Box{cols.label, line.Y0, right, line.Y1}, now[i].word, style, stack)
	}
}

// resultHead draws the line over the figures.
func (d *drawing) resultHead(b Box, c resultCols) {
	s := set{cap: d.cap(16), weight: SemiBold, tracking: 0.03}
	t, base := d.theme, b.Y1-round(d.u(13))
	if c.since > 0 {
		since, ok := d.fit(s, d.least(16), d.words.first.get("since"), d.words.first.Lang, c.since-c.share-d.u(9))
		if ok {
			d.text("results.since", since, c.since-since.Advance, base, t.Muted)
		}
	}
	d.putRight(one("results.percent", d.shape(s, "%", english), t.Muted), c.share, base)
	d.put(d.shoeTitle("results.title", "this_shoe", &d.b.Shoe, s, c.share-d.u(30)-c.label), c.label, base)
	if p := d.b.Previous; c.prev > 0 && p != nil {
		r := d.shoeTitle("results.previous", "previous", p, s, c.prev-max(c.since, c.share)-d.u(80))
		hands := d.shape(s, strconv.Itoa(p.Hands), english)
		d.putRight(append(r, piece{"results.previous.hands", hands, s.cap * 0.4, t.Muted}), c.prev, base)
	}
}

// shoeTitle sets the title over a shoe's figures: that they are incomplete where a hand of
// it is lost.
func (d *drawing) shoeTitle(name, title string, of *stats.Shoe, s set, room float32) row {
	if len(of.Lost) > 0 {
		return d.label(name, d.words.say("incomplete"), s, room, d.theme.Amber)
	}
	return d.label(name, d.words.say(title), s, room, d.theme.Muted)
}

// figures draws the figures of line i: its count, its share, the hands since, and how it
// was in the shoe before. Hands since tell nothing of Player and Banker.
func (d *drawing) figures(b Box, c resultCols, now, before []tally, i int) {
	t, count := d.theme, now[i].count
	big := d.figure(strconv.Itoa(count.N), 37, ExtraBold, b)
	base := round(big.baseline(b.Y0, b.Y1))
	d.putRight(one("results.count", big, t.Text), c.n, base)
	d.putRight(one("results.share", d.figure(shareOf(&d.b.Shoe, count), 30, Bold, b), t.Text), c.share, base)
	if c.since > 0 && i > 1 && count.Since >= 0 {
		since := d.figure(strconv.Itoa(count.Since), 25, SemiBold, b)
		d.putRight(one("results.hands-since", since, t.Muted), c.since, base)
	}
	if c.prev > 0 && before != nil {
		prev := d.figure(strconv.Itoa(before[i].count.N), 29, SemiBold, b)
		d.putRight(one("results.prev", prev, t.Muted), c.prev, base)
	}
}

// shareOf returns a share of all hands of a shoe, a dash when a hand is lost.
func shareOf(s *stats.Shoe, c stats.Count) string {
	if len(s.Lost) > 0 {
		return "–"
	}
	return percent(c.Share)
}

// figureRoom returns the width that the digits of a count take, and some air.
func (d *drawing) figureRoom(digits string) float32 {
	return d.shape(set{cap: d.cap(37), weight: ExtraBold, tabular: true}, digits, english).Advance + d.u(6)
}

// digits stand for the widest count that a line is laid out for: two for an outcome, one
// for a bonus bet, which hardly ever wins ten times in a shoe, until it does.
func digits(now []tally, i int) string {
	if i > 2 && now[i].count.N < 10 {
		return "8"
	}
	return "88"
}

// figure sets a number with capitals of n units, less where the row is low.
func (d *drawing) figure(text string, n float32, w Weight, b Box) *Run {
	cap := min(d.cap(n), max(d.least(min(n, 28)), round(b.H()*0.62)))
	return d.shape(set{cap: cap, weight: w, tabular: true}, text, english)
}

// labelSet returns how the labels are set: all at one size, at which the names fit, and
// whether the second language stands under the first. Names that do not fit are left
// to their short forms.
func (d *drawing) labelSet(now []tally, b Box, c resultCols) (s set, stack bool) {
	width, l := c.n-d.figureRoom("88")-c.label, d.words.first.Lang
	s = set{cap: max(d.least(20), min(d.cap(d.p.either(22, 25)), round(b.H()*0.5))), weight: Bold}
	stack = !d.p.portrait && b.H() >= d.u(56)
	if d.words.second != nil && stack { // two lines
		s.cap = max(d.least(20), min(s.cap, round((b.H()-d.u(12))/(1.2+square))))
	}
	for _, t := range now {
		if run, ok := d.fit(s, d.least(20), t.word.name.first, l, width); ok {
			s.cap = min(s.cap, s.cap*run.Style.Size/d.shape(s, "", l).Style.Size)
		}
	}
	small := set{cap: d.least(20), weight: Bold}
	if stack && d.crowded(now, b, s) && d.besides(now, small, c) {
		return small, false
	}
	return s, stack
}

// crowded reports whether two languages under each other would touch the rules.
func (d *drawing) crowded(now []tally, b Box, s set) bool {
	return slices.ContainsFunc(now, func(t tally) bool {
		name := t.word.name
		if name.second == "" {
			return false
		}
		first, second := d.shape(s, name.first, d.words.first.Lang), d.shape(s, name.second, d.words.second.Lang)
		return first.Ink.H()+second.Ink.H() > b.H()-d.u(18)
	})
}

// besides reports whether every label has room for both languages in one line.
func (d *drawing) besides(now []tally, s set, c resultCols) bool {
	for i, t := range now {
		width := c.n - d.figureRoom(digits(now, i)) - c.label
		if t.word.name.second != "" && len(d.label("results.label", t.word.name, s, width, t.word.color)) < 2 {
			return false
		}
	}
	return true
}

// resultLabel names a bet: the second language under the first where the rows are
// high enough, else beside it, else not at all.
func (d *drawing) resultLabel(b Box, w betWord, s set, stack bool) {
	first, fits := d.fit(s, d.least(20), w.name.first, d.words.first.Lang, b.W())
	if !fits {
		w.name.first = w.short
		first, _ = d.fit(s, d.least(20), w.short, d.words.first.Lang, b.W())
	}
	r := d.label("results.label", w.name, s, b.W(), w.color)
	if stack && w.name.second != "" {
		second, ok := d.fit(s, d.least(20), w.name.second, d.words.second.Lang, b.W())
		if !ok {
			second, ok = d.fit(s, d.least(20), w.short, d.words.second.Lang, b.W())
		}
		if ok && w.name.second != w.name.first && second.Text != first.Text {
			if first.Ink.H()+second.Ink.H()+d.px(4) <= b.H() {
				d.stacked("results.label", first, second, b, w.color)
				return
			}
		} else {
			r = one("results.label", first, w.color)
		}
	}
	d.put(r, b.X0, d.seat(r, b))
}

// stacked puts two runs under each other about the middle of b.
func (d *drawing) stacked(name string, first, second *Run, b Box, col color.NRGBA) {
	gap, inks := d.u(8), first.Ink.H()+second.Ink.H()
	if over := inks + gap + d.u(4) - b.H(); over > 0 {
		gap = max(d.px(2), gap-over)
	}
	top := (b.Y0 + b.Y1 - inks - gap) / 2
	d.text(name, first, b.X0, top-first.Ink.Y0, col)
	d.text(name+".second", second, b.X0, top+first.Ink.H()+gap-second.Ink.Y0, col)
}

// naturals draws the last line: how many of Player's and of Banker's.
func (d *drawing) naturals(b Box, c resultCols) {
	large := func(text string) *Run { return d.figure(text, 30, Bold, b) }
	n := d.naturalsRow("results.naturals", d.b.Shoe.Naturals, large)
	base, right := round(n[0].run.baseline(b.Y0, b.Y1)), d.p.either(max(c.share, c.since), c.n)
	s := set{cap: max(d.least(20), min(d.cap(24), round(b.H()*0.5))), weight: Bold}
	d.putRight(n, right, base)
	width := right - n.width() - d.u(20) - c.label
	label := d.label("results.label.natural", d.words.say("natural"), s, width, d.theme.Text)
	d.put(label, c.label, d.seat(label, b))
	if p := d.b.Previous; c.prev > 0 && p != nil {
		shape := func(text string) *Run { return d.figure(text, 29, SemiBold, b) }
		d.putRight(d.naturalsRow("results.prev.naturals", p.Naturals, shape), c.prev, base)
	}
}

// naturalsRow sets Player's number and Banker's, with a dot in the middle of the ink
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
