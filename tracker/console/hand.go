package console

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// compose makes up a proposal or a fix of result keys, KILL, pairs and totals.
func (c *Console) compose(t *Context, p press) Out {
	pack, from := t.State.Shoe.Pack, game.Result{}
	if c.isKeying() || c.keyed || c.isFixing() && isModifier(pack, p) {
		from = c.hand
	}
	if !t.Totals || outcomes[p.key] != game.NoOutcome || p.key == KeyBonus {
		from = from.WithoutTotals()
	}
	next, why := composed(pack, from, p)
	if why != "" {
		return c.refuse(t, why, "")
	}
	if c.isFixing() {
		c.hand, c.keyed, c.unfinished = next, true, false
		return c.set(t, fixing, readKeyed)
	}
	if !c.isKeying() {
		c.clear()
		c.early = isEarly(t)
	}
	c.hand, c.unfinished = next, false
	out := c.set(t, entry, readKeyed)
	if c.hand == (game.Result{}) {
		c.clear() // the last modifier was taken off again
	}
	return out
}

// isEarly reports whether a proposal whose first key comes now comes within min_hand of
// the last record, or before that was acknowledged.
func isEarly(t *Context) bool {
	came := t.Projected.Saved
	if len(t.Projected.Shoe.Hands) > len(t.State.Shoe.Hands) && came != t.State.Saved {
		return came != (tracker.Stamp{}) // else it is the floor that puts the last hand in
	}
	d, ok := t.Saved.Since(t.Now)
	return ok && d < time.Duration(t.State.Settings.MinHand)*time.Second
}

// isModifier reports whether a key is a pair or KILL, whose condition implies no side.
func isModifier(pack *game.Pack, p press) bool {
	switch p.key {
	case KeyPair, KeyBankerPair, KeyPlayerPair:
		return true
	case KeyBonus:
		if pack != nil {
			_, i, ok := pack.Bet(p.binding.Bet)
			return ok && pack.Modifiers.Has(i)
		}
	}
	return false
}

// composed returns the hand with one more key: a result key replaces the result, KILL
// and pairs are toggled and stay. A refusal says why in at most 20 characters.
func composed(pack *game.Pack, hand game.Result, p press) (game.Result, string) {
	switch p.key {
	case KeyTotal, KeyThird:
		return withTotal(pack, hand, p)
	case KeyPair, KeyBankerPair, KeyPlayerPair:
		next, why := withPair(pack, hand, p.key)
		return settled(pack, next), why
	case KeyBonus, "":
		_, i, ok := pack.Bet(p.binding.Bet)
		switch {
		case !ok:
			return hand, "KEY NOT IN THIS GAME"
		case pack.Modifiers.Has(i):
			return withModifier(pack, hand, i)
		}
		next := withOutcome(pack, hand, pack.Implied(i))
		next.Bets = next.Bets.With(i)
		return agreeing(pack, next), ""
	}
	return agreeing(pack, withResult(pack, hand, p.key)), ""
}

// withOutcome returns the hand with another result, the modifiers kept.
func withOutcome(pack *game.Pack, hand game.Result, o game.Outcome) game.Result {
	hand.Outcome, hand.PlayerNatural, hand.BankerNatural = o, false, false
	hand.Bets &= pack.Modifiers
	return hand
}

// outcomes are the results that keys name by themselves.
var outcomes = map[Key]game.Outcome{KeyBanker: game.Banker, KeyPlayer: game.Player, KeyTie: game.Tie,
	KeyBankerNatural: game.Banker, KeyPlayerNatural: game.Player, KeyBothNatural: game.Tie}

// withResult returns the hand of a result key. A natural key pressed again says that
// the other side had one too (9 over 8), and once more that it had not.
func withResult(pack *game.Pack, was game.Result, k Key) game.Result {
	hand := withOutcome(pack, was, outcomes[k])
	hadOne := was.Outcome == hand.Outcome && was.PlayerNatural != was.BankerNatural
	switch k {
	case KeyBothNatural:
		hand.PlayerNatural, hand.BankerNatural = true, true
	case KeyBankerNatural:
		hand.PlayerNatural, hand.BankerNatural = hadOne && was.BankerNatural, true
	case KeyPlayerNatural:
		hand.PlayerNatural, hand.BankerNatural = true, hadOne && was.PlayerNatural
	}
	return hand
}

