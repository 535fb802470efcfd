package scene

// bar draws the phase bar: what may I do now, what won, what does it pay. Its items stand
// in one line, on an upright screen in two.
func (d *drawing) bar() {
	s, b := d.say(), d.p.bar
	d.barGround(s, b)
	in := d.barQR(s, b.inset(d.u(d.p.either(36, 28)), d.px(4)))
	lines := []Box{in}
	if d.p.portrait || s.small != "" {
		top, low := in.top(round(in.H() * d.p.either(0.70, 0.54)))
		lines = []Box{top, low}
	}
	if s.small != "" {
		d.paragraph("bar.small", []string{s.small}, lines[1], 20, d.theme.Bar.TextOver)
		lines = lines[:1]
	}
	for i, placed := range d.barItems(s, lines) {
		d.putItems(placed, lines[i])
	}
}

// barGround fills the bar; a countdown fills it from the left by what is left.
func (d *drawing) barGround(s barSay, b Box) {
	r := d.px(10)
	if !s.counting {
		d.fill("bar", b, r, s.fill)
	} else if d.fill("bar", b, r, d.theme.Bar.Rest); round(b.W()*s.share) > 2*r {
		corners := TopLeft | BottomLeft
		if s.share == 1 {
			corners = 0
		}
		d.add(Op{Kind: Rect, Name: "bar.left", X: b.X0, Y: b.Y0, W: round(b.W() * s.share), H: b.H(),
			Radius: r, Corners: corners, Color: s.fill})
	}
	d.outline("bar.edge", b, r, d.px(2), s.edge)
}

// barQR draws the code that the technician reads on a closed table and returns what is
// left of the bar.
func (d *drawing) barQR(s barSay, in Box) Box {
	if !s.qr {
		return in
	}
	side := round(in.H() - d.u(16))
	x, y := in.X1-side, in.Y0+round((in.H()-side)/2)
	d.image("bar.qr", d.v.QR, box(round(x), y, side, side))
	in.X1 = x - d.u(36)
	return in
}

// barSize is a size of the bar's texts: cap heights in units, 0 for the least.
type barSize struct{ phase, second, line float32 }

var large, small, least = barSize{73, 73, 35}, barSize{60, 53, 28}, barSize{}

// gone is a set of what has given way in the bar.
type gone uint8

const (
	noChip    gone = 1 << iota // the last hand, and the figures of a finished shoe
	oneTongue                  // the second line in the first language only, broken in two
	shortName                  // the packs' short names
	noTotals                   // the totals, which the felt shows too
	noSecond                   // the phase in the first language only
	noCode                     // the record's code while a hand is dealt
)

// givesWay is tried in order, each large and small; the least size is left for the last.
var givesWay = []gone{
	0, noChip, noChip | oneTongue, noChip | shortName, noChip | oneTongue | shortName,
	noChip | oneTongue | shortName | noTotals,
	noChip | noSecond, noChip | noSecond | oneTongue | shortName, noChip | noSecond | oneTongue | shortName | noTotals,
	noChip | noCode, noChip | noCode | noSecond | oneTongue | shortName | noTotals,
}

// barFit is one way to set the bar.
type barFit struct {
	barSize
	gone
}

func (g gone) has(what gone) bool { return g&what != 0 }

// barItems returns the items of each line in the first way in which they fit, the larger
// before the smaller, or the phase alone.
func (d *drawing) barItems(s barSay, lines []Box) [][]item {
	for _, g := range givesWay {
		sizes := []barSize{large, small}
		if g == givesWay[len(givesWay)-1] {
			sizes = append(sizes, least)
		}
		for _, size := range sizes {
			if placed, ok := d.flow(d.itemsOf(s, barFit{size, g}, lines), lines); ok {
				return placed
			}
		}
	}
	style := d.phaseSet(0, s.phase.first)
	run, _ := d.fit(style, 1, s.phase.first, d.words.first.Lang, max(1, lines[0].W()))
	return [][]item{{d.rowItem(one("bar.phase", run, d.theme.Bar.TextOver))}}
}

