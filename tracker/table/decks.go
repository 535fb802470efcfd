package table

import (
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/card"
)

// tooMany is a card of a hand that its shoe would have dealt more often than its decks
// have it, no card when there is none. Hands that were keyed without cards and those that
// were void are not counted: it may find too little, never too much.
func tooMany(s tracker.State, hand []card.Card) card.Card {
	decks := s.Settings.Decks
	if decks == 0 {
		return card.Card{}
	}
	dealt, ranks := map[card.Card]int{}, map[card.Rank]int{}
	count := func(c card.Card) {
		dealt[c]++
		ranks[c.Rank]++
	}
	for _, h := range s.Shoe.Hands {
		for _, word := range strings.FieldsFunc(h.Cards, func(r rune) bool { return r == ',' || r == '/' }) {
			if c, err := card.Parse(word); err == nil {
				count(c)
			}
		}
	}
	for _, c := range hand {
		count(c)
		if c.Suit != card.NoSuit && dealt[c] > decks || ranks[c.Rank] > 4*decks {
			return c
		}
	}
	return card.Card{}
}
