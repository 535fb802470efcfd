package shoefile

import (
	"fmt"
	"strings"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// shoeName is the card-reading shoe of a file.
const shoeName = "shoe"

// read reads what a card-reading shoe tells.
func (s *Step) read(words []string) error {
	s.Text = strings.Join(words, " ")
	switch s.Op {
	case ShoeDoubt:
		if s.Text == "" {
			return fmt.Errorf("expected the reason")
		}
		return nil
	case ShoeCard:
		if len(words) == 2 && (words[0] == "P" || words[0] == "B") {
			_, err := card.Parse(words[1])
			return err
		}
		return fmt.Errorf("expected P or B and a card, as in P 9S")
	}
	if len(words) != 1 {
		return fmt.Errorf("expected the cards of one hand, as in 2S,4H/KD,2C,5S")
	}
	_, _, err := sides(words[0])
	return err
}

// sides are the cards of a token.
func sides(token string) (player, banker []card.Card, err error) {
	left, right, both := strings.Cut(token, "/")
	if !both {
		return nil, nil, fmt.Errorf("%q: expected Player's cards, a stroke, and Banker's, as in 2S,4H/KD,2C,5S", token)
	}
	if player, err = cardsOf(left); err != nil {
		return nil, nil, err
	}
	banker, err = cardsOf(right)
	return player, banker, err
}

func cardsOf(text string) ([]card.Card, error) {
	var cards []card.Card
	for _, word := range strings.Split(text, ",") {
		c, err := card.Parse(word)
		if err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// shoe lets the card-reading shoe tell what a line says.
func (p *Player) shoe(s Step) error {
	return p.handle(p.told(s))
}

func (p *Player) told(s Step) hw.Event {
	at := p.now.Mono
	seen := func(c hw.ShoeChange) hw.Event { return hw.ShoeSeen{Source: shoeName, Change: c, At: at} }
	switch s.Op {
	case ShoeCard:
		side, text, _ := strings.Cut(s.Text, " ")
		c, _ := card.Parse(text) // Parse has read it
		return hw.CardSeen{Source: shoeName, Side: map[string]hw.Side{"P": hw.PlayerSide, "B": hw.BankerSide}[side], Place: 1, Card: c, At: at}
	case ShoeHand:
		player, banker, _ := sides(s.Text) // Parse has read it
		_, err := p.State().Pack().FromCards(player, banker)
		hand := hw.HandSeen{Source: shoeName, Player: player, Banker: banker, Complete: err == nil, At: at}
		if err != nil {
			hand.Doubt = err.Error()
		}
		return hand
	case ShoeDoubt:
		return hw.HandSeen{Source: shoeName, Doubt: s.Text, At: at}
	case ShoeCut:
		return seen(hw.CutCard)
	case ShoeNew:
		return seen(hw.NewShoe)
	case ShoeVoid:
		return seen(hw.HandVoid)
	case ShoeLost:
		return hw.Notice{Source: shoeName, Change: hw.Went, Text: "no word from it", At: at}
	}
	return hw.Notice{Source: shoeName, Change: hw.Came, At: at}
}
