package scene

import (
	"strings"

	"shoeboard/tracker"
)

// collection shows the schedule in force, in every phase, and at its right end
// what the dealer is told where there is no echo.
func (d *drawing) collection() {
	b := d.p.collection
	x1 := b.X1
	if d.p.portrait && d.b.Dealer.OnScreen { // the small word goes below the dealer's lines
		above, below := b.top(round(b.H() * 0.78))
		d.corner(below, x1)
		x1 = d.dealer(above)
	} else {
		x1 = d.corner(b, d.dealer(b))
	}
	if len(d.b.Collection) == 0 {
		return
	}
	in := Box{b.X0 + d.u(4), b.Y0 - d.u(6), x1, b.Y1 + d.u(6)}
	for i, f := range rateFits {
		lines, ok := d.rateLines(f, in)
		if !ok && i < len(rateFits)-1 {
			continue
		}
		for j, line := range lines {
			at := in.row(j, len(lines))
			d.put(line, at.X0, round(d.rateBaseline(line, at, len(lines))))
		}
		return
	}
}

// rateFit is one way to set the collection, the better first.
type rateFit struct {
	label, rate, gap float32 // cap heights in units, 0: the least; gap between rates
	second           bool
	lines            int
}

var rateFits = []rateFit{
	{19, 26, 50, true, 1}, {19, 26, 34, true, 1}, {16, 26, 26, true, 1}, {16, 22, 24, true, 1}, {16, 26, 22, false, 1},
	{19, 26, 44, true, 2}, {16, 26, 30, true, 2}, {16, 26, 22, false, 2},
	{16, 26, 30, true, 3}, {16, 26, 22, false, 3},
}

// rateLines sets the label and the rates in lines of the given width.
func (d *drawing) rateLines(f rateFit, b Box) ([]row, bool) {
	lines := []row{d.rateLabel(f)}
	gap := d.u(f.gap)
	for i, r := range d.b.Collection {
		item := d.rate(r, f)
		item[0].gap = gap
		if i == 0 {
			item[0].gap = d.u(22)
		}
		last := len(lines) - 1
		if w := lines[last].width() + item[0].gap + item.width(); w > b.W() && len(lines) < f.lines {
			lines = append(lines, item)
			continue
		}
		lines[last] = append(lines[last], item...)
	}
	for _, l := range lines {
		if l.width() > b.W() {
			return lines, false
		}
	}
	return lines, true
}

func (d *drawing) rateLabel(f rateFit) row {
	s := set{cap: d.cap(f.label), weight: SemiBold, tracking: 0.03}
	p := d.words.say(Collection)
	r := one("collection.label", d.shape(s, p.first, d.words.first.Lang), d.theme.Muted)
	if f.second && p.second != "" {
		if d.words.alike() {
			r = append(r, piece{"collection.label.slash", d.shape(s, "/", English), s.cap * 0.38, d.theme.Muted})
		}
		r = append(r, piece{"collection.label.second", d.shape(s, p.second, d.words.second.Lang), s.cap * 0.38, d.theme.Muted})
	}
	return r
}

// rate is what is charged and the fee: "$101–500 $2".
func (d *drawing) rate(r tracker.Rate, f rateFit) row {
	cap := max(d.least(26), min(d.cap(f.rate), round((d.p.collection.H()+d.u(12))/float32(f.lines)/1.6)))
	what, fee := set{cap: cap, weight: SemiBold, tabular: true}, set{cap: cap, weight: ExtraBold, tabular: true}
	out := d.mixed("collection.rate", what, d.rateFor(r), d.words.first.Lang, d.theme.Text)
	return append(out, piece{"collection.rate.fee", d.shape(fee, money(r.Fee), English), cap * 0.36, d.theme.Text})
}

// rateFor says what a fee is taken for.
func (d *drawing) rateFor(r tracker.Rate) string {
	switch {
	case r.PlayerDealer:
		return d.words.first.Get(PlayerDealer)
	case len(r.Bets) > 0:
		names := make([]string, len(r.Bets))
		for i, id := range r.Bets {
			names[i] = d.bet(id).short
		}
		return strings.Join(names, " · ")
	case r.To == 0:
		return money(r.From) + "+"
	}
	return money(r.From) + "–" + amount(r.To)
}

// rateAtLength says the same with the bets' whole names.
func (d *drawing) rateAtLength(r tracker.Rate) string {
	if len(r.Bets) == 0 {
		return d.rateFor(r)
	}
	names := make([]string, len(r.Bets))
	for i, id := range r.Bets {
		names[i] = d.bet(id).name.first
	}
	return strings.Join(names, " · ")
}

// rateBaseline puts the rates' digits in the middle of a line; where there are
// several, all that hangs above and below.
func (d *drawing) rateBaseline(line row, b Box, lines int) float32 {
	if lines == 1 {
		return line[len(line)-1].run.Baseline(b.Y0, b.Y1)
	}
	ink := line.ink()
	return (b.Y0 + b.Y1 - ink.Y0 - ink.Y1) / 2
}

// corner paints the small word of a PNG at the right end and returns where the
// room for others ends.
func (d *drawing) corner(b Box, x1 float32) float32 {
	if d.v.Corner == "" {
		return x1
	}
	run := d.shape(set{cap: d.cap(16), weight: Bold, tracking: 0.06}, d.v.Corner, English)
	d.text("corner", run, x1-run.Advance, run.Baseline(b.Y0, b.Y1), d.theme.Muted)
	return x1 - run.Advance - d.u(24)
}
