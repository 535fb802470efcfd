package scene

import (
	"image/color"
	"strconv"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

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
