package game

// book is every kind of hand that the drawing table can come to, with its
// result: what all questions about possible results are answered from.
type book struct {
	entries []entry
	totals  [10][2][10][2]bool // Player's total, third card or not, Banker's the same
	results map[Result]bool    // without totals
	implied []Outcome          // by bet
}

// entry is one kind of hand with its result, totals left out.
type entry struct {
	hand   Hand
	result Result
}

// play plays every kind of hand once and keeps what follows from that.
func (p *Pack) play() {
	b := book{results: map[Result]bool{}}
	for _, h := range p.Drawing.hands() {
		e := entry{hand: h, result: p.Settle(h).WithoutTotals()}
		b.entries = append(b.entries, e)
		b.totals[h.PlayerTotal][h.PlayerCards-2][h.BankerTotal][h.BankerCards-2] = true
		b.results[e.result] = true
	}
	for i := range p.Bets {
		o := b.outcomeOf(i)
		if b.implied = append(b.implied, o); o == NoOutcome {
			p.Modifiers = p.Modifiers.With(i)
		}
	}
	p.book = b
}

// hands plays every kind of hand: each pair of totals of two cards, with and
// without pairs, and each third card that the table lets follow.
func (d *Drawing) hands() []Hand {
	// Tables are faster than maps, and a pack is loaded at every start. What two totals
	// may have in common depends on their being even.
	var played [10][2][10][2][2][2]bool
	var seen [10][2][SuitedPair + 1][10][2][SuitedPair + 1]bool
	var hands []Hand
	for player := range 10 {
		for banker := range 10 {
			d.finish(player, banker, func(h Hand) {
				like := &played[h.PlayerTotal][h.PlayerCards-2][h.BankerTotal][h.BankerCards-2][player%2][banker%2]
				if *like {
					return
				}
				*like = true
				for _, h.PlayerPair = range pairsOf(player) {
					for _, h.BankerPair = range pairsOf(banker) {
						at := &seen[h.PlayerTotal][h.PlayerCards-2][h.PlayerPair]
						if there := &at[h.BankerTotal][h.BankerCards-2][h.BankerPair]; !*there {
							*there = true
							hands = append(hands, h)
						}
					}
				}
			})
		}
	}
	return hands
}

// pairs are all that two cards can have in common, nothing first.
var pairs = [...]Pair{NoPair, RankPair, SuitedPair}

// pairsOf returns what two cards of a total may have in common: two equal ranks have
// an even total.
func pairsOf(total int) []Pair {
	if total%2 == 0 {
		return pairs[:]
	}
	return pairs[:1]
}

// finish deals every third card that may follow totals of two cards.
func (d *Drawing) finish(player, banker int, yield func(Hand)) {
	for _, p := range thirds(d.PlayerRule(player, banker)) {
		for _, b := range thirds(d.BankerRule(player, banker, p)) {
			var h Hand
			h.PlayerTotal, h.PlayerCards = with(player, p)
			h.BankerTotal, h.BankerCards = with(banker, b)
			yield(h)
		}
	}
}

// thirdCards are the points of third cards, none first.
var thirdCards = [...]int{NoThird, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// thirds returns the points of third cards that a rule allows, NoThird among them.
func thirds(rule Rule) []int {
	switch rule {
	case Stand:
		return thirdCards[:1]
	case Draw:
		return thirdCards[1:]
	}
	return thirdCards[:]
}

// with adds a third card to a total of two, and says how many cards those are.
func with(total, third int) (sum, cards uint8) {
	if third == NoThird {
		return uint8(total), 2
	}
	return uint8((total + third) % 10), 3
}

// reached reports whether the drawing table comes to these totals and numbers of cards.
func (b *book) reached(pt, pc, bt, bc int) bool {
	return 0 <= pt && pt <= 9 && 2 <= pc && pc <= 3 && 0 <= bt && bt <= 9 && 2 <= bc && bc <= 3 &&
		b.totals[pt][pc-2][bt][bc-2]
}

// outcomeOf returns the outcome of all hands that bet i wins on, NoOutcome when they
// differ.
func (b *book) outcomeOf(i int) Outcome {
	implied := NoOutcome
	for _, e := range b.entries {
		switch {
		case !e.result.Bets.Has(i):
		case implied == NoOutcome:
			implied = e.result.Outcome
		case implied != e.result.Outcome:
			return NoOutcome
		}
	}
	return implied
}
