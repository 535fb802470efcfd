package scene

import (
	"fmt"
	"image/color"
)

// rotationPage names at each edge of the picture the rotation under which that edge
// would be up, so that a technician who sees it lying down knows what to write.
func (d *drawing) rotationPage() {
	t, b, w := d.theme, d.screen(), d.words.first
	thick := d.px(14)
	for _, e := range []struct {
		bar, text Box
		turn      int
	}{
		{Box{b.X0, b.Y0, b.X1, b.Y0 + thick}, Box{b.X0, b.H() * 0.04, b.X1, b.H() * 0.18}, 0},
		{Box{b.X1 - thick, b.Y0, b.X1, b.Y1}, Box{b.W() * 0.68, b.H() * 0.5, b.W() * 0.97, b.H() * 0.64}, 90},
		{Box{b.X0, b.Y1 - thick, b.X1, b.Y1}, Box{b.X0, b.H() * 0.82, b.X1, b.H() * 0.96}, 180},
		{Box{b.X0, b.Y0, b.X0 + thick, b.Y1}, Box{b.W() * 0.03, b.H() * 0.5, b.W() * 0.32, b.H() * 0.64}, 270},
	} {
		ink, says := t.Muted, "test_up_if"
		if e.turn == 0 {
			ink, says = t.Amber, "test_up"
		}
		d.fill("test.edge", e.bar, 0, ink)
		d.middle("test.up", w.get(says), set{cap: d.cap(24), weight: Medium}, e.text.row(0, 2), ink)
		d.middle("test.rotation", fmt.Sprintf("rotation = %d", (d.v.Rotation+e.turn)%360), set{cap: d.cap(34), weight: Bold}, e.text.row(1, 2), ink)
	}
	d.upArrow(Box{b.W() * 0.4, b.H() * 0.46, b.W() * 0.6, b.H() * 0.76})
	d.testCaption(Box{b.X0, b.H() * 0.22, b.X1, b.H() * 0.42}, w.get("test_rotation"), "", t.Text)
}

// upArrow points to the top of the picture.
func (d *drawing) upArrow(b Box) {
	x, _ := b.centre()
	stroke, head := d.px(18), min(b.W(), b.H())*0.4
	d.line("test.arrow", x, b.Y0, x, b.Y1, stroke, true, d.theme.Amber)
	d.line("test.arrow", x, b.Y0, x-head, b.Y0+head, stroke, true, d.theme.Amber)
	d.line("test.arrow", x, b.Y0, x+head, b.Y0+head, stroke, true, d.theme.Amber)
}

// overscanPage has lines at shares of the screen from each edge, with the shares:
// what a monitor cuts off is read from the outermost line that is to be seen.
func (d *drawing) overscanPage() {
	t, b := d.theme, d.screen()
	shares := []float32{0, 1, 2.5, 5, 7.5, 10} // percent
	for i, percent := range shares {
		share := percent / 100
		col := t.Amber
		if i == 0 {
			col = rgb(0xffffff)
		}
		d.outline("test.line", b.inset(b.W()*share, b.H()*share).whole(), 0, d.px(2), col)
	}
	for i, percent := range shares {
		share := percent / 100
		run := d.shape(set{cap: d.cap(16), weight: Bold}, fmt.Sprintf("%g %%", percent), english)
		w, h := ceil(run.Advance+d.u(14)), ceil(run.CapHeight*1.5)
		along := (float32(i) - float32(len(shares)-1)/2) / float32(len(shares)) // -0.5 to 0.5
		x, y := b.W()*(0.5+0.7*along), b.H()*(0.5+0.6*along)
		at := b.inset(b.W()*share+d.px(2), b.H()*share+d.px(2))
		d.tag(run, box(x-w/2, at.Y0, w, h))
		d.tag(run, box(x-w/2, at.Y1-h, w, h))
		d.tag(run, box(at.X0, y-h/2, w, h))
		d.tag(run, box(at.X1-w, y-h/2, w, h))
	}
	w := d.words.first
	d.testCaption(b.inset(b.W()*0.2, b.H()*0.34), w.get("test_overscan"), w.get("test_see_edges"), t.Text)
}

// tag sets a short text on the ground, over lines that pass under it.
func (d *drawing) tag(run *Run, b Box) {
	b = b.whole()
	x, _ := b.centre()
	d.fill("test.tag", b, 0, d.theme.Ground)
	d.text("test.share", run, x-run.Advance/2, run.baseline(b.Y0, b.Y1), d.theme.Text)
}

