package console

import (
	"fmt"
	"strings"

	"shoeboard/tracker/game"
)

// compose is a result key, KILL, a pair or FREE where they make up a hand: a
// proposal, or the fix of a recorded hand.
func (c *Console) compose(t Table, word string, k Key, b Binding) Out {
	now := t.Now.Mono
	pack := t.State.Pack()
	if word == "keyedfree" {
		c.fixFree, c.keyed = !c.fixFree, true
		c.set(fixing, standsFor, now)
		return Out{Tone: Ack}
	}
	from := c.hand
	if word == "keyed" {
		from = game.Result{} // a result key in a fix starts afresh
	}
	next, why := composed(pack, from, k, b.Bet)
	if why != "" {
		return c.refuse(t, why, "")
	}
	if fixWord(word) {
		c.keyed = true
		c.hand = next
		c.set(fixing, standsFor, now)
		return Out{Tone: Ack}
	}
	if c.mode != entry && c.mode != askSame && c.mode != askReplace && c.mode != askShoeOver {
		c.clear()
		c.firstKey = now
		if next, why = composed(pack, game.Result{}, k, b.Bet); why != "" {
			return c.refuse(t, why, "")
		}
	}
	c.hand, c.unfinished = next, false
	c.set(entry, standsFor, now)
	if c.hand == (game.Result{}) {
		c.clear() // the last modifier was taken off again
	}
	return Out{Tone: Ack}
}

func fixWord(word string) bool {
	return strings.HasPrefix(word, "keyed") || word == "replaced" || word == "toggled"
}

// composed is hand with one more key: a result key replaces the result, KILL and
// pairs are toggled and stay. A refusal is its reason in at most 20 characters.
func composed(p *game.Pack, hand game.Result, k Key, bet string) (game.Result, string) {
	if hand.Known {
		hand.Known, hand.PlayerTotal, hand.PlayerCards, hand.BankerTotal, hand.BankerCards = false, 0, 0, 0, 0
	}
	switch k {
	case KeyPair, KeyBankerPair, KeyPlayerPair:
		return paired(p, hand, k)
	case KeyBonus:
		_, i, ok := p.Bet(bet)
		if !ok {
			return hand, "KEY NOT IN THIS GAME"
		}
		if p.Implied(i) == game.NoOutcome {
			return modified(p, hand, i)
		}
		next := plain(p, hand, p.Implied(i))
		next.Bets = next.Bets.With(i)
		return dropKill(p, next), ""
	}
	return dropKill(p, keyedResult(p, hand, k)), ""
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

// dropKill takes the modifiers off a result that cannot have them.
func dropKill(p *game.Pack, hand game.Result) game.Result {
	if p.Check(p.Complete(hand)) == nil {
		return hand
	}
	for i := range p.Bets {
		if hand.Bets.Has(i) && p.Implied(i) == game.NoOutcome {
			hand.Bets = hand.Bets.Without(i)
		}
	}
	return hand
}

// modified toggles KILL. It needs a result sooner or later, not now.
func modified(p *game.Pack, hand game.Result, bet int) (game.Result, string) {
	if hand.Bets.Has(bet) {
		hand.Bets = hand.Bets.Without(bet)
		return hand, ""
	}
	next := hand
	next.Bets = next.Bets.With(bet)
	if next.Outcome != game.NoOutcome && p.Check(p.Complete(next)) != nil {
		return hand, fit(fmt.Sprintf("NO %s ON THIS HAND", betName(p.Bets[bet])), "NOT ON THIS HAND")
	}
	return next, ""
}

// paired cycles or toggles the pair marks, where the pack has them.
func paired(p *game.Pack, hand game.Result, k Key) (game.Result, string) {
	if !p.PairMarks {
		return hand, "PAIRS NOT IN USE"
	}
	switch {
	case k == KeyBankerPair:
		hand.BankerPair = !hand.BankerPair
	case k == KeyPlayerPair:
		hand.PlayerPair = !hand.PlayerPair
	case !hand.BankerPair && !hand.PlayerPair:
		hand.BankerPair = true
	case hand.BankerPair && !hand.PlayerPair:
		hand.BankerPair, hand.PlayerPair = false, true
	case hand.PlayerPair && !hand.BankerPair:
		hand.BankerPair = true
	default:
		hand.BankerPair, hand.PlayerPair = false, false
	}
	return hand, ""
}
