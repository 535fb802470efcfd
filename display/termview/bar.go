package termview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/game"
)

// addBar writes the phase bar: what may be done now, what won and what it pays.
func addBar(p *page, b *stats.Board, now Now) {
	k, text := message(b)
	right := join("  ", lastHand(b), countdown(b.Countdown, now))
	first, rest := strings.Join(text, "  "), ""
	if columns(clean(first))+columns(clean(right))+4 > p.width {
		first, rest = text[0], strings.Join(text[1:], "  ")
	}
	edge := span{dim, strings.Repeat("-", p.width)}
	p.line(edge)
	p.split([]span{{k.over(strong), "  " + first}}, span{strong, right})
	if rest != "" {
		p.line(span{k, "  " + rest})
	}
	p.line(edge)
}

// message returns the bar's ink and its texts, what matters most first.
func message(b *stats.Board) (ink, []string) {
	switch b.Bar.Kind {
	case stats.BarClosedTable:
		return dim, []string{"TABLE CLOSED"}
	case stats.BarShuffling:
		return normal, []string{"SHUFFLING"}
	case stats.BarPlaceBets:
		return normal, []string{"PLACE YOUR BETS"}
	case stats.BarNoMoreBets:
		return dim, []string{"NO MORE BETS"}
	case stats.BarFree:
		return normal, []string{"FREE HAND", "NO BETS"}
	case stats.BarVoid:
		return normal, []string{"HAND VOID", strings.ToUpper(b.Bar.Reason)}
	case stats.BarShoeOver:
		return normal, []string{"SHOE OVER", strconv.Itoa(b.Shoe.Hands) + " HANDS"}
	case stats.BarPaused:
		return dim, []string{"GAME PAUSED"}
	case stats.BarReview:
		return normal, []string{"UNDER REVIEW", "CARDS ON THE TABLE DECIDE"}
	case stats.BarResult:
		if m := b.Bar.Last; m != nil {
			return sideInk(m.Outcome), result(b, *m)
		}
	}
	return normal, []string{""}
}

// result returns what the hand came to, what it does to the base bets and what its
// bets pay.
func result(b *stats.Board, m stats.Mark) []string {
	text := []string{winner(m.Outcome) + " WINS"}
	if m.Outcome == game.Tie {
		text = []string{"TIE", "PLAYER AND BANKER PUSH"}
		if b.Game.TiePays != "" {
			text = append(text, "PAYS "+b.Game.TiePays)
		}
	}
	for i, bet := range b.Game.Bets {
		if !m.Bets.Has(i) || bet.ID == tieBet {
			continue
		}
		text = append(text, betName(bet))
		if bet.Pushes != "" {
			text = append(text, strings.ToUpper(bet.Pushes)+" BETS PUSH")
		}
		if bet.Pays != "" {
			text = append(text, "PAYS "+bet.Pays)
		}
	}
	switch {
	case m.PlayerNatural && m.BankerNatural:
		text = append(text, "BOTH NATURAL")
	case m.PlayerNatural:
		text = append(text, "PLAYER NATURAL")
	case m.BankerNatural:
		text = append(text, "BANKER NATURAL")
	}
	if m.Totals {
		text = append(text, fmt.Sprintf("%d - %d", m.PlayerTotal, m.BankerTotal))
	}
	if b.Bar.Free {
		text = append(text, "FREE HAND")
	}
	return text
}

// lastHand returns the last hand's number, result and run.
func lastHand(b *stats.Board) string {
	if b.Bar.Last == nil || b.Bar.LastNo == 0 {
		return ""
	}
	text := fmt.Sprintf("#%d", b.Bar.LastNo)
	if b.Bar.Kind != stats.BarResult {
		text += " " + winner(b.Bar.Last.Outcome)
		for i, bet := range b.Game.Bets {
			if b.Bar.Last.Bets.Has(i) && bet.ID != tieBet {
				text += " " + bet.Short
			}
		}
	}
	if b.Bar.Run > 1 {
		text += fmt.Sprintf(", %s x%d", strings.ToUpper(b.Bar.RunSide), b.Bar.Run)
	}
	return text
}

// countdown returns the seconds left, rounded up; empty if the deadline is of another boot.
func countdown(d *stats.Deadline, now Now) string {
	if d == nil || d.Boot != now.Boot {
		return ""
	}
	left := int((d.At - now.Mono + time.Second - 1) / time.Second)
	return strconv.Itoa(min(max(left, 0), d.Total)) + " s"
}
