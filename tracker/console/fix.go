package console

import (
	"fmt"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// fixed returns the hand open for correction. While one is, nothing takes it away: the
// floor corrects no shoe in which something is pending.
func (c *Console) fixed(t *Context) tracker.Hand {
	if c.fix < 1 || c.fix > len(t.State.Shoe.Hands) {
		return tracker.Hand{}
	}
	return t.State.Shoe.Hands[c.fix-1]
}

// openFix opens the last hand for correction, or the one open before it, if a
// dealer may: the last dealer_fix hands of the shoe, three times in a shoe. All others are
// the floor's. Asked again after a refusal, it is about the same hand.
func (c *Console) openFix(t *Context, _ press) Out {
	hands := len(t.State.Shoe.Hands)
	n := hands
	switch {
	case c.isFixing():
		n = c.fix - 1
	case c.mode == lapsed:
		n = c.fix
	}
	switch {
	case hands == 0 || n < 1:
		return c.refuseFix(t, n, "NO HAND TO FIX", "")
	case hands-n >= t.State.Settings.DealerFix:
		return c.refuseFix(t, n, "OLDER HAND: TELL", "THE FLOOR")
	case t.State.Shoe.Fixes >= fixesOfDealer:
		return c.refuseFix(t, n, fmt.Sprintf("%d FIXES: TELL", t.State.Shoe.Fixes), "THE FLOOR")
	}
	c.fix = n
	c.reopen(t)
	return c.set(t, fixing, readKeyed)
}

// reopen starts the fix again, with the hand as it is recorded.
func (c *Console) reopen(t *Context) {
	old := c.fixed(t)
	c.pending = pending{fix: c.fix, hand: old.Result, fixFree: old.Free}
}

// askRemove asks whether the hand is to be removed.
func (c *Console) askRemove(t *Context, _ press) Out {
	c.reopen(t)
	return c.ask(t, removing)
}

// fixFreeFlag turns the free flag of the hand being fixed.
func (c *Console) fixFreeFlag(t *Context, _ press) Out {
	c.fixFree, c.unfinished = !c.fixFree, false
	return c.set(t, fixing, readKeyed)
}

// saveFix answers OK in a fix.
func (c *Console) saveFix(t *Context, _ press) Out {
	n, old := c.fix, c.fixed(t)
	switch {
	case c.mode == removing:
		return c.finish(t, tracker.Command{Kind: tracker.HandRemoved, Hand: n})
	case c.keyed && c.hand.Outcome == game.NoOutcome:
		return c.refuse(t, "", totalsNext(c.hand))
	case c.isUnchanged(t, old) && c.fixFree == old.Free:
		c.clear()
		return c.say(t, stats.ToldHint, fmt.Sprintf("%d UNCHANGED", n), lastLine(&t.State))
	}
	token := c.token(t)
	if !c.keyed {
		token = tracker.FormatToken(t.State.Shoe.Pack, old) // with its totals or cards
	}
	return c.finish(t, tracker.Command{Kind: tracker.HandFixed, Hand: n, Token: token, Free: c.fixFree})
}

// fixAsNew proposes the hand keyed, and a FREE that was, as the next one.
func (c *Console) fixAsNew(t *Context, _ press) Out {
	free := c.fixFree && !c.fixed(t).Free
	c.pending = pending{hand: c.hand, isNew: true}
	if !t.Totals {
		c.hand = c.hand.WithoutTotals()
	}
	out := c.ask(t, entry)
	if free && !t.State.Free {
		return c.decide(t, tracker.Command{Kind: tracker.FreeSet, On: true})
	}
	return out
}

// fixEnded is said to the next keys after a fix that came to nothing.
const fixEnded = "FIX ENDED, NO CHANGE"

// sayEnded says that the fix has ended to the first key after it, and to every other
// while that is shown: a correction may take more keys than one. OK ends it.
func (c *Console) sayEnded(t *Context, p press) Out {
	c.okAt = t.Now.Mono // where OK is BETS, that of a correction opens none
	if c.mode == askGoesOn {
		c.lapse(t)
	}
	switch {
	case p.key == KeyOK:
		c.clear()
	case c.endedAt == 0:
		c.endedAt = t.Now.Mono
	}
	return c.refuse(t, fixEnded, lastLine(&t.State))
}

// forgive ends a lapsed fix some time after that was said.
func (c *Console) forgive(t *Context) {
	if c.endedAt > 0 && t.Now.Mono-c.endedAt >= noteFor {
		c.clear()
	}
}

// refuseFix says why a hand cannot be corrected, and ends the correction: the next keys
// were intended for hand n, and may become neither a new one nor another's.
func (c *Console) refuseFix(t *Context, n int, line1, line2 string) Out {
	if c.lapse(t); c.mode == lapsed {
		c.fix, c.tooFar = n, true
	}
	return c.refuse(t, line1, line2)
}

// lapse ends a correction that has changed nothing. It changes nothing where something
// is keyed or asked, nor on a closed table, on which no hand can be recorded.
func (c *Console) lapse(t *Context) {
	switch {
	case !t.State.Open():
	case c.mode == lapsed:
		c.endedAt = 0
	case c.mode == idle || c.mode == noResult || c.mode == askGoesOn || c.isFixing():
		c.pending = pending{mode: lapsed}
	}
}
