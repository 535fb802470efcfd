// Package odds counts exactly how often everything about a hand happens when it
// is dealt from a full shoe.
//
// Words: a draw is an ordered choice of six cards from a shoe of so many decks,
// the most that a hand can take; a hand that takes fewer is counted once for
// every choice of the cards that it leaves; a frequency is a number of draws.
//
// A caller may assume that the counts are whole numbers without rounding, that
// those of all hands add to Total, and that a bet is tried on the same hands and
// by the same conditions as at the table. A caller may not take them for the odds
// in the middle of a shoe, and must not show those to players.
package odds

import (
	"iter"

	"shoeboard/tracker/game"
)

// MaxDecks is the most decks that are counted: the counts of more would not fit.
const MaxDecks = 16

// Table is how often each kind of hand comes from a full shoe.
type Table struct {
	Decks int
	Total uint64 // ordered draws of six cards: 4,998,398,275,503,360 for 8 decks
	hands [10][2][10][2][3][3]uint64
}

// Count counts every hand of a drawing table from so many decks, 1 to MaxDecks.
// Where the table lets a side choose, it does as choose says, game.Draw or
// game.Stand.
func Count(d *game.Drawing, decks int, choose game.Rule) *Table {
	decks = min(max(decks, 1), MaxDecks)
	t := &Table{Decks: decks, Total: choices(52*decks, 6)}
	first := firstFour(decks)
	left := pointsOf(decks)
	for a := range 10 {
		left[a]--
		for b := range 10 {
			left[b]--
			for c := range 10 {
				left[c]--
				for e := range 10 {
					left[e]--
					f := finish{t: t, d: d, choose: choose, left: &left, cards: 52*decks - 4, pairs: &first[a][b][c][e]}
					f.player((a+b)%10, (c+e)%10)
					left[e]++
				}
				left[c]++
			}
			left[b]++
		}
		left[a]++
	}
	return t
}

// pairCounts is a number of draws by what Player's and Banker's first two cards
// have in common.
type pairCounts [3][3]uint64

// firstFour counts the draws of four cards by their points, two of Player and two
// of Banker, and by their pairs: every rank and suit is dealt in turn.
func firstFour(decks int) *[10][10][10][10]pairCounts {
	var out [10][10][10][10]pairCounts
	var left [52]uint64 // of each rank and suit: card k has rank k/4 and suit k%4
	for k := range left {
		left[k] = uint64(decks)
	}
	take := func(k int) uint64 { left[k]--; return left[k] + 1 }
	for a := range left {
		wa := take(a)
		for b := range left {
			wb := wa * take(b)
			for c := range left {
				wc := wb * take(c)
				for e := range left {
					out[points(a)][points(b)][points(c)][points(e)][pair(a, b)][pair(c, e)] += wc * left[e]
				}
				left[c]++
			}
			left[b]++
		}
		left[a]++
	}
	return &out
}

// points returns the value of card k: ranks from the ace.
func points(k int) int {
	if rank := k/4 + 1; rank < 10 {
		return rank
	}
	return 0
}

// pair returns what two cards have in common.
func pair(a, b int) game.Pair {
	switch {
	case a == b:
		return game.SuitedPair
	case a/4 == b/4:
		return game.RankPair
	}
	return game.NoPair
}

// pointsOf returns how many cards of each point value a shoe has.
func pointsOf(decks int) [10]uint64 {
	n := uint64(4 * decks)
	return [10]uint64{4 * n, n, n, n, n, n, n, n, n, n}
}

// choices returns the number of ordered choices of k cards from n.
func choices(n, k int) uint64 {
	c := uint64(1)
	for i := range k {
		c *= uint64(n - i)
	}
	return c
}

// finish deals the third cards after the first four.
type finish struct {
	t      *Table
	d      *game.Drawing
	choose game.Rule
	left   *[10]uint64 // cards by points
	cards  int         // cards left in the shoe
	pairs  *pairCounts
}

