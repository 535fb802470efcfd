package console

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// Totals (design/keying.md, "Totals mode"): the dealer keys Player's total, "." when it
// is on three cards, Banker's total, "." the same, and OK. The result, the naturals and
// the bets follow from the totals. Every digit on a keycap is a total there, the key of
// PL-DEALER is the ".", and since 0 is a digit OK with nothing pending is BETS. Keys
// without a digit mean what they say.

// betsAfterOK is how long OK with nothing pending does nothing after an OK or a record:
// it may be the second press of the OK that saved.
const betsAfterOK = 3 * time.Second

// byTotals says whether totals are keyed at this table.
func byTotals(t *Context) bool { return t.State.Settings.Entry == tracker.EntryTotals }

// ByTotals is the map as it is where totals are keyed.
func (m Map) ByTotals() Map {
	by := Map{}
	for pos, b := range m {
		b.Tap = b.byTotals()
		by[pos] = b
	}
	return by
}

// byTotals is what a tap of the key means where totals are keyed.
func (b Binding) byTotals() Key {
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

// meant is what a key means at this table now.
func (c *Console) meant(t *Context, k Key, b Binding) Key {
	if !byTotals(t) || c.mode >= inMenu || k != b.Tap {
		return k
	}
	switch by := b.byTotals(); {
	case by == KeyTotal && k == KeyBets && (c.handTold() || c.mode == askShoe):
		return KeyBets // 0 answers the question, or closes the bets
	case by != KeyOKBets:
		return by
	case (c.mode == idle || c.mode == noResult) && t.State.Open() && !c.justSaved(t) && !c.tells():
		return KeyBets
	}
	return KeyOK
}

// tells says whether the dealer is told something until he presses a key: that what he
// keyed was dropped, or what a shoe read. An OK answers that, and is not BETS.
func (c *Console) tells() bool { return c.dropped || c.note.until == forEver }

// answered keeps what OK needs to know of the key that is about to act.
func (c *Console) answered(t *Context, k Key) {
	if k == KeyOK && (c.Pending() || c.tells()) {
		c.okAt = tracker.Stamp{Boot: t.Now.Boot, Mono: t.Now.Mono}
	}
	c.dropped = false
}

// handTold says whether what is pending has a result, so that the next digit is no part
// of it.
func (c *Console) handTold() bool {
	return c.hand.Outcome != game.NoOutcome && (c.keying() || c.mode == fixing && c.keyed)
}

// justSaved says whether OK may be the second press of one that saved or answered.
func (c *Console) justSaved(t *Context) bool {
	within := func(s tracker.Stamp) bool { d, ok := s.Since(t.Now); return ok && d < betsAfterOK }
	return t.Saving || within(t.Saved) || within(c.okAt)
}

// totalled is hand with one more digit or "."; the pairs stay. Totals that the drawing
// table does not come to, with those pairs, make no result: a "." may be to come, and OK
// says so.
func totalled(p *game.Pack, hand game.Result, k Key, digit string) (game.Result, string) {
	next := game.Result{PlayerPair: hand.PlayerPair, BankerPair: hand.BankerPair,
		PlayerTotal: hand.PlayerTotal, PlayerCards: hand.PlayerCards, BankerTotal: hand.BankerTotal, BankerCards: hand.BankerCards}
	switch {
	case k == KeyThird && hand.BankerCards > 0:
		next.BankerCards = 5 - hand.BankerCards
	case k == KeyThird && hand.PlayerCards > 0:
		next.PlayerCards = 5 - hand.PlayerCards
	case k == KeyThird:
		return hand, "FIRST PLAYER'S TOTAL"
	case hand.PlayerCards > 0 && hand.BankerCards == 0:
		next.BankerTotal, next.BankerCards = digit[0]-'0', 2
	default:
		next = game.Result{PlayerPair: hand.PlayerPair, BankerPair: hand.BankerPair, PlayerTotal: digit[0] - '0', PlayerCards: 2}
	}
	return settled(p, next), ""
}

// settled is hand with the result of its totals, as soon as they make one.
func settled(p *game.Pack, hand game.Result) game.Result {
	full, err := p.FromTotals(int(hand.PlayerTotal), int(hand.PlayerCards), int(hand.BankerTotal), int(hand.BankerCards))
	if err != nil {
		return hand
	}
	full.PlayerPair, full.BankerPair = hand.PlayerPair, hand.BankerPair
	if !possible(p, full) {
		return hand
	}
	return full
}

// totalsOf are the totals as they are keyed: "6.-7", "6-" while Banker's is to come, and
// "" when none were.
func totalsOf(r game.Result) string {
	if r.PlayerCards == 0 {
		return ""
	}
	text := side(r.PlayerTotal, r.PlayerCards) + "-"
	if r.BankerCards > 0 {
		text += side(r.BankerTotal, r.BankerCards)
	}
	return text
}

// keepsTotals says whether keyed leaves the totals of old as they are: it has none, or the
// same.
func keepsTotals(keyed, old game.Result) bool {
	return keyed.PlayerCards == 0 || totalsOf(keyed) == totalsOf(old)
}

func side(total, cards uint8) string {
	return fmt.Sprint(total) + strings.Repeat(".", int(cards)-2)
}

// keyedLine is what is keyed of hand n, behind words with its number and its totals if
// those were keyed: "49? BANKER", "49? 6.-7 BANKER".
func keyedLine(t *Context, words string, n int, r game.Result) string {
	if totals := totalsOf(r); totals != "" {
		words += totals + " "
	}
	return strings.Join(strings.Fields(named(t, words+"%s", n, r)), " ")
}

// totalsChange is the old and the new result of a hand whose totals are keyed:
// "48 PLAYER > 6-7 B?", and where only the totals change "48 5-7 > 6-7 BANKER?".
func totalsChange(p *game.Pack, n int, old, r game.Result, free string) string {
	was, totals := shortName(p, old), totalsOf(r)
	if old.Known && untold(old) == untold(r) {
		was = totalsOf(old)
	}
	return fit(fmt.Sprintf("%d %s > %s %s%s?", n, was, totals, longName(p, r), free),
		fmt.Sprintf("%d %s > %s %s%s?", n, was, totals, codeName(p, r), free),
		fmt.Sprintf("%d > %s %s%s?", n, totals, codeName(p, r), free),
		fmt.Sprintf("%d>%s %s%s?", n, totals, codeName(p, r), free),
		fmt.Sprintf("%d>%s%s%s?", n, totals, pairCode(r), free)) // all else follows from the totals
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

// asTotals says whether keyed has the totals of known as far as it goes. What has none
// agrees with all.
func asTotals(keyed, known game.Result) bool {
	switch {
	case keyed.PlayerCards == 0 || known.PlayerCards == 0:
		return true
	case keyed.BankerCards == 0:
		return keyed.PlayerTotal == known.PlayerTotal && keyed.PlayerCards <= known.PlayerCards
	}
	return keyed.PlayerTotal == known.PlayerTotal && keyed.PlayerCards == known.PlayerCards &&
		keyed.BankerTotal == known.BankerTotal && keyed.BankerCards == known.BankerCards
}
