package scene

import (
	"image/color"
	"strconv"

	"shoeboard/tracker/game"
)

// bar draws the phase bar: what may I do now, what won, what does it pay.
func (d *drawing) bar() {
	s, b := d.say(), d.p.bar
	d.barGround(s, b)
	if d.p.portrait {
		d.uprightBar(s, b)
		return
	}
	d.wideBar(s, b)
}

// barGround fills the bar; a countdown fills it from the left by what is left.
func (d *drawing) barGround(s barSay, b Box) {
	r := d.px(10)
	if s.counting {
		d.fill("bar", b, r, d.theme.Bar.Rest)
		w := round(b.W() * s.share)
		if w > 2*r {
			corners := TopLeft | BottomLeft
			if s.share == 1 {
				corners = 0
			}
			d.add(Op{Kind: Rect, Name: "bar.left", X: b.X0, Y: b.Y0, W: w, H: b.H(), Radius: r, Corners: corners, Color: s.fill})
		}
	} else {
		d.fill("bar", b, r, s.fill)
	}
	d.outline("bar.edge", b, r, d.px(2), s.edge)
}

// barFit is one way to set the bar: cap heights in units, 0 for the least, and
// what gives way.
type barFit struct {
	phase, second, line float32
	chip                bool // the last hand
	lineSecond          bool // the second line in the second language too
	seconds             bool // the phase in the second language too
	small               bool // the second language, if it is set in Latin, smaller
	two                 bool // the second line broken in two
	short               bool // short names of bets
	broken              bool // portrait: the phase itself in two lines
	noTotals            bool // the totals, which the felt shows too
}

// barFits are looked through for the first that fits. The last hand gives way
// first, then the second language of the second line, then names, then the totals,
// then the second language of the phase.
var barFits = []barFit{
	{phase: 73, second: 73, line: 35, chip: true, lineSecond: true, seconds: true},
	{phase: 70, second: 62, line: 32, chip: true, lineSecond: true, seconds: true},
	{phase: 60, second: 53, line: 28, chip: true, lineSecond: true, seconds: true}, // small screens only
	{phase: 70, second: 62, line: 32, chip: true, lineSecond: true, seconds: true, small: true},
	{phase: 70, second: 62, line: 32, lineSecond: true, seconds: true},
	{phase: 60, second: 53, line: 28, lineSecond: true, seconds: true},
	{phase: 70, second: 62, line: 32, lineSecond: true, seconds: true, small: true},
	{phase: 70, second: 62, line: 32, seconds: true, small: true, two: true},
	{phase: 70, second: 62, line: 32, lineSecond: true, seconds: true, small: true, short: true},
	{phase: 70, second: 62, line: 32, seconds: true, small: true, short: true, two: true},
	{phase: 60, second: 53, line: 28, seconds: true, small: true, noTotals: true},
	{phase: 70, line: 32, chip: true, lineSecond: true},
	{phase: 70, line: 32, lineSecond: true},
	{phase: 70, line: 32, two: true},
	{phase: 70, line: 32, short: true, two: true},
	{phase: 70, line: 32, lineSecond: true, broken: true},
	{phase: 70, line: 32, two: true, broken: true},
	{short: true, two: true}, // on a small screen: the least sizes
	{phase: 70, line: 32, lineSecond: true, noTotals: true},
	{phase: 70, line: 32, short: true, two: true, noTotals: true},
	{short: true, two: true, noTotals: true},
}

// block is something at the right of the bar, drawn from its left edge.
type block struct {
	w    float32
	draw func(x float32)
}

// wideBar is the landscape bar: the phase at the left, all else at the right.
func (d *drawing) wideBar(s barSay, b Box) {
	in, gap := b.inset(d.u(36), 0), d.u(36)
	for i, f := range barFits {
		phase := d.phaseRow(s, f)
		blocks := d.barBlocks(s, f, b)
		rest := in.W() - total(blocks, gap)
		if phase.width() > rest && i < len(barFits)-1 {
			continue
		}
		if phase.width() > rest {
			phase = d.squeezed(phase, rest)
		}
		d.putPhase(s, phase, in)
		drawRight(blocks, in.X1, gap)
		return
	}
}

// total is the width of blocks, each with the gap before it.
func total(blocks []block, gap float32) float32 {
	var w float32
	for _, k := range blocks {
		w += k.w + gap
	}
	return w
}

