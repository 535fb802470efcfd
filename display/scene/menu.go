package scene

import (
	"image/color"

	"shoeboard/stats"
)

// menuFew is how many lines a page of the technician's menu has room for at least: a
// page of fewer stays as large as one of so many.
const menuFew = 5

// menuPage draws the technician's menu in the place of the board: its title, the
// lines in view, and which key does what. Its words are those of the keypad's echo,
// and English like they are.
func (d *drawing) menuPage(m *stats.Menu) {
	t := d.theme
	b := d.screen().inset(d.u(56), d.u(44))
	head, rest := b.top(d.u(92))
	foot := rest
	foot.Y0 = rest.Y1 - d.u(118)
	rest.Y1 = foot.Y0
	d.menuHead(m, head.whole())
	rest.Y0 += d.u(14)
	d.panel("menu", rest.whole(), t.Panel, t.Border)
	d.menuLines(m, rest.inset(d.u(36), d.u(24)))
	if m.Refused != "" {
		d.menuText("menu.refused", m.Refused, set{cap: d.cap(24), weight: Bold}, foot.row(0, 2), t.Amber)
	}
	d.menuText("menu.hint", m.Hint, set{cap: d.cap(22), weight: SemiBold}, foot.row(1, 2), t.Muted)
}

// menuHead is the title, and at the right end what the page waits for, or which table
// this is.
func (d *drawing) menuHead(m *stats.Menu, b Box) {
	t := d.theme
	right, ink := d.words.first.get("table", "name", d.b.Table), t.Muted
	switch {
	case m.Working:
		right, ink = "WORKING", t.Amber
	case m.Failed:
		right, ink = "FAILED", t.Amber
	}
	side, left := b.right(b.W() * 0.28)
	run, _ := d.fit(set{cap: d.cap(26), weight: Bold}, d.least(16), right, d.words.first.Lang, side.W())
	d.text("menu.state", run, side.X1-run.Advance, run.baseline(b.Y0, b.Y1), ink)
	left.X1 -= d.u(24)
	title := t.Text
	if m.Asking {
		title = t.Amber
	}
	d.menuText("menu.title", m.Title, set{cap: d.cap(44), weight: ExtraBold}, left, title)
}

// menuText sets one line from the left, smaller where it must be.
func (d *drawing) menuText(name, text string, s set, b Box, col color.NRGBA) {
	run, _ := d.fit(s, d.least(16), text, english, b.W())
	d.text(name, run, b.X0, run.baseline(b.Y0, b.Y1), col)
}

// menuLines are the lines in view, all of one size, and that there are more.
func (d *drawing) menuLines(m *stats.Menu, b Box) {
	t := d.theme
	row := round(min(b.H()/float32(max(len(m.Lines), menuFew)), d.u(80)))
	if len(m.Lines) <= menuFew {
		row = round(min(b.H()/menuFew, d.u(110)))
	}
	s := set{cap: max(d.cap(28), float32(int(row*0.38))), weight: SemiBold}
	for _, text := range m.Lines {
		run, _ := d.fit(s, d.least(16), text, english, b.W())
		s.cap = min(s.cap, run.CapHeight)
	}
	s.cap = max(d.least(16), float32(int(s.cap)))
	for i, text := range m.Lines {
		at := Box{b.X0, b.Y0 + row*float32(i), b.X1, b.Y0 + row*float32(i+1)}
		if i == m.At {
			d.fill("menu.mark", Box{b.X0 - d.u(20), at.Y0 + row*0.16, b.X0 - d.u(12), at.Y1 - row*0.16}.whole(), 0, t.Amber)
		}
		d.menuText("menu.line", text, s, at, t.Text)
	}
	if m.Above {
		d.chevron("menu.above", b.X1+d.u(14), b.Y0, d.u(10))
	}
	if m.Below {
		d.chevron("menu.below", b.X1+d.u(14), b.Y1, -d.u(10))
	}
}

// chevron points up from its tip when rise is more than nothing, else down.
func (d *drawing) chevron(name string, x, y, rise float32) {
	for _, side := range []float32{-d.u(12), d.u(12)} {
		d.line(name, x+side, y+rise, x, y, d.px(4), true, d.theme.Amber)
	}
}
