package scene

import (
	"image/color"
	"strconv"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

// grid is a field of cells: columns to the right, six rows down.
type grid struct {
	name string
	box  Box
	cols int
}

const rows = 6

// gridIn fits a grid into b: as many columns as make the cells most nearly
// square, and at least so many.
func gridIn(name string, b Box, atLeast int) grid {
	cols := int(b.W()/(b.H()/rows) + 0.5)
	return grid{name, b, max(cols, atLeast, 1)}
}

// cell returns the cell of a column and row, its edges on whole pixels.
func (g grid) cell(col, r int) Box {
	c := g.box.column(col, g.cols)
	v := g.box.row(r, rows)
	return Box{c.X0, v.Y0, c.X1, v.Y1}
}

// size returns the side of the largest square that fits every cell.
func (g grid) size() float32 {
	return max(1, min(float32(int(g.box.W()/float32(g.cols)+0.01)), float32(int(g.box.H()/rows+0.01))))
}

// field draws the empty grid, its edge half outside, so that the cells keep the
// whole of their box.
func (d *drawing) field(g grid) {
	t, thin := d.theme, d.px(1)
	out := g.box.inset(-d.px(1), -d.px(1))
	d.fill(g.name, out, d.px(8), t.Grid)
	col, row := g.name+".col", g.name+".row" // made once, not for every line
	for i := 1; i < g.cols; i++ {
		x := g.cell(i, 0).X0
		d.fill(col, Box{x - thin, g.box.Y0, x, g.box.Y1}, 0, t.GridLine)
	}
	for i := 1; i < rows; i++ {
		y := g.cell(0, i).Y0
		d.fill(row, Box{g.box.X0, y - thin, g.box.X1, y}, 0, t.GridLine)
	}
	d.outline(g.name+".edge", out, d.px(8), d.px(2), t.Border)
}

// window returns the first column shown of a road whose last column and newest
// mark's column are given: whole columns, always with the newest mark.
func (g grid) window(last, newest int) int {
	return min(max(0, last-g.cols+1), max(0, newest))
}

// bigRoad draws the big road of the shoe in play.
func (d *drawing) bigRoad() {
	g := gridIn("big", d.p.bigRoad, 1)
	d.field(g)
	d.bigMarks("big", g, &d.b.Shoe, len(d.b.Shoe.Lost) == 0) // the newest hand comes after a lost one
}

// bigMark is the place of one mark of a big road.
type bigMark struct {
	name              string
	x, y, dia, stroke float32
}

func bigMarkIn(name string, g grid, col, row int) bigMark {
	size := g.size()
	x, y := g.cell(col, row).centre()
	return bigMark{name, x, y, round(size * 34 / 39), max(1, round(size*5.6/39+0.2))}
}

// bigMarks draws the marks of a shoe's big road into a grid. In the shoe that is played
// the newest hand is ringed and blinks, and a tie takes only its stroke away with it.
func (d *drawing) bigMarks(name string, g grid, s *stats.Shoe, played bool) {
	if s.Roads == nil {
		return
	}
	marks := s.Roads.BigRoad
	if len(marks) == 0 { // a stroke in the first cell while there is no mark to carry it
		d.tieStroke(bigMarkIn(name, g, 0, 0), s.Roads.LeadingTies)
		return
	}
	last := len(marks) - 1
	first := g.window(lastColumn(s.Roads), int(marks[last].Col))
	tied := len(s.Marks) > 0 && s.Marks[len(s.Marks)-1].Outcome == game.Tie
	for i, m := range marks {
		col, ties := int(m.Col)-first, int(m.Ties)
		away := played && i == last && d.v.hidden()
		if col < 0 || col >= g.cols || away && !tied {
			continue
		}
		if away {
			ties--
		}
		d.bigMark(bigMarkIn(name, g, col, int(m.Row)), s, m, ties, played)
	}
	if played {
		d.newest(name+".newest", g.cell(int(marks[last].Col)-first, int(marks[last].Row)), g.size())
	}
}

// lastColumn returns the last column that a big road takes.
func lastColumn(r *road.Roads) (last int) {
	if r != nil {
		for _, m := range r.BigRoad {
			last = max(last, int(m.Col))
		}
	}
	return last
}

// bigMark draws one mark.
func (d *drawing) bigMark(at bigMark, s *stats.Shoe, m road.Mark, ties int, played bool) {
	if m.Outcome == game.Tie { // the column of leading ties
		d.ring(at.name+".mark", at.x, at.y, at.dia, at.stroke, d.theme.Tie)
		d.tieNumber(at, int(m.Ties))
		return
	}
	hand := &stats.Mark{}
	if int(m.Hand) < len(s.Marks) {
		hand = &s.Marks[m.Hand]
	}
	d.bigRing(at, d.theme.side(m.Outcome), hand)
	d.tieStroke(at, ties)
	if played && d.corrected(int(m.Hand)+1) {
		d.correction(at.name+".fixed", at.x-at.dia*0.36, at.y+at.dia*0.36, max(4, at.dia*0.24))
	}
	if played && d.v.Naturals && (hand.PlayerNatural || hand.BankerNatural) {
		dot := max(3, round(at.dia*0.26))
		d.disc(at.name+".natural", at.x+at.dia*0.36, at.y-at.dia*0.36, dot, d.theme.Gold)
	}
}

// bigRing draws the hollow circle with what marks its hand: the core of a bonus, or
// the bar of a free hand.
func (d *drawing) bigRing(at bigMark, col color.NRGBA, hand *stats.Mark) {
	cores := d.coresOf(hand)
	if len(cores) > 0 && d.theme.Light { // on a light ground a core needs a filled mark
		d.disc(at.name+".mark", at.x, at.y, at.dia, col)
		d.core(at.name+".core", at.x, at.y, at.dia-3.4*at.stroke, cores)
		return
	}
	d.ring(at.name+".mark", at.x, at.y, at.dia, at.stroke, col)
	switch {
	case len(cores) > 1:
		d.disc(at.name+".core.second", at.x, at.y, at.dia-2*at.stroke, cores[1])
		d.disc(at.name+".core", at.x, at.y, at.dia-4*at.stroke, cores[0])
	case len(cores) > 0:
		d.disc(at.name+".core", at.x, at.y, at.dia-2*at.stroke+1, cores[0])
	case hand.Free:
		w, h := max(3, round(at.dia*0.26)), max(1, round(at.dia*0.08))
		d.fill(at.name+".free", box(round(at.x-w/2), round(at.y-h/2), w, h), 0, d.theme.Text)
	}
}

// tieStroke draws the stroke for the ties that a mark carries, and their number
// when there are more than one.
func (d *drawing) tieStroke(at bigMark, ties int) {
	if ties > 0 {
		r := at.dia * 0.35
		d.line(at.name+".tie", at.x-r, at.y+r, at.x+r, at.y-r, max(1.5, at.dia*0.125), false, d.theme.Tie)
		d.tieNumber(at, ties)
	}
}

// tieNumber draws the digit beside the stroke, in a halo of the ground. Marks too
// small for a digit that can be read carry none.
func (d *drawing) tieNumber(at bigMark, ties int) {
	cap := max(round(at.dia*0.36), d.least(leastOf(at.name+".ties")))
	if cap < 5 || ties < 2 {
		return
	}
	run := d.shape(set{cap: cap, weight: ExtraBold, tabular: true}, strconv.Itoa(ties), english)
	x, y := at.x+at.dia*0.36, at.y+at.dia*0.26
	b := box(x-run.Ink.W()/2, y-cap/2, run.Ink.W(), cap).inset(-at.dia*0.06, -at.dia*0.06)
	d.fill(at.name+".ties.halo", b, at.dia*0.08, d.theme.Grid)
	d.text(at.name+".ties", run, x-(run.Ink.X0+run.Ink.X1)/2, y+cap/2, d.theme.Text)
}

// derivedRoad is one of the three roads drawn from the big road.
type derivedRoad struct {
	name           string
	title          string
	marks          []road.Derived
	player, banker road.Color // what each side would bring next
	glyph          func(d *drawing, name string, cell Box, size float32, col color.NRGBA)
}

// derivedRoads returns big eye boy, small road and cockroach pig with their glyphs.
func derivedRoads(r *road.Roads) []derivedRoad {
	if r == nil {
		r = &road.Roads{}
	}
	p, b := r.Ask.Player, r.Ask.Banker
	return []derivedRoad{
		{"eye", "big_eye_boy", r.BigEyeBoy, p.BigEyeBoy, b.BigEyeBoy, (*drawing).hollow},
		{"small", "small_road", r.SmallRoad, p.SmallRoad, b.SmallRoad, (*drawing).solid},
		{"pig", "cockroach", r.CockroachPig, p.CockroachPig, b.CockroachPig, (*drawing).slash},
	}
}

// derived draws the three derived roads, each over its caption.
func (d *drawing) derived() {
	if d.p.derived.Empty() {
		return
	}
	for i, r := range derivedRoads(d.b.Shoe.Roads) {
		b := d.p.derived.row(i, 3)
		if d.noticeTakes(b) {
			continue
		}
		b.Y1 -= round(d.u(24))
		g := gridIn(r.name, b.inset(d.px(1), d.px(1)).whole(), 1)
		d.field(g)
		d.derivedMarks(g, r)
		d.caption(Box{b.X0, b.Y1, b.X1, b.Y1 + d.u(24)}, r)
	}
}

func (d *drawing) derivedMarks(g grid, r derivedRoad) {
	if len(r.marks) == 0 {
		return
	}
	lastCol := 0
	for _, m := range r.marks {
		lastCol = max(lastCol, int(m.Col))
	}
	first, name := g.window(lastCol, int(r.marks[len(r.marks)-1].Col)), r.name+".mark"
	for _, m := range r.marks {
		if col := int(m.Col) - first; col >= 0 && col < g.cols {
			r.glyph(d, name, g.cell(col, int(m.Row)), g.size(), d.derivedColor(m.Color))
		}
	}
}

// derivedColor returns red for regular, blue for irregular.
func (d *drawing) derivedColor(c road.Color) color.NRGBA {
	if c == road.Red {
		return d.theme.Banker
	}
	return d.theme.Player
}

func (d *drawing) hollow(name string, cell Box, size float32, col color.NRGBA) {
	x, y := cell.centre()
	d.ring(name, x, y, round(size*17/22), max(1, round(size*3/22)), col)
}

func (d *drawing) solid(name string, cell Box, size float32, col color.NRGBA) {
	x, y := cell.centre()
	d.disc(name, x, y, round(size*17/22), col)
}

func (d *drawing) slash(name string, cell Box, size float32, col color.NRGBA) {
	x, y := cell.centre()
	r := size * 7.5 / 22
	d.line(name, x-r, y+r, x+r, y-r, max(1, size*4/22), false, col)
}

// caption names a road under its grid, with the ask marks at its right end.
func (d *drawing) caption(b Box, r derivedRoad) {
	s := set{cap: d.cap(13), weight: SemiBold, tracking: 0.04}
	title := d.label("caption", d.words.say(r.title), s, b.W()*0.6, d.theme.Muted)
	base := round(title[0].run.baseline(b.Y0+d.u(1), b.Y1))
	d.put(title, b.X0+d.u(4), base)
	if !d.b.AskMarks || r.player == road.NoColor {
		return
	}
	x := b.X1 - d.u(4)
	size := min(b.H(), d.u(22))
	for _, ask := range []struct {
		o game.Outcome
		c road.Color
	}{{game.Player, r.player}, {game.Banker, r.banker}} {
		r.glyph(d, "caption.ask", box(x-size, (b.Y0+b.Y1-size)/2, size, size), size, d.derivedColor(ask.c))
		x -= size + d.u(4)
		letter := d.shape(s, ask.o.Letter()+"?", english)
		x -= letter.Advance
		d.text("caption.ask.side", letter, x, base, d.theme.side(ask.o))
		x -= d.u(16)
	}
}