// drawRight draws blocks so that the last ends at x.
func drawRight(blocks []block, x, gap float32) {
	x -= total(blocks, gap) - gap
	for _, k := range blocks {
		k.draw(x)
		x += k.w + gap
	}
}

// squeezed is what is left when nothing fits: the phase in the first language,
// as large as there is room. It is small, but it is never cut.
func (d *drawing) squeezed(phase row, width float32) row {
	if len(phase) == 0 {
		return nil
	}
	run, _ := d.fit(d.phaseSet(70, phase[0].run.Text), 1, phase[0].run.Text, d.words.first.Lang, max(1, width))
	return one("bar.phase", run, phase[0].color)
}

// phaseRow sets the phase in one or two languages.
func (d *drawing) phaseRow(s barSay, f barFit) row {
	p := s.phase
	if f.short && s.short.first != "" {
		p = s.short
	}
	if p.first == "" {
		return nil
	}
	if s.small != "" {
		f.phase, f.second = 62, 56
	}
	t := d.theme.Bar.TextOver
	r := one("bar.phase", d.shape(d.phaseSet(f.phase, p.first), p.first, d.words.first.Lang), t)
	if p.second == "" || !f.seconds {
		return r
	}
	l, set := d.words.second.Lang, set{cap: d.capOr(f.second, 60), weight: ExtraBold, tracking: -0.005}
	if squares(p.second) {
		set.cap *= 1.12 / square
		set.weight = Bold
	} else if f.small || s.small != "" {
		set.cap = d.cap(36)
	} else if d.words.alike() { // as large, it would read on as one phrase
		set.cap = min(set.cap, d.cap(48))
	}
	return append(r, piece{"bar.second", d.shape(set, p.second, l), d.u(28), t})
}

// phaseSet is how the phase is set: capitals of n units.
func (d *drawing) phaseSet(n float32, text string) set {
	s := set{cap: d.capOr(n, 70), weight: ExtraBold, tracking: -0.005}
	if squares(text) {
		s.cap *= 0.95 // such a line is tall enough
	}
	return s
}

// capIn is a cap height of n units in a fit, the least where the phase has it too.
func (d *drawing) capIn(f barFit, n float32) float32 {
	if f.phase == 0 {
		return d.least(n)
	}
	return d.cap(n)
}

// capOr is a cap height of n units, but never less than a measure allows.
func (d *drawing) capOr(n, measure float32) float32 { return max(d.least(measure), d.cap(n)) }

// putPhase paints the phase in the middle of its height, or above the small line.
func (d *drawing) putPhase(s barSay, phase row, in Box) {
	if s.small != "" {
		low := in
		in, low = in.top(in.H() * 0.70)
		run, _ := d.fit(set{cap: d.cap(20), weight: Medium}, d.least(16), s.small, english, in.W()-d.qrRoom(s, in))
		d.text("bar.small", run, in.X0, run.baseline(low.Y0, low.Y1-d.u(10)), d.theme.Bar.TextOver)
	}
	d.put(phase, in.X0, d.seat(phase, in.inset(0, d.px(4))))
}

// qrRoom is the width that the technician's QR takes at the right.
func (d *drawing) qrRoom(s barSay, in Box) float32 {
	if !s.qr {
		return 0
	}
	return d.p.bar.H()
}

// barBlocks are the things at the right, in the order from left to right.
func (d *drawing) barBlocks(s barSay, f barFit, b Box) []block {
	var out []block
	add := func(k block) {
		if k.w > 0 {
			out = append(out, k)
		}
	}
	add(d.flagBlock(s, f, b, d.u(16)))
	add(d.linesBlock(s.lines, f, b, 1))
	add(d.totalsBlock(s, f, b))
	add(d.summaryBlock(s, f, b, d.u(10)))
	if s.chip && f.chip {
		add(d.chipBlock(b))
	}
	add(d.paysBlock(s, f, b, d.u(19)))
	add(d.countBlock(s, b))
	add(d.qrBlock(s, b))
	return out
}

