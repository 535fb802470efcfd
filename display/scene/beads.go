package scene

import (
	"image/color"
	"slices"
	"strconv"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// leastBeads is how many columns of the bead plate hold every shoe.
const leastBeads = 15

// beads draws the bead plate: every hand, down six rows, whole columns scrolling
// off on the left.
func (d *drawing) beads() {
	if d.p.beads.Empty() || d.noticeTakes(d.p.beads) {
		return
	}
	g := gridIn("beads", d.p.beads, leastBeads)
	d.field(g)
	marks := d.b.Shoe.Marks
	last := len(marks) - 1
	first := g.window(last/rows, last/rows)
	for i := first * rows; i < len(marks); i++ {
		if i == last && d.v.hidden() {
			continue
		}
		d.oneBead(g.cell(i/rows-first, i%rows), g.size(), &marks[i], i+1)
	}
	if last >= 0 {
		d.newest("beads.newest", g.cell(last/rows-first, last%rows), g.size())
	}
}

// newest rings the newest hand.
func (d *drawing) newest(name string, cell Box, size float32) {
	x, y := cell.centre()
	d.ring(name, x, y, size+d.px(3), max(2, round(size/13)), d.theme.Newest)
}

// oneBead draws hand number no in a cell.
func (d *drawing) oneBead(cell Box, size float32, m *stats.Mark, no int) {
	x, y := cell.centre()
	dia := round(size * 39 / 44)
	if m.Outcome == game.NoOutcome {
		d.lostBead(cell, dia)
		return
	}
	d.disc("bead", x, y, dia, d.theme.bead(m.Outcome))
	ink := d.theme.BeadText
	s := set{cap: d.cap(18), weight: Bold}
	text, l := d.inBead(m)
	if l.square() { // an ideograph as large as the bead allows
		s.cap = max(d.cap(17), size*0.46) / square
	}
	if cores := d.coresOf(m); len(cores) > 0 {
		core := round(size * 28 / 44)
		if l.square() {
			core = round(size * 33 / 44)
		}
		d.core("bead.core", x, y, core, cores)
		ink, s.cap = d.theme.CoreText, min(s.cap, d.cap(17))
	}
	d.letter(cell, d.shape(s, text, l), ink)
	d.beadSigns(x, y, dia, m, no)
}

// lostBead draws a ring with a question in the place of a hand that is lost.
func (d *drawing) lostBead(cell Box, dia float32) {
	x, y := cell.centre()
	d.ring("bead.lost", x, y, dia, max(1, round(dia/16)), d.theme.Muted)
	d.letter(cell, d.shape(set{cap: d.cap(18), weight: Bold}, "?", english), d.theme.Muted)
}

// letter puts a text in the middle of a bead.
func (d *drawing) letter(cell Box, run *Run, ink color.NRGBA) {
	x, _ := cell.centre()
	d.text("bead.letter", run, x-(run.Ink.X0+run.Ink.X1)/2, run.middle(cell.Y0, cell.Y1), ink)
}

// core paints a bonus hand's core; of two bonuses the second is a band around
// the first.
func (d *drawing) core(name string, x, y, dia float32, cores []color.NRGBA) {
	if len(cores) > 1 {
		d.disc(name+".second", x, y, dia+2*round(dia/8), cores[len(cores)-1])
	}
	d.disc(name, x, y, dia, cores[0])
}

// inBead returns the text of a bead and its language.
func (d *drawing) inBead(m *stats.Mark) (string, Lang) {
	switch {
	case d.v.Beads == Totals && m.Totals:
		return strconv.Itoa(int(max(m.PlayerTotal, m.BankerTotal))), english
	case d.v.Beads == Characters:
		return d.character(m.Outcome)
	}
	return m.Outcome.Letter(), english
}

// character returns the outcome in Chinese, Simplified where the board speaks it.
func (d *drawing) character(o game.Outcome) (string, Lang) {
	if d.words.first.Lang == simplified || d.words.second != nil && d.words.second.Lang == simplified {
		return map[game.Outcome]string{game.Player: "闲", game.Banker: "庄", game.Tie: "和"}[o], simplified
	}
	return map[game.Outcome]string{game.Player: "閒", game.Banker: "莊", game.Tie: "和"}[o], traditional
}

// beadSigns draws the small signs of a bead, each at its own place on the rim:
// pairs top left and bottom right, a natural top right, a correction bottom
// left, a free hand below the letter.
func (d *drawing) beadSigns(x, y, dia float32, m *stats.Mark, no int) {
	t, off, dot := d.theme, dia*0.36, max(3, round(dia*0.26))
	sign := func(name string, dx, dy float32, col color.NRGBA) {
		d.disc(name+".rim", x+dx*off, y+dy*off, dot+2*d.px(1.5), t.Grid)
		d.disc(name, x+dx*off, y+dy*off, dot, col)
	}
	if m.BankerPair {
		sign("bead.banker-pair", -1, -1, t.Banker)
	}
	if m.PlayerPair {
		sign("bead.player-pair", 1, 1, t.Player)
	}
	if d.v.Naturals && (m.PlayerNatural || m.BankerNatural) {
		sign("bead.natural", 1, -1, t.Gold)
	}
	if d.corrected(no) {
		d.correction("bead.fixed", x-off, y+off, dia*0.24)
	}
	if m.Free {
		d.fill("bead.free", box(x-dia*0.19, y+dia*0.28, dia*0.38, max(2, round(dia*0.07))), 0, t.BeadText)
	}
}

// corrected reports whether hand no was corrected since the last record.
func (d *drawing) corrected(no int) bool { return slices.Contains(d.b.Marked, no) }

// correction draws the mark of a corrected hand, a small square.
func (d *drawing) correction(name string, x, y, size float32) {
	x, y, size = round(x-size/2), round(y-size/2), max(3, round(size))
	in := box(x, y, size, size)
	d.fill(name+".rim", in.inset(-d.px(1.5), -d.px(1.5)), 0, d.theme.Grid)
	d.fill(name, in, 0, d.theme.Newest)
}
