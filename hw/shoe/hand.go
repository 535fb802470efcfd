package shoe

import (
	"fmt"
	"slices"
	"strings"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// breakOff ends a hand that will have no end, if there is one. It hides faces that were not
// public.
func (a *assembler) breakOff(why string) {
	if !a.open() {
		return
	}
	lost := a.lost
	a.over(hw.HandSeen{Player: a.public(0), Banker: a.public(1)}, why)
	if lost {
		a.doubts = append(a.doubts, afterLoss)
	}
}

// ended ends a hand, whose cards lie open.
func (a *assembler) ended(c claim) {
	if !a.open() {
		if !c.Forced {
			a.over(hw.HandSeen{}, "the shoe ended a hand whose cards were not seen"+saying(c))
		}
		return
	}
	a.reveal()
	hand := hw.HandSeen{Player: a.faces(0), Banker: a.faces(1)}
	broken := a.broken(hand)
	if hand.Complete = broken == ""; hand.Complete || c.Forced {
		broken = a.contradicts(hand, c)
	}
	a.over(hand, broken, a.uncleared())
}

// over sends a hand with its doubts, clears the table and lays the cards carried over for the
// next hand, which shares in a doubt.
func (a *assembler) over(hand hw.HandSeen, more ...string) {
	var why []string
	for _, w := range append(append(a.doubts, a.astray), more...) {
		if w != "" && !slices.Contains(why, w) {
			why = append(why, w)
		}
	}
	if a.blind {
		why = append(why, noChecksum)
	}
	hand.Doubt = strings.Join(why, "; ")
	hand.Since = a.late
	if a.open() {
		hand.Since = a.since
	}
	carried, doubted := a.carried, len(a.doubts) > 0
	a.doubts, a.lost, a.carried = nil, false, nil
	if doubted && len(carried) > 0 { // it may be the carried card's
		a.doubts = []string{besideDoubt}
	}
	a.clear()
	a.out = append(a.out, hand)
	for _, e := range carried {
		a.drawn(e)
	}
}

// faces returns a side's cards; one that was not turned is no card.
func (a *assembler) faces(side int) []card.Card {
	return a.cards(side, func(p place) bool { return !p.down })
}

// public returns a side's cards as far as they were sent.
func (a *assembler) public(side int) []card.Card {
	return a.cards(side, func(p place) bool { return p.shown })
}

func (a *assembler) cards(side int, known func(place) bool) []card.Card {
	var cards []card.Card
	n := 0
	for i, p := range a.hand[side] {
		if p.drawn {
			n = i + 1
		}
	}
	for _, p := range a.hand[side][:n] {
		c := card.Card{}
		if p.drawn && known(p) {
			c = p.card
		}
		cards = append(cards, c)
	}
	return cards
}

// broken returns why the cards are no finished hand.
func (a *assembler) broken(h hw.HandSeen) string {
	for side, cards := range [2][]card.Card{h.Player, h.Banker} {
		for i, c := range cards {
			p := a.hand[side][i]
			switch who := fmt.Sprintf("%s's card %d", hw.Side(side+1), i+1); {
			case !p.drawn:
				return who + " was not seen"
			case p.down:
				return who + " was not turned"
			case c.Rank == card.NoRank:
				return who + " was not read"
			}
		}
	}
	if err := a.rules(h.Player, h.Banker); err != nil {
		return err.Error()
	}
	return ""
}

// contradicts returns how the shoe's claim differs from the cards.
func (a *assembler) contradicts(h hw.HandSeen, c claim) string {
	p, b := total(h.Player), total(h.Banker)
	switch {
	case c.Forced:
		return "the hand was ended by force"
	case c.Winner != 0 && c.Winner != winner(p, b):
		return fmt.Sprintf("the cards say %s, the shoe %s", who(winner(p, b)), who(c.Winner))
	case c.Totals && (c.PlayerTotal != p || c.BankerTotal != b):
		return fmt.Sprintf("the cards say %d to %d, the shoe %d to %d", p, b, c.PlayerTotal, c.BankerTotal)
	case c.Pairs && (c.PlayerPair != pair(h.Player) || c.BankerPair != pair(h.Banker)):
		return "the cards and the shoe differ on the pairs"
	}
	return ""
}

// uncleared names a fault that is active while the hand ends. A wrong button and slowness are
// the dealer's, and a card too many does not belong to the hand, which by the rules is whole
// without it.
func (a *assembler) uncleared() string {
	for _, c := range a.faults {
		switch c {
		case faultWrongButton, faultSlow, faultOverdraw:
		default:
			return "the shoe reports a fault: " + c.String()
		}
	}
	return ""
}

// next lays a card that came without its place where the rules want the next one, and ends the
// hand when it is finished.
func (a *assembler) next(e event) {
	a.bare = true
	player, banker := a.faces(0), a.faces(1)
	n := len(player) + len(banker)
	e.Side, e.Place = hw.Side(n%2+1), n/2+1
	if n == 4 && a.rules(player, append(banker, e.Card)) == nil {
		e.Side = hw.BankerSide // Player stands
	}
	a.lay(a.at(e), e)
	a.reveal()
	player, banker = a.faces(0), a.faces(1)
	if n = len(player) + len(banker); n == 6 || n >= 4 && a.rules(player, banker) == nil {
		a.ended(claim{})
	}
}

func total(cards []card.Card) int {
	sum := 0
	for _, c := range cards {
		sum += c.Points()
	}
	return sum % 10
}

func winner(player, banker int) byte {
	switch {
	case player > banker:
		return 'P'
	case banker > player:
		return 'B'
	}
	return 'T'
}

func pair(cards []card.Card) bool { return len(cards) >= 2 && cards[0].Rank == cards[1].Rank }

func who(winner byte) string {
	return map[byte]string{'P': "Player", 'B': "Banker", 'T': "Tie"}[winner]
}

func saying(c claim) string {
	if c.Winner == 0 {
		return ""
	}
	return "; it says " + who(c.Winner)
}
