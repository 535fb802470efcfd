package scene

import (
	"strconv"
	"strings"
	"time"

	"shoeboard/tracker"
)

// header shows the game, the table, the time, the hand and the limits.
func (d *drawing) header() {
	b := d.p.header
	d.fill("header", b, 0, d.theme.Panel)
	d.fill("header.edge", Box{b.X0, b.Y1 - d.px(2), b.X1, b.Y1}, 0, d.theme.Border)
	if d.p.portrait {
		d.uprightHeader(b)
		return
	}
	mid := (b.Y0 + b.Y1) / 2
	edge := d.gameBlock(b.X0+d.u(28), mid-d.u(3), mid+d.u(33), false)
	edge = d.handBlock(edge, mid+d.u(1), mid+d.u(33))
	d.wideLimits(Box{edge + d.u(40), b.Y0, b.X1 - d.u(30), b.Y1}, mid-d.u(9), mid+d.u(36))
}

// gameBlock puts the game over the table's line and returns its right edge.
func (d *drawing) gameBlock(x, base1, base2 float32, shoe bool) float32 {
	name := d.gameName()
	d.put(name, x, base1)
	line := d.tableLine(shoe)
	d.put(line, x, base2)
	return x + max(name.width(), line.width())
}

// gameName is the name with its highlighted part in gold.
func (d *drawing) gameName() row {
	s := set{cap: d.cap(25), weight: ExtraBold, tracking: -0.01}
	if d.p.compact {
		s.cap = d.cap(22)
	}
	g := d.b.Game
	before, after, found := strings.Cut(g.Name, g.Accent)
	if g.Accent == "" || !found {
		return one("header.game", d.shape(s, g.Name, english), d.theme.Text)
	}
	var r row
	space := d.shape(s, "a b", english).Advance - d.shape(s, "ab", english).Advance
	add := func(name, text string, gold bool) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		p := piece{"header.game" + name, d.shape(s, text, english), space, d.theme.Text}
		if gold {
			p.color = d.theme.GoldWord
		}
		r = append(r, p)
	}
	add("", before, false)
	add(".accent", g.Accent, true)
	add(".rest", after, false)
	return r
}

// tableLine is the table, the time and, with shoe, the shoe of today. While a
// record is on its way to the disk it says so in the place of the time; a dot
// tells the staff of what is too small for a notice.
func (d *drawing) tableLine(shoe bool) row {
	s := set{cap: d.cap(19), weight: SemiBold, tracking: 0.01}
	l := d.words.first.Lang
	r := one("header.table", d.shape(s, d.words.first.get("table", "name", d.b.Table), l), d.theme.Muted)
	dot := func() { r = append(r, piece{"header.dot", d.shape(s, "·", english), d.u(11), d.theme.Muted}) }
	dot()
	switch {
	case d.b.Saving:
		r = append(r, piece{"header.saving", d.shape(s, d.words.first.get("saving"), l), d.u(11), d.theme.Amber})
	case d.b.ClockTrusted:
		r = append(r, piece{"header.clock", d.shape(s, d.clock(d.v.Wall), l), d.u(11), d.theme.Muted})
	default:
		r = append(r, piece{"header.clock", d.shape(s, d.words.first.get("clock_not_set"), l), d.u(11), d.theme.Amber})
	}
	if n := len(d.marked()); n > 0 {
		r = append(r, piece{"header.fault", d.shape(s, "●", english), d.u(14), d.theme.Amber})
		r = append(r, piece{"header.fault", d.shape(s, strconv.Itoa(n), english), d.u(6), d.theme.Muted})
	}
	if shoe && d.b.ShoeToday > 0 {
		dot()
		r = append(r, piece{"header.shoe", d.shape(s, d.shoeToday(), l), d.u(11), d.theme.Muted})
	}
	return r
}

func (d *drawing) shoeToday() string {
	return d.words.first.get("shoe_today", "n", strconv.Itoa(d.b.ShoeToday))
}

// clock is a local time in the way of the first language.
func (d *drawing) clock(at time.Time) string {
	w := d.words.first
	if w.get("clock") == "24" {
		return at.Format("15:04")
	}
	half := w.get("am")
	if at.Hour() >= 12 {
		half = w.get("pm")
	}
	return at.Format("3:04") + " " + half
}

// nextMinute is how long the clock stays as it is.
func (v *View) nextMinute() time.Duration {
	return time.Minute - time.Duration(v.Wall.Second())*time.Second - time.Duration(v.Wall.Nanosecond())
}

// hand is the header's count of saved hands.
func (d *drawing) hand(cap float32) *Run {
	text := d.words.first.get("hand", "n", strconv.Itoa(d.b.Shoe.Hands))
	return d.shape(set{cap: d.cap(cap), weight: ExtraBold, tabular: true}, text, d.words.first.Lang)
}

