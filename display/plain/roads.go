package plain

import (
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

const rows = road.Rows

// dot is one mark of a road with its place in the whole road.
type dot struct {
	col, row int
	text     string
	ink      ink
}

// grid draws the window of dots that has room in w columns from x, each dot in
// columns of its own, and says whether older columns were left out.
func (p *page) grid(x, y, w, each int, dots []dot) (older bool) {
	first := window(dots, w/each)
	for _, d := range dots {
		if at := x + (d.col-first)*each; d.col >= first && at+each <= x+w && d.row < rows {
			p.text(at, y+d.row, d.ink, d.text)
		}
	}
	return first > 0
}

// window is the first column shown: as far right as the road goes, moved left as
// far as the newest mark needs.
func window(dots []dot, columns int) int {
	if len(dots) == 0 {
		return 0
	}
	last := 0
	for _, d := range dots {
		last = max(last, d.col)
	}
	return min(max(0, last-columns+1), dots[len(dots)-1].col)
}

// road draws a caption and a grid below it, and << if older columns were left
// out. The page has six lines for it from y+1.
func (p *page) road(x, y, w, each int, caption string, dots []dot) {
	older := p.grid(x, y+1, w, each, dots)
	if older {
		caption += " <<"
	}
	p.text(x, y, dim, clip(caption, w))
}

// sixLines adds a caption's line and six more, and returns the first.
func (p *page) sixLines() int {
	y := p.line()
	for range rows {
		p.line()
	}
	return y
}

func bigRoad(p *page, b *stats.Board) {
	p.road(0, p.sixLines(), p.width, 2, "BIG ROAD  b p: bonus  / 2: ties", bigRoadDots(b, &b.Shoe, true))
}

// bigRoadDots are the marks of a shoe's big road. A hand with a bonus has a small
// letter. With signs, the place behind a letter has the ties: a stroke, or their
// number from two on; and < at the newest mark if it has none.
func bigRoadDots(b *stats.Board, s *stats.Shoe, signs bool) []dot {
	if s.Roads == nil {
		return nil
	}
	if len(s.Roads.BigRoad) == 0 && s.Roads.LeadingTies > 0 {
		return []dot{{text: " " + stroke(s.Roads.LeadingTies), ink: tieI}}
	}
	var dots []dot
	for i, m := range s.Roads.BigRoad {
		last := i == len(s.Roads.BigRoad)-1 && len(s.Lost) == 0
		bonus := ""
		if int(m.Hand) < len(s.Marks) {
			bonus = core(b, s.Marks[m.Hand].Bets)
		}
		d := dot{int(m.Col), int(m.Row), m.Outcome.Letter(), sideInk(m.Outcome).over(coreInk(bonus))}
		if bonus != "" {
			d.text = strings.ToLower(d.text)
		}
		switch {
		case signs && m.Ties > 0 && m.Outcome != game.Tie:
			d.text += stroke(int(m.Ties))
		case signs && last:
			d.text += "<"
		}
		if signs && last {
			d.ink = d.ink.over(newest)
		}
		dots = append(dots, d)
	}
	return dots
}

// stroke is the sign of n ties.
func stroke(n int) string {
	switch {
	case n <= 1:
		return "/"
	case n > 9:
		return "+"
	}
	return strconv.Itoa(n)
}

// derived draws the three derived roads side by side: R regular, b irregular.
func derived(p *page, b *stats.Board) {
	r := b.Shoe.Roads
	if r == nil {
		return
	}
	const gap = 3
	w := (p.width - 2*gap) / 3
	y := p.sixLines()
	for i, d := range []struct {
		name         string
		marks        []road.Derived
		ifBan, ifPla road.Color
	}{
		{"BIG EYE BOY", r.BigEyeBoy, r.Ask.Banker.BigEyeBoy, r.Ask.Player.BigEyeBoy},
		{"SMALL ROAD", r.SmallRoad, r.Ask.Banker.SmallRoad, r.Ask.Player.SmallRoad},
		{"COCKROACH", r.CockroachPig, r.Ask.Banker.CockroachPig, r.Ask.Player.CockroachPig},
	} {
		x := i * (w + gap)
		p.grid(x, y+1, w, 1, derivedDots(d.marks))
		x = p.text(x, y, dim, d.name)
		if b.AskMarks && d.ifBan != road.NoColor {
			x = p.text(x+1, y, bankerI, "B?"+colorSign(d.ifBan))
			p.text(x+1, y, playerI, "P?"+colorSign(d.ifPla))
		}
	}
}

func derivedDots(marks []road.Derived) []dot {
	dots := make([]dot, len(marks))
	for i, m := range marks {
		k := bankerI
		if m.Color == road.Blue {
			k = playerI
		}
		if i == len(marks)-1 {
			k = k.over(newest)
		}
		dots[i] = dot{int(m.Col), int(m.Row), colorSign(m.Color), k}
	}
	return dots
}

// colorSign tells the colours apart by size too.
func colorSign(c road.Color) string {
	if c == road.Blue {
		return "b"
	}
	return c.Letter()
}
