package scene

import (
	"slices"
	"strings"
)

// barWords are what the phase bar says in its large letters, barLines what stands
// below or beside it.
var (
	barWords = []string{"table_closed", "shuffling", "place_bets", "no_more_bets", "player_wins", "banker_wins", "tie_result", "free_hand",
		"hand_void", "shoe_over", "last_hand", "paused", "review"}
	barLines = []string{"sides_push", "player_push", "banker_push", "pays", "natural_of", "natural_over", "natural_both", "no_bets",
		"void_misdeal", "void_exposed", "void_floor", "cards_decide"}
)

// examples fill in the texts that say a number or a name.
var examples = []string{"n", "40", "m", "1", "a", "9", "b", "8", "name", "14"}

// catalogueOf returns the catalogue of any language that is built in; nil: there is
// none. A technician's page shows languages that the board does not use.
func catalogueOf(code Lang) *Catalogue {
	all, err := Catalogues()
	if err != nil { // they are built in and were tested
		return nil
	}
	return all[code]
}

// phasesPage shows everything that the phase bar says in one language at its own
// size.
func (d *drawing) phasesPage(code Lang) {
	c := catalogueOf(code)
	if c == nil {
		d.testPattern()
		return
	}
	phases, lines := c.each(barWords), c.each(barLines)
	b := d.wordsFrame(c, "test_phases", append(slices.Clone(phases), lines...))
	large, small := set{cap: d.cap(70), weight: ExtraBold, tracking: -0.01}, set{cap: d.cap(32), weight: Bold}
	cols, lineCols := d.columnsFor(c, phases, large, b.W()), d.columnsFor(c, lines, small, b.W())
	high, low := float32((len(phases)+cols-1)/cols)*1.75, float32((len(lines)+lineCols-1)/lineCols)
	top, foot := b.top(round(b.H() * high / (high + low)))
	d.wordCells(top, c, phases, cols, large)
	d.wordCells(foot, c, lines, lineCols, small)
}

// columnsFor is in how many columns texts stand side by side at their full size, at
// most three. A wide screen has two in any case: rows would be too low for one.
func (d *drawing) columnsFor(c *Catalogue, texts []string, s set, width float32) int {
	var widest float32
	for _, text := range texts {
		widest = max(widest, d.shape(s, text, c.Lang).Advance+d.u(24))
	}
	least := 2
	if d.p.portrait {
		least = 1
	}
	return min(3, max(least, int(width/widest)))
}

// labelsPage shows every other text of one language, and the names of the game's
// bets, at the size of labels.
func (d *drawing) labelsPage(code Lang) {
	c := catalogueOf(code)
	if c == nil {
		d.testPattern()
		return
	}
	texts := c.labels()
	for _, bet := range d.b.Game.Bets {
		texts = append(texts, labelIn(bet.Labels, code))
	}
	cols := 4
	if d.p.portrait {
		cols = 2
	}
	b, s := d.wordsFrame(c, "test_labels", texts), set{cap: d.cap(20), weight: Bold}
	var short, long []string
	for _, text := range texts {
		if d.shape(s, text, code).Advance > b.W()/float32(cols)-d.u(20) {
			long = append(long, text)
			continue
		}
		short = append(short, text)
	}
	rows, lines := (len(short)+cols-1)/cols, (len(long)+cols/2-1)/(cols/2)
	top, low := b.top(round(b.H() * float32(rows) / float32(rows+lines)))
	d.wordCells(top, c, short, cols, s)
	d.wordCells(low, c, long, cols/2, s)
}

// labels are the texts of the board that are not the phase bar's, filled in, without
// those of the technician's own pages.
func (c *Catalogue) labels() []string {
	keys := slices.DeleteFunc(slices.Clone(c.keys), func(key string) bool {
		return isTechnicians(key) || slices.Contains(barWords, key) || slices.Contains(barLines, key)
	})
	return c.each(keys)
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

// wordsFrame draws the head and the foot of a page of a language and returns what
// is left between them. A character that no font has is named.
func (d *drawing) wordsFrame(c *Catalogue, title string, texts []string) Box {
	t, w := d.theme, d.words.first
	b := d.screen().inset(d.u(28), d.u(14))
	head, rest := b.top(d.u(86))
	d.middle("test.title", d.pageName(w.get(title)+"  "+c.get("language")), set{cap: d.cap(26), weight: Bold}, head.row(0, 2), t.Text)
	d.middle("test.mode", d.panelMode(), set{cap: d.cap(18), weight: Medium}, head.row(1, 2), t.Muted)
	foot := rest
	foot.Y0 = foot.Y1 - d.u(72)
	rest.Y1 = foot.Y0
	d.rule("test.rule", b.X0, b.X1, rest.Y0)
	d.rule("test.rule", b.X0, b.X1, foot.Y0)
	look, ink := w.get("test_see_words"), t.Muted
	var missing []rune
	for _, text := range texts {
		missing = append(missing, d.fonts.Missing(text)...)
	}
	if len(missing) > 0 {
		look, ink = w.get("test_missing", "name", string(missing)), t.Amber
	}
	d.middle("test.look", look, set{cap: d.cap(18), weight: Medium}, foot.row(0, 2), ink)
	d.middle("test.next", w.get("test_next"), set{cap: d.cap(18), weight: Medium}, foot.row(1, 2), t.Muted)
	return rest
}

// wordCells sets texts of one language in columns, read downwards, each as large as
// s where its cell allows.
func (d *drawing) wordCells(b Box, c *Catalogue, texts []string, cols int, s set) {
	rows := (len(texts) + cols - 1) / cols
	for i, text := range texts {
		cell := b.column(i/rows, cols).row(i%rows, rows).inset(d.u(8), 0)
		try := s
		run, _ := d.fit(try, d.least(16), text, c.Lang, cell.W())
		for high := 0.94 * cell.H(); run.Ink.H() > high && try.cap > d.least(16); { // marks above and below
			try.cap *= 0.95
			run, _ = d.fit(try, d.least(16), text, c.Lang, cell.W())
		}
		r := one("test.word", run, d.theme.Text)
		d.put(r, cell.X0, d.seat(r, cell))
	}
}