// handBlock centres the hand over the shoe of today, right of x, and returns its
// right edge. The place allows for three digits, so that nothing moves.
func (d *drawing) handBlock(x, base1, base2 float32) float32 {
	hand := d.hand(32)
	s := set{cap: d.cap(18), weight: SemiBold, tracking: 0.01}
	var shoe row
	if d.b.ShoeToday > 0 {
		shoe = one("header.shoe", d.shape(s, d.shoeToday(), d.words.first.Lang), d.theme.Muted)
	}
	if d.p.compact && len(d.b.Limits) > 4 {
		shoe = nil // what matters least makes room
	}
	w := max(hand.Advance, shoe.width())
	mid := x + d.u(40) + w/2
	if d.p.compact {
		mid -= d.u(12)
	}
	if !d.p.compact {
		mid = max(mid, d.u(535))
	}
	d.putCentre(one("header.hand", hand, d.theme.Text), mid, base1)
	d.putCentre(shoe, mid, base2)
	return mid + w/2
}

// limit is one column of the limits: what it is for over least and most.
type limit struct{ label, figure row }

func (l limit) width() float32 { return max(l.label.width(), l.figure.width()) }

// limitFit is one way to set the limits, the better first.
type limitFit struct {
	gap           float32
	second        bool
	label, figure float32 // cap heights in units; 0: the least
	short         bool    // the packs' short names
}

var limitFits = []limitFit{
	{88, true, 20, 30, false}, {48, true, 20, 29, false}, {36, true, 20, 28, false}, {26, true, 17, 24, false}, {36, false, 20, 28, false},
	{28, true, 17, 23, false}, {28, true, 16, 22, false}, {28, true, 0, 0, false}, {28, false, 0, 0, false}, {22, false, 0, 0, true}, {12, false, 0, 0, true},
}

// limits sets all limits as well as the width allows, and returns the gap.
func (d *drawing) limits(width float32) ([]limit, float32) {
	var cols []limit
	var gap float32
	for _, f := range limitFits {
		cols = cols[:0]
		total := float32(0)
		for _, l := range d.b.Limits {
			c := d.limit(l, f)
			cols = append(cols, c)
			total += c.width()
		}
		gap = d.u(f.gap)
		if total+gap*float32(len(cols)-1) <= width {
			break
		}
	}
	return cols, gap
}

func (d *drawing) limit(l tracker.Limit, f limitFit) limit {
	label := set{cap: max(d.least(20), d.cap(f.label)), weight: Bold}
	figure := set{cap: max(d.least(28), d.cap(f.figure)), weight: ExtraBold, tabular: true}
	return limit{
		label: d.limitLabel(l.Bets, label, f),
		figure: row{
			{"limits.figure", d.shape(figure, money(l.Min), english), 0, d.theme.Text},
			{"limits.figure.dash", d.shape(figure, "–", english), figure.cap * 0.2, d.theme.Text},
			{"limits.figure", d.shape(figure, money(l.Max), english), figure.cap * 0.2, d.theme.Text},
		},
	}
}

// limitLabel names the bets of a limit, each in its colour, all in the first
// language and then all in the second.
func (d *drawing) limitLabel(ids []string, s set, f limitFit) row {
	var r row
	dot := d.shape(s, "·", english)
	for i, id := range ids {
		w := d.bet(id)
		text := w.brief().first
		if f.short {
			text = w.short
		}
		if i > 0 {
			r = append(r, piece{"limits.label.dot", dot, s.cap * 0.3, d.theme.Muted})
		}
		r = append(r, piece{"limits.label", d.shape(s, text, d.words.first.Lang), s.cap * 0.3, w.color})
	}
	if !f.second {
		return r
	}
	for i, id := range ids {
		w := d.bet(id)
		if i == 0 && w.name.second != "" && d.words.alike() {
			r = append(r, piece{"limits.label.slash", d.shape(s, "/", english), s.cap * 0.38, d.theme.Muted})
		}
		if w.name.second != "" {
			r = append(r, piece{"limits.label.second", d.shape(s, w.name.second, d.words.second.Lang), s.cap * 0.38, w.color})
		}
	}
	return r
}

// wideLimits sets the limits in columns that end at the right edge of b.
func (d *drawing) wideLimits(b Box, base1, base2 float32) {
	cols, gap := d.limits(b.W())
	x := b.X1
	for i := len(cols) - 1; i >= 0; i-- {
		d.putRight(cols[i].label, x, base1)
		d.putRight(cols[i].figure, x, base2)
		x -= cols[i].width() + gap
	}
}

// uprightHeader puts the limits under the game and the hand.
func (d *drawing) uprightHeader(b Box) {
	x0, x1, y := b.X0+d.u(24), b.X1-d.u(24), b.Y0
	spare := b.H() - d.u(175)
	hand := d.hand(37)
	shoe := x0+d.tableLine(true).width()+d.u(40) < x1-hand.Advance
	d.gameBlock(x0, y+d.u(46)+spare/4, y+d.u(83)+spare/4, shoe)
	d.putRight(one("header.hand", hand, d.theme.Text), x1, y+d.u(64)+spare/4)
	cols, _ := d.limits(x1 - x0)
	var total float32
	for _, c := range cols {
		total += c.width()
	}
	gap := min((x1-x0-total)/max(1, float32(len(cols)-1)), d.u(90))
	x := x0
	for _, c := range cols {
		d.put(c.label, x, y+d.u(122)+spare*3/4)
		d.put(c.figure, x, y+d.u(163)+spare*3/4)
		x += c.width() + gap
	}
}
