package termview

import (
	"fmt"
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker/game"
)

// tieBet is the bet on a tie, which the counts name as the outcome already.
const tieBet = "tie"

func sideInk(o game.Outcome) ink { return [...]ink{dim, inkPlayer, inkBanker, inkTie}[o&3] }

// winner returns the outcome's name on the board.
func winner(o game.Outcome) string { return strings.ToUpper(o.String()) }

// betName returns a bet's English name, or its id.
func betName(bet stats.Bet) string {
	if en := bet.Labels["en"]; en != "" {
		return strings.ToUpper(en)
	}
	return strings.ToUpper(bet.ID)
}

// addCounts writes counts, shares and hands since, and the previous shoe's counts.
func addCounts(p *page, b *stats.Board) {
	s := &b.Shoe
	title, isWhole := "THIS SHOE", len(s.Lost) == 0
	if !isWhole {
		title = "INCOMPLETE"
	}
	if s.Free > 0 {
		title += fmt.Sprintf(", %d FREE", s.Free)
	}
	before := ""
	if b.Previous != nil {
		before = fmt.Sprintf("PREVIOUS, %d HANDS", b.Previous.Hands)
		if len(b.Previous.Lost) > 0 {
			before += ", INCOMPLETE"
		}
	}
	p.line(span{dim, fmt.Sprintf("%-18s%6s%7s%7s    %s", title, "HANDS", "%", "SINCE", before)})
	count := func(k ink, name string, of func(*stats.Shoe) stats.Count, since bool) {
		c, share, ago, previous := of(s), "-", "", ""
		if isWhole {
			share = fmt.Sprintf("%d.%d", c.Share/10, c.Share%10)
			if ago = strconv.Itoa(c.Since); c.Since < 0 {
				ago = "-"
			}
		}
		if !since {
			ago = ""
		}
		if b.Previous != nil {
			previous = strconv.Itoa(of(b.Previous).N)
		}
		name = clip(clean(name), 18)
		name += strings.Repeat(" ", 18-columns(name))
		p.line(span{k, name}, span{strong, fmt.Sprintf("%6d", c.N)}, span{normal, fmt.Sprintf("%7s", share)},
			span{dim, fmt.Sprintf("%7s    %8s", ago, previous)})
	}
	count(inkPlayer, "PLAYER", func(s *stats.Shoe) stats.Count { return s.Player }, false)
	count(inkBanker, "BANKER", func(s *stats.Shoe) stats.Count { return s.Banker }, false)
	count(inkTie, "TIE", func(s *stats.Shoe) stats.Count { return s.Tie }, true)
	for i, bet := range b.Game.Bets {
		k := normal
		if bet.Mark == "gold" {
			k = gold
		}
		if bet.ID != tieBet && i < len(s.Bets) {
			count(k, betName(bet), func(s *stats.Shoe) (c stats.Count) {
				if i < len(s.Bets) {
					c = s.Bets[i]
				}
				return c
			}, true)
		}
	}
	n := s.Naturals
	p.line(span{normal, "NATURAL  "}, span{inkPlayer, fmt.Sprintf("P %d", n.Player)},
		span{inkBanker, fmt.Sprintf("  B %d", n.Banker)},
		span{normal, fmt.Sprintf("  both %d  hands %d", n.Both, n.Hands)})
}

// addBigRoad writes the newest columns of the big road that fit. A hand with a bonus has
// a small letter on its colour; behind a letter stand its ties, a stroke or their number,
// or < at the newest hand.
func addBigRoad(p *page, b *stats.Board) {
	title := "BIG ROAD  b p: bonus  / 2: ties"
	marks := []road.Mark(nil)
	if b.Shoe.Roads != nil {
		marks = b.Shoe.Roads.BigRoad
	}
	first := firstColumn(marks, p.width/2)
	if first > 0 {
		title += " <<"
	}
	p.line(span{dim, title})
	var rows [road.Rows][]span
	for i, m := range marks {
		col := int(m.Col) - first
		if col < 0 || 2*col+2 > p.width {
			continue
		}
		row := rows[m.Row]
		for len(row) <= col {
			row = append(row, span{normal, "  "})
		}
		row[col] = cell(b, m, i == len(marks)-1 && len(b.Shoe.Lost) == 0)
		rows[m.Row] = row
	}
	if b.Shoe.Roads != nil && len(marks) == 0 && b.Shoe.Roads.LeadingTies > 0 {
		rows[0] = []span{{inkTie, " " + ties(b.Shoe.Roads.LeadingTies)}}
	}
	for _, row := range rows {
		p.line(row...)
	}
}

// cell returns the two columns of one mark.
func cell(b *stats.Board, m road.Mark, isNewest bool) span {
	k, letter, sign := sideInk(m.Outcome), m.Outcome.Letter(), " "
	if int(m.Hand) < len(b.Shoe.Marks) {
		for i, bet := range b.Game.Bets {
			if bet.Mark != "" && b.Shoe.Marks[m.Hand].Bets.Has(i) {
				k, letter = k.over(ground(bet.Mark)), strings.ToLower(letter)
				break
			}
		}
	}
	switch {
	case m.Ties > 0 && m.Outcome != game.Tie:
		sign = ties(int(m.Ties))
	case isNewest:
		sign = "<"
	}
	if isNewest {
		k = k.over(newest)
	}
	return span{k, letter + sign}
}

// ground returns the ink behind the letter of a bonus.
func ground(mark string) ink {
	return map[string]ink{"gold": "43", "white": "47", "kill": "45"}[mark]
}

// ties returns the sign of n ties.
func ties(n int) string {
	switch {
	case n <= 1:
		return "/"
	case n > 9:
		return "+"
	}
	return strconv.Itoa(n)
}

// firstColumn returns the first column of a road to show in room for so many: as far
// right as the road goes, moved left as far as the newest mark needs.
func firstColumn(marks []road.Mark, room int) int {
	if len(marks) == 0 {
		return 0
	}
	last := 0
	for _, m := range marks {
		last = max(last, int(m.Col))
	}
	return min(max(0, last-room+1), int(marks[len(marks)-1].Col))
}
