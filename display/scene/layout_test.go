package scene

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"shoeboard/display/specimen"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// screens are the sizes that the board is made for.
var screens = [][2]int{{800, 480}, {1024, 600}, {1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}, {1080, 1920}, {768, 1366}}

// speaking are the pairs of languages that layouts are tried in: each alone,
// each beside English, English beside each.
func speaking(t testing.TB) [][2]*Catalogue {
	cats := catalogues(t)
	en := cats[english]
	out := [][2]*Catalogue{{en, nil}}
	for _, l := range []Lang{traditional, simplified, "vi", korean, "es", "tl"} {
		out = append(out, [2]*Catalogue{en, cats[l]}, [2]*Catalogue{cats[l], en}, [2]*Catalogue{cats[l], nil})
	}
	return append(out, [2]*Catalogue{cats[traditional], cats["vi"]}, [2]*Catalogue{cats["es"], cats[traditional]})
}

// allWalks reports whether this is a run of "make walks", which takes minutes.
func allWalks() bool { return os.Getenv("WALKS") == "all" }

// TestEveryStateFitsEveryScreenInEveryLanguage lays out every state x language x
// size and finds no text cut or overlapping, none outside its part, none below
// the least sizes, and none whose glyphs are missing. Without "make walks" each size has
// every third pair of languages, and each pair every third size.
func TestEveryStateFitsEveryScreenInEveryLanguage(t *testing.T) {
	fonts := testFonts(t)
	pairs := speaking(t)
	specimens := append(specimen.All(), hardCases(t)...)
	for turn, size := range screens {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			checked := map[string]bool{}
			for i, pair := range pairs { // texts of one pair are shaped once for all states
				if i%3 != turn%3 && !allWalks() {
					continue
				}
				for _, s := range specimens {
					if (s.Board.Test != "" || s.Board.Menu != nil) && pair[1] != nil {
						continue // a technician's page is in one language
					}
					v := look(s, View{W: size[0], H: size[1], Theme: dark(), Fonts: fonts, First: pair[0], Second: pair[1], Corner: "SPECIMEN", BarTop: i%2 == 1,
						Naturals: i%3 == 0, Beads: []BeadStyle{"letters", Characters, Totals}[i%3]})
					l := layout{t: t, v: v, ops: Build(&s.Board, v), name: s.Name + " " + string(pair[0].Lang), checked: checked}
					if pair[1] != nil {
						l.name += "+" + string(pair[1].Lang)
					}
					l.check()
					if bar := &s.Board.Bar; bar.Kind == stats.BarResult && bar.Last.Outcome == game.Tie && said(l.ops, "bar.line") == "" {
						l.complain("the bar says nothing except its phase")
					}
				}
			}
		})
	}
}

// hardCases are boards that are rare, but must fit as well.
func hardCases(t testing.TB) []specimen.Specimen {
	everything := func(m *stats.Mark) { m.Totals, m.PlayerTotal, m.BankerTotal = true, 6, 7 }
	freeNatural := func(m *stats.Mark) {
		everything(m)
		m.Free, m.PlayerNatural, m.BankerNatural, m.PlayerTotal, m.BankerTotal = true, true, true, 9, 9
	}
	faults, closed := state(t, "faults-marked").Board, state(t, "table-closed").Board
	full := with(counting(panda8(""), 20), func(b *stats.Board) {
		b.Table, b.LastHand = "High Limit 3", true
		b.Shoe.Hands, b.ShoeToday = 100, 12
		b.Shoe.Player, b.Shoe.Banker = stats.Count{N: 12, Share: 1000, Since: 0}, stats.Count{N: 100, Since: 99}
		b.Shoe.Tie.Since, b.Shoe.Naturals = 99, stats.Naturals{Player: 38, Banker: 29}
		b.Limits[0].Max = 2500000
		b.Limits[1].Max = 100000
		b.Collection[2] = tracker.Rate{From: 50100, To: 2500000, Fee: 1250}
	})
	base := with(panda8(""), func(b *stats.Board) {
		b.Limits = []tracker.Limit{{Bets: []string{"player"}, Min: 1000, Max: 100000}, {Bets: []string{"banker"}, Min: 1000, Max: 100000},
			{Bets: []string{"tie"}, Min: 100, Max: 10000}, {Bets: []string{"dragon-7"}, Min: 100, Max: 5000}, {Bets: []string{"panda-8"}, Min: 100, Max: 5000}}
	})
	many := func(b stats.Board) stats.Board {
		b.Faults, b.EndedFaults = faults.Faults, slices.Repeat(faults.EndedFaults, 31)
		return b
	}
	attracting := state(t, "attract-bets").Board
	return []specimen.Specimen{
		{Name: "bonus-totals", Board: result(panda8("b"), everything)},
		{Name: "two-bonuses-totals", Board: result(dai("x"), everything)},
		{Name: "bonus-last-hand", Board: with(result(panda8("p"), everything), func(b *stats.Board) { b.LastHand = true })},
		{Name: "free-natural", Board: result(panda8("T"), freeNatural)},
		{Name: "full", Board: full},
		{Name: "five-limits", Board: base},
		{Name: "bonus-in-chip", Board: counting(with(panda8("b"), func(b *stats.Board) { b.Bar.Run = 12 }), 20)},
		{Name: "long-words", Board: with(echo(stats.Dealer{Entering: true, Lines: [2]string{"OK=NEW SHOE 0=HAND83", "KEY IT, FREE OR VOID"}}), func(b *stats.Board) {
			b.Faults = []stats.Fault{{Text: strings.Repeat("The keypad is not there. ", 8)}}
		})},
		{Name: "many-faults", Board: many(panda8(""))},
		{Name: "many-faults-closed", Board: many(closed)},
		{Name: "many-faults-summary", Board: many(attracting), Now: attractIn},
		{Name: "many-faults-collection", Board: many(attracting), Now: 2 * attractIn},
	}
}

