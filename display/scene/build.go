// Package scene is the picture as data: a list of shapes and positioned text,
// with nothing in it that knows a window, a GPU or a file.
//
// A caller may assume that the same input gives the same ops on every machine,
// that what is measured here is what is painted (text is shaped once, and its
// glyphs are painted where they were placed), and that ops may be compared,
// printed and kept. It may not assume that text fits unless it has asked for
// its ink.
package scene

import "shoeboard/stats"

// drawing is one picture in the making.
type drawing struct {
	canvas
	b *stats.Board
	v *View
	p plan
}

// Build returns the picture of a board: the same arguments give the same ops.
// It draws on a screen of any size; v.Fonts and v.First must be set.
func Build(b *stats.Board, v View) []Op {
	d := &drawing{b: b, v: &v, p: planFor(float32(max(v.W, 1)), float32(max(v.H, 1)), v.BarTop)}
	d.canvas = canvas{fonts: v.Fonts, theme: &v.Theme, words: words{v.First, v.Second}, scale: d.p.scale}
	d.ops = make([]Op, 0, 1024)
	d.fill("ground", d.screen(), 0, d.theme.Ground)
	d.content()
	d.overlays()
	return d.ops
}

// screen returns the box of the whole picture.
func (d *drawing) screen() Box { return Box{0, 0, float32(d.v.W), float32(d.v.H)} }

// least returns the smallest cap height, in pixels, that a part may shrink to: the
// measure n of the design, scaled with the screen.
func (d *drawing) least(n float32) float32 { return max(1, n*d.p.base) }

// content draws what the board is for at this moment.
func (d *drawing) content() {
	switch {
	case d.b.Test == stats.KeypadTest:
		d.keypadPage()
	case d.b.Test != "":
		d.testPage()
	case d.b.Identify:
		d.identify()
	case d.b.Menu != nil:
		d.menuPage(d.b.Menu)
	default:
		d.header()
		d.bar()
		d.collection()
		if d.attracting() {
			d.attract()
			return
		}
		d.bigRoad()
		d.results()
		d.beads()
		d.previous()
		d.derived()
		d.notice()
	}
}

// overlays draws what stands over everything.
func (d *drawing) overlays() {
	if d.b.Demo {
		d.demo()
	}
	if d.v.Waiting {
		d.waiting()
	}
}
