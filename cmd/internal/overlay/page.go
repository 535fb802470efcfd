// Package overlay draws printable overlays of keypads: the function of each key in a game,
// in true millimetres, as an SVG that needs no font.
//
// Words: a layout is a set of positions with the functions of a tap and a hold of each; a
// page is one layout for one game; a label lies on a keycap.
//
// A caller may assume that every key of a map is on its page, that no text leaves its label
// or is too small to read, and that words that do not fit are an error that names the key.
package overlay

import (
	"fmt"
	"strings"

	"shoeboard/cmd/internal/keycaps"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Measures of an overlay in millimetres. A keypad's keys are 19.05 mm apart, as on
// every keyboard; a label lies on the keycap and leaves its rounded edge free.
const (
	pitch       = 19.05
	inset       = 2.0  // from the cell to the label
	padding     = 0.9  // from the label to its words
	pageMargin  = 12.0 // printers leave some
	headHeight  = 14.0
	footHeight  = 14.0
	bandHeight  = 5.6 // of a hold below a tap
	holdHeight  = 9.6 // of a hold on a key without a tap
	lineGap     = 0.9
	mostWords   = 3.4 // size of a font
	mostHold    = 2.5
	mostTotal   = 6.5
	digitSize   = 2.7
	posSize     = 1.3
	leastSize   = 1.8 // a dealer of sixty reads 5 points on his own keys
	leastAcross = 4   // keys
)

// Inks. A label is readable without its colour.
const (
	inkBlack  = "#111111"
	inkGrey   = "#8a8a8a"
	inkWhite  = "#ffffff"
	inkBanker = "#b3121d"
	inkPlayer = "#0b4aa2"
	inkTie    = "#0b6b33"
)

type rect struct{ x, y, w, h float64 }

func (r rect) shrunk(by float64) rect { return rect{r.x + by, r.y + by, r.w - 2*by, r.h - 2*by} }

// lettering is one line of text on the page. Its box has the height of its capitals.
type lettering struct {
	text string
	face *face
	size float64
	box  rect
	ink  string
}

// keycap is one key on the page.
type keycap struct {
	pos, says  string
	cell, area rect // area is the label
	band       rect // of the hold; empty: none
	words      []lettering
	name       lettering // of the position, outside the label
}

// page is one printable overlay.
type page struct {
	title string
	size  rect
	caps  []keycap
	words []lettering // above and below the keys
	ruler rect        // 50 mm
}

// Drafter lays pages out.
type Drafter struct{ bold, medium *face }

// New returns a drafter with the built-in fonts.
func New() (*Drafter, error) {
	bold, err := newFace(700)
	if err != nil {
		return nil, err
	}
	medium, err := newFace(500)
	return &Drafter{bold, medium}, err
}

// page lays out the overlay of a map.
func (d *Drafter) page(p *game.Pack, layout string, m console.Map) (page, error) {
	places := keycaps.Places(m)
	if len(places) == 0 {
		return page{}, fmt.Errorf("layout %s has no key", layout)
	}
	left, top, right, bottom := 0.0, places[0].Y, float64(leastAcross), 0.0
	for _, k := range places {
		left, top, right, bottom = min(left, k.X), min(top, k.Y), max(right, k.X+k.W), max(bottom, k.Y+k.H)
	}
	high := (bottom-top)*pitch + 2*pageMargin + headHeight + footHeight
	pg := page{title: "Keypad overlay, " + layout + ", " + p.Name,
		size: rect{0, 0, (right-left)*pitch + 2*pageMargin, high}}
	for _, k := range places {
		cell := rect{pageMargin + (k.X-left)*pitch, pageMargin + headHeight + (k.Y-top)*pitch, k.W * pitch, k.H * pitch}
		c, err := d.keycap(p, k.Pos, m[k.Pos], cell)
		if err != nil {
			return page{}, fmt.Errorf("layout %s, game %s, key %s: %w", layout, p.ID, k.Pos, err)
		}
		pg.caps = append(pg.caps, c)
	}
	return pg, d.around(&pg, p.Name, layout)
}

// around writes the head and the foot of the page.
func (d *Drafter) around(pg *page, game, layout string) error {
	across := rect{pageMargin, pageMargin, pg.size.w - 2*pageMargin, 4}
	foot := pg.size.h - pageMargin - footHeight
	pg.ruler = rect{pageMargin, foot + 7.5, 50, 2}
	for _, line := range []struct {
		text string
		face *face
		most float64
		y    float64
		ink  string
	}{
		{game, d.bold, 4.2, pageMargin, inkBlack},
		{layout, d.medium, 3, pageMargin + 5.4, inkBlack},
		{"Dark band: hold the key this long. Cut along the lines.", d.medium, 2.4, foot + 2, inkBlack},
		{"Print at 100 %: this line is 50 mm long.", d.medium, 2.4, foot + 11, inkBlack},
	} {
		across.y = line.y
		l, err := d.fit(line.face, []string{line.text}, across, line.most, line.ink)
		if err != nil {
			return err
		}
		l[0].box.x = across.x // from the left, not in the middle
		pg.words = append(pg.words, l...)
	}
	return nil
}

// keycap lays out one key: its digit in the corner, what a tap does in the middle,
// what a hold does in a dark band at the foot.
func (d *Drafter) keycap(p *game.Pack, pos string, b console.Binding, cell rect) (keycap, error) {
	c := keycap{pos: pos, says: keycaps.Name(p, b), cell: cell, area: cell.shrunk(inset)}
	free := c.area.shrunk(padding)
	var err error
	if c.name, err = d.posName(pos, cell); err != nil {
		return c, err
	}
	most, tap := mostWords, keycaps.Words(p, b.Tap, b.Bet)
	switch {
	case b.Tap == console.KeyTotal:
		most, tap = mostTotal, []string{b.Digit}
	case b.Digit != "":
		corner, err := d.fit(d.bold, []string{b.Digit}, rect{free.x, free.y, free.w, digitSize}, digitSize, inkBlack)
		if err != nil {
			return c, err
		}
		corner[0].box.x, corner[0].box.y = free.x, free.y
		c.words = append(c.words, corner...)
		free.y, free.h = free.y+digitSize, free.h-digitSize
	}
	if hold := keycaps.Words(p, b.Hold, b.Bet); hold != nil {
		tall := bandHeight
		if b.Tap == "" {
			tall = holdHeight
		}
		c.band = rect{c.area.x, c.area.y + c.area.h - tall, c.area.w, tall}
		free.h = c.band.y - free.y - lineGap/2
		lines := []string{"HOLD " + keycaps.Seconds(b.After), strings.Join(hold, " ")}
		words, err := d.fit(d.bold, lines, c.band.shrunk(padding), mostHold, inkWhite)
		if err != nil {
			return c, err
		}
		c.words = append(c.words, words...)
	}
	words, err := d.fit(d.bold, tap, free, most, inkOf(p, b))
	c.words = append(c.words, words...)
	return c, err
}

// posName writes the position's name at the foot of the cell, for the person who wires the
// keys.
func (d *Drafter) posName(pos string, cell rect) (lettering, error) {
	width, err := d.medium.width(pos)
	if err != nil {
		return lettering{}, err
	}
	size := min(posSize, cell.w*0.9/max(width, 1e-3))
	tall := d.medium.cap * size
	box := rect{cell.x + (cell.w-width*size)/2, cell.y + cell.h - inset/2 - tall/2, width * size, tall}
	return lettering{pos, d.medium, size, box, inkGrey}, nil
}

// fit sets lines of one size in the middle of r, as large as they fit, up to most.
func (d *Drafter) fit(f *face, lines []string, r rect, most float64, ink string) ([]lettering, error) {
	size := most
	widths := make([]float64, len(lines))
	for i, text := range lines {
		width, err := f.width(text)
		if err != nil {
			return nil, err
		}
		widths[i] = width
		size = min(size, r.w/width)
	}
	n := float64(len(lines))
	size = min(size, (r.h-(n-1)*lineGap)/(n*f.cap))
	if size < leastSize && n > 0 {
		return nil, fmt.Errorf("%q does not fit at %.1f mm", strings.Join(lines, " "), leastSize)
	}
	y := r.y + (r.h-n*f.cap*size-(n-1)*lineGap)/2
	var out []lettering
	for i, text := range lines {
		w := widths[i] * size
		out = append(out, lettering{text, f, size, rect{r.x + (r.w-w)/2, y, w, f.cap * size}, ink})
		y += f.cap*size + lineGap
	}
	return out, nil
}

// inkOf returns the colour of a side for its keys.
func inkOf(p *game.Pack, b console.Binding) string {
	switch b.Tap {
	case console.KeyBanker, console.KeyBankerNatural, console.KeyBankerPair:
		return inkBanker
	case console.KeyPlayer, console.KeyPlayerNatural, console.KeyPlayerPair:
		return inkPlayer
	case console.KeyTie, console.KeyBothNatural:
		return inkTie
	case console.KeyBonus:
		for i, bet := range p.Bets {
			if bet.ID == b.Bet {
				return map[game.Outcome]string{
					game.Banker: inkBanker, game.Player: inkPlayer, game.Tie: inkTie, game.NoOutcome: inkBlack,
				}[p.Implied(i)]
			}
		}
	}
	return inkBlack
}
