package scene

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"shoeboard/stats"
)

// fields are the pages of one colour, with the ink of their captions.
var fields = map[string][2]color.NRGBA{
	"white": {rgb(0xffffff), rgb(0)}, "black": {rgb(0), rgb(0x808080)}, "red": {rgb(0xff0000), rgb(0)},
	"green": {rgb(0x00ff00), rgb(0)}, "blue": {rgb(0x0000ff), rgb(0xffffff)},
}

// testPage draws the technician's page that Board.Test names, the pattern for a
// name that this program does not know.
func (d *drawing) testPage() {
	page, code, _ := strings.Cut(d.b.Test, "-")
	c := catalogueOf(Lang(code))
	switch {
	case page == "rotation":
		d.rotationPage()
	case page == "overscan":
		d.overscanPage()
	case page == "grid":
		d.pixelPage()
	case page == "colours":
		d.coloursPage()
	case page == "phases" && c != nil:
		d.wordsPage(c, "test_phases", d.phaseWords(c))
	case page == "labels" && c != nil:
		d.wordsPage(c, "test_labels", d.labelWords(c))
	case fields[page] != [2]color.NRGBA{}:
		d.fieldPage(fields[page])
	default:
		d.testPattern()
	}
}

// panelMode says what the panel really shows: its pixels as it hangs, before the
// picture is turned, and by how much it is turned.
func (d *drawing) panelMode() string {
	w, h := d.v.W, d.v.H
	if d.v.Rotation%180 != 0 {
		w, h = h, w
	}
	return d.words.first.get("test_mode", "n", strconv.Itoa(w), "m", strconv.Itoa(h), "a", strconv.Itoa(d.v.Rotation))
}

// pageName returns a page's title, its place among the pages and the name it is asked
// for by.
func (d *drawing) pageName(title string) string {
	pages := stats.TestPages()
	return fmt.Sprintf("%s   %d/%d   %s", title, slices.Index(pages, d.b.Test)+1, len(pages), d.b.Test)
}

// testCaption sets what every page says: its name, the panel's mode, what to look for
// and how to go on. Lines that are empty are left out.
func (d *drawing) testCaption(b Box, title, look string, ink color.NRGBA) {
	lines := []string{d.pageName(title), d.panelMode(), look, d.words.first.get("test_next")}
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	head, step := d.u(54), d.u(42)
	if tight := b.H() / (head + step*float32(len(lines)-1)); tight < 1 {
		head, step = head*tight, step*tight
	}
	y := (b.Y0 + b.Y1 - head - step*float32(len(lines)-1)) / 2
	for i, text := range lines {
		s, h := set{cap: d.cap(20), weight: Medium}, step
		if i == 0 {
			s, h = set{cap: d.cap(26), weight: Bold}, head
		}
		row := Box{b.X0, y, b.X1, y + h}.whole()
		if d.b.Test == "pattern" {
			d.plate(text, s, row)
		}
		d.middle("test.caption", text, s, row, ink)
		y += h
	}
}

// plate clears the place of a line on the pattern, whose circle passes there.
func (d *drawing) plate(text string, s set, b Box) {
	run, _ := d.fit(s, d.least(16), text, d.words.first.Lang, b.W()*0.94)
	d.fill("test.plate", b.inset((b.W()-run.Advance)/2-d.u(14), 0).whole(), 0, d.theme.Ground)
}

