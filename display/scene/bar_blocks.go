package scene

import (
	"image/color"
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// chipBlock tells the last hand: its number, its result, the current run.
func (d *drawing) chipBlock(b Box) block {
	no, result := d.chipRuns()
	w := max(no.width(), result.width())
	return d.plated(block{w, func(x float32) {
		mid, gap := (b.Y0+b.Y1)/2, d.u(8)
		d.putRight(no, x+w, round(mid-gap))
		d.putRight(result, x+w, round(mid+gap+result[0].run.CapHeight))
	}}, b, d.u(16))
}

// plated puts a dark plate behind a block of coloured words, which would not
// read on the grounds of every phase. A margin stands above and below.
func (d *drawing) plated(k block, b Box, margin float32) block {
	pad := d.u(22)
	return block{k.w + 2*pad, func(x float32) {
		d.fill("bar.plate", box(x, b.Y0+margin, k.w+2*pad, b.H()-2*margin).whole(), d.px(12), d.theme.Bar.Rest)
		k.draw(x + pad)
	}}
}

// chipRuns are the two lines of the last hand: "#70", then "PLAYER ×3".
func (d *drawing) chipRuns() (no, result row) {
	s := set{cap: d.cap(28), weight: ExtraBold, tabular: true}
	bar := &d.b.Bar
	no = one("bar.chip.no", d.shape(s, "#"+strconv.Itoa(bar.LastNo), english), d.theme.Muted)
	w := d.resultWord(bar.Last)
	result = one("bar.chip.result", d.shape(s, w.name.first, d.words.first.Lang), w.color)
	if bar.Run > 1 && bar.RunSide == bar.Last.Outcome.String() {
		result = append(result, piece{"bar.chip.run", d.shape(s, "×"+strconv.Itoa(bar.Run), english), d.u(12), w.color})
	}
	return no, result
}

// resultWord names what a hand came to: its first bonus, else its outcome.
func (d *drawing) resultWord(m *stats.Mark) betWord {
	if bonuses := d.bonuses(m); len(bonuses) > 0 {
		return d.bet(bonuses[0].ID)
	}
	return d.side(m.Outcome)
}

// paysBlock is the gold chips: PAYS 40 TO 1. A margin stands above and below.
func (d *drawing) paysBlock(s barSay, f barFit, b Box, margin float32) block {
	if len(s.pays) == 0 {
		return block{}
	}
	cap := min(d.capIn(f, 49), round((b.H()-2*margin)*0.46))
	if n := float32(len(s.pays)); n > 1 {
		cap = min(d.cap(32), round((b.H()-2*margin)/n*0.5))
	}
	var runs []*Run
	for _, text := range s.pays {
		runs = append(runs, d.shape(set{cap: cap, weight: ExtraBold, tracking: -0.01}, text, d.words.first.Lang))
	}
	w := widest(runs) + d.u(56)
	return block{w, func(x float32) { d.goldChips(runs, box(x, b.Y0+margin, w, b.H()-2*margin)) }}
}

// goldChips draws one chip for each run, under each other.
func (d *drawing) goldChips(runs []*Run, b Box) {
	gap := d.u(8)
	for i, run := range runs {
		in := b.row(i, len(runs))
		if i > 0 {
			in.Y0 += round(gap / 2)
		}
		if i < len(runs)-1 {
			in.Y1 -= round(gap / 2)
		}
		d.fill("bar.pays", in.whole(), d.px(12), d.theme.Chip)
		d.text("bar.pays.text", run, (in.X0+in.X1-run.Advance)/2, run.middle(in.Y0, in.Y1), d.theme.ChipText)
	}
}

// countBlock is the seconds, as wide as two digits whatever they are.
func (d *drawing) countBlock(s barSay, b Box) block {
	if !s.counting {
		return block{}
	}
	style := set{cap: d.cap(90), weight: ExtraBold, tabular: true}
	if d.p.portrait {
		style.cap = d.cap(85)
	}
	run := d.shape(style, strconv.Itoa(s.left), english)
	w := max(run.Advance, d.shape(style, "00", english).Advance)
	return block{w, func(x float32) {
		d.text("bar.countdown", run, x+w-run.Advance, run.baseline(b.Y0, b.Y1), d.countColor(s.left))
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

// summaryBlock is the shoe's figures between shoes: 82 hands, then each side's;
// in two lines where the bar is high enough.
func (d *drawing) summaryBlock(s barSay, f barFit, b Box, margin float32) block {
	shoe := &d.b.Shoe
	if !s.summary || !f.chip || shoe.Hands == 0 {
		return block{}
	}
	style := set{cap: d.cap(28), weight: Bold, tabular: true}
	hands := one("bar.summary.hands", d.shape(style, strings.ToUpper(d.words.hands(shoe.Hands).first), d.words.first.Lang), d.theme.Bar.TextOver)
	counts := d.sideCounts(style, shoe)
	if d.p.portrait {
		line := append(hands, counts...)
		return d.plated(block{line.width(), func(x float32) { d.put(line, x, d.seat(line, b)) }}, b, margin)
	}
	w := max(hands.width(), counts.width())
	return d.plated(block{w, func(x float32) {
		mid, gap := (b.Y0+b.Y1)/2, d.u(10)
		d.putRight(hands, x+w, round(mid-gap))
		d.putRight(counts, x+w, round(mid+gap+counts[0].run.CapHeight))
	}}, b, margin)
}

// sideCounts are the outcomes of a shoe, each with its number.
func (d *drawing) sideCounts(style set, shoe *stats.Shoe) row {
	var r row
	for _, k := range []struct {
		o game.Outcome
		n int
	}{{game.Player, shoe.Player.N}, {game.Banker, shoe.Banker.N}, {game.Tie, shoe.Tie.N}} {
		w := d.side(k.o)
		r = append(r,
			piece{"bar.summary.side", d.shape(style, w.name.first, d.words.first.Lang), d.u(28), w.color},
			piece{"bar.summary.n", d.shape(style, strconv.Itoa(k.n), english), d.u(12), w.color})
	}
	return r
}

// qrBlock is the code that the technician reads on a closed table.
func (d *drawing) qrBlock(s barSay, b Box) block {
	if !s.qr {
		return block{}
	}
	side := round(b.H() - d.u(24))
	return block{side, func(x float32) {
		y := b.Y0 + round((b.H()-side)/2)
		d.add(Op{Kind: Image, Name: "bar.qr", X: round(x), Y: y, W: side, H: side, Picture: d.v.QR, Color: rgb(0xffffff)})
	}}
}

// halves cuts a text at the space nearest to its middle.
func halves(text string) []string {
	best := -1
	for i, r := range text {
		if r == ' ' && (best < 0 || abs(2*i-len(text)) < abs(2*best-len(text))) {
			best = i
		}
	}
	if best < 0 {
		return []string{text}
	}
	return []string{text[:best], text[best+1:]}
}

func abs(n int) int { return max(n, -n) }
