package scene

import (
	"slices"
	"strings"
)

// barWords are what the phase bar says in its large letters, barLines what stands
// below or beside it.
var (
	barWords = []string{"table_closed", "shuffling", "place_bets", "no_more_bets", "player_wins", "banker_wins",
		"tie_result", "free_hand", "hand_void", "shoe_over", "last_hand", "paused", "review"}
	barLines = []string{"sides_push", "player_push", "banker_push", "pays", "natural_of", "natural_over",
		"natural_both", "no_bets", "void_misdeal", "void_exposed", "void_floor", "cards_decide"}
)

// examples fill in the texts that say a number or a name.
var examples = []string{"n", "40", "m", "1", "a", "9", "b", "8", "name", "14"}

// wordGroup is texts of one language that are set alike, in columns.
type wordGroup struct {
	texts []string
	cols  int
	set   set
	high  float32 // how high a row is against those of other groups
}

func (g wordGroup) rows() int { return (len(g.texts) + g.cols - 1) / g.cols }

// catalogueOf returns the catalogue of any language that is built in; nil: there is
// none. A technician's page shows languages that the board does not use.
func catalogueOf(code Lang) *Catalogue {
	if code == "" {
		return nil
	}
	all, err := Catalogues()
	if err != nil { // they are built in and were tested
		return nil
	}
	return all[code]
}

// wordsPage shows two groups of texts of one language under each other. A character that
// no font has is named.
func (d *drawing) wordsPage(c *Catalogue, title string, groups [2]wordGroup) {
	t, w := d.theme, d.words.first
	b := d.screen().inset(d.u(28), d.u(14))
	head, rest := b.top(d.u(86))
	rest, foot := rest.top(rest.H() - d.u(72))
	small := set{cap: d.cap(18), weight: Medium}
	name := d.pageName(w.get(title) + "  " + c.get("language"))
	d.middle("test.title", name, set{cap: d.cap(26), weight: Bold}, head.row(0, 2), t.Text)
	d.middle("test.mode", d.panelMode(), small, head.row(1, 2), t.Muted)
	d.rule("test.rule", b.X0, b.X1, rest.Y0)
	d.rule("test.rule", b.X0, b.X1, foot.Y0)
	look, ink := w.get("test_see_words"), t.Muted
	if missing := d.fonts.Missing(strings.Join(slices.Concat(groups[0].texts, groups[1].texts), "")); missing != nil {
		look, ink = w.get("test_missing", "name", string(missing)), t.Amber
	}
	d.middle("test.look", look, small, foot.row(0, 2), ink)
	d.middle("test.next", w.get("test_next"), small, foot.row(1, 2), t.Muted)
	high, low := float32(groups[0].rows())*groups[0].high, float32(groups[1].rows())*groups[1].high
	top, bottom := rest.top(round(rest.H() * high / (high + low)))
	d.wordCells(top, c, groups[0])
	d.wordCells(bottom, c, groups[1])
}

// phaseWords returns everything that the phase bar says, at its own size, in columns in
// which they stand side by side at that size.
func (d *drawing) phaseWords(c *Catalogue) [2]wordGroup {
	large, small := set{cap: d.cap(70), weight: ExtraBold, tracking: -0.01}, set{cap: d.cap(32), weight: Bold}
	groups := [2]wordGroup{{c.each(barWords), 0, large, 1.75}, {c.each(barLines), 0, small, 1}}
	for i := range groups {
		g := &groups[i]
		var widest float32
		for _, text := range g.texts {
			widest = max(widest, d.shape(g.set, text, c.Lang).Advance+d.u(24))
		}
		least := int(d.p.either(2, 1)) // a wide screen has two in any case: rows would be too low for one
		g.cols = min(3, max(least, int((d.screen().W()-2*d.u(28))/widest)))
	}
	return groups
}

// labelWords returns every other text, and the names of the game's bets, at the size of
// labels: the short ones, then those that are too long for a column of them.
func (d *drawing) labelWords(c *Catalogue) [2]wordGroup {
	keys := slices.DeleteFunc(slices.Clone(c.keys), func(key string) bool {
		return isTechnicians(key) || slices.Contains(barWords, key) || slices.Contains(barLines, key)
	})
	texts, cols, s := c.each(keys), int(d.p.either(4, 2)), set{cap: d.cap(20), weight: Bold}
	for _, bet := range d.b.Game.Bets {
		texts = append(texts, labelIn(bet.Labels, c.Lang))
	}
	short, long := wordGroup{nil, cols, s, 1}, wordGroup{nil, cols / 2, s, 1}
	for _, text := range texts {
		g := &short
		if d.shape(s, text, c.Lang).Advance > (d.screen().W()-2*d.u(28))/float32(cols)-d.u(20) {
			g = &long
		}
		g.texts = append(g.texts, text)
	}
	return [2]wordGroup{short, long}
}

// isTechnicians reports whether a text stands only on the technician's own pages, or on none.
func isTechnicians(key string) bool {
	return key == "clock" || strings.HasPrefix(key, "test_") && key != "test_pattern"
}

// each returns the texts of keys with something filled in.
func (c *Catalogue) each(keys []string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = c.get(key, examples...)
	}
	return out
}

// wordCells sets texts of one language in columns, read downwards, each as large as the
// set where its cell allows.
func (d *drawing) wordCells(b Box, c *Catalogue, g wordGroup) {
	rows := g.rows()
	for i, text := range g.texts {
		cell := b.column(i/rows, g.cols).row(i%rows, rows).inset(d.u(8), 0)
		try := g.set
		run, _ := d.fit(try, d.least(16), text, c.Lang, cell.W())
		for high := 0.94 * cell.H(); run.Ink.H() > high && try.cap > d.least(16); { // marks above and below
			try.cap *= 0.95
			run, _ = d.fit(try, d.least(16), text, c.Lang, cell.W())
		}
		r := one("test.word", run, d.theme.Text)
		d.put(r, cell.X0, d.seat(r, cell))
	}
}