// itemsOf returns all that the bar says, in the order in which it is read.
func (d *drawing) itemsOf(s barSay, f barFit, lines []Box) []item {
	room := lines[len(lines)-1]
	out := append(d.phaseItems(s, f, lines[0].W()), d.flagItem(s, f, room))
	out = append(out, d.linesItems(s.lines, f)...)
	out = append(out, d.totalsItem(s, f), d.summaryItem(s, f), d.chipItem(s, f), d.codeItem(s, f, room))
	return append(out, d.paysItem(s, f, room), d.countItem(s))
}

// phaseItems sets the phase, and beside it the second language, which has an item of its
// own where the line is too short. A long phase is broken into lines.
func (d *drawing) phaseItems(s barSay, f barFit, width float32) (out []item) {
	p, t := s.phase, d.theme.Bar.TextOver
	if f.has(shortName) && s.short.first != "" {
		p = s.short
	}
	if p.first == "" {
		return nil
	}
	var r row
	for _, run := range d.broken(d.phaseSet(f.phase, p.first), p.first, d.words.first.Lang, width) {
		r = one("bar.phase", run, t)
		out = append(out, d.rowItem(r))
	}
	if p.second == "" || f.has(noSecond) {
		return out
	}
	second := piece{"bar.second", d.shape(d.secondSet(f, p.second), p.second, d.words.second.Lang), d.u(28), t}
	if beside := append(r, second); beside.width() <= width {
		out[len(out)-1] = d.rowItem(beside)
		return out
	}
	return append(out, d.rowItem(row{second}))
}

// phaseSet returns how the phase is set: capitals of n units.
func (d *drawing) phaseSet(n float32, text string) set {
	s := set{cap: d.capOr(n, 70), weight: ExtraBold, tracking: -0.005}
	if squares(text) {
		s.cap *= 0.95 // such a line is tall enough
	}
	return s
}

// secondSet returns how the second language of the phase is set. In Latin beside Latin it
// is smaller, or it would read on as one phrase.
func (d *drawing) secondSet(f barFit, text string) set {
	s := set{cap: d.capOr(f.second, 60), weight: ExtraBold, tracking: -0.005}
	switch {
	case squares(text):
		s.cap, s.weight = s.cap*1.12/square, Bold
	case f.barSize != large:
		s.cap = d.cap(36)
	case d.words.alike():
		s.cap = min(s.cap, d.cap(48))
	}
	return s
}

// capOr returns a cap height of n units, and never less than a measure allows.
func (d *drawing) capOr(n, measure float32) float32 { return max(d.least(measure), d.cap(n)) }

// capIn returns a cap height of n units in a fit, the least where the phase has it too.
func (d *drawing) capIn(f barFit, n float32) float32 {
	if f.barSize == least {
		return d.least(n)
	}
	return d.cap(n)
}

// item is something in the bar, drawn from its left edge into a line.
type item struct {
	w, h  float32
	right bool // stands at the right end of its line
	low   bool // stands in the last line of an upright bar
	draw  func(x float32, line Box)
}

func (d *drawing) itemGap() float32 { return d.u(d.p.either(36, 28)) }

// flow puts items into lines and reports whether they fit there: texts one after the
// other, what stands at the right into the first line that has room.
func (d *drawing) flow(items []item, lines []Box) ([][]item, bool) {
	placed, used, at := make([][]item, len(lines)), make([]float32, len(lines)), 0
	for _, it := range items {
		if it.w == 0 {
			continue
		}
		i := at
		if it.right {
			i = 0
		}
		if it.low && d.p.portrait {
			i = len(lines) - 1
		}
		for i < len(lines) && (used[i]+it.w > lines[i].W() || it.h > lines[i].H()) {
			i++
		}
		if i == len(lines) {
			return nil, false
		}
		placed[i], used[i] = append(placed[i], it), used[i]+it.w+d.itemGap()
		if !it.right {
			at = i
		}
	}
	return placed, true
}

// putItems draws the items of a line, some from its left end on, the others up to its right.
func (d *drawing) putItems(items []item, line Box) {
	left, right, gap := line.X0, line.X1, d.itemGap()
	for _, it := range items {
		if it.right {
			right -= it.w + gap
		}
	}
	for _, it := range items {
		at := &left
		if it.right {
			right, at = right+gap, &right
		}
		it.draw(*at, line)
		*at += it.w
		if !it.right {
			left += gap
		}
	}
}
