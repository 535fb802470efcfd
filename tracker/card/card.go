// Package card is one playing card: a rank, a suit that may be unknown, and the
// points that baccarat counts for it.
//
// Words: a Rank is ace to king; the points of a rank are its face value modulo
// ten, tens and pictures nothing; the burn count of a rank is the number of
// cards that are burned when it is turned first.
//
// A caller may assume that every value is comparable with ==, that the zero
// Card is "no card", that Parse accepts exactly what people write at a table
// ("9S", "10h", "K"), and that Parse(c.String()) gives c back. A caller may not
// assume that a suit is known: shoe files and some readers give ranks only.
package card

import (
	"fmt"
	"strings"
)

// Rank is 1 for the ace to 13 for the king; 0 is no card.
type Rank uint8

// The ranks that are not numbers, and none.
const (
	NoRank Rank = 0
	Ace    Rank = 1
	Ten    Rank = 10
	King   Rank = 13
)

// Suit is one of four; 0 says that it is not known.
type Suit uint8

// The suits, in the order of their letters C, D, H, S.
const (
	NoSuit Suit = iota
	Clubs
	Diamonds
	Hearts
	Spades
)

// Card is a rank and perhaps a suit. The zero value is no card.
type Card struct {
	Rank Rank
	Suit Suit
}

// The letters of ranks and suits, by their value.
const (
	rankLetters = "-A23456789TJQK"
	suitLetters = "-CDHS"
)

// Points returns what the rank counts in a hand: 0 to 9, tens and pictures 0.
func (r Rank) Points() int {
	if r >= Ten {
		return 0
	}
	return int(r)
}

// Burn says how many cards are burned face down after this rank was turned as the
// first of a shoe: ace one, tens and pictures ten.
func (r Rank) Burn() int { return min(int(r), 10) }

// String returns the rank's letter: A, 2 to 9, T, J, Q, K, or "-" for none.
func (r Rank) String() string {
	if r > King {
		return "?"
	}
	return rankLetters[r : r+1]
}

// String returns the suit's letter, C, D, H or S, or "-" when it is not known.
func (s Suit) String() string {
	if s > Spades {
		return "?"
	}
	return suitLetters[s : s+1]
}

// Points returns what the card counts in a hand, 0 to 9.
func (c Card) Points() int { return c.Rank.Points() }

// String writes the card as Parse reads it: "9S", "TH", "K" when the suit is not
// known, "-" for no card.
func (c Card) String() string {
	if c.Suit == NoSuit {
		return c.Rank.String()
	}
	return c.Rank.String() + c.Suit.String()
}

// Parse reads one card: a rank (A, 2 to 9, 10 or T, J, Q, K) and perhaps a suit
// (C, D, H, S), in capitals or not, with nothing around it. The error is one
// sentence that quotes the text.
func Parse(text string) (Card, error) {
	rank, rest := cutRank(text)
	if rank == NoRank {
		return Card{}, fmt.Errorf("%q is not a card: expected a rank (A, 2 to 9, 10, J, Q or K)"+
			" and perhaps a suit (C, D, H or S)", text)
	}
	if rest == "" {
		return Card{Rank: rank}, nil
	}
	suit := Suit(letterIndex(suitLetters, rest[0]))
	if suit == NoSuit || len(rest) > 1 {
		return Card{}, fmt.Errorf("%q is not a card: expected C, D, H or S after the rank, not %q", text, rest)
	}
	return Card{Rank: rank, Suit: suit}, nil
}

// ParseList reads cards with commas between them: "KD,2C,5S".
func ParseList(text string) ([]Card, error) {
	var cards []Card
	for word := range strings.SplitSeq(text, ",") {
		c, err := Parse(word)
		if err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// FormatList writes cards as ParseList reads them.
func FormatList(cards []Card) string {
	words := make([]string, len(cards))
	for i, c := range cards {
		words[i] = c.String()
	}
	return strings.Join(words, ",")
}

// Shuffled returns the cards of so many decks, mixed by shuffle, which swaps places i and j
// of n as rand.Rand.Shuffle does. The same shuffle gives the same shoe.
func Shuffled(decks int, shuffle func(n int, swap func(i, j int))) []Card {
	var cards []Card
	for range decks {
		for s := Clubs; s <= Spades; s++ {
			for r := Ace; r <= King; r++ {
				cards = append(cards, Card{Rank: r, Suit: s})
			}
		}
	}
	shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return cards
}

// cutRank takes the rank off the front of text; NoRank when there is none.
func cutRank(text string) (Rank, string) {
	if len(text) >= 2 && text[:2] == "10" {
		return Ten, text[2:]
	}
	if text == "" {
		return NoRank, text
	}
	return Rank(letterIndex(rankLetters, text[0])), text[1:]
}

// letterIndex finds a letter, in either case, after the dash of letters; 0 when it is
// not there.
func letterIndex(letters string, letter byte) int {
	if 'a' <= letter && letter <= 'z' {
		letter -= 'a' - 'A'
	}
	for i := 1; i < len(letters); i++ {
		if letters[i] == letter {
			return i
		}
	}
	return 0
}
