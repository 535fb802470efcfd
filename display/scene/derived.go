package scene

import (
	"image/color"

	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

// derivedRoad is one of the three roads drawn from the big road.
type derivedRoad struct {
	name           string
	title          string
	marks          []road.Derived
	player, banker road.Color // what each side would bring next
	glyph          func(d *drawing, name string, cell Box, size float32, col color.NRGBA)
}

// derivedRoads are big eye boy, small road and cockroach pig with their glyphs.
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

// derivedColor is red for regular, blue for irregular.
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
