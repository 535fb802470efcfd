package console

import (
	"fmt"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// refuseKey says why a key does nothing: the reason is the state's, not the key's.
func (c *Console) refuseKey(t *Context, p press) Out {
	n := t.Projected.Shoe.Next()
	switch row := c.row(t); {
	case row == tableClosed:
		return c.refuse(t, "TABLE CLOSED", "NEW SHOE 2s = OPEN")
	case row == saving:
		return c.refuseSaving(t)
	case row == inMenu:
		return c.refuse(t, "NO KEY OF THE MENU", "CLEAR=BACK FLOOR=OUT")
	case c.mode == entry && p.key == KeyOK:
		lines := c.openLines(t)
		return c.refuse(t, lines[0], lines[1])
	case c.mode == entry:
		return c.refuse(t, fmt.Sprintf("SAVE %d FIRST", n), "OK=SAVE   CLEAR=DROP")
	case c.isKeying():
		return c.refuse(t, fmt.Sprintf("SAVE %d FIRST", n), c.lines(t)[1])
	case c.mode >= askVoid && c.mode < noResult:
		return c.refuse(t, "ANSWER FIRST", yesNo)
	case row == noResult:
		return c.refuse(t, fmt.Sprintf("HAND %d NO RESULT", n), "KEY IT, FREE OR VOID")
	case c.isFixing():
		return c.refuse(t, fmt.Sprintf("FIX %d FIRST", c.fix), "OK=FIX    CLEAR=OUT")
	case p.key == KeyOK:
		return c.refuse(t, "NOTHING TO SAVE", "")
	case p.key == KeyCut:
		return c.refuse(t, "NO HAND DEALT YET", "")
	}
	return c.refuse(t, "NOT NOW", "")
}

// says returns an action that refuses with its text.
func says(why string) func(*Console, *Context, press) Out {
	return func(c *Console, t *Context, _ press) Out { return c.refuse(t, why, "") }
}

// hint answers CLEAR with nothing pending: what holding it would do.
func (c *Console) hint(t *Context, _ press) Out {
	c.clear() // a fix may have lapsed
	line1, line2 := "FIX: HOLD CLEAR 1s", lastLine(&t.State)
	switch s := &t.State; {
	case s.NoHandYet() && s.Finished != nil:
		line1, line2 = fmt.Sprintf("SHOE %d GOES ON:", s.Finished.Number), "HOLD CLEAR 1s"
	case len(s.Shoe.Hands) == 0:
		line1, line2 = "NOTHING TO CLEAR", ""
	}
	return c.say(t, stats.ToldHint, line1, line2)
}

// drop answers CLEAR over something pending.
func (c *Console) drop(t *Context, p press) Out {
	if !c.Pending() { // the one row with this action that may have nothing to drop
		if p.key == KeyFix {
			c.lapse(t)
		}
		return c.refuseSaving(t)
	}
	unsaved := c.isKeying()
	unasked := c.seen.cards != "" || c.offered || t.Saving // what is dropped is not what the hold was for
	c.clear()
	if unasked && p.key == KeyFix {
		c.lapse(t)
	}
	if unsaved {
		c.say(t, stats.ToldHint, fmt.Sprintf("%d DROPPED,", t.Projected.Shoe.Next()), "NOT SAVED")
	}
	return Out{Tone: Ack}
}

// cut turns which hand is the last. What is said of it waits for the record.
func (c *Console) cut(t *Context, _ press) Out {
	last := t.Projected.NextCut()
	if t.Saving {
		c.say(t, stats.ToldHint, cutLine(last), "SAVING, PLEASE WAIT")
	}
	return c.decide(t, tracker.Command{Kind: tracker.CutSet, Hand: last})
}

// turnFree turns the free-hand flag; a question over a hand becomes its proposal again.
func (c *Console) turnFree(t *Context, _ press) Out {
	switch {
	case c.mode >= askSame && c.mode <= askShoe:
		c.set(t, entry, readKeyed)
	case c.mode == noResult:
		c.mode = idle
	}
	if t.State.Free {
		return c.decide(t, tracker.Command{Kind: tracker.FreeTakenOff})
	}
	return c.decide(t, tracker.Command{Kind: tracker.FreeSet, On: true})
}

// records returns an action that records a fact without a question.
func records(k tracker.Kind) func(*Console, *Context, press) Out {
	return func(c *Console, t *Context, _ press) Out {
		c.mode = idle
		return c.decide(t, tracker.Command{Kind: k})
	}
}

// bets returns an action of BETS, which is dead after a change of the bets and takes FREE off first.
func bets(do func(*Console, *Context) Out) func(*Console, *Context, press) Out {
	return func(c *Console, t *Context, p press) Out {
		d, ok := t.State.BetsAt.Since(t.Now)
		switch {
		case ok && d < betsLock:
			return c.refuse(t, "BETS JUST CHANGED", "")
		case t.State.Free:
			return c.turnFree(t, p)
		}
		return do(c, t)
	}
}

func (c *Console) shutBets(t *Context) Out {
	return c.decide(t, tracker.Command{Kind: tracker.BetsShut, Reason: "key"})
}

// shutOnly answers BETS over something pending, where it opens none.
func (c *Console) shutOnly(t *Context, p press) Out {
	if t.State.Phase != tracker.Betting {
		return c.refuseKey(t, p)
	}
	return bets((*Console).shutBets)(c, t, p)
}

// askResult says that the hand has no result: after that nothing opens by itself.
func (c *Console) askResult(t *Context) Out {
	c.hold = true
	return c.ask(t, noResult)
}

func (c *Console) reopenBets(t *Context) Out {
	if c.mode == noResult && c.isTooSoon(t) {
		return c.refuseSoon(t) // 00 is one press
	}
	c.clear()
	c.hold = false
	return c.decide(t, tracker.Command{Kind: tracker.BetsOpened, Seconds: t.State.Settings.Reopen})
}

// openBets opens betting, once the dealer has seen that the shoe is over.
func (c *Console) openBets(t *Context) Out {
	s := &t.State
	switch {
	case s.Phase == tracker.Shuffling && s.Settings.Bets == tracker.BetsOff:
		return c.decide(t, tracker.Command{Kind: tracker.ShuffleEnded})
	case s.Settings.Bets == tracker.BetsOff:
		return c.refuse(t, "BETS NOT IN USE", "JUST KEY THE RESULT")
	case s.Shoe.Over() && (c.overAt == 0 || t.Now.Mono-c.overAt < readQuestion):
		c.overAt = t.Now.Mono
		return c.refuse(t, fmt.Sprintf("SHOE OVER, %d HANDS", len(s.Shoe.Hands)), betsKey[t.Totals]+" AGAIN OPENS")
	}
	c.hold = false
	return c.decide(t, tracker.Command{Kind: tracker.BetsOpened, Seconds: s.Settings.Countdown()})
}

// asks returns an action that puts a question in the place of what is pending.
func asks(m state) func(*Console, *Context, press) Out {
	return func(c *Console, t *Context, _ press) Out {
		c.clear()
		return c.ask(t, m)
	}
}

// nextReason offers the next reason for a void. The FREE key does where it is VOID too.
func (c *Console) nextReason(t *Context, p press) Out {
	if p.binding.Hold != KeyVoid && p.binding.Tap != KeyVoid {
		return c.refuseKey(t, p)
	}
	c.pending = pending{reason: (c.reason + 1) % len(tracker.Reasons())}
	return c.ask(t, askVoid)
}

// askGoesOn asks whether the shoe before goes on.
func (c *Console) askGoesOn(t *Context, p press) Out {
	if t.State.Finished == nil {
		return c.refuseFix(t, 0, "NO HAND TO FIX", "")
	}
	return asks(askGoesOn)(c, t, p)
}

// tooSoon is said to an OK on what had not stood long enough, until the next key.
const tooSoon = "TOO SOON: OK AGAIN"

// refuseSoon refuses an OK that came too soon. It covers nothing that has to be read.
func (c *Console) refuseSoon(t *Context) Out {
	if c.mode != entry && c.mode != fixing {
		return c.refuse(t, "", "")
	}
	out := c.refuse(t, "", tooSoon)
	c.note.until, c.note.early = forEver, true
	return out
}

// isTooSoon reports whether an OK comes before what it confirms has stood on the echo
// unchanged; in a question the time starts again.
func (c *Console) isTooSoon(t *Context) bool {
	if t.Now.Mono-c.shown >= c.wait {
		return false
	}
	if c.mode != entry && c.mode != fixing {
		c.shown = t.Now.Mono
	}
	return true
}

// save records the proposal, or asks first where it may be a slip.
func (c *Console) save(t *Context, _ press) Out {
	s := &t.State
	switch last, ok := s.Last(); {
	case c.seen.cards != "" && !c.seen.mine && !c.isAsRead(t):
		return c.ask(t, askShoe)
	case ok && c.early && !c.isNew:
		c.ago = -1
		if d, known := t.Saved.Since(t.Now); known {
			c.ago = d
		}
		if c.isSame(t, last) && agreesOnTotals(c.hand, last.Result) && (last.Free || !s.Free) {
			return c.ask(t, askSame)
		}
		return c.ask(t, askReplace)
	case s.Shoe.Over() && !c.isPast:
		return c.ask(t, askShoeOver)
	}
	return c.finish(t, tracker.Command{Kind: tracker.HandRecorded, Token: c.token(t), Free: s.Free, Hold: c.hold})
}

// keepLast leaves the last hand as it is: it was keyed twice.
func (c *Console) keepLast(t *Context, _ press) Out {
	c.clear()
	out := c.say(t, stats.ToldHint, fmt.Sprintf("%d NOT CHANGED", len(t.State.Shoe.Hands)), lastLine(&t.State))
	if t.State.Free { // it was said of the hand that stays
		return c.decide(t, tracker.Command{Kind: tracker.FreeTakenOff})
	}
	return out
}

// confirm does what a question asks.
func (c *Console) confirm(t *Context, _ press) Out {
	switch c.mode {
	case askReplace:
		last, _ := t.State.Last()
		return c.finish(t, tracker.Command{Kind: tracker.HandReplaced, Hand: len(t.State.Shoe.Hands),
			Token: c.token(t), Free: last.Free || t.State.Free})
	case askShoeOver:
		return c.finish(t, tracker.Command{Kind: tracker.ShoeStarted},
			tracker.Command{Kind: tracker.HandRecorded, Token: c.token(t), Free: t.State.Free})
	case askVoid:
		reason := tracker.Reasons()[c.reason]
		return c.finish(t, tracker.Command{Kind: tracker.HandVoided, Reason: reason, Hold: c.hold})
	}
	kinds := map[state]tracker.Kind{askNewShoe: tracker.ShoeStarted, askClose: tracker.TableShut,
		askGoesOn: tracker.ShoeTakenBack, askOpen: tracker.TableOpened}
	return c.finish(t, tracker.Command{Kind: kinds[c.mode]})
}

// insist proposes the hand as it was keyed: past the last of the shoe, whatever the shoe
// has read, or as a hand of its own.
func (c *Console) insist(t *Context, _ press) Out {
	switch c.mode {
	case askShoeOver:
		c.isPast = true
	case askShoe:
		c.seen.mine = true
	default:
		c.isNew = true
	}
	return c.ask(t, entry)
}

// token returns the proposal as the record keeps it: by its cards, if a shoe read them so.
func (c *Console) token(t *Context) string {
	if c.seen.cards != "" && c.isAsRead(t) {
		return c.seen.cards
	}
	return tracker.FormatToken(t.State.Shoe.Pack, tracker.Hand{Result: t.State.Shoe.Pack.Complete(c.hand)})
}

// isSame reports whether the result of h is keyed, totals left out.
func (c *Console) isSame(t *Context, h tracker.Hand) bool {
	return t.State.Shoe.Pack.Complete(c.hand.WithoutTotals()) == h.Result.WithoutTotals()
}

// isUnchanged reports whether the result of h is keyed with its totals, or with none.
func (c *Console) isUnchanged(t *Context, h tracker.Hand) bool {
	return c.isSame(t, h) && (c.hand.PlayerCards == 0 || totalsOf(c.hand) == totalsOf(h.Result))
}