// player deals Player's third card, if any, on these totals of two cards.
func (f *finish) player(player, banker int) {
	if f.stands(f.d.PlayerRule(player, banker)) {
		f.banker(player, banker, game.NoThird, 1)
		return
	}
	for third := range 10 {
		n := f.left[third]
		f.left[third]--
		f.banker(player, banker, third, n)
		f.left[third]++
	}
}

// banker deals Banker's third card, if any; ways is in how many Player's came.
func (f *finish) banker(player, banker, third int, ways uint64) {
	h := game.Hand{PlayerTotal: uint8(player), PlayerCards: 2, BankerTotal: uint8(banker), BankerCards: 2}
	unused := 2
	if third != game.NoThird {
		h.PlayerTotal, h.PlayerCards, unused = uint8((player+third)%10), 3, 1
	}
	if f.stands(f.d.BankerRule(player, banker, third)) {
		f.count(h, ways, unused)
		return
	}
	h.BankerCards = 3
	for last := range 10 {
		h.BankerTotal = uint8((banker + last) % 10)
		f.count(h, ways*f.left[last], unused-1)
	}
}

// stands reports whether a side stands by a rule.
func (f *finish) stands(r game.Rule) bool {
	return r == game.Stand || r == game.Either && f.choose == game.Stand
}

// count adds a finished hand that leaves so many of the six cards unused.
func (f *finish) count(h game.Hand, ways uint64, unused int) {
	ways *= choices(f.cards-2+unused, unused)
	cell := &f.t.hands[h.PlayerTotal][h.PlayerCards-2][h.BankerTotal][h.BankerCards-2]
	for p := range f.pairs {
		for b, first := range f.pairs[p] {
			cell[p][b] += first * ways
		}
	}
}

// All goes through every kind of hand that comes, with its number of draws.
func (t *Table) All() iter.Seq2[game.Hand, uint64] {
	return func(yield func(game.Hand, uint64) bool) {
		for i := range 10 * 2 * 10 * 2 * 3 * 3 {
			h := game.Hand{
				PlayerTotal: uint8(i / 360), PlayerCards: uint8(i/180%2 + 2),
				BankerTotal: uint8(i / 18 % 10), BankerCards: uint8(i/9%2 + 2),
				PlayerPair: game.Pair(i / 3 % 3), BankerPair: game.Pair(i % 3),
			}
			n := t.hands[h.PlayerTotal][h.PlayerCards-2][h.BankerTotal][h.BankerCards-2][h.PlayerPair][h.BankerPair]
			if n > 0 && !yield(h, n) {
				return
			}
		}
	}
}

// Count returns the number of draws on which something holds.
func (t *Table) Count(holds func(game.Hand) bool) uint64 {
	var sum uint64
	for h, n := range t.All() {
		if holds(h) {
			sum += n
		}
	}
	return sum
}

// Odds is how often a bet wins, pushes and loses.
type Odds struct {
	Lines  []uint64 // draws on each line of the bet
	Wins   uint64
	Pushes uint64
	Total  uint64
	Gain   float64 // expected gain of the bettor for one unit staked, mostly negative
}

// Bet counts a bet.
func (t *Table) Bet(b *game.Bet) Odds {
	o := Odds{Lines: make([]uint64, len(b.Lines)), Total: t.Total}
	for h, n := range t.All() {
		if i := b.Line(h); i >= 0 {
			o.Lines[i] += n
		}
	}
	paid := 0.0
	for i, line := range b.Lines {
		if line.Pays.Push() {
			o.Pushes += o.Lines[i]
			continue
		}
		o.Wins += o.Lines[i]
		paid += float64(o.Lines[i]) * float64(line.Pays.To) / float64(line.Pays.One)
	}
	o.Gain = (paid - float64(o.Total-o.Wins-o.Pushes)) / float64(o.Total)
	return o
}

// Share returns the probability of a number of draws.
func (t *Table) Share(draws uint64) float64 { return float64(draws) / float64(t.Total) }