// flagBlock is a chip in outline: LAST HAND 最後一局.
func (d *drawing) flagBlock(s barSay, f barFit, b Box, margin float32) block {
	if s.flag.first == "" {
		return block{}
	}
	f.line = min(f.line, 32)
	lines := d.lineRuns(s.flag, f)
	if d.pileHeight(lines) > b.H()-2*margin-d.u(8) {
		f.two = false
		lines = d.lineRuns(s.flag, f)[:1]
	}
	w := widest(lines) + d.u(44)
	return block{w, func(x float32) {
		in := box(x, b.Y0+margin, w, b.H()-2*margin).whole()
		d.outline("bar.flag.edge", in, d.px(12), d.px(3), d.theme.Bar.TextOver)
		d.pile("bar.line.flag", lines, (in.X0+in.X1)/2, in, 0, d.theme.Bar.TextOver)
	}}
}

// lineRuns sets a phrase as one line for each language, or the first language
// in two lines.
func (d *drawing) lineRuns(p phrase, f barFit) []*Run {
	s := set{cap: d.capOr(f.line, 32), weight: ExtraBold, tracking: -0.01}
	texts := []string{p.first}
	if f.two {
		texts = halves(p.first)
	}
	var out []*Run
	for _, text := range texts {
		out = append(out, d.shape(s, text, d.words.first.Lang))
	}
	if p.second != "" && f.lineSecond {
		out = append(out, d.shape(s, p.second, d.words.second.Lang))
	}
	return out
}

// linesBlock is the second line: BANKER BETS PUSH over 莊注退回. Two of them
// stand in the first language only.
func (d *drawing) linesBlock(said []phrase, f barFit, b Box, align int) block {
	if len(said) == 0 {
		return block{}
	}
	lines := d.saidRuns(said, f)
	if room := b.H() - d.u(4); d.pileHeight(lines) > room {
		f.two, f.line = false, min(f.line, 32)
		lines = d.saidRuns(said, f)
		if len(said) == 1 && d.pileHeight(lines) > room {
			lines = lines[:1]
		}
	}
	w := widest(lines)
	return block{w, func(x float32) {
		if align > 0 {
			x += w
		}
		d.pile("bar.line", lines, x, b, align, d.theme.Bar.TextOver)
	}}
}

// saidRuns sets what the second line says: one phrase as the fit has it, two in a line
// each, since three lines would fill the bar from edge to edge.
func (d *drawing) saidRuns(said []phrase, f barFit) []*Run {
	if len(said) == 1 {
		return d.lineRuns(said[0], f)
	}
	f.two = false
	var lines []*Run
	for _, p := range said {
		lines = append(lines, d.lineRuns(phrase{first: p.first}, f)...)
	}
	return lines
}

// pile puts lines under each other about the middle of b; they begin at x (align
// -1), are centred on it (0) or end at it (1).
func (d *drawing) pile(name string, lines []*Run, x float32, b Box, align int, col color.NRGBA) {
	gap := d.u(12)
	y := (b.Y0 + b.Y1 - d.pileHeight(lines)) / 2
	for _, r := range lines {
		left := x - r.Advance*float32(align+1)/2
		d.text(name, r, left, y-r.Ink.Y0, col)
		y += r.Ink.H() + gap
	}
}

// pileHeight is the height of lines in a pile.
func (d *drawing) pileHeight(lines []*Run) float32 {
	h := -d.u(12)
	for _, r := range lines {
		h += r.Ink.H() + d.u(12)
	}
	return h
}

func widest(lines []*Run) float32 {
	var w float32
	for _, r := range lines {
		w = max(w, r.Advance)
	}
	return w
}

// totalsBlock is the totals of a hand, "6 – 7", each in its side's colour.
func (d *drawing) totalsBlock(s barSay, f barFit, b Box) block {
	if s.totals == nil || f.noTotals {
		return block{}
	}
	style := set{cap: d.capIn(f, 56), weight: ExtraBold, tabular: true}
	digit := func(n uint8) *Run { return d.shape(style, strconv.Itoa(int(n)), english) }
	r := row{
		{"bar.totals.player", digit(s.totals.PlayerTotal), 0, d.theme.side(game.Player)},
		{"bar.totals.dash", d.shape(style, "–", english), d.u(12), d.theme.Muted},
		{"bar.totals.banker", digit(s.totals.BankerTotal), d.u(12), d.theme.side(game.Banker)},
	}
	return d.plated(block{r.width(), func(x float32) { d.put(r, x, round(r[0].run.baseline(b.Y0, b.Y1))) }}, b, d.u(16))
}