// pixelPage has lines of one pixel and of two, upright and level: an even grey where
// each pixel of the picture is one of the panel, bands and blur where it is scaled.
func (d *drawing) pixelPage() {
	b := d.screen()
	d.fill("test.black", b, 0, rgb(0))
	for i := range 4 {
		d.stripes(b.row(i/2, 2).column(i%2, 2), float32(1+i/2), i%2 == 0)
	}
	w := d.words.first
	mid := b.inset(b.W()*0.14, b.H()*0.22).whole()
	d.panel("test.panel", mid, d.theme.Panel, d.theme.Border)
	top, rest := mid.inset(d.u(16), d.u(14)).top(mid.H() * 0.5)
	d.testCaption(top, w.get("test_grid"), w.get("test_see_pixels"), d.theme.Text)
	sizes := []float32{16, 20, 28}
	for i, cap := range sizes {
		text := fmt.Sprintf("%g  PLAYER 閒 BANKER 莊 TIE 和 $1–50", cap)
		d.middle("test.sharp", text, set{cap: d.cap(cap), weight: Bold}, rest.row(i, len(sizes)), d.theme.Text)
	}
}

// stripes are white lines of so many pixels with as much between them.
func (d *drawing) stripes(b Box, wide float32, upright bool) {
	white := rgb(0xffffff)
	if upright {
		for x := b.X0; x < b.X1; x += 2 * wide {
			d.fill("test.stripe", Box{x, b.Y0, min(x+wide, b.X1), b.Y1}, 0, white)
		}
		return
	}
	for y := b.Y0; y < b.Y1; y += 2 * wide {
		d.fill("test.stripe", Box{b.X0, y, b.X1, min(y+wide, b.Y1)}, 0, white)
	}
}

// swatch is one colour of the board.
type swatch struct {
	name string
	col  color.NRGBA
}

// coloursPage shows every colour that the board uses, with its name in the theme and
// its value, and the greys next to black and white, which a wrong range swallows.
func (d *drawing) coloursPage() {
	t := d.theme
	b := d.screen().inset(d.u(24), d.u(24))
	head, rest := b.top(b.H() * 0.24)
	w := d.words.first
	d.testCaption(head, w.get("test_colours")+"  "+t.Name, w.get("test_see_colours"), t.Text)
	grey, rest := rest.top(rest.H() * 0.2)
	d.greys(grey.row(0, 3), 0, 255)
	d.greys(grey.row(1, 3), 0, 45)
	d.greys(grey.row(2, 3), 210, 255)
	_, rest = rest.top(d.u(12))
	all := t.swatches()
	cols := 6
	if d.p.portrait {
		cols = 3
	}
	for i, s := range all {
		d.swatch(rest.row(i/cols, len(all)/cols).column(i%cols, cols), s)
	}
}

func (d *drawing) swatch(b Box, s swatch) {
	d.fill("test.colour", b, 0, s.col)
	ink := rgb(0xffffff)
	if int(s.col.R)*3+int(s.col.G)*6+int(s.col.B) > 1280 {
		ink = rgb(0)
	}
	in := b.inset(0, b.H()*0.12)
	d.middle("test.name", s.name, set{cap: d.cap(18), weight: Medium}, in.row(0, 2), ink)
	d.middle("test.value", fmt.Sprintf("#%02x%02x%02x", s.col.R, s.col.G, s.col.B), set{cap: d.cap(18), weight: Medium}, in.row(1, 2), ink)
}

// swatches are the theme's colours, four rows of six.
func (t *Theme) swatches() []swatch {
	return []swatch{
		{"player", t.Player}, {"banker", t.Banker}, {"tie", t.Tie}, {"gold", t.Gold}, {"kill", t.Kill}, {"text", t.Text},
		{"player bead", t.PlayerBead}, {"banker bead", t.BankerBead}, {"tie bead", t.TieBead}, {"white", t.White}, {"amber", t.Amber}, {"red", t.Red},
		{"player bar", t.Bar.Player}, {"banker bar", t.Bar.Banker}, {"tie bar", t.Bar.Tie}, {"betting bar", t.Bar.Betting}, {"rest bar", t.Bar.Rest}, {"closed bar", t.Bar.Closed},
		{"ground", t.Ground}, {"panel", t.Panel}, {"grid", t.Grid}, {"grid line", t.GridLine}, {"border", t.Border}, {"muted", t.Muted},
	}
}

// fieldPage is one colour over the whole panel: pixels that are dead or stuck stand
// out. The caption is as small as can be read, at the foot.
func (d *drawing) fieldPage(ground, ink color.NRGBA) {
	b := d.screen()
	d.fill("test.field", b, 0, ground)
	w := d.words.first
	foot := Box{b.X0, b.Y1 - b.H()*0.28, b.X1, b.Y1 - b.H()*0.03}
	d.testCaption(foot, w.get("test_field"), w.get("test_see_dots"), ink)
}