// isPossible reports whether the keyed hand can come; one without a result still may.
func isPossible(pack *game.Pack, hand game.Result) bool {
	return hand.Outcome == game.NoOutcome || pack.Possible(pack.Complete(hand))
}

// agreeing takes off what the result just keyed cannot have: KILL, else the pairs, else both.
func agreeing(pack *game.Pack, hand game.Result) game.Result {
	unkilled, unpaired := hand, hand
	unkilled.Bets &^= pack.Modifiers
	unpaired.PlayerPair, unpaired.BankerPair = false, false
	for _, h := range []game.Result{hand, unkilled, unpaired} {
		if isPossible(pack, h) {
			return h
		}
	}
	unpaired.Bets = unkilled.Bets
	return unpaired
}

// withModifier toggles KILL. It needs a result sooner or later, not now.
func withModifier(pack *game.Pack, hand game.Result, bet int) (game.Result, string) {
	next := hand
	next.Bets ^= game.BetSet(0).With(bet)
	if next.Bets.Has(bet) && !isPossible(pack, next) {
		return hand, fit(fmt.Sprintf("NO %s ON THIS HAND", betName(pack.Bets[bet])), "NOT ON THIS HAND")
	}
	return next, ""
}

// withPair toggles a pair mark or goes round none, Banker, Player, both, where the pack
// has them; it skips what the result cannot have.
func withPair(pack *game.Pack, hand game.Result, k Key) (game.Result, string) {
	if !pack.PairMarks {
		return hand, "PAIRS NOT IN USE"
	}
	next := hand
	for {
		if k == KeyPlayerPair || k == KeyPair && next.BankerPair {
			next.PlayerPair = !next.PlayerPair
		}
		if k != KeyPlayerPair {
			next.BankerPair = !next.BankerPair
		}
		switch {
		case next == hand:
			return hand, "NO PAIR ON THIS HAND"
		case isPossible(pack, next):
			return next, ""
		}
	}
}

// Totals (design/keying.md, "Totals mode"): Player's total, "." when it is on three cards,
// Banker's total, "." the same, and OK. All else of the hand follows. Every digit on a
// keycap is a total, PL-DEALER is the ".", and OK with nothing pending is BETS.

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

// hasNotice reports whether a message waits for a key of the dealer's. OK answers it and is not BETS.
func (c *Console) hasNotice() bool { return c.dropped || c.note.until == forEver }

// hasResult reports whether what is pending has a result: the next digit is no part of it.
func (c *Console) hasResult() bool {
	return c.hand.Outcome != game.NoOutcome && (c.isKeying() || c.mode == fixing && c.keyed)
}

// justSaved reports whether OK may be the second press of one that saved or answered.
func (c *Console) justSaved(t *Context) bool {
	d, ok := t.Saved.Since(t.Now)
	return t.Saving || ok && d < betsAfterOK || c.okAt > 0 && t.Now.Mono-c.okAt < betsAfterOK
}

// withTotal returns the hand with one more digit or "."; the pairs stay. Totals that the
// drawing table does not come to make no result: a "." may be to come.
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

// totalsOf writes the totals as keyed: "6.-7", "6-" without Banker's, "" without any.
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

// agreesOnTotals reports whether keyed has the totals of known as far as both have any.
func agreesOnTotals(keyed, known game.Result) bool {
	switch {
	case keyed.PlayerCards == 0 || known.PlayerCards == 0:
		return true
	case keyed.BankerCards == 0:
		return keyed.PlayerTotal == known.PlayerTotal && keyed.PlayerCards <= known.PlayerCards
	}
	return totalsOf(keyed) == totalsOf(known)
}
