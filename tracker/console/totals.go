package console

import (
	"fmt"
	"strings"

	"shoeboard/tracker/game"
)

// Totals (design/keying.md, "Totals mode"): the dealer keys Player's total, "." when it
// is on three cards, Banker's total, "." the same, and OK. The result, the naturals and
// the bets follow from the totals. Every digit on a keycap is a total there, the key of
// PL-DEALER is the ".", and since 0 is a digit OK with nothing pending is BETS. Keys
// without a digit mean what they say.

// ByTotals returns the map as it is where totals are keyed.
func (m Map) ByTotals() Map {
	by := Map{}
	for pos, b := range m {
		b.Tap = b.totalsTap()
		by[pos] = b
	}
	return by
}

// totalsTap returns what a tap of the key means where totals are keyed.
func (b Binding) totalsTap() Key {
	switch {
	case b.Digit != "" && b.Tap != "":
		return KeyTotal
	case b.Tap == KeyPlDealer:
		return KeyThird
	case b.Tap == KeyOK:
		return KeyOKBets
	}
	return b.Tap
}

// totalsKey returns what a tap means now where totals are keyed.
func (c *Console) totalsKey(t *Context, p press) Key {
	switch by := p.binding.totalsTap(); {
	case by == KeyTotal && p.key == KeyBets && (c.hasResult() || c.mode == askShoe):
		return KeyBets // 0 answers the question, or closes the bets
	case by != KeyOKBets:
		return by
	case (c.mode == idle || c.mode == noResult) && t.State.Open() && !c.justSaved(t) && !c.hasNotice():
		return KeyBets
	}
	return KeyOK
}

// hasNotice reports whether a message stays on the echo until the dealer presses a key:
// that what he keyed was dropped, or what a shoe read. An OK answers that, and is not BETS.
func (c *Console) hasNotice() bool { return c.dropped || c.note.until == forEver }

// hasResult reports whether what is pending has a result, so that the next digit is no
// part of it.
func (c *Console) hasResult() bool {
	return c.hand.Outcome != game.NoOutcome && (c.isKeying() || c.mode == fixing && c.keyed)
}

// justSaved reports whether OK may be the second press of one that saved or answered.
func (c *Console) justSaved(t *Context) bool {
	d, ok := t.Saved.Since(t.Now)
	return t.Saving || ok && d < betsAfterOK || c.okAt > 0 && t.Now.Mono-c.okAt < betsAfterOK
}

// withTotal returns the hand with one more digit or "."; the pairs stay. Totals that the
// drawing table does not come to, with those pairs, make no result: a "." may be to come,
// and OK says so.
func withTotal(pack *game.Pack, hand game.Result, p press) (game.Result, string) {
	next := game.Result{PlayerPair: hand.PlayerPair, BankerPair: hand.BankerPair,
		PlayerTotal: hand.PlayerTotal, PlayerCards: hand.PlayerCards,
		BankerTotal: hand.BankerTotal, BankerCards: hand.BankerCards}
	switch {
	case p.key == KeyThird && hand.BankerCards > 0:
		next.BankerCards = 5 - hand.BankerCards
	case p.key == KeyThird && hand.PlayerCards > 0:
		next.PlayerCards = 5 - hand.PlayerCards
	case p.key == KeyThird:
		return hand, "FIRST PLAYER'S TOTAL"
	case hand.PlayerCards > 0 && hand.BankerCards == 0:
		next.BankerTotal, next.BankerCards = p.binding.Digit[0]-'0', 2
	default:
		next.PlayerTotal, next.PlayerCards, next.BankerTotal, next.BankerCards = p.binding.Digit[0]-'0', 2, 0, 0
	}
	return settled(pack, next), ""
}

// settled returns the hand with the result of its totals, as soon as they make one.
func settled(pack *game.Pack, hand game.Result) game.Result {
	full, err := pack.FromTotals(int(hand.PlayerTotal), int(hand.PlayerCards),
		int(hand.BankerTotal), int(hand.BankerCards))
	if err != nil {
		return hand
	}
	full.PlayerPair, full.BankerPair = hand.PlayerPair, hand.BankerPair
	if !isPossible(pack, full) {
		return hand
	}
	return full
}

// totalsOf writes the totals as they are keyed: "6.-7", "6-" while Banker's is to come,
// and "" when none were.
func totalsOf(r game.Result) string {
	side := func(total, cards uint8) string { return fmt.Sprint(total) + strings.Repeat(".", int(cards)-2) }
	switch {
	case r.PlayerCards == 0:
		return ""
	case r.BankerCards == 0:
		return side(r.PlayerTotal, r.PlayerCards) + "-"
	}
	return side(r.PlayerTotal, r.PlayerCards) + "-" + side(r.BankerTotal, r.BankerCards)
}

// totalsNext says what totals without a result want: Banker's total, or another look.
func totalsNext(r game.Result) string {
	switch {
	case r.BankerCards > 0 && (r.PlayerPair || r.BankerPair):
		return "CHECK TOTALS, PAIRS"
	case r.BankerCards > 0:
		return "CHECK TOTALS, CARDS"
	case r.PlayerCards == 0:
		return "PLAYER'S TOTAL?"
	case r.PlayerCards == 2:
		return "BANKER? (.=3 CARDS)"
	}
	return "BANKER'S TOTAL?"
}

// agreesOnTotals reports whether keyed has the totals of known as far as it goes. A hand
// without totals agrees with all.
func agreesOnTotals(keyed, known game.Result) bool {
	switch {
	case keyed.PlayerCards == 0 || known.PlayerCards == 0:
		return true
	case keyed.BankerCards == 0:
		return keyed.PlayerTotal == known.PlayerTotal && keyed.PlayerCards <= known.PlayerCards
	}
	return totalsOf(keyed) == totalsOf(known)
}
