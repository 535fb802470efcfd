package game

import (
	"errors"
	"fmt"
)

// Implied returns the outcome of every hand on which bet i (its place in Bets) wins;
// NoOutcome when they differ, as for Kill.
func (p *Pack) Implied(i int) Outcome { return p.book.implied[i] }

// Possible reports whether some hand comes to exactly this result: this outcome,
// these naturals and pairs, exactly these bets and, when they are known, these
// totals. Bets that follow from the rest must be in it: see Complete.
func (p *Pack) Possible(r Result) bool {
	if !r.Known {
		return p.book.results[r]
	}
	if !p.book.reached(int(r.PlayerTotal), int(r.PlayerCards), int(r.BankerTotal), int(r.BankerCards)) {
		return false
	}
	bare := r.WithoutTotals()
	for i := range p.book.entries {
		if e := &p.book.entries[i]; e.result == bare && sameTotals(e.hand, r) {
			return true
		}
	}
	return false
}

// sameTotals reports whether the totals of a result are those of a hand.
func sameTotals(h Hand, r Result) bool {
	return h.PlayerTotal == r.PlayerTotal && h.PlayerCards == r.PlayerCards &&
		h.BankerTotal == r.BankerTotal && h.BankerCards == r.BankerCards
}

// Complete adds to the bets of a result those that every hand of this outcome,
// these naturals and pairs, these totals when known, and at least these bets
// wins as well: Tie on a tie. A result that cannot come stays as it is.
func (p *Pack) Complete(r Result) Result {
	bets, found, bare := ^BetSet(0), false, r.WithoutTotals()
	for i := range p.book.entries {
		e := &p.book.entries[i]
		like := e.result
		like.Bets = r.Bets
		if like == bare && e.result.Bets&r.Bets == r.Bets && (!r.Known || sameTotals(e.hand, r)) {
			bets, found = bets&e.result.Bets, true
		}
	}
	if found {
		r.Bets = bets
	}
	return r
}

// Extra returns the bets won beyond those that every hand of this outcome wins.
func (p *Pack) Extra(r Result) BetSet {
	if r.Bets == 0 {
		return 0
	}
	return r.Bets &^ p.Complete(Result{Outcome: r.Outcome}).Bets
}

// Check says in one sentence what is impossible about a result, nil when some
// hand comes to it: the two claims, or the fewest, that no hand unites.
func (p *Pack) Check(r Result) error {
	if p.Possible(r) {
		return nil
	}
	return p.contradiction(r)
}

// contradiction says what is impossible about a result.
func (p *Pack) contradiction(r Result) error {
	if r.Outcome == NoOutcome || r.Outcome > Tie {
		return errors.New("the hand has no outcome")
	}
	if r.Bets>>len(p.Bets) != 0 {
		return fmt.Errorf("a bet is won that %s does not have", p.Name)
	}
	if !r.Known && r != r.WithoutTotals() {
		return errors.New("totals are given and said to be unknown")
	}
	claims := p.claims(r)
	for i, a := range claims {
		if !p.united(a) {
			return fmt.Errorf("%s cannot be", a.text)
		}
		for _, b := range claims[:i] {
			if !p.united(a, b) {
				return fmt.Errorf("%s and %s cannot be in one hand", b.text, a.text)
			}
		}
	}
	for i, a := range claims {
		for j, b := range claims[:i] {
			for _, c := range claims[:j] {
				if !p.united(a, b, c) {
					return fmt.Errorf("%s, %s and %s cannot be in one hand", c.text, b.text, a.text)
				}
			}
		}
	}
	return fmt.Errorf("no hand of %s comes to this result", p.Name)
}

// claim is one thing that a result says of its hand.
type claim struct {
	text  string
	holds func(*entry) bool
}

// united reports whether some hand bears all these claims out.
func (p *Pack) united(claims ...claim) bool {
next:
	for i := range p.book.entries {
		for _, c := range claims {
			if !c.holds(&p.book.entries[i]) {
				continue next
			}
		}
		return true
	}
	return false
}

// claims lists what a result says, what is there before what is not.
func (p *Pack) claims(r Result) []claim {
	var yes, no []claim
	add := func(is bool, there, absent string, holds func(*entry) bool) {
		if is {
			yes = append(yes, claim{there, holds})
		} else {
			no = append(no, claim{absent, func(e *entry) bool { return !holds(e) }})
		}
	}
	outcome := [...]string{Player: "a Player win", Banker: "a Banker win", Tie: "a tie"}[r.Outcome]
	add(true, outcome, "", func(e *entry) bool { return e.result.Outcome == r.Outcome })
	if r.Known {
		totals := fmt.Sprintf("Player %d on %d cards with Banker %d on %d",
			r.PlayerTotal, r.PlayerCards, r.BankerTotal, r.BankerCards)
		add(true, totals, "", func(e *entry) bool { return sameTotals(e.hand, r) })
	}
	add(r.PlayerNatural, "a Player natural", "no Player natural", func(e *entry) bool { return e.result.PlayerNatural })
	add(r.BankerNatural, "a Banker natural", "no Banker natural", func(e *entry) bool { return e.result.BankerNatural })
	for i := range p.Bets {
		label := p.Bets[i].Label("en")
		add(r.Bets.Has(i), label, "no "+label, func(e *entry) bool { return e.result.Bets.Has(i) })
	}
	add(r.PlayerPair, "a Player pair", "no Player pair", func(e *entry) bool { return e.result.PlayerPair })
	add(r.BankerPair, "a Banker pair", "no Banker pair", func(e *entry) bool { return e.result.BankerPair })
	return append(yes, no...)
}