// testPattern shows whether a panel is set up: its very edge, its colours, its
// greys, whether circles are round, and every script.
func (d *drawing) testPattern() {
	t, b := d.theme, d.screen()
	step := b.H() / 12
	for x := b.X0 + step; x < b.X1; x += step {
		d.fill("pattern.grid", Box{round(x), b.Y0, round(x) + 1, b.Y1}, 0, t.GridLine)
	}
	for y := b.Y0 + step; y < b.Y1; y += step {
		d.fill("pattern.grid", Box{b.X0, round(y), b.X1, round(y) + 1}, 0, t.GridLine)
	}
	d.outline("pattern.edge", b, 0, max(1, d.px(2)), rgb(0xffffff))
	for _, share := range []float32{0.025, 0.05} {
		d.outline("pattern.overscan", b.inset(b.W()*share, b.H()*share).whole(), 0, d.px(2), t.Amber)
	}
	x, y := b.centre()
	d.ring("pattern.circle", x, y, min(b.W(), b.H())*0.86, d.px(3), t.Muted)
	in := b.inset(b.W()*0.14, b.H()*0.16)
	bar, rest := in.top(in.H() * 0.22)
	grey, _ := rest.top(in.H() * 0.12)
	colours := []color.NRGBA{t.Player, t.Banker, t.Tie, t.Gold, t.Kill, t.Text, t.PlayerBead, t.BankerBead, t.TieBead}
	for i, c := range colours {
		d.fill("pattern.colour", bar.column(i, len(colours)), 0, c)
	}
	d.greys(grey, 0, 255)
	in.Y0 += in.H() * 0.36
	d.patternTexts(in)
}

// greys draws sixteen steps between two levels of 0 to 255.
func (d *drawing) greys(b Box, from, to uint32) {
	const steps = 16
	for i := range uint32(steps) {
		v := from + i*(to-from)/(steps-1)
		d.fill("pattern.grey", b.column(int(i), steps), 0, rgb(v<<16|v<<8|v))
	}
}

// patternTexts says what the screen is, and shows every script of the board.
func (d *drawing) patternTexts(b Box) {
	texts, foot := b.top(b.H() * 0.42)
	for i, text := range []string{
		"PLAYER BANKER TIE 0123456789",
		"閒莊和 例牌 · 闲庄和 · Con Cái Hòa · 플레이어 뱅커 타이 · Ñ",
	} {
		s, row := set{cap: d.cap(30), weight: Bold}, texts.row(i, 2)
		d.plate(text, s, row.inset(0, d.u(12)))
		d.middle("pattern.text", text, s, row, d.theme.Text)
	}
	d.testCaption(foot, d.words.first.get("test_pattern"), "", d.theme.Text)
}

// rotationPage names at each edge of the picture the rotation under which that edge
// would be up, so that a technician who sees it lying down knows what to write.
func (d *drawing) rotationPage() {
	t, b, w := d.theme, d.screen(), d.words.first
	thick := d.px(14)
	part := func(x0, y0, x1, y1 float32) Box { return Box{b.W() * x0, b.H() * y0, b.W() * x1, b.H() * y1} }
	for i, e := range []struct{ bar, text Box }{
		{Box{b.X0, b.Y0, b.X1, b.Y0 + thick}, part(0, 0.04, 1, 0.18)},
		{Box{b.X1 - thick, b.Y0, b.X1, b.Y1}, part(0.68, 0.5, 0.97, 0.64)},
		{Box{b.X0, b.Y1 - thick, b.X1, b.Y1}, part(0, 0.82, 1, 0.96)},
		{Box{b.X0, b.Y0, b.X0 + thick, b.Y1}, part(0.03, 0.5, 0.32, 0.64)},
	} {
		ink, says := t.Muted, "test_up_if"
		if i == 0 {
			ink, says = t.Amber, "test_up"
		}
		turn := fmt.Sprintf("rotation = %d", (d.v.Rotation+90*i)%360)
		d.fill("test.edge", e.bar, 0, ink)
		d.middle("test.up", w.get(says), set{cap: d.cap(24), weight: Medium}, e.text.row(0, 2), ink)
		d.middle("test.rotation", turn, set{cap: d.cap(34), weight: Bold}, e.text.row(1, 2), ink)
	}
	d.upArrow(part(0.4, 0.46, 0.6, 0.76))
	d.testCaption(part(0, 0.22, 1, 0.42), w.get("test_rotation"), "", t.Text)
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
	b, w, col := d.screen(), d.words.first, rgb(0xffffff)
	shares := []float32{0, 1, 2.5, 5, 7.5, 10} // percent
	for _, percent := range shares {
		d.outline("test.line", b.inset(b.W()*percent/100, b.H()*percent/100).whole(), 0, d.px(2), col)
		col = d.theme.Amber
	}
	for i, percent := range shares {
		run := d.shape(set{cap: d.cap(16), weight: Bold}, fmt.Sprintf("%g %%", percent), english)
		w, h := ceil(run.Advance+d.u(14)), ceil(run.CapHeight*1.5)
		along := (float32(i) - float32(len(shares)-1)/2) / float32(len(shares)) // -0.5 to 0.5
		x, y := b.W()*(0.5+0.7*along), b.H()*(0.5+0.6*along)
		at := b.inset(b.W()*percent/100+d.px(2), b.H()*percent/100+d.px(2))
		d.tag(run, box(x-w/2, at.Y0, w, h))
		d.tag(run, box(x-w/2, at.Y1-h, w, h))
		d.tag(run, box(at.X0, y-h/2, w, h))
		d.tag(run, box(at.X1-w, y-h/2, w, h))
	}
	d.testCaption(b.inset(b.W()*0.2, b.H()*0.34), w.get("test_overscan"), w.get("test_see_edges"), d.theme.Text)
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
	b, w := d.screen(), d.words.first
	d.fill("test.black", b, 0, rgb(0))
	for i := range 4 {
		d.stripes(b.row(i/2, 2).column(i%2, 2), float32(1+i/2), i%2 == 0)
	}
	mid := b.inset(b.W()*0.14, b.H()*0.22).whole()
	d.panel("test.panel", mid, d.theme.Panel, d.theme.Border)
	top, rest := mid.inset(d.u(16), d.u(14)).top(mid.H() * 0.5)
	d.testCaption(top, w.get("test_grid"), w.get("test_see_pixels"), d.theme.Text)
	for i, cap := range []float32{16, 20, 28} {
		text := fmt.Sprintf("%g  PLAYER 閒 BANKER 莊 TIE 和 $1–50", cap)
		d.middle("test.sharp", text, set{cap: d.cap(cap), weight: Bold}, rest.row(i, 3), d.theme.Text)
	}
}

