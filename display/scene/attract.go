package scene

import (
	"slices"
	"strconv"
	"strings"

	"shoeboard/stats"
)

// attracting reports whether a page stands in the place of the roads: 10 s in
// every 30. In between players look at the finished board.
func (d *drawing) attracting() bool {
	return d.b.Attract.On && d.v.Now%attractIn < attractOn && len(d.pages()) > 0
}

// pages returns the attract pages that have something to show.
func (d *drawing) pages() []func(Box) {
	var out []func(Box)
	if len(d.b.Game.Bets) > 0 {
		out = append(out, d.betsPage)
	}
	if d.summed() != nil {
		out = append(out, d.summaryPage)
	}
	if len(d.b.Collection) > 0 {
		out = append(out, d.collectionPage)
	}
	if d.b.Attract.Message != "" || d.v.House != nil {
		out = append(out, d.housePage)
	}
	return out
}

// attract draws the page of this half minute in the place of roads and results,
// with the two lines that stand on every page.
func (d *drawing) attract() {
	pages := d.pages()
	b := d.attractBox()
	d.panel("attract", b, d.theme.Panel, d.theme.Border)
	in := b.inset(d.u(48), d.u(28))
	in, foot := in.top(in.H() - d.u(76))
	in.Y1 -= d.u(20)
	d.footLines(foot)
	n := int(d.v.Now/attractIn) % len(pages)
	if !d.p.compact || n > 0 { // beside the bets a small screen has no room
		in = d.staffStrip(in)
	}
	pages[n](in)
}

// attractBox returns the place of everything between header, bar and collection.
func (d *drawing) attractBox() Box {
	b := d.p.bigRoad.Union(d.p.results)
	for _, o := range []Box{d.p.beads, d.p.derived, d.p.previous} {
		b = b.Union(o)
	}
	return b
}

// footLines draws the lines of information and of responsible gambling.
func (d *drawing) footLines(b Box) {
	d.rule("attract.rule", b.X0, b.X1, b.Y0)
	for i, text := range []string{d.b.Attract.Info, d.b.Attract.Care} {
		at := Box{b.X0, b.Y0 + d.u(16), b.X1, b.Y1 + d.u(8)}.row(i, 2)
		d.write("attract.foot", text, set{cap: d.cap(20), weight: Medium}, at, 0.5, d.theme.Text)
	}
}

// pageTitle draws a page's title and returns what is left of the page.
func (d *drawing) pageTitle(b Box, p phrase) Box {
	head, rest := b.top(d.u(76))
	r := d.label("attract.title", p, set{cap: d.cap(34), weight: Bold}, b.W(), d.theme.Text)
	d.put(r, b.X0, round(r[0].run.baseline(head.Y0, head.Y1)))
	return rest
}

// betsPage tells what each bet wins on and pays.
func (d *drawing) betsPage(b Box) {
	rest := d.pageTitle(b, d.words.say("bets_pay"))
	pays := [][2]string{{"player", "1 TO 1"}, {"banker", "1 TO 1"}}
	if d.b.Game.TiePays != "" {
		pays = append(pays, [2]string{"tie", d.b.Game.TiePays})
	}
	for _, bet := range d.b.Game.Bets {
		if bet.ID != "tie" {
			pays = append(pays, [2]string{bet.ID, bet.Pays})
		}
	}
	for i, p := range pays {
		d.payLine(rest.row(i, len(pays)), p[0], p[1])
	}
}

func (d *drawing) payLine(b Box, id, pays string) {
	d.rule("attract.rule", b.X0, b.X1, b.Y0)
	b.Y0 += d.px(2)
	w := d.bet(id)
	d.write("attract.pays", d.words.odds("odds", pays), set{cap: d.cap(32), weight: ExtraBold}, b, 1, d.theme.Text)
	name := d.label("attract.bet", w.name, set{cap: d.cap(28), weight: Bold}, b.W()*0.30, w.color)
	d.put(name, b.X0, round(name[0].run.baseline(b.Y0, b.Y1)))
	if key, ok := winsOf[id]; ok {
		d.winsText(Box{b.X0 + b.W()*0.33, b.Y0, b.X1 - b.W()*0.2, b.Y1}, d.words.say(key))
	}
}

// winsText says when a bet wins, in two lines for two languages.
func (d *drawing) winsText(b Box, p phrase) {
	s := set{cap: d.cap(22), weight: Medium}
	first, ok := d.fit(s, d.least(16), p.first, d.words.first.Lang, b.W())
	if !ok {
		d.paragraph("attract.wins", []string{p.first}, b.inset(0, d.u(4)), 18, d.theme.Text)
		return
	}
	if p.second != "" && b.H() > d.u(66) {
		if second, ok := d.fit(s, d.least(16), p.second, d.words.second.Lang, b.W()); ok {
			d.stacked("attract.wins", first, second, b, d.theme.Text)
			return
		}
	}
	d.text("attract.wins", first, b.X0, first.baseline(b.Y0, b.Y1), d.theme.Text)
}

// summed returns the shoe of the summary: the one just finished, whose board
// still stands, else the one before.
func (d *drawing) summed() *stats.Shoe {
	if d.b.Shoe.Hands > 0 {
		return &d.b.Shoe
	}
	return d.b.Previous
}

