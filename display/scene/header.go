package scene

import (
	"image/color"
	"slices"
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
	x := b.X1 - d.u(30)
	cols, gap := d.limits(x - edge - d.u(40))
	for _, c := range slices.Backward(cols) {
		d.putRight(c.label, x, mid-d.u(9))
		d.putRight(c.figure, x, mid+d.u(36))
		x -= c.width() + gap
	}
}

// uprightHeader puts the limits under the game and the hand.
func (d *drawing) uprightHeader(b Box) {
	x0, x1, y := b.X0+d.u(24), b.X1-d.u(24), b.Y0
	spare := b.H() - d.u(175)
	hand := d.hand(37)
	shoe := x0+d.tableLine(true).width()+d.u(40) < x1-hand.width()
	d.gameBlock(x0, y+d.u(46)+spare/4, y+d.u(83)+spare/4, shoe)
	d.putRight(hand, x1, y+d.u(64)+spare/4)
	cols, _ := d.limits(x1 - x0)
	room := x1 - x0
	for _, c := range cols {
		room -= c.width()
	}
	gap := min(room/max(1, float32(len(cols)-1)), d.u(90))
	for _, c := range cols {
		d.put(c.label, x0, y+d.u(122)+spare*3/4)
		d.put(c.figure, x0, y+d.u(163)+spare*3/4)
		x0 += c.width() + gap
	}
}

// gameBlock puts the game over the table's line and returns its right edge.
func (d *drawing) gameBlock(x, base1, base2 float32, shoe bool) float32 {
	name, line := d.gameName(), d.tableLine(shoe)
	d.put(name, x, base1)
	d.put(line, x, base2)
	return x + max(name.width(), line.width())
}

// gameName sets the name with its highlighted part in gold.
func (d *drawing) gameName() row {
	s, g := set{cap: d.cap(25), weight: ExtraBold, tracking: -0.01}, d.b.Game
	if d.p.compact {
		s.cap = d.cap(22)
	}
	before, after, found := strings.Cut(g.Name, g.Accent)
	if g.Accent == "" || !found {
		return one("header.game", d.shape(s, g.Name, english), d.theme.Text)
	}
	space := d.shape(s, "a b", english).Advance - d.shape(s, "ab", english).Advance
	var r row
	for _, p := range []piece{
		{"header.game", d.shape(s, strings.TrimSpace(before), english), space, d.theme.Text},
		{"header.game.accent", d.shape(s, strings.TrimSpace(g.Accent), english), space, d.theme.GoldWord},
		{"header.game.rest", d.shape(s, strings.TrimSpace(after), english), space, d.theme.Text},
	} {
		if p.run.Text != "" {
			r = append(r, p)
		}
	}
	return r
}

// tableLine sets the table, the time and, with shoe, the shoe of today. While a
// record is on its way to the disk it says so in the place of the time; a dot
// tells the staff of what is too small for a notice.
func (d *drawing) tableLine(shoe bool) row {
	s, t, w := set{cap: d.cap(19), weight: SemiBold, tracking: 0.01}, d.theme, d.words.first
	text := func(name, text string, gap float32, col color.NRGBA) piece {
		return piece{name, d.shape(s, text, w.Lang), d.u(gap), col}
	}
	dot := text("header.dot", "·", 11, t.Muted)
	r := row{text("header.table", w.get("table", "name", d.b.Table), 0, t.Muted), dot}
	switch {
	case d.b.Saving:
		r = append(r, text("header.saving", w.get("saving"), 11, t.Amber))
	case d.b.ClockTrusted:
		r = append(r, text("header.clock", d.clock(d.v.Wall), 11, t.Muted))
	default:
		r = append(r, text("header.clock", w.get("clock_not_set"), 11, t.Amber))
	}
	if n := len(d.marked()); n > 0 {
		r = append(r, text("header.fault", "●", 14, t.Amber), text("header.fault", strconv.Itoa(n), 6, t.Muted))
	}
	if shoe && d.b.ShoeToday > 0 {
		r = append(r, dot, text("header.shoe", d.shoeToday(), 11, t.Muted))
	}
	return r
}

func (d *drawing) shoeToday() string {
	return d.words.first.get("shoe_today", "n", strconv.Itoa(d.b.ShoeToday))
}

