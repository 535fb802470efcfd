package scene

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"shoeboard/stats"
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
	lines, hang := d.rateLines(in.W())
	for i, line := range lines {
		at := in.row(i, len(lines))
		base := line[len(line)-1].run.baseline(at.Y0, at.Y1)
		if len(lines) > 1 { // all that hangs above and below counts, not the digits alone
			ink := line.ink()
			base = (at.Y0 + at.Y1 - ink.Y0 - ink.Y1) / 2
		}
		if i > 0 {
			at.X0 += hang
		}
		d.put(line, at.X0, round(base))
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

// rateLines sets the label and the rates in lines of the given width. Lines after the
// first hang below its first rate, all about equally long; where that takes too many
// lines they begin below the label.
func (d *drawing) rateLines(width float32) (lines []row, hang float32) {
	for _, f := range rateFits {
		label, gap, ok := d.rateLabel(f), d.u(f.gap), false
		items := make([]row, len(d.b.Collection))
		for i, r := range d.b.Collection {
			items[i] = d.rate(r, f)
		}
		hang = label.width() + d.u(22)
		if lines, ok = wrapped(items, gap, width-hang, width-hang); len(lines) > f.lines || !ok {
			lines, ok = wrapped(items, gap, width-hang, width)
			ok, hang = ok && len(lines) <= f.lines, 0
		} else if len(lines) > 1 {
			lines = evened(items, gap, width-hang, lines)
		}
		lines[0][0].gap = d.u(22)
		lines[0] = append(label, lines[0]...)
		if ok {
			break
		}
	}
	return lines, hang
}

// wrapped puts items side by side in lines: the first may be as wide as first, the
// others as rest. It reports whether every line is.
func wrapped(items []row, gap, first, rest float32) (lines []row, ok bool) {
	lines, ok = []row{slices.Clone(items[0])}, items[0].width() <= first
	room := first
	for _, item := range items[1:] {
		last := len(lines) - 1
		if lines[last].width()+gap+item.width() > room {
			lines, room = append(lines, slices.Clone(item)), rest
			ok = ok && item.width() <= rest
			continue
		}
		item = slices.Clone(item)
		item[0].gap = gap
		lines[last] = append(lines[last], item...)
	}
	return lines, ok
}

// evened wraps items in as many lines again, the longest as short as it can be.
func evened(items []row, gap, width float32, lines []row) []row {
	for {
		width -= gap / 2
		shorter, ok := wrapped(items, gap, width, width)
		if !ok || len(shorter) > len(lines) {
			return lines
		}
		lines = shorter
	}
}

func (d *drawing) rateLabel(f rateFit) row {
	p := d.words.say("collection")
	if !f.second {
		p.second = ""
	}
	s := set{cap: d.cap(f.label), weight: SemiBold, tracking: 0.03}
	return d.both("collection.label", p, s, d.theme.Muted)
}

// rate sets what is charged and the fee: "$101–500 $2".
func (d *drawing) rate(r tracker.Rate, f rateFit) row {
	cap := max(d.least(26), min(d.cap(f.rate), round((d.p.collection.H()+d.u(12))/float32(f.lines)/1.6)))
	what, fee := set{cap: cap, weight: SemiBold, tabular: true}, set{cap: cap, weight: ExtraBold, tabular: true}
	out := d.mixed("collection.rate", what, d.rateFor(r, betWord.code), d.words.first.Lang, d.theme.Text)
	return append(out, piece{"collection.rate.fee", d.shape(fee, money(r.Fee), english), cap * 0.36, d.theme.Text})
}

// rateFor says what a fee is taken for, bets by one of their names.
func (d *drawing) rateFor(r tracker.Rate, name func(betWord) string) string {
	switch {
	case r.PlayerDealer:
		return d.words.first.get("player_dealer")
	case len(r.Bets) > 0:
		var names []string
		for _, id := range r.Bets {
			names = append(names, name(d.bet(id)))
		}
		return strings.Join(names, " · ")
	case r.To == 0:
		return money(r.From) + "+"
	}
	return money(r.From) + "–" + amount(r.To)
}

// corner paints the small word of a PNG at the right end and returns where the
// room for others ends.
func (d *drawing) corner(b Box, x1 float32) float32 {
	if d.v.Corner == "" {
		return x1
	}
	run := d.shape(set{cap: d.cap(16), weight: Bold, tracking: 0.06}, d.v.Corner, english)
	d.text("corner", run, x1-run.Advance, run.baseline(b.Y0, b.Y1), d.theme.Muted)
	return x1 - run.Advance - d.u(24)
}

// dealer shows the two echo lines small and dim at the right end of the
// collection row, and returns where the room for the collection ends. The room
// is kept while nothing is told, so that the collection never moves.
func (d *drawing) dealer(b Box) float32 {
	if !d.b.Dealer.OnScreen {
		return b.X1
	}
	w := min(d.u(324), b.W()*0.4)
	_, left := b.right(w)
	in := Box{b.X1 - w, b.Y0, b.X1, b.Y1}
	lines, mark := d.dealerLines()
	if len(lines) == 0 {
		return left.X1 - d.u(16)
	}
	edge, ink := d.dealerColors()
	if !d.p.portrait {
		in = in.inset(0, -d.u(6))
	}
	d.fill("dealer.edge", Box{in.X0, in.Y0 + d.u(4), in.X0 + d.px(3), in.Y1 - d.u(4)}, 0, edge)
	in.X0 += d.u(14)
	s := set{cap: d.cap(16), weight: Medium}
	put := func(text string, l Lang, i int, col color.NRGBA) {
		run, _ := d.fit(s, 1, text, l, in.W())
		at := in.row(i, len(lines)+1)
		d.text("dealer.line", run, in.X0, d.seat(one("", run, col), at), col)
	}
	put(d.words.first.get(mark), d.words.first.Lang, 0, d.theme.Muted)
	s.weight = SemiBold
	for i, text := range lines {
		put(text, english, i+1, ink)
	}
	return left.X1 - d.u(16)
}

// dealerLines returns the echo's two lines with their spaces closed up, and the mark of
// what they mean. There are none while they say only what the table does.
func (d *drawing) dealerLines() (out []string, mark string) {
	e := &d.b.Dealer
	switch {
	case e.Told == stats.ToldWarning:
		mark = "dealer_warned"
	case e.Refused:
		mark = "dealer_refused"
	case e.Told == stats.ToldSaved:
		mark = "dealer_saved"
	case e.Told != "":
		mark = "dealer_told"
	case e.Asking:
		mark = "dealer_asked"
	case e.Entering:
		mark = "dealer_entering"
	default:
		return nil, mark
	}
	for _, line := range e.Lines {
		if text := strings.Join(strings.Fields(line), " "); text != "" {
			out = append(out, text)
		}
	}
	return out, mark
}

// dealerColors make questions, messages and refusals a little stronger than an entry;
// what has waited for long blinks.
func (d *drawing) dealerColors() (edge, ink color.NRGBA) {
	t, e := d.theme, &d.b.Dealer
	switch {
	case e.Refused, e.Told == stats.ToldWarning, d.v.blinks(e) && d.v.Now/dealerHalf%2 == 0:
		return t.Amber, t.Amber
	case e.Asking && !e.Blink, e.Told != "":
		return t.Text, t.Text
	}
	return t.Muted, t.Muted
}

// money writes cents as "$1,000", with cents only where there are some.
func money(cents int) string { return "$" + amount(cents) }

// amount writes cents as "1,000".
func amount(cents int) string {
	if cents < 0 {
		return "-" + amount(-cents)
	}
	s := strconv.Itoa(cents / 100)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if rest := cents % 100; rest != 0 {
		s += fmt.Sprintf(".%02d", rest)
	}
	return s
}

// percent writes tenths of a percent with their one decimal. The whole has none: on
// the first hand of every shoe it stands beside a count, and 1 100.0 reads as one figure.
func percent(tenths int) string {
	if tenths == 1000 {
		return "100"
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}
