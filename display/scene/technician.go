package scene

import (
	"fmt"
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
	d.middle("identify.word", d.words.first.Get(TableName, "name", d.b.Table), set{cap: head.H() * 0.4, weight: Bold}, head, ink)
	d.middle("identify.number", d.b.Table, set{cap: rest.H() * 0.86, weight: ExtraBold}, rest, ink)
	d.middle("identify.line", d.b.StatusLine, set{cap: d.cap(24), weight: Medium}, foot, ink)
}

// middle sets one line in the middle of b, smaller where it must be.
func (d *drawing) middle(name, text string, s set, b Box, col color.NRGBA) {
	run, _ := d.fit(s, d.least(16), text, d.words.first.Lang, b.W()*0.94)
	x, _ := b.centre()
	d.text(name, run, x-run.Advance/2, run.Baseline(b.Y0, b.Y1), col)
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
	const steps = 16
	for i := range steps {
		v := uint32(i * 255 / (steps - 1))
		d.fill("pattern.grey", grey.column(i, steps), 0, rgb(v<<16|v<<8|v))
	}
}

// patternTexts say what the screen is, and show every script of the board.
func (d *drawing) patternTexts(in Box) {
	rest := in
	rest.Y0 += in.H() * 0.36
	lines := []string{
		d.words.first.Get(TestPattern),
		fmt.Sprintf("%d × %d", d.v.W, d.v.H),
		"PLAYER BANKER TIE 0123456789",
		"閒莊和 例牌 · 闲庄和 · Con Cái Hòa · 플레이어 뱅커 타이 · Ñ",
	}
	for i, text := range lines {
		cap := float32(30)
		if i == 0 {
			cap = 46
		}
		d.middle("pattern.text", text, set{cap: d.cap(cap), weight: Bold}, rest.row(i, len(lines)), d.theme.Text)
	}
}

// keypadPage shows every key with its name, whether it is down and how often it
// was pressed.
func (d *drawing) keypadPage() {
	b := d.screen().inset(d.u(48), d.u(40))
	head, rest := b.top(d.u(150))
	d.middle("keypad.title", d.words.first.Get(KeypadTest), set{cap: d.cap(48), weight: Bold}, head.row(0, 2), d.theme.Text)
	d.middle("keypad.hint", d.words.first.Get(KeypadHint), set{cap: d.cap(24), weight: Medium}, head.row(1, 2), d.theme.Muted)
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
