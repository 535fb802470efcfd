package scene

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"shoeboard/stats"
)

// testPage draws the technician's page that Board.Test names, the pattern for a
// name that this program does not know.
func (d *drawing) testPage() {
	page, code, _ := strings.Cut(d.b.Test, "-")
	switch page {
	case "rotation":
		d.rotationPage()
	case "overscan":
		d.overscanPage()
	case "grid":
		d.pixelPage()
	case "colours":
		d.coloursPage()
	case "white":
		d.fieldPage(rgb(0xffffff), rgb(0))
	case "black":
		d.fieldPage(rgb(0), rgb(0x808080))
	case "red":
		d.fieldPage(rgb(0xff0000), rgb(0))
	case "green":
		d.fieldPage(rgb(0x00ff00), rgb(0))
	case "blue":
		d.fieldPage(rgb(0x0000ff), rgb(0xffffff))
	case "phases":
		d.phasesPage(Lang(code))
	case "labels":
		d.labelsPage(Lang(code))
	default:
		d.testPattern()
	}
}

// panelMode is what the panel really shows: its pixels as it hangs, before the
// picture is turned, and by how much it is turned.
func (d *drawing) panelMode() string {
	w, h := d.v.W, d.v.H
	if d.v.Rotation%180 != 0 {
		w, h = h, w
	}
	return d.words.first.get("test_mode", "n", strconv.Itoa(w), "m", strconv.Itoa(h), "a", strconv.Itoa(d.v.Rotation))
}

// pageName is a page's title, its place among the pages and the name it is asked
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
		d.plate(text, s, row)
		d.middle("test.caption", text, s, row, ink)
		y += h
	}
}

// plate clears the place of a line on the pattern, whose circle passes there.
func (d *drawing) plate(text string, s set, b Box) {
	if d.b.Test != "pattern" {
		return
	}
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
	d.patternColours(in)
	d.patternTexts(in)
}

// patternColours are the colours that the board uses, and the greys.
func (d *drawing) patternColours(in Box) {
	t := d.theme
	bar, rest := in.top(in.H() * 0.22)
	colours := []color.NRGBA{t.Player, t.Banker, t.Tie, t.Gold, t.Kill, t.Text, t.PlayerBead, t.BankerBead, t.TieBead}
	for i, c := range colours {
		d.fill("pattern.colour", bar.column(i, len(colours)), 0, c)
	}
	grey, _ := rest.top(in.H() * 0.12)
	d.greys(grey, 0, 255)
}

// greys are sixteen steps between two levels of 0 to 255.
func (d *drawing) greys(b Box, from, to uint32) {
	const steps = 16
	for i := range uint32(steps) {
		v := from + i*(to-from)/(steps-1)
		d.fill("pattern.grey", b.column(int(i), steps), 0, rgb(v<<16|v<<8|v))
	}
}

// patternTexts say what the screen is, and show every script of the board.
func (d *drawing) patternTexts(in Box) {
	rest := in
	rest.Y0 += in.H() * 0.36
	lines := []string{
		"PLAYER BANKER TIE 0123456789",
		"閒莊和 例牌 · 闲庄和 · Con Cái Hòa · 플레이어 뱅커 타이 · Ñ",
	}
	texts, foot := rest.top(rest.H() * 0.42)
	for i, text := range lines {
		s, row := set{cap: d.cap(30), weight: Bold}, texts.row(i, len(lines))
		d.plate(text, s, row.inset(0, d.u(12)))
		d.middle("pattern.text", text, s, row, d.theme.Text)
	}
	d.testCaption(foot, d.words.first.get("test_pattern"), "", d.theme.Text)
}
