package scene

import (
	"image/color"
	"strconv"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// previous draws the shoe before: its figures and its big road.
func (d *drawing) previous() {
	b := d.p.previous
	if b.Empty() || d.noticeTakes(b) {
		return
	}
	d.panel("previous", b, d.theme.Panel, d.theme.Border)
	in := b.inset(d.u(16), d.u(10))
	s := set{cap: d.cap(17), weight: SemiBold, tracking: 0.03}
	head, rest := in.top(round(d.u(32)))
	right := in.X1
	if p := d.b.Previous; p != nil {
		text, col := d.words.hands(p.Hands).first, d.theme.Text
		if len(p.Lost) > 0 {
			text, col = d.words.first.get("incomplete"), d.theme.Amber
		}
		hands := d.shape(set{cap: d.cap(19), weight: Bold}, text, d.words.first.Lang)
		right -= hands.Advance
		d.text("previous.hands", hands, right, hands.baseline(head.Y0, head.Y1), col)
	}
	title := d.label("previous.title", d.words.say("previous_shoe"), s, right-in.X0-d.u(20), d.theme.Muted)
	d.put(title, in.X0, round(title[0].run.baseline(head.Y0, head.Y1)))
	line, rest := rest.top(round(d.u(42)))
	if d.b.Previous != nil {
		d.previousLine(line)
	}
	_, field := rest.top(rest.H() - rows*round(d.u(18)))
	g := gridIn("previous.road", field.whole(), 1)
	d.field(g)
	if d.b.Previous != nil {
		d.bigMarks(g, d.b.Previous, bigStyle{name: "previous", newest: false})
	}
}

// figureOf is one figure of the previous shoe: what of, how many.
type figureOf struct {
	word  betWord
	n     int
	color color.NRGBA
}

// previousFigures are the outcomes and bets of the previous shoe.
func (d *drawing) previousFigures(p *stats.Shoe) []figureOf {
	player, banker, tie := d.side(game.Player), d.side(game.Banker), d.side(game.Tie)
	out := []figureOf{{player, p.Player.N, player.color}, {banker, p.Banker.N, banker.color}, {tie, p.Tie.N, tie.color}}
	for i, bet := range d.b.Game.Bets {
		if bet.ID != "tie" {
			w := d.bet(bet.ID)
			out = append(out, figureOf{w, countOf(p, i).N, w.color})
		}
	}
	return out
}

// naming chooses one of a bet's names.
type naming struct {
	of   func(betWord) string
	nat  string
	lang Lang
}

// namings are the names to try for a place where room is short: ideographs where
// a language has them, else the first language, then the short names.
func (d *drawing) namings() []naming {
	w := d.words
	first := naming{func(b betWord) string { return b.name.first }, w.first.get("natural"), w.first.Lang}
	short := naming{func(b betWord) string { return b.short }, w.first.get("natural_short"), w.first.Lang}
	if w.second == nil || !w.second.Lang.square() {
		return []naming{first, short}
	}
	second := naming{func(b betWord) string {
		if b.name.second == "" {
			return b.name.first
		}
		return b.name.second
	}, w.second.get("natural"), w.second.Lang}
	return []naming{second, first, short}
}

// previousLine sets the figures of the previous shoe in one line.
func (d *drawing) previousLine(b Box) {
	p := d.b.Previous
	for _, n := range d.namings() {
		for _, cap := range []float32{d.cap(22), d.cap(20), d.cap(18), d.least(16)} {
			for _, gap := range []float32{24, 14} {
				r := d.figuresRow(p, n, cap, d.u(gap))
				if r.width() <= b.W() {
					d.put(r, b.X0, round(r[1].run.baseline(b.Y0, b.Y1)))
					return
				}
			}
		}
	}
}

func (d *drawing) figuresRow(p *stats.Shoe, n naming, cap, gap float32) row {
	word := set{cap: cap, weight: Bold}
	digits := set{cap: cap, weight: Bold, tabular: true}
	setWord := func(text string) *Run {
		s := word
		if squares(text) {
			s.cap = cap / square * 1.2
		}
		return d.shape(s, text, n.lang)
	}
	var r row
	for _, f := range d.previousFigures(p) {
		r = append(r, piece{"previous.label", setWord(n.of(f.word)), gap, f.color},
			piece{"previous.n", d.shape(digits, strconv.Itoa(f.n), english), cap * 0.4, f.color})
	}
	r = append(r, piece{"previous.natural", setWord(n.nat), gap, d.theme.Muted})
	nat := d.naturalsRow("previous.naturals", p.Naturals, func(text string) *Run { return d.shape(digits, text, english) })
	nat[0].gap = cap * 0.4
	return append(r, nat...)
}
