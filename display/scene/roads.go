package scene

import (
	"image/color"
	"strconv"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

// bigStyle says which big road is drawn.
type bigStyle struct {
	name   string
	newest bool // ring and blink the newest hand, and show corrections
}

// bigRoad draws the big road of the shoe in play.
func (d *drawing) bigRoad() {
	g := gridIn("big", d.p.bigRoad, 1)
	d.field(g)
	d.bigMarks(g, &d.b.Shoe, bigStyle{"big", len(d.b.Shoe.Lost) == 0}) // the newest hand stands behind a lost one
}

// bigMarks draws the marks of a shoe's big road into a grid.
func (d *drawing) bigMarks(g grid, s *stats.Shoe, style bigStyle) {
	if s.Roads == nil {
		return
	}
	marks := s.Roads.BigRoad
	if len(marks) == 0 {
		d.leadingTies(g, s.Roads.LeadingTies)
		return
	}
	last, lastCol := len(marks)-1, lastColumn(s.Roads)
	first := g.window(lastCol, int(marks[last].Col))
	tied := len(s.Marks) > 0 && s.Marks[len(s.Marks)-1].Outcome == game.Tie
	for i, m := range marks {
		col := int(m.Col) - first
		if col < 0 || col >= g.cols {
			continue
		}
		away := style.newest && i == last && d.v.hidden()
		d.bigMark(g.cell(col, int(m.Row)), g.size(), s, m, style, away, tied)
	}
	if style.newest {
		m := marks[last]
		d.newest(style.name+".newest", g.cell(int(m.Col)-first, int(m.Row)), g.size())
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

// bigMark draws one mark. While the newest hand blinks away, a tie takes only
// its stroke with it.
func (d *drawing) bigMark(cell Box, size float32, s *stats.Shoe, m road.Mark, style bigStyle, away, tied bool) {
	x, y := cell.centre()
	dia, stroke := round(size*34/39), max(1, round(size*5.6/39+0.2))
	ties := int(m.Ties)
	if away && !tied {
		return
	}
	if m.Outcome == game.Tie { // the column of leading ties
		d.ring(style.name+".mark", x, y, dia, stroke, d.theme.Tie)
		d.tieNumber(style.name, x, y, dia, ties)
		return
	}
	col := d.theme.side(m.Outcome)
	hand := &stats.Mark{}
	if int(m.Hand) < len(s.Marks) {
		hand = &s.Marks[m.Hand]
	}
	d.bigRing(style.name, x, y, dia, stroke, col, hand)
	if away {
		ties--
	}
	d.tieStroke(style.name, x, y, dia, ties)
	if style.newest && d.corrected(int(m.Hand)+1) {
		d.correction(style.name+".fixed", x-dia*0.36, y+dia*0.36, max(4, dia*0.24))
	}
	if style.newest && d.v.Naturals && (hand.PlayerNatural || hand.BankerNatural) {
		d.disc(style.name+".natural", x+dia*0.36, y-dia*0.36, max(3, round(dia*0.26)), d.theme.Gold)
	}
}

// bigRing is the hollow circle with what marks its hand: the core of a bonus, or
// the bar of a free hand.
func (d *drawing) bigRing(name string, x, y, dia, stroke float32, col color.NRGBA, hand *stats.Mark) {
	first, second, n := d.coreOf(hand)
	switch {
	case n == 0:
		d.ring(name+".mark", x, y, dia, stroke, col)
	case d.theme.Light: // on a light ground a core stands on a filled mark
		d.disc(name+".mark", x, y, dia, col)
		d.core(name+".core", x, y, dia-3.4*stroke, first, second, n)
	default:
		d.ring(name+".mark", x, y, dia, stroke, col)
		if n > 1 {
			d.disc(name+".core.second", x, y, dia-2*stroke, second)
			d.disc(name+".core", x, y, dia-4*stroke, first)
			break
		}
		d.disc(name+".core", x, y, dia-2*stroke+1, first)
	}
	if hand.Free && n == 0 {
		w, h := max(3, round(dia*0.26)), max(1, round(dia*0.08))
		d.fill(name+".free", box(round(x-w/2), round(y-h/2), w, h), 0, d.theme.Text)
	}
}

// tieStroke draws the stroke for the ties that a mark carries, and their number
// when there are more than one.
func (d *drawing) tieStroke(name string, x, y, dia float32, ties int) {
	if ties <= 0 {
		return
	}
	r := dia * 0.35
	d.line(name+".tie", x-r, y+r, x+r, y-r, max(1.5, dia*0.125), false, d.theme.Tie)
	if ties > 1 {
		d.tieNumber(name, x, y, dia, ties)
	}
}

// tieNumber is the digit beside the stroke, in a halo of the ground. Marks too
// small for a digit that can be read carry none.
func (d *drawing) tieNumber(name string, x, y, dia float32, ties int) {
	cap := max(round(dia*0.36), d.least(leastOf(name+".ties")))
	if cap < 5 || ties < 2 {
		return
	}
	run := d.shape(set{cap: cap, weight: ExtraBold, tabular: true}, strconv.Itoa(ties), english)
	cx, cy := x+dia*0.36, y+dia*0.26
	b := box(cx-run.Ink.W()/2, cy-cap/2, run.Ink.W(), cap).inset(-dia*0.06, -dia*0.06)
	d.fill(name+".ties.halo", b, dia*0.08, d.theme.Grid)
	d.text(name+".ties", run, cx-(run.Ink.X0+run.Ink.X1)/2, cy+cap/2, d.theme.Text)
}

// leadingTies is a stroke in the first cell while there is no mark to carry it.
func (d *drawing) leadingTies(g grid, ties int) {
	x, y := g.cell(0, 0).centre()
	d.tieStroke(g.name, x, y, round(g.size()*34/39), ties)
}