// stripes draws white lines of so many pixels with as much between them.
func (d *drawing) stripes(b Box, wide float32, upright bool) {
	for x := b.X0; upright && x < b.X1; x += 2 * wide {
		d.fill("test.stripe", Box{x, b.Y0, min(x+wide, b.X1), b.Y1}, 0, rgb(0xffffff))
	}
	for y := b.Y0; !upright && y < b.Y1; y += 2 * wide {
		d.fill("test.stripe", Box{b.X0, y, b.X1, min(y+wide, b.Y1)}, 0, rgb(0xffffff))
	}
}

// coloursPage shows every colour that the board uses, with its name in the theme and
// its value, and the greys next to black and white, which a wrong range swallows.
func (d *drawing) coloursPage() {
	t, w := d.theme, d.words.first
	b := d.screen().inset(d.u(24), d.u(24))
	head, rest := b.top(b.H() * 0.24)
	d.testCaption(head, w.get("test_colours")+"  "+t.Name, w.get("test_see_colours"), t.Text)
	grey, rest := rest.top(rest.H() * 0.2)
	d.greys(grey.row(0, 3), 0, 255)
	d.greys(grey.row(1, 3), 0, 45)
	d.greys(grey.row(2, 3), 210, 255)
	_, rest = rest.top(d.u(12))
	all, cols := t.swatches(), int(d.p.either(6, 3))
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
	style, in := set{cap: d.cap(18), weight: Medium}, b.inset(0, b.H()*0.12)
	d.middle("test.name", s.name, style, in.row(0, 2), ink)
	d.middle("test.value", fmt.Sprintf("#%02x%02x%02x", s.col.R, s.col.G, s.col.B), style, in.row(1, 2), ink)
}

// fieldPage draws one colour over the whole panel: pixels that are dead or stuck stand
// out. The caption is as small as can be read, at the foot.
func (d *drawing) fieldPage(f [2]color.NRGBA) {
	b, w := d.screen(), d.words.first
	d.fill("test.field", b, 0, f[0])
	foot := Box{b.X0, b.Y1 - b.H()*0.28, b.X1, b.Y1 - b.H()*0.03}
	d.testCaption(foot, w.get("test_field"), w.get("test_see_dots"), f[1])
}
