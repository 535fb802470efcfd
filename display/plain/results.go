package plain

import (
	"fmt"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

const (
	resultsWidth = 38
	beadColumns  = 15 // every shoe fits
	beadAt       = resultsWidth + 4
	previousAt   = beadAt + 2*beadColumns + 3
	previousMin  = 30 // columns that the previous shoe's road is worth showing in
)

// middle is the results with the bead plate beside them and, where there is
// room, the previous shoe's big road.
func middle(p *page, b *stats.Board) {
	top := len(p.rows)
	results(p, b)
	for len(p.rows) < top+1+rows {
		p.line()
	}
	p.road(beadAt, top, min(p.width-beadAt, 2*beadColumns), 2, "BEAD PLATE", beads(b))
	if w := p.width - previousAt; w >= previousMin && b.Previous != nil {
		p.road(previousAt, top, w, 1, "PREVIOUS SHOE, BIG ROAD", bigRoadDots(b, b.Previous, false))
	}
}

// results is the table of counts, shares and hands since.
func results(p *page, b *stats.Board) {
	s := &b.Shoe
	title, known := "THIS SHOE", len(s.Lost) == 0
	if !known {
		title = "INCOMPLETE"
	}
	if s.Free > 0 {
		title += fmt.Sprintf(", %d FREE", s.Free)
	}
	p.text(0, p.line(), dim, fmt.Sprintf("%-18s%6s%7s%7s", title, "HANDS", "%", "SINCE"))
	resultRow(p, playerI, "PLAYER", s.Player, known, false)
	resultRow(p, bankerI, "BANKER", s.Banker, known, false)
	resultRow(p, tieI, "TIE", s.Tie, known, true)
	for i, bet := range b.Game.Bets {
		if bet.ID != tieBet && i < len(s.Bets) {
			resultRow(p, betInk(b, []string{bet.ID}), betName(b, bet.ID), s.Bets[i], known, true)
		}
	}
	y := p.line()
	n := s.Naturals
	p.text(0, y, plainInk, "NATURAL")
	x := p.text(12, y, playerI, fmt.Sprintf("P %d", n.Player))
	x = p.text(x+2, y, bankerI, fmt.Sprintf("B %d", n.Banker))
	p.text(x+2, y, plainInk, fmt.Sprintf("both %d  hands %d", n.Both, n.Hands))
}

func resultRow(p *page, k ink, name string, c stats.Count, known, ago bool) {
	y := p.line()
	p.text(0, y, k, clip(name, 18))
	p.text(18, y, strong, fmt.Sprintf("%6d", c.N))
	if !known { // a hand is lost
		p.text(24, y, plainInk, fmt.Sprintf("%7s", "-"))
		return
	}
	p.text(24, y, plainInk, fmt.Sprintf("%7s", share(c.Share)))
	if ago {
		p.text(31, y, dim, fmt.Sprintf("%7s", since(c.Since)))
	}
}

// previous is one line of the previous shoe's figures.
func previous(p *page, b *stats.Board) {
	s := b.Previous
	if s == nil {
		return
	}
	items := []item{
		{playerI, "P", fmt.Sprint(s.Player.N)}, {bankerI, "B", fmt.Sprint(s.Banker.N)}, {tieI, "T", fmt.Sprint(s.Tie.N)},
	}
	for i, bet := range b.Game.Bets {
		if bet.ID != tieBet && i < len(s.Bets) {
			items = append(items, item{betInk(b, []string{bet.ID}), shortName(b, bet.ID), fmt.Sprint(s.Bets[i].N)})
		}
	}
	items = append(items, item{plainInk, "NATURAL", fmt.Sprintf("P %d B %d", s.Naturals.Player, s.Naturals.Banker)})
	title := fmt.Sprintf("PREVIOUS SHOE  %d hands", s.Hands)
	if len(s.Lost) > 0 {
		title += ", INCOMPLETE"
	}
	p.items(title, items)
}

// beads are the bead plate: every hand, down six rows. A hand with a bonus has a
// small letter.
func beads(b *stats.Board) []dot {
	dots := make([]dot, len(b.Shoe.Marks))
	for i, m := range b.Shoe.Marks {
		k := sideInk(m.Outcome).over(coreInk(core(b, m.Bets)))
		text := m.Outcome.Letter()
		if m.Outcome == game.NoOutcome {
			text = "?"
		}
		if core(b, m.Bets) != "" {
			text = strings.ToLower(text)
		}
		if i == len(dots)-1 {
			text, k = text+"<", k.over(newest)
		}
		dots[i] = dot{i / rows, i % rows, text, k}
	}
	return dots
}
