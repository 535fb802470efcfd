package game

import (
	"fmt"
	"strconv"
	"strings"

	"shoeboard/tracker/card"
)

// Pack is a game as one venue has it approved.
type Pack struct {
	ID        string // lower-case letters, digits and hyphens: "ez-baccarat-panda-8"
	Name      string // "EZ Baccarat Panda 8"
	Highlight string // the part of Name to be set off on the board, "Panda 8"; may be empty
	Approval  string // the number of the approval, "GEGR-001174"
	Venue     string // the venue that the approval names; may be empty
	Date      string // of the approval, "2026-04-01"; may be empty

	Decks         Decks
	Seats         []int // players' seats of the tables that it may be played on, the player-dealer's not counted
	HandsAfterCut int   // how many hands follow the one in which the cut card shows
	PairMarks     bool  // whether pairs are marked on the board
	ActionButton  string
	Rotation      Rotation
	Settlement    []string // "player", "banker" and the ids of all bets, in the order of taking and paying

	Base    Base
	Drawing Drawing
	Pushes  []Push
	Bets    []Bet // at most 32

	// Modifiers are the bets that imply no outcome, as Kill: see Implied.
	Modifiers BetSet

	// Unknown are the places of a recorded pack that this program does not understand.
	// What depends on them is left out: see Parse.
	Unknown []string

	Source []byte // the file as it was loaded; not to be changed
	Digest string // SHA-256 of Source in hexadecimal

	book book
}

// Decks is with how many decks the game is played.
type Decks struct {
	Min     int `toml:"min"`
	Max     int `toml:"max"`
	Default int `toml:"default"`
}

// actionButtons are the rules for who receives action first: the rank of the second Banker
// card, 1 to 13, counts seats clockwise from the left of the house dealer, the
// player-dealer's not counted; the seat at the left of the player-dealer; no button.
var actionButtons = []string{"second-banker-card", "left-of-player-dealer", "none"}

// Rotation is how the player-dealer position goes round. A figure of 0 means
// that this rule does not apply.
type Rotation struct {
	OfferEveryHands    int    `toml:"offer_every_hands"`    // the position is offered after so many; 1: before each
	RotateEveryMinutes int    `toml:"rotate_every_minutes"` // it must go to others after so long
	RotateToOthers     int    `toml:"rotate_to_others"`     // to so many other players before it may come back
	Source             string `toml:"source"`
}

// Base is the two bets that every game has.
type Base struct {
	Player   Pays `toml:"player"`
	Banker   Pays `toml:"banker"`
	BackLine bool `toml:"back_line"`
}

// Push is a case in which the base bets on a side are returned, beside the tie,
// on which both always are.
type Push struct {
	Side   Outcome // Player or Banker
	When   Condition
	On     bool   // false: the venue does not play it
	Source string // where the rule comes from
}

// Mark is the core of a bet's mark in the roads: "gold", "white", "kill" or none.
type Mark string

// Bet is a tracked wager beside Player and Banker.
type Bet struct {
	ID       string            `toml:"id"`
	Short    string            `toml:"short"`  // for echo lines and small places, "D7"; at most 4 characters
	Labels   map[string]string `toml:"labels"` // by language code; not to be changed
	Needs    []string          `toml:"needs"`  // of "player", "banker" and ids one must be wagered on too; empty: none
	BackLine bool              `toml:"back_line"`
	Mark     Mark              `toml:"mark"`
	Lines    []Line            `toml:"win"` // the first whose condition holds decides
}

// Line is one way in which a bet wins, or pushes.
type Line struct {
	When Condition `toml:"when"`
	Pays Pays      `toml:"pays"`
}

// Languages are the codes that labels may have; English is always there.
var Languages = []string{"en", "zh-Hant", "zh-Hans", "vi", "ko", "es", "tl"}

// Label returns the bet's name in a language, or in English where the pack has none.
func (b *Bet) Label(language string) string {
	if label, ok := b.Labels[language]; ok {
		return label
	}
	return b.Labels["en"]
}

// Line returns the line of the bet that a hand falls on, -1 for none: the bet loses.
func (b *Bet) Line(h Hand) int {
	for i := range b.Lines {
		if b.Lines[i].When.Holds(h) {
			return i
		}
	}
	return -1
}

