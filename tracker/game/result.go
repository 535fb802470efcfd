package game

import (
	"iter"
	"math/bits"
)

// Outcome is what a hand came to: three values and none, never a product of flags.
type Outcome uint8

// The outcomes of a hand.
const (
	NoOutcome Outcome = iota
	Player
	Banker
	Tie
)

// Letter returns the outcome's token in shoe files and road vectors: P, B, T, or "-" for none.
func (o Outcome) Letter() string { return [...]string{"-", "P", "B", "T"}[o&3] }

// String returns the outcome's word in records: "player", "banker", "tie" or "none".
func (o Outcome) String() string { return [...]string{"none", "player", "banker", "tie"}[o&3] }

// BetSet is a set of bets of one pack, by their place in Pack.Bets, 0 to 31.
type BetSet uint32

// Has reports whether bet i is in the set.
func (s BetSet) Has(i int) bool { return s>>i&1 != 0 }

// With returns the set and bet i.
func (s BetSet) With(i int) BetSet { return s | 1<<i }

// All goes through the places of the bets in the set, the lowest first.
func (s BetSet) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(bits.TrailingZeros32(uint32(s))) {
				return
			}
		}
	}
}

// Result is what became of one hand. Results are comparable with ==.
type Result struct {
	Outcome       Outcome
	PlayerNatural bool
	BankerNatural bool
	PlayerPair    bool // false also when nobody looked
	BankerPair    bool
	Known         bool  // the four figures below were entered or dealt
	PlayerTotal   uint8 // 0 to 9
	PlayerCards   uint8 // 2 or 3
	BankerTotal   uint8
	BankerCards   uint8
	Bets          BetSet // the bets that won; a bet that pushed is not among them
}

// WithoutTotals returns the result without its totals, as if it had been keyed by its result keys.
func (r Result) WithoutTotals() Result {
	r.Known, r.PlayerTotal, r.PlayerCards, r.BankerTotal, r.BankerCards = false, 0, 0, 0, 0
	return r
}

// Pair says what the first two cards of a side have in common.
type Pair uint8

// The kinds of pairs.
const (
	NoPair     Pair = iota
	RankPair        // equal rank
	SuitedPair      // equal rank and suit, a perfect pair; a rank pair too
)

// Hand is a finished hand as conditions see it: totals 0 to 9, cards 2 or 3.
type Hand struct {
	PlayerTotal, PlayerCards uint8
	BankerTotal, BankerCards uint8
	PlayerPair, BankerPair   Pair
}

// Outcome says who won the hand.
func (h Hand) Outcome() Outcome {
	switch {
	case h.PlayerTotal > h.BankerTotal:
		return Player
	case h.BankerTotal > h.PlayerTotal:
		return Banker
	}
	return Tie
}

// PlayerNatural reports whether Player has 8 or 9 on two cards.
func (h Hand) PlayerNatural() bool { return h.PlayerCards == 2 && h.PlayerTotal >= 8 }

// BankerNatural reports whether Banker has 8 or 9 on two cards.
func (h Hand) BankerNatural() bool { return h.BankerCards == 2 && h.BankerTotal >= 8 }

// margin says by how much the winner won.
func (h Hand) margin() int {
	return max(int(h.PlayerTotal), int(h.BankerTotal)) - min(int(h.PlayerTotal), int(h.BankerTotal))
}
