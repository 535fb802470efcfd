package stats

import (
	"strings"

	"shoeboard/tracker/game"
)

// NewGame returns what a screen needs of a pack; nil gives an empty Game.
func NewGame(p *game.Pack) Game {
	if p == nil {
		return Game{}
	}
	g := Game{ID: p.ID, Name: p.Name, Accent: p.Highlight, Approval: p.Approval, Bets: make([]Bet, len(p.Bets))}
	ties := p.Complete(game.Result{Outcome: game.Tie}).Bets
	for i := range p.Bets {
		b := &p.Bets[i]
		g.Bets[i] = Bet{ID: b.ID, Labels: b.Labels, Short: b.Short,
			Pays: paysOf(b), Mark: string(b.Mark), Pushes: pushesOf(p, b)}
		if ties.Has(i) {
			g.TiePays = g.Bets[i].Pays
		}
	}
	return g
}

// paysOf returns "40 TO 1", or the pays of all lines as "12 TO 1 / 20 TO 1".
func paysOf(b *game.Bet) string {
	var pays []string
	for _, l := range b.Lines {
		if !l.Pays.Push() {
			pays = append(pays, strings.ToUpper(l.Pays.String()))
		}
	}
	return strings.Join(pays, " / ")
}

// pushesOf returns the side whose base bet is returned on every hand that wins b.
func pushesOf(p *game.Pack, b *game.Bet) string {
	for _, push := range p.Pushes {
		if push.On && alwaysPushes(b, push) {
			return push.Side.String()
		}
	}
	return ""
}

func alwaysPushes(b *game.Bet, push game.Push) bool {
	wins := false
	for i := range 400 {
		h := game.Hand{PlayerTotal: uint8(i % 10), PlayerCards: uint8(2 + i/10%2),
			BankerTotal: uint8(i / 20 % 10), BankerCards: uint8(2 + i/200)}
		if b.Wins(h) {
			wins = true
			if !push.When.Holds(h) {
				return false
			}
		}
	}
	return wins
}
