package scene

import (
	"image/color"
	"math"
	"strconv"

	"shoeboard/stats"
)

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
	foot := rest
	foot.Y0 = b.Y1 - b.H()*0.14
	rest.Y1 = foot.Y0
	d.middle("identify.word", d.words.first.get("table", "name", d.b.Table), set{cap: head.H() * 0.4, weight: Bold}, head, ink)
	d.middle("identify.number", d.b.Table, set{cap: rest.H() * 0.86, weight: ExtraBold}, rest, ink)
	d.middle("identify.line", d.b.StatusLine, set{cap: d.cap(24), weight: Medium}, foot, ink)
}

// middle sets one line in the middle of b, smaller where it must be.
func (d *drawing) middle(name, text string, s set, b Box, col color.NRGBA) {
	run, _ := d.fit(s, d.least(16), text, d.words.first.Lang, b.W()*0.94)
	x, _ := b.centre()
	d.text(name, run, x-run.Advance/2, run.baseline(b.Y0, b.Y1), col)
}

// keypadPage shows every key with its name, whether it is down and how often it
// was pressed.
func (d *drawing) keypadPage() {
	b := d.screen().inset(d.u(48), d.u(40))
	head, rest := b.top(d.u(150))
	d.middle("keypad.title", d.words.first.get("keypad_test"), set{cap: d.cap(48), weight: Bold}, head.row(0, 2), d.theme.Text)
	hint := d.words.first.get("keypad_hint")
	if out := d.b.Dealer.Lines[1]; out != "" { // how the test is left, as the echo has it
		hint += "     " + out
	}
	d.middle("keypad.hint", hint, set{cap: d.cap(24), weight: Medium}, head.row(1, 2), d.theme.Muted)
	n := len(d.b.Keypad)
	if n == 0 {
		return
	}
	cols := max(1, int(math.Ceil(math.Sqrt(float64(n)*0.8))))
	lines := (n + cols - 1) / cols
	for i, k := range d.b.Keypad {
		d.keyCell(rest.row(i/cols, lines).column(i%cols, cols).inset(d.u(8), d.u(8)).whole(), k)
	}
}

func (d *drawing) keyCell(b Box, k stats.KeyState) {
	t := d.theme
	fill, edge, ink := t.Panel, t.Border, t.Text
	switch {
	case k.Down:
		fill, edge, ink = t.Chip, t.Chip, t.ChipText
	case k.Seen > 0:
		edge = t.Text
	default:
		ink = t.Muted
	}
	d.panel("keypad.key", b, fill, edge)
	in := b.inset(d.u(12), d.u(8))
	top, rest := in.top(in.H() * 0.36)
	d.middle("keypad.pos", k.Pos, set{cap: d.cap(18), weight: Medium}, top, ink)
	mid, low := rest.top(rest.H() * 0.5)
	d.middle("keypad.name", k.Name, set{cap: d.cap(24), weight: Bold}, mid, ink)
	if k.Seen > 0 {
		d.middle("keypad.seen", strconv.Itoa(k.Seen), set{cap: d.cap(18), weight: Medium, tabular: true}, low, ink)
	}
}
