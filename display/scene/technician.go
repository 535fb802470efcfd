package scene

import (
	"image/color"
	"math"
	"strconv"

	"shoeboard/stats"
)

// middle sets one line in the middle of b, smaller where it must be.
func (d *drawing) middle(name, text string, s set, b Box, col color.NRGBA) {
	d.write(name, text, s, b.inset(b.W()*0.03, 0), 0.5, col)
}

// identify fills the screen with the table's number, flashing, so that it is
// found from across the room.
func (d *drawing) identify() {
	t, b := d.theme, d.screen()
	ink, ground := t.Text, t.Panel
	if d.v.Now/flashHalf%2 == 1 {
		ink, ground = t.Ground, t.Amber
	}
	d.fill("identify", b, 0, ground)
	head, rest := b.top(b.H() * 0.18)
	number, foot := rest.top(b.H() * 0.68)
	table := d.words.first.get("table", "name", d.b.Table)
	d.middle("identify.word", table, set{cap: head.H() * 0.4, weight: Bold}, head, ink)
	d.middle("identify.number", d.b.Table, set{cap: number.H() * 0.86, weight: ExtraBold}, number, ink)
	d.middle("identify.line", d.b.StatusLine, set{cap: d.cap(24), weight: Medium}, foot, ink)
}

// keypadPage shows every key with its name, whether it is down and how often it
// was pressed.
func (d *drawing) keypadPage() {
	head, rest := d.screen().inset(d.u(48), d.u(40)).top(d.u(150))
	hint := d.words.first.get("keypad_hint")
	if out := d.b.Dealer.Lines[1]; out != "" { // how the test is left, as the echo has it
		hint += "     " + out
	}
	title := d.words.first.get("keypad_test")
	d.middle("keypad.title", title, set{cap: d.cap(48), weight: Bold}, head.row(0, 2), d.theme.Text)
	d.middle("keypad.hint", hint, set{cap: d.cap(24), weight: Medium}, head.row(1, 2), d.theme.Muted)
	n := len(d.b.Keypad)
	cols := max(1, int(math.Ceil(math.Sqrt(float64(n)*0.8))))
	lines := (n + cols - 1) / cols
	for i, k := range d.b.Keypad {
		d.keyCell(rest.row(i/cols, lines).column(i%cols, cols).inset(d.u(8), d.u(8)).whole(), k)
	}
}

func (d *drawing) keyCell(b Box, k stats.KeyState) {
	t := d.theme
	fill, edge, ink := t.Panel, t.Border, t.Muted
	switch {
	case k.Down:
		fill, edge, ink = t.Chip, t.Chip, t.ChipText
	case k.Seen > 0:
		edge, ink = t.Text, t.Text
	}
	d.panel("keypad.key", b, fill, edge)
	in := b.inset(d.u(12), d.u(8))
	top, rest := in.top(in.H() * 0.36)
	d.middle("keypad.pos", k.Pos, set{cap: d.cap(18), weight: Medium}, top, ink)
	d.middle("keypad.name", k.Name, set{cap: d.cap(24), weight: Bold}, rest.row(0, 2), ink)
	if k.Seen > 0 {
		seen := set{cap: d.cap(18), weight: Medium, tabular: true}
		d.middle("keypad.seen", strconv.Itoa(k.Seen), seen, rest.row(1, 2), ink)
	}
}

// menuFew is how many lines a page of the technician's menu has room for at least: a
// page of fewer stays as large as one of so many.
const menuFew = 5

// menuPage draws the technician's menu in the place of the board: its title, the
// lines in view, and which key does what. Its words are those of the keypad's echo,
// and English like they are.
func (d *drawing) menuPage(m *stats.Menu) {
	t, b := d.theme, d.screen().inset(d.u(56), d.u(44))
	head, rest := b.top(d.u(92))
	rest, foot := rest.top(rest.H() - d.u(118))
	d.menuHead(m, head.whole())
	rest.Y0 += d.u(14)
	d.panel("menu", rest.whole(), t.Panel, t.Border)
	d.menuLines(m, rest.inset(d.u(36), d.u(24)))
	d.write("menu.refused", m.Refused, set{cap: d.cap(24), weight: Bold}, foot.row(0, 2), 0, t.Amber)
	d.write("menu.hint", m.Hint, set{cap: d.cap(22), weight: SemiBold}, foot.row(1, 2), 0, t.Muted)
}

// menuHead draws the title, and at the right end what the page waits for, or which table
// this is.
func (d *drawing) menuHead(m *stats.Menu, b Box) {
	t := d.theme
	right, ink, title := d.words.first.get("table", "name", d.b.Table), t.Muted, t.Text
	switch {
	case m.Working:
		right, ink = "WORKING", t.Amber
	case m.Failed:
		right, ink = "FAILED", t.Amber
	case m.Asking:
		title = t.Amber
	}
	side, left := b.right(b.W() * 0.28)
	left.X1 -= d.u(24)
	d.write("menu.state", right, set{cap: d.cap(26), weight: Bold}, side, 1, ink)
	d.write("menu.title", m.Title, set{cap: d.cap(44), weight: ExtraBold}, left, 0, title)
}

// menuLines draws the lines in view, all of one size, and that there are more.
func (d *drawing) menuLines(m *stats.Menu, b Box) {
	high := round(min(b.H()/float32(max(len(m.Lines), menuFew)), d.u(80)))
	if len(m.Lines) <= menuFew {
		high = round(min(b.H()/menuFew, d.u(110)))
	}
	s := set{cap: max(d.cap(28), float32(int(high*0.38))), weight: SemiBold}
	for _, text := range m.Lines {
		run, _ := d.fit(s, d.least(16), text, english, b.W())
		s.cap = min(s.cap, run.CapHeight)
	}
	s.cap = max(d.least(16), float32(int(s.cap)))
	for i, text := range m.Lines {
		at := Box{b.X0, b.Y0 + high*float32(i), b.X1, b.Y0 + high*float32(i+1)}
		if i == m.At {
			mark := Box{b.X0 - d.u(20), at.Y0 + high*0.16, b.X0 - d.u(12), at.Y1 - high*0.16}
			d.fill("menu.mark", mark.whole(), 0, d.theme.Amber)
		}
		d.write("menu.line", text, s, at, 0, d.theme.Text)
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

// demo writes DEMO across the whole screen, faint enough to read through.
func (d *drawing) demo() {
	b := d.screen()
	run, _ := d.fit(set{cap: b.H() * 0.5, weight: ExtraBold, tracking: 0.02}, 1, "DEMO", english, b.W()*0.92)
	ink := faint(d.theme.Text, 0.11)
	d.text("demo", run, (b.X0+b.X1-run.Advance)/2, run.baseline(b.Y0, b.Y1), ink)
}

// waiting says over the last picture that the core cannot be reached.
func (d *drawing) waiting() {
	d.fill("waiting.veil", d.screen(), 0, faint(d.theme.Ground, 0.72))
	x, y := d.screen().centre()
	s := set{cap: d.cap(40), weight: Bold}
	r := d.label("waiting.text", d.words.say("waiting"), s, d.screen().W()-d.u(180), d.theme.Text)
	b := box(x-r.width()/2-d.u(48), y-d.u(70), r.width()+d.u(96), d.u(140)).whole()
	d.panel("waiting", b, d.theme.Panel, d.theme.Amber)
	d.putCentre(r, x, round(r[0].run.baseline(b.Y0, b.Y1)))
}
