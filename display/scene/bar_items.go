package scene

import (
	"image/color"
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// rowItem shows a row at the left.
func (d *drawing) rowItem(r row) item {
	return item{w: r.width(), h: r.ink().H(), draw: func(x float32, line Box) { d.put(r, x, d.seat(r, line)) }}
}

// barPlate returns the box of an item's ground: all have the same margin above and below.
func (d *drawing) barPlate(x, w float32, line Box) Box {
	return box(x, line.Y0, w, line.H()).inset(0, d.u(d.p.either(12, 5))).whole()
}

// plated puts a dark plate behind an item of coloured words, which would not read on the
// grounds of every phase.
func (d *drawing) plated(it item) item {
	pad := d.u(22)
	return item{w: it.w + 2*pad, right: true, low: it.low, draw: func(x float32, line Box) {
		d.fill("bar.plate", d.barPlate(x, it.w+2*pad, line), d.px(12), d.theme.Bar.Rest)
		it.draw(x+pad, line)
	}}
}

// pairItem shows two rows under each other on a plate.
func (d *drawing) pairItem(top, bottom row) item {
	w, gap := max(top.width(), bottom.width()), d.u(8)
	return d.plated(item{w: w, low: true, draw: func(x float32, line Box) {
		_, mid := line.centre()
		d.putRight(top, x+w, round(mid-gap))
		d.putRight(bottom, x+w, round(mid+gap+bottom[0].run.CapHeight))
	}})
}

// chipItem tells the last hand: its number, its result, the current run.
func (d *drawing) chipItem(s barSay, f barFit) item {
	if !s.chip || f.has(noChip) {
		return item{}
	}
	bar, style := &d.b.Bar, set{cap: d.cap(28), weight: ExtraBold, tabular: true}
	w := d.resultWord(bar.Last)
	result := one("bar.chip.result", d.shape(style, w.name.first, d.words.first.Lang), w.color)
	if bar.Run > 1 && bar.RunSide == bar.Last.Outcome.String() {
		run := d.shape(style, "×"+strconv.Itoa(bar.Run), english)
		result = append(result, piece{"bar.chip.run", run, d.u(12), w.color})
	}
	return d.pairItem(one("bar.chip.no", d.shape(style, "#"+strconv.Itoa(bar.LastNo), english), d.theme.Muted), result)
}

// resultWord names what a hand came to: its first bonus, else its outcome.
func (d *drawing) resultWord(m *stats.Mark) betWord {
	if bonuses := d.bonuses(m); len(bonuses) > 0 {
		return d.bet(bonuses[0].ID)
	}
	return d.side(m.Outcome)
}

// summaryItem tells the shoe's figures between shoes: 82 hands, then each side's.
func (d *drawing) summaryItem(s barSay, f barFit) item {
	shoe := &d.b.Shoe
	if !s.summary || f.has(noChip) || shoe.Hands == 0 {
		return item{}
	}
	style, l := set{cap: d.cap(28), weight: Bold, tabular: true}, d.words.first.Lang
	hands := d.shape(style, strings.ToUpper(d.words.hands(shoe.Hands).first), l)
	var counts row
	for _, t := range d.tallies(shoe)[:3] {
		counts = append(counts,
			piece{"bar.summary.side", d.shape(style, t.word.name.first, l), d.u(28), t.word.color},
			piece{"bar.summary.n", d.shape(style, strconv.Itoa(t.count.N), english), d.u(12), t.word.color})
	}
	return d.pairItem(one("bar.summary.hands", hands, d.theme.Bar.TextOver), counts)
}

// codeItem shows the record's code, for the camera above the table: in two rows, or in one
// where the line is low.
func (d *drawing) codeItem(s barSay, f barFit, room Box) item {
	if s.code == "" || s.dealing && f.has(noCode) {
		return item{}
	}
	row := func(text string, n float32) row {
		style := set{cap: d.capIn(f, n), weight: ExtraBold, tracking: 0.04, tabular: true}
		return one("bar.code", d.shape(style, text, english), d.theme.Bar.TextOver)
	}
	if half := len(s.code) / 2; room.H() >= d.u(100) {
		return d.pairItem(row(s.code[:half-1], 28), row(s.code[half:], 28))
	}
	it := d.plated(d.rowItem(row(s.code, 24)))
	it.low = d.p.portrait
	return it
}

// totalsItem tells the totals of a hand, "6 – 7", each in its side's colour.
func (d *drawing) totalsItem(s barSay, f barFit) item {
	if s.totals == nil || f.has(noTotals) {
		return item{}
	}
	style := set{cap: d.capIn(f, 56), weight: ExtraBold, tabular: true}
	digit := func(n uint8) *Run { return d.shape(style, strconv.Itoa(int(n)), english) }
	return d.plated(d.rowItem(row{
		{"bar.totals.player", digit(s.totals.PlayerTotal), 0, d.theme.side(game.Player)},
		{"bar.totals.dash", d.shape(style, "–", english), d.u(12), d.theme.Muted},
		{"bar.totals.banker", digit(s.totals.BankerTotal), d.u(12), d.theme.side(game.Banker)},
	}))
}

// flagItem shows a chip in outline: LAST HAND 最後一局.
func (d *drawing) flagItem(s barSay, f barFit, room Box) item {
	if s.flag.first == "" {
		return item{}
	}
	f.line = min(f.line, 32)
	lines := d.lineRuns(s.flag, f)
	if d.pileHeight(lines) > d.barPlate(0, 0, room).H()-d.u(8) {
		f.gone &^= oneTongue
		lines = d.lineRuns(s.flag, f)[:1]
	}
	w, t := widest(lines)+d.u(44), d.theme.Bar.TextOver
	return item{w: w, right: true, draw: func(x float32, line Box) {
		in := d.barPlate(x, w, line)
		d.outline("bar.flag.edge", in, d.px(12), d.px(3), t)
		d.pile("bar.line.flag", lines, in, 0.5, t)
	}}
}

// linesItems shows the second line: BANKER BETS PUSH over 莊注退回. Of two phrases each has
// a line in the first language only; in an upright bar the first stands beside the phase.
func (d *drawing) linesItems(said []phrase, f barFit) []item {
	if len(said) < 2 {
		return []item{d.linesItem(said, f)}
	}
	one, two := phrase{first: said[0].first}, phrase{first: said[1].first}
	if !d.p.portrait {
		f.gone &^= oneTongue
		return []item{d.linesItem([]phrase{one, two}, f)}
	}
	low := d.linesItem(said[1:], f)
	f.gone &^= oneTongue
	top := d.linesItem([]phrase{one}, f)
	top.low, top.right = false, true
	return []item{top, low}
}

func (d *drawing) linesItem(said []phrase, f barFit) item {
	var lines []*Run
	for _, p := range said {
		lines = append(lines, d.lineRuns(p, f)...)
	}
	if len(lines) == 0 {
		return item{}
	}
	w := widest(lines)
	return item{w: w, h: d.pileHeight(lines), right: !d.p.portrait, low: true, draw: func(x float32, line Box) {
		d.pile("bar.line", lines, Box{x, line.Y0, x + w, line.Y1}, d.p.either(1, 0), d.theme.Bar.TextOver)
	}}
}

// lineRuns sets a phrase as one line for each language, or the first language alone, in
// two lines where its characters do not fill squares, which are short and high.
func (d *drawing) lineRuns(p phrase, f barFit) []*Run {
	s := set{cap: d.capOr(f.line, 32), weight: ExtraBold, tracking: -0.01}
	if f.has(oneTongue) && !squares(p.first) {
		return d.inTwo(s, p.first, d.words.first.Lang)
	}
	out := []*Run{d.shape(s, p.first, d.words.first.Lang)}
	if p.second != "" && !f.has(oneTongue) {
		out = append(out, d.shape(s, p.second, d.words.second.Lang))
	}
	return out
}

// pile puts lines under each other about the middle of b; share is 0 where they begin at
// its left, 1 where they end at its right.
func (d *drawing) pile(name string, lines []*Run, b Box, share float32, col color.NRGBA) {
	y := (b.Y0 + b.Y1 - d.pileHeight(lines)) / 2
	for _, r := range lines {
		d.text(name, r, b.X0+(b.W()-r.Advance)*share, y-r.Ink.Y0, col)
		y += r.Ink.H() + d.u(12)
	}
}

// pileHeight returns the height of lines in a pile.
func (d *drawing) pileHeight(lines []*Run) float32 {
	h := -d.u(12)
	for _, r := range lines {
		h += r.Ink.H() + d.u(12)
	}
	return h
}

func widest(lines []*Run) (w float32) {
	for _, r := range lines {
		w = max(w, r.Advance)
	}
	return w
}

// paysItem shows the gold chips, under each other: PAYS 40 TO 1.
func (d *drawing) paysItem(s barSay, f barFit, room Box) item {
	n := float32(len(s.pays))
	if n == 0 {
		return item{}
	}
	style := set{cap: min(d.capIn(f, 49), round(room.H()*0.38)), weight: ExtraBold, tracking: -0.01}
	if n > 1 {
		style.cap = min(d.cap(32), round(room.H()/n*0.4))
	}
	var runs []*Run
	for _, text := range s.pays {
		runs = append(runs, d.shape(style, text, d.words.first.Lang))
	}
	w, gap := widest(runs)+d.u(56), d.u(8)
	return item{w: w, right: true, low: true, draw: func(x float32, line Box) {
		b := d.barPlate(x, w, line)
		b.Y1 += gap
		for i, run := range runs {
			in := b.row(i, len(runs))
			in.Y1 -= gap
			d.fill("bar.pays", in.whole(), d.px(12), d.theme.Chip)
			d.text("bar.pays.text", run, (in.X0+in.X1-run.Advance)/2, run.middle(in.Y0, in.Y1), d.theme.ChipText)
		}
	}}
}

// countItem shows the seconds, as wide as two digits whatever they are.
func (d *drawing) countItem(s barSay) item {
	if !s.counting {
		return item{}
	}
	style := set{cap: d.cap(d.p.either(90, 85)), weight: ExtraBold, tabular: true}
	run := d.shape(style, strconv.Itoa(s.left), english)
	w := max(run.Advance, d.shape(style, "00", english).Advance)
	return item{w: w, right: true, low: true, draw: func(x float32, line Box) {
		d.text("bar.countdown", run, x+w-run.Advance, run.baseline(line.Y0, line.Y1), d.countColor(s.left))
	}}
}

// countColor turns the last five seconds amber, then red.
func (d *drawing) countColor(left int) color.NRGBA {
	switch {
	case left <= 2:
		return d.theme.Red
	case left <= 5:
		return d.theme.Amber
	}
	return d.theme.Bar.TextOver
}
