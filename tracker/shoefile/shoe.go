package shoefile

import (
	"errors"
	"fmt"
	"strings"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// shoeName names the card-reading shoe of a file.
const shoeName = "shoe"

func cardSeen(words []string) (play, error) {
	sides := map[string]hw.Side{"P": hw.PlayerSide, "B": hw.BankerSide}
	if len(words) != 2 || words[0] != "P" && words[0] != "B" {
		return nil, errors.New("expected P or B and a card, as in P 9S")
	}
	c, err := card.Parse(words[1])
	return func(p *Player) error {
		return p.handle(hw.CardSeen{Source: shoeName, Side: sides[words[0]], Place: 1, Card: c, At: p.now.Mono})
	}, err
}

func handSeen(words []string) (play, error) {
	if len(words) != 1 {
		return nil, errors.New("expected the cards of one hand, as in 2S,4H/KD,2C,5S")
	}
	left, right, both := strings.Cut(words[0], "/")
	if !both {
		return nil, fmt.Errorf("%q: expected Player's cards, a stroke, and Banker's, as in 2S,4H/KD,2C,5S", words[0])
	}
	player, err := card.ParseList(left)
	if err != nil {
		return nil, err
	}
	banker, err := card.ParseList(right)
	return func(p *Player) error {
		hand := hw.HandSeen{Source: shoeName, Player: player, Banker: banker, Complete: true, At: p.now.Mono}
		if _, err := p.State().Shoe.Pack.FromCards(player, banker); err != nil {
			hand.Complete, hand.Doubt = false, err.Error()
		}
		return p.handle(hand)
	}, err
}

func doubtSeen(words []string) (play, error) {
	if len(words) == 0 {
		return nil, errors.New("expected the reason")
	}
	return func(p *Player) error {
		return p.handle(hw.HandSeen{Source: shoeName, Doubt: strings.Join(words, " "), At: p.now.Mono})
	}, nil
}

// sees returns the play of something that a shoe did besides dealing.
func sees(c hw.ShoeChange) play {
	return func(p *Player) error { return p.handle(hw.ShoeSeen{Source: shoeName, Change: c, At: p.now.Mono}) }
}

// notices returns the play of news of the shoe itself.
func notices(c hw.Change, text string) play {
	return func(p *Player) error {
		return p.handle(hw.Notice{Source: shoeName, Change: c, Text: text, At: p.now.Mono})
	}
}
