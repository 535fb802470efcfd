package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// bar is the phase bar: what may be done now, what won, what it pays.
func bar(p *page, b *stats.Board, now Now) {
	edge := "+" + strings.Repeat("-", p.width-2) + "+"
	p.text(0, p.line(), dim, edge)
	text, k := message(b)
	chip, seconds := lastHand(b), countdown(b.Countdown, now)
	main := strings.Join(text, "  ")
	right := strings.Join(filled(chip, seconds), "  ")
	if len(cells(main))+len(cells(right))+6 > p.width && len(text) > 1 {
		barLine(p, k.over(strong), text[0], right)
		barLine(p, k, strings.Join(text[1:], "  "), "")
	} else {
		barLine(p, k.over(strong), main, right)
	}
	p.text(0, p.line(), dim, edge)
}

func barLine(p *page, k ink, left, right string) {
	y := p.line()
	p.text(0, y, dim, "|")
	x := p.text(2, y, k, clip(left, p.width-4))
	if w := len(cells(right)); w > 0 && x+2+w <= p.width-2 {
		p.text(p.width-2-w, y, strong, right)
	}
	p.text(p.width-1, y, dim, "|")
}

// message is the bar's text, what matters most first, and its ink.
func message(b *stats.Board) ([]string, ink) {
	switch b.Bar.Kind {
	case stats.BarClosedTable:
		return []string{"TABLE CLOSED"}, dim
	case stats.BarShuffling:
		return []string{"SHUFFLING"}, plainInk
	case stats.BarPlaceBets:
		return []string{"PLACE YOUR BETS"}, plainInk
	case stats.BarNoMoreBets:
		return []string{"NO MORE BETS"}, dim
	case stats.BarFree:
		return []string{"FREE HAND", "NO BETS"}, plainInk
	case stats.BarVoid:
		return filled("HAND VOID", strings.ToUpper(b.Bar.Reason)), plainInk
	case stats.BarShoeOver:
		return []string{"SHOE OVER", strconv.Itoa(b.Shoe.Hands) + " HANDS"}, plainInk
	case stats.BarPaused:
		return []string{"GAME PAUSED"}, dim
	case stats.BarReview:
		return []string{"UNDER REVIEW", "CARDS ON THE TABLE DECIDE"}, plainInk
	case stats.BarResult:
		if b.Bar.Last != nil {
			return result(b, *b.Bar.Last), sideInk(b.Bar.Last.Outcome)
		}
	}
	return []string{""}, plainInk
}

// result is what the last hand came to, what it does to the base bets and what
// its bets pay.
func result(b *stats.Board, m stats.Mark) []string {
	head, rest := winner(m.Outcome)+" WINS", []string(nil)
	if m.Outcome == game.Tie {
		head, rest = "TIE", append(rest, "PLAYER AND BANKER PUSH")
		if b.Game.TiePays != "" {
			rest = append(rest, "PAYS "+b.Game.TiePays)
		}
	}
	for i, bet := range b.Game.Bets {
		if !m.Bets.Has(i) || bet.ID == tieBet {
			continue
		}
		rest = append(rest, strings.ToUpper(label(bet)))
		if bet.Pushes != "" {
			rest = append(rest, strings.ToUpper(bet.Pushes)+" BETS PUSH")
		}
		if bet.Pays != "" {
			rest = append(rest, "PAYS "+bet.Pays)
		}
	}
	rest = append(rest, filled(naturals(m), totals(m))...)
	if b.Bar.Free {
		rest = append(rest, "FREE HAND")
	}
	return append([]string{head}, rest...)
}

func naturals(m stats.Mark) string {
	switch {
	case m.PlayerNatural && m.BankerNatural:
		return "BOTH NATURAL"
	case m.PlayerNatural:
		return "PLAYER NATURAL"
	case m.BankerNatural:
		return "BANKER NATURAL"
	}
	return ""
}

func totals(m stats.Mark) string {
	if !m.Totals {
		return ""
	}
	return fmt.Sprintf("%d - %d", m.PlayerTotal, m.BankerTotal)
}

// lastHand is the chip with the last hand's number, result and run.
func lastHand(b *stats.Board) string {
	if b.Bar.Last == nil || b.Bar.LastNo == 0 {
		return ""
	}
	chip := fmt.Sprintf("#%d", b.Bar.LastNo)
	if b.Bar.Kind != stats.BarResult {
		chip += " " + winner(b.Bar.Last.Outcome)
		for i := range b.Bar.Last.Bets.All() {
			if i < len(b.Game.Bets) && b.Game.Bets[i].ID != tieBet {
				chip += " " + b.Game.Bets[i].Short
			}
		}
	}
	if b.Bar.Run > 1 {
		chip += fmt.Sprintf(", %s x%d", strings.ToUpper(b.Bar.RunSide), b.Bar.Run)
	}
	return chip
}

// countdown is the seconds left, begun ones counted; nothing if the deadline is
// of another boot.
func countdown(d *stats.Deadline, now Now) string {
	if d == nil || d.Boot != now.Boot {
		return ""
	}
	left := int((d.At - now.Mono + time.Second - 1) / time.Second)
	return strconv.Itoa(min(max(left, 0), d.Total)) + " s"
}
