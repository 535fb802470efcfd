package console

import (
	"fmt"

	"shoeboard/tracker/game"
)

// compose is a result key, KILL or a pair where they make up a hand: a proposal,
// or the fix of a recorded hand.
func (c *Console) compose(t *Context, word string, k Key, b Binding) Out {
	from := game.Result{}
	switch old, _ := c.fixed(t); {
	case word == "keyedold":
		from = old.Result
	case word == "replaced" && c.keyed, word == "toggled", c.keying():
		from = c.hand
	}
	if !byTotals(t) || resultKey(k) || k == KeyBonus {
		from = untold(from)
	}
	next, why := composed(t.State.Pack(), from, k, b)
	if why != "" {
		return c.refuseBelow(t, why)
	}
	if c.fixes() {
		c.hand, c.keyed, c.unfinished = next, true, false
		c.set(fixing, standsFor, t.Now.Mono)
		return Out{Tone: Ack}
	}
	if !c.keying() {
		c.clear()
		c.early = isEarly(t)
	}
	c.hand, c.unfinished = next, false
	c.set(entry, standsFor, t.Now.Mono)
	if c.hand == (game.Result{}) {
		c.clear() // the last modifier was taken off again
	}
	return Out{Tone: Ack}
}

// composeFree turns the free flag of the hand being fixed.
func (c *Console) composeFree(t *Context) Out {
	c.fixFree, c.unfinished = !c.fixFree, false
	c.set(fixing, standsFor, t.Now.Mono)
	return Out{Tone: Ack}
}

// untold is a result without its totals, as keys make it.
func untold(r game.Result) game.Result {
	r.Known, r.PlayerTotal, r.PlayerCards, r.BankerTotal, r.BankerCards = false, 0, 0, 0, 0
	return r
}

// composed is hand with one more key of that binding: a result key replaces the result,
// KILL and pairs are toggled and stay. A refusal is its reason in at most 20 characters.
func composed(p *game.Pack, hand game.Result, k Key, b Binding) (game.Result, string) {
	switch k {
	case KeyTotal, KeyThird:
		return totalled(p, hand, k, b.Digit)
	case KeyPair, KeyBankerPair, KeyPlayerPair:
		next, why := paired(p, hand, k)
		return settled(p, next), why
	case KeyBonus:
		_, i, ok := p.Bet(b.Bet)
		if !ok {
			return hand, "KEY NOT IN THIS GAME"
		}
		if p.Implied(i) == game.NoOutcome {
			return modified(p, hand, i)
		}
		next := plain(p, hand, p.Implied(i))
		next.Bets = next.Bets.With(i)
		return agreeing(p, next), ""
	}
	return agreeing(p, keyedResult(p, hand, k)), ""
}

// plain is hand with another result, the modifiers kept.
func plain(p *game.Pack, hand game.Result, o game.Outcome) game.Result {
	hand.Outcome, hand.PlayerNatural, hand.BankerNatural = o, false, false
	hand.Bets = modifiersOf(p, hand.Bets)
	return hand
}

// keyedResult is the hand of a result key. A natural key pressed again says that
// the other side had one too (9 over 8), and once more that it had not.
func keyedResult(p *game.Pack, was game.Result, k Key) game.Result {
	switch k {
	case KeyBanker:
		return plain(p, was, game.Banker)
	case KeyPlayer:
		return plain(p, was, game.Player)
	case KeyTie:
		return plain(p, was, game.Tie)
	case KeyBothNatural:
		hand := plain(p, was, game.Tie)
		hand.PlayerNatural, hand.BankerNatural = true, true
		return hand
	case KeyBankerNatural:
		hand := plain(p, was, game.Banker)
		hand.BankerNatural = true
		hand.PlayerNatural = was.Outcome == game.Banker && was.BankerNatural && !was.PlayerNatural
		return hand
	}
	hand := plain(p, was, game.Player)
	hand.PlayerNatural = true
	hand.BankerNatural = was.Outcome == game.Player && was.PlayerNatural && !was.BankerNatural
	return hand
}

// modifiersOf are the bets that imply no side: they stay when the result is replaced.
func modifiersOf(p *game.Pack, bets game.BetSet) game.BetSet {
	var kept game.BetSet
	for i := range p.Bets {
		if bets.Has(i) && p.Implied(i) == game.NoOutcome {
			kept = kept.With(i)
		}
	}
	return kept
}

// possible says whether the keyed hand can come; one without a result still may.
func possible(p *game.Pack, hand game.Result) bool {
	return hand.Outcome == game.NoOutcome || p.Check(p.Complete(hand)) == nil
}

// agreeing takes off what cannot stand with the result just keyed: KILL, else the
// pairs, else both.
func agreeing(p *game.Pack, hand game.Result) game.Result {
	unkilled := hand
	unkilled.Bets &^= modifiersOf(p, hand.Bets)
	unpaired := hand
	unpaired.PlayerPair, unpaired.BankerPair = false, false
	for _, h := range []game.Result{hand, unkilled, unpaired} {
		if possible(p, h) {
			return h
		}
	}
	unpaired.Bets = unkilled.Bets
	return unpaired
}

// modified toggles KILL. It needs a result sooner or later, not now.
func modified(p *game.Pack, hand game.Result, bet int) (game.Result, string) {
	if hand.Bets.Has(bet) {
		hand.Bets = hand.Bets.Without(bet)
		return hand, ""
	}
	next := hand
	next.Bets = next.Bets.With(bet)
	if !possible(p, next) {
		return hand, fit(fmt.Sprintf("NO %s ON THIS HAND", betName(p.Bets[bet])), "NOT ON THIS HAND")
	}
	return next, ""
}

// paired toggles a pair mark or goes round Banker, Player, both, none, where the
// pack has them; what the result cannot have is passed over.
func paired(p *game.Pack, hand game.Result, k Key) (game.Result, string) {
	if !p.PairMarks {
		return hand, "PAIRS NOT IN USE"
	}
	next := hand
	switch k {
	case KeyBankerPair:
		next.BankerPair = !next.BankerPair
	case KeyPlayerPair:
		next.PlayerPair = !next.PlayerPair
	default:
		next = nextPairs(hand)
		for next != hand && !possible(p, next) {
			next = nextPairs(next)
		}
	}
	if next == hand || !possible(p, next) {
		return hand, "NO PAIR ON THIS HAND"
	}
	return next, ""
}

// nextPairs goes round: none, Banker, Player, both.
func nextPairs(hand game.Result) game.Result {
	if hand.BankerPair {
		hand.PlayerPair = !hand.PlayerPair
	}
	hand.BankerPair = !hand.BankerPair
	return hand
}