// layout is one picture to be looked at.
type layout struct {
	t    *testing.T
	v    View
	ops  []Op
	name string
	said int

	checked map[string]bool // texts whose glyphs have been looked for
}

// inked is a text and what it covers.
type inked struct {
	*Op
	ink Box
}

// complain reports a fault, but not the hundredth of a picture.
func (l *layout) complain(format string, args ...any) {
	if l.said++; l.said < 4 {
		l.t.Errorf("%s: %s", l.name, fmt.Sprintf(format, args...))
	}
}

func (l *layout) check() {
	p := planFor(float32(l.v.W), float32(l.v.H), l.v.BarTop)
	parts := partsOf(p, l.ops)
	var texts []inked
	veil := false
	for i := range l.ops {
		o := &l.ops[i]
		if o.Kind == Text && o.Name != "demo" {
			text := inked{o, o.Bounds()}
			texts = append(texts, text)
			l.one(text, p, parts)
		}
		veil = veil || o.Name == "waiting.veil"
	}
	if veil {
		return // what stands under the veil is not read
	}
	for i := range texts {
		for j := range texts[:i] {
			if a, b := &texts[i], &texts[j]; a.ink.Overlaps(b.ink) {
				l.complain("%s %q overlaps %s %q", a.Name, a.Run.Text, b.Name, b.Run.Text)
			}
		}
	}
	l.obstacles(texts)
}

// one looks at a single text.
func (l *layout) one(o inked, p plan, parts map[string]Box) {
	ink := o.ink
	if !(Box{0, 0, float32(l.v.W), float32(l.v.H)}).Contains(ink) {
		l.complain("%s %q is cut by the screen", o.Name, o.Run.Text)
	}
	part, _, _ := strings.Cut(o.Name, ".")
	if b, ok := parts[part]; !ok {
		l.complain("%s belongs to no part", o.Name)
	} else if !b.Contains(ink) {
		l.complain("%s %q at %v leaves its part %v", o.Name, o.Run.Text, ink, b)
	}
	if !l.checked[o.Run.Text] {
		l.checked[o.Run.Text] = true
		if m := l.v.Fonts.Missing(o.Run.Text); m != nil {
			l.complain("%s %q: no glyph for %q", o.Name, o.Run.Text, m)
		}
	}
	l.height(o.Op, p)
}

// height compares a text with the least size of its kind. Characters that fill a
// square are measured by their ink; in the phase bar they need not be as tall as
// capitals, and a second language in Latin letters counts as a second line.
func (l *layout) height(o *Op, p plan) {
	least := leastOf(o.Name)
	square := squares(o.Run.Text)
	switch {
	case o.Name == "bar.phase" && square:
		least = 60
	case o.Name == "bar.second" && !square:
		least = 32
	}
	have, need := o.Run.CapHeight, least*p.base
	if square {
		have, need = o.Run.Style.Size, l.v.Fonts.hanSize(need)
	}
	if have < need-0.05 {
		l.complain("%s %q: capitals of %.1f px, least is %.1f", o.Name, o.Run.Text, have, need)
	}
}

// partsOf are the boxes that texts must stay in, by the first word of their names.
func partsOf(p plan, ops []Op) map[string]Box {
	screen := ops[0].Bounds()
	all := map[string]Box{
		"header": p.header, "limits": p.header, "bar": p.bar, "collection": p.collection.inset(0, -8*p.scale), "dealer": p.collection.inset(0, -8*p.scale), "corner": p.collection,
		"results": p.results, "previous": p.previous, "notice": p.notice, "caption": p.derived,
		"bead": p.beads, "big": p.bigRoad.inset(-2, -2), "waiting": screen, "identify": screen, "pattern": screen, "test": screen, "keypad": screen, "menu": screen,
		"attract": p.bigRoad.Union(p.results).Union(p.beads).Union(p.derived).Union(p.previous),
	}
	return all
}

// obstacles are shapes that no text may touch unless it lies wholly within them.
func (l *layout) obstacles(texts []inked) {
	for i := range l.ops {
		switch o := &l.ops[i]; o.Name {
		case "bar.pays", "bar.flag.edge", "bar.qr", "dealer.edge", "keypad.key", "menu", "notice", "previous", "results", "bar":
			b := o.Bounds()
			for _, text := range texts {
				if b.Overlaps(text.ink) && !b.Contains(text.ink) {
					l.complain("%s %q touches %s", text.Name, text.Run.Text, o.Name)
				}
			}
		}
	}
}

// TestNoSizePanics tries screens that nobody has.
func TestNoSizePanics(t *testing.T) {
	fonts := testFonts(t)
	pair := speaking(t)[1]
	specimens := specimen.All()
	for turn, size := range [][2]int{{0, 0}, {1, 1}, {1, 4000}, {4000, 1}, {320, 240}, {640, 480}, {1024, 768}, {1080, 1080}, {2560, 1080}, {480, 800}, {7680, 4320}} {
		for _, s := range specimens {
			for _, top := range []bool{false, true} {
				if top != (turn%2 == 1) && !allWalks() {
					continue
				}
				v := look(s, View{W: size[0], H: size[1], Theme: light(), Fonts: fonts, First: pair[0], Second: pair[1], BarTop: top})
				if len(Build(&s.Board, v)) == 0 {
					t.Errorf("%s at %v: nothing drawn", s.Name, size)
				}
			}
		}
	}
}