// summaryPage shows the figures of the shoe just finished, large, and its road.
func (d *drawing) summaryPage(b Box) {
	s := d.summed()
	hands := d.shape(set{cap: d.cap(34), weight: Bold, tabular: true}, d.words.hands(s.Hands).first, d.words.first.Lang)
	rest := d.pageTitle(Box{b.X0, b.Y0, b.X1 - hands.Advance - d.u(40), b.Y1}, d.words.say("previous_shoe"))
	rest.X1 = b.X1
	d.text("attract.hands", hands, b.X1-hands.Advance, hands.baseline(b.Y0, rest.Y0), d.theme.Text)
	cell := min(d.u(36), (rest.H()-d.u(220))/rows)
	if n := lastColumn(s.Roads) + 1; d.p.portrait { // there is height to spare
		cell = min(cell, rest.W()/float32(max(n, 1)))
	}
	if cell < d.u(18) { // a small screen: the figures alone
		d.summaryFigures(rest, s)
		return
	}
	high := rest.H() - rows*cell - d.u(20)
	if d.p.portrait {
		high = min(high, d.u(480))
	}
	figures, field := rest.top(high)
	d.summaryFigures(figures, s)
	_, field = field.top(d.u(20))
	field.Y1 = field.Y0 + rows*cell
	g := gridIn("attract.road", field.whole(), 1)
	d.field(g)
	d.bigMarks("attract", g, s, false)
}

// summaryFigures draws the outcomes with their shares and the bets.
func (d *drawing) summaryFigures(b Box, s *stats.Shoe) {
	tallies := d.tallies(s)
	cols, lines := len(tallies)+1, 1
	if d.p.portrait {
		cols, lines = 3, len(tallies)/3+1
	}
	at := func(i int) Box { return b.row(i/cols, lines).column(i%cols, cols) }
	for i, t := range tallies {
		n := one("attract.n", d.bigFigure(strconv.Itoa(t.count.N)), d.theme.Text)
		d.summaryCell(at(i), t.word, n, shareOf(s, t.count)+" %")
	}
	natural := betWord{name: d.words.say("natural"), color: d.theme.Text}
	d.summaryCell(at(len(tallies)), natural, d.naturalsRow("attract.n", s.Naturals, d.bigFigure), "")
}

func (d *drawing) bigFigure(text string) *Run {
	return d.shape(set{cap: d.cap(60), weight: ExtraBold, tabular: true}, text, english)
}

// summaryCell draws one figure under its name and over its share.
func (d *drawing) summaryCell(b Box, w betWord, n row, share string) {
	label := d.label("attract.label", w.name, set{cap: d.cap(24), weight: Bold}, b.W()-d.u(20), w.color)
	under := d.shape(set{cap: d.cap(26), weight: Medium, tabular: true}, share, english)
	gap := d.u(22)
	y := (b.Y0+b.Y1-n[0].run.CapHeight)/2 - d.u(2)
	d.put(label, b.X0, round(y-gap))
	y += n[0].run.CapHeight
	d.put(n, b.X0, round(y))
	d.text("attract.share", under, b.X0, y+gap+under.CapHeight, d.theme.Muted)
}

// collectionPage shows the schedule in force as a table.
func (d *drawing) collectionPage(b Box) {
	rest := d.pageTitle(b, d.words.say("collection"))
	if !d.p.portrait {
		rest = rest.inset(rest.W()*0.17, 0) // eyes should not travel far from rate to fee
	}
	for i, r := range d.b.Collection {
		at := rest.row(i, len(d.b.Collection))
		s := set{cap: max(d.least(26), min(d.cap(34), at.H()*0.5)), weight: SemiBold}
		d.rule("attract.rule", at.X0, at.X1, at.Y0)
		what, _ := d.fit(s, d.least(26), d.rateFor(r, betWord.whole), d.words.first.Lang, at.W()*0.7)
		d.text("attract.rate", what, at.X0, what.baseline(at.Y0, at.Y1), d.theme.Text)
		fee := set{cap: s.cap * 1.15, weight: ExtraBold, tabular: true}
		d.write("attract.fee", money(r.Fee), fee, at, 1, d.theme.Text)
	}
}

// housePage shows the house's own message under its picture.
func (d *drawing) housePage(b Box) {
	text := b
	if p := d.v.House; p != nil {
		at := b
		if d.b.Attract.Message != "" {
			at, text = b.top(b.H() * 0.68)
		}
		size := p.Bounds().Size()
		k := min(at.W()/float32(size.X), at.H()/float32(size.Y))
		w, h := round(float32(size.X)*k), round(float32(size.Y)*k)
		x, y := at.centre()
		d.image("attract.house", p, box(round(x-w/2), round(y-h/2), w, h))
	}
	d.message(text, d.b.Attract.Message)
}

// message sets the house's words in the middle, as large as they fit.
func (d *drawing) message(b Box, text string) {
	s := set{cap: d.cap(64), weight: Bold}
	var lines []*Run
	for ; ; s.cap = max(d.least(16), s.cap-2) {
		lines = slices.Concat(d.paragraphs(s, strings.Split(text, "\n"), b.W())...)
		if float32(len(lines))*s.cap*1.8 <= b.H() || s.cap <= d.least(16) {
			break
		}
	}
	x, y := b.centre()
	y -= float32(len(lines)) * s.cap * 0.9
	for _, run := range lines {
		d.text("attract.message", run, x-run.Advance/2, y+s.cap*1.4, d.theme.Text)
		y += s.cap * 1.8
	}
}