// clock returns a local time in the way of the first language.
func (d *drawing) clock(at time.Time) string {
	w := d.words.first
	switch {
	case w.get("clock") == "24":
		return at.Format("15:04")
	case at.Hour() >= 12:
		return at.Format("3:04") + " " + w.get("pm")
	}
	return at.Format("3:04") + " " + w.get("am")
}

// nextMinute returns how long the clock stays as it is.
func (v *View) nextMinute() time.Duration {
	return time.Minute - time.Duration(v.Wall.Second())*time.Second - time.Duration(v.Wall.Nanosecond())
}

// hand sets the header's count of saved hands.
func (d *drawing) hand(cap float32) row {
	text := d.words.first.get("hand", "n", strconv.Itoa(d.b.Shoe.Hands))
	s := set{cap: d.cap(cap), weight: ExtraBold, tabular: true}
	return one("header.hand", d.shape(s, text, d.words.first.Lang), d.theme.Text)
}

// handBlock centres the hand over the shoe of today, right of x, and returns its
// right edge. The place allows for three digits, so that nothing moves.
func (d *drawing) handBlock(x, base1, base2 float32) float32 {
	hand, s := d.hand(32), set{cap: d.cap(18), weight: SemiBold, tracking: 0.01}
	var shoe row
	if d.b.ShoeToday > 0 && (!d.p.compact || len(d.b.Limits) <= 4) { // what matters least makes room
		shoe = one("header.shoe", d.shape(s, d.shoeToday(), d.words.first.Lang), d.theme.Muted)
	}
	w := max(hand.width(), shoe.width())
	mid := x + d.u(40) + w/2
	if d.p.compact {
		mid -= d.u(12)
	} else {
		mid = max(mid, d.u(535))
	}
	d.putCentre(hand, mid, base1)
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
	{88, true, 20, 30, false}, {48, true, 20, 29, false}, {36, true, 20, 28, false}, {26, true, 17, 24, false},
	{36, false, 20, 28, false}, {28, true, 17, 23, false}, {28, true, 16, 22, false},
	{28, true, 0, 0, false}, {28, false, 0, 0, false}, {22, false, 0, 0, true}, {12, false, 0, 0, true},
}

// limits sets all limits as well as the width allows, and returns the gap.
func (d *drawing) limits(width float32) (cols []limit, gap float32) {
	for _, f := range limitFits {
		cols, gap = cols[:0], d.u(f.gap)
		total := -gap
		for _, l := range d.b.Limits {
			c := d.limit(l, f)
			cols = append(cols, c)
			total += c.width() + gap
		}
		if total <= width {
			break
		}
	}
	return cols, gap
}

func (d *drawing) limit(l tracker.Limit, f limitFit) limit {
	label := set{cap: max(d.least(20), d.cap(f.label)), weight: Bold}
	s, t := set{cap: max(d.least(28), d.cap(f.figure)), weight: ExtraBold, tabular: true}, d.theme.Text
	return limit{d.limitLabel(l.Bets, label, f), row{
		{"limits.figure", d.shape(s, money(l.Min), english), 0, t},
		{"limits.figure.dash", d.shape(s, "–", english), s.cap * 0.2, t},
		{"limits.figure", d.shape(s, money(l.Max), english), s.cap * 0.2, t},
	}}
}

// limitLabel names the bets of a limit, each in its colour, all in the first
// language and then all in the second.
func (d *drawing) limitLabel(ids []string, s set, f limitFit) row {
	var r, seconds row
	for i, id := range ids {
		w := d.bet(id)
		text := w.brief().first
		if f.short {
			text = w.short
		}
		if i > 0 {
			r = append(r, piece{"limits.label.dot", d.shape(s, "·", english), s.cap * 0.3, d.theme.Muted})
		}
		r = append(r, piece{"limits.label", d.shape(s, text, d.words.first.Lang), s.cap * 0.3, w.color})
		if !f.second || w.name.second == "" {
			continue
		}
		if i == 0 && d.words.alike() {
			slash := d.shape(s, "/", english)
			seconds = append(seconds, piece{"limits.label.slash", slash, s.cap * 0.38, d.theme.Muted})
		}
		second := d.shape(s, w.name.second, d.words.second.Lang)
		seconds = append(seconds, piece{"limits.label.second", second, s.cap * 0.38, w.color})
	}
	return append(r, seconds...)
}