// Wins reports whether the bet is won on a hand; a push is no win.
func (b *Bet) Wins(h Hand) bool {
	i := b.Line(h)
	return i >= 0 && !b.Lines[i].Pays.Push()
}

// Bet finds a bet by its id, with its place in Bets.
func (p *Pack) Bet(id string) (Bet, int, bool) {
	for i := range p.Bets {
		if p.Bets[i].ID == id {
			return p.Bets[i], i, true
		}
	}
	return Bet{}, 0, false
}

// Settle returns the result of a hand that is known in full. It does not ask whether
// the drawing table allows the hand.
func (p *Pack) Settle(h Hand) Result {
	r := Result{
		Outcome:       h.Outcome(),
		PlayerNatural: h.PlayerNatural(),
		BankerNatural: h.BankerNatural(),
		PlayerPair:    h.PlayerPair != NoPair,
		BankerPair:    h.BankerPair != NoPair,
		Known:         true,
		PlayerTotal:   h.PlayerTotal,
		PlayerCards:   h.PlayerCards,
		BankerTotal:   h.BankerTotal,
		BankerCards:   h.BankerCards,
	}
	for i := range p.Bets {
		if p.Bets[i].Wins(h) {
			r.Bets = r.Bets.With(i)
		}
	}
	return r
}

// FromCards returns the result of a hand from its cards, each side's in the order
// dealt. The error says in one sentence what was drawn against the table. A
// perfect pair is found only when the suits are given.
func (p *Pack) FromCards(player, banker []card.Card) (Result, error) {
	r, irregular, err := p.AsDealt(player, banker)
	if err == nil {
		err = irregular
	}
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

// AsDealt returns the result of cards as they lie on the felt, which are official even
// when they were drawn against the table; irregular then says what was.
func (p *Pack) AsDealt(player, banker []card.Card) (r Result, irregular, err error) {
	h, err := dealt(player, banker)
	if err != nil {
		return Result{}, nil, err
	}
	return p.Settle(h), p.Drawing.check(player, banker), nil
}

// FromTotals returns the result of a hand from each side's total (0 to 9) and number
// of cards (2 or 3). The error says that the drawing table never comes to it.
// Pairs are taken as not there: when one is keyed as well, Complete adds its bets.
func (p *Pack) FromTotals(playerTotal, playerCards, bankerTotal, bankerCards int) (Result, error) {
	if !p.book.reached(playerTotal, playerCards, bankerTotal, bankerCards) {
		return Result{}, fmt.Errorf("no hand ends with Player %d on %d cards and Banker %d on %d",
			playerTotal, playerCards, bankerTotal, bankerCards)
	}
	return p.Settle(Hand{
		PlayerTotal: uint8(playerTotal), PlayerCards: uint8(playerCards),
		BankerTotal: uint8(bankerTotal), BankerCards: uint8(bankerCards),
	}), nil
}

// Pays is what a winning bet is paid for one unit staked: To over One, "40 to 1"
// or "3 to 2". A bet that pays nothing to 1 gets its stake back: it pushes.
type Pays struct {
	To  uint16
	One uint16
}

// Push reports whether the stake is returned.
func (p Pays) Push() bool { return p.To == 0 }

// String writes the pay in words, "40 to 1", or "push".
func (p Pays) String() string {
	if p.Push() {
		return "push"
	}
	return fmt.Sprintf("%d to %d", p.To, p.One)
}

// UnmarshalText reads "40", "3/2" or "push".
func (p *Pays) UnmarshalText(text []byte) error {
	to, one, fraction := strings.Cut(string(text), "/")
	if !fraction {
		one = "1"
	}
	if to == "push" && !fraction {
		*p = Pays{0, 1}
		return nil
	}
	a, errA := strconv.ParseUint(to, 10, 16)
	b, errB := strconv.ParseUint(one, 10, 16)
	if errA != nil || errB != nil || a == 0 || b == 0 {
		return fmt.Errorf(`expected what is paid to 1, such as "40" or "3/2", or "push"`)
	}
	*p = Pays{uint16(a), uint16(b)}
	return nil
}
