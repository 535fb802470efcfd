package console

import (
	"fmt"
	"time"

	"shoeboard/tracker"
)

// answer is OK, and 0 where a question offers it.
func (c *Console) answer(t *Context, word string) Out {
	switch word {
	case "whowon":
		lines := c.openLines(t)
		return c.refuse(t, lines[0], lines[1])
	case "asnew":
		if c.mode == askShoeOver {
			c.isPast = true
		} else {
			c.isNew = true
		}
		c.set(entry, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	}
	if c.tooSoon(t) {
		return c.refuseSoon(t)
	}
	switch word {
	case "save":
		return c.save(t)
	case "stands":
		c.clear()
		c.say(t, fmt.Sprintf("%d NOT CHANGED", len(t.State.Shoe.Hands)), lastLine(t.State))
		if t.State.Free { // it was said of the hand that stands
			return c.decide(t, tracker.Command{Kind: tracker.FreeTakenOff})
		}
		return Out{Tone: Ack}
	case "replace":
		old, _ := t.State.Last()
		return c.finish(t, tracker.Command{Kind: tracker.HandReplaced, Hand: len(t.State.Shoe.Hands),
			Token: c.token(t), Free: old.Free || t.State.Free})
	case "newshoe1":
		return c.finish(t, tracker.Command{Kind: tracker.ShoeStarted},
			tracker.Command{Kind: tracker.HandRecorded, Token: c.token(t), Free: t.State.Free})
	case "void":
		return c.finish(t, tracker.Command{Kind: tracker.HandVoided, Reason: tracker.Reasons()[c.reason], Hold: c.hold})
	}
	return c.yes(t)
}

// tooSoonLine stands until the next key, unless what it speaks of goes.
const tooSoonLine = "TOO SOON: OK AGAIN"

// refuseSoon refuses an OK that came too soon. Of a question its own lines say what to do.
func (c *Console) refuseSoon(t *Context) Out {
	if c.mode != entry && c.mode != fixing {
		return c.refuse(t, "", "")
	}
	out := c.refuse(t, "", tooSoonLine)
	c.note.until, c.note.early = forEver, true
	return out
}

// tooSoon: OK counts once what it confirms has stood on the echo unchanged. Sooner
// is refused and never kept; in a question the time starts anew. The refusal
// covers nothing: what stands there is what the dealer has to read.
func (c *Console) tooSoon(t *Context) bool {
	if t.Now.Mono-c.shown >= c.wait {
		return false
	}
	if c.mode != entry && c.mode != fixing {
		c.shown = t.Now.Mono
	}
	return true
}

// yes does what a question without a hand asked.
func (c *Console) yes(t *Context) Out {
	kind := map[mode]tracker.Kind{askNewShoe: tracker.ShoeStarted, askClose: tracker.TableShut,
		askGoesOn: tracker.ShoeTakenBack, askOpen: tracker.TableOpened}[c.mode]
	return c.finish(t, tracker.Command{Kind: kind})
}

// isSecondOK reports whether k is the OK of a finger that pressed twice: what the first
// had saved stands on the echo, and there is nothing to say.
func (c *Console) isSecondOK(t *Context, k Key) bool {
	return k == KeyOK && c.mode == idle && !t.Saving && c.wrote > 0 && t.Now.Mono-c.wrote < secondOK
}

// finish makes the decision and leaves nothing pending.
func (c *Console) finish(t *Context, cmds ...tracker.Command) Out {
	c.clear()
	if cmds[len(cmds)-1].OfHand() {
		c.wrote = t.Now.Mono
	}
	switch cmds[0].Kind {
	case tracker.HandRecorded, tracker.HandVoided, tracker.ShoeStarted, tracker.ShoeTakenBack:
		c.hold, c.overSaid = false, false
	}
	return c.decide(t, cmds...)
}

// save records the proposal, or asks first where it may be a slip: a second
// result within min_hand, or a hand past the last of the shoe.
func (c *Console) save(t *Context) Out {
	s := t.State
	switch last, ok := s.Last(); {
	case c.differs(t):
		c.set(askShoe, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	case ok && c.early && !c.isNew:
		c.set(askReplace, standsAfterQ, t.Now.Mono)
		c.ago = -1
		if d, known := t.Saved.Since(t.Now); known {
			c.ago = d
		}
		if c.same(t, last) && asTotals(c.hand, last.Result) && (last.Free || !s.Free) {
			c.mode = askSame
		}
		return Out{Tone: Ack}
	case s.Shoe.Over() && !c.isPast:
		c.set(askShoeOver, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	}
	return c.finish(t, tracker.Command{Kind: tracker.HandRecorded, Token: c.token(t), Free: s.Free, Hold: c.hold})
}

// same says whether what is keyed is the result that h has, totals left out.
func (c *Console) same(t *Context, h tracker.Hand) bool {
	return t.State.Pack().Complete(untold(c.hand)) == untold(h.Result)
}

// isEarly: a proposal whose first key comes now comes within min_hand of the last
// record, or before that was acknowledged.
func isEarly(t *Context) bool {
	if came := t.Projected.Saved; len(t.Projected.Shoe.Hands) > len(t.State.Shoe.Hands) && came != t.State.Saved {
		return came != (tracker.Stamp{}) // else it is the floor that puts the last hand in
	}
	d, ok := t.Saved.Since(t.Now)
	return ok && d < time.Duration(t.State.Settings.MinHand)*time.Second
}

// token is the proposal as the record keeps it: by its cards, if a shoe read them so.
func (c *Console) token(t *Context) string {
	if c.readSo(t) {
		return c.seen.cards
	}
	return tracker.FormatToken(t.State.Pack(), tracker.Hand{Result: t.State.Pack().Complete(c.hand)})
}

// Told tells the dealer that his decision is on disk, and drops what is pending
// when another game has come (it was composed of the old game's bets), the table has
// closed, or totals are pending where results are keyed from now on.
func (c Console) Told(t *Context, events []tracker.Event, dealer bool) Console {
	for _, e := range events {
		switch {
		case e.Kind == tracker.PackInstalled:
			c.distrust("ANOTHER GAME NOW")
		case e.Kind == tracker.TableShut:
			c.distrust("TABLE CLOSED")
		case e.Kind == tracker.SettingsApplied && !byTotals(t) && c.hand.PlayerCards > 0 && (c.keyed || c.keying()):
			c.distrust("RESULT KEYS NOW")
		case e.Kind == tracker.TableOpened && c.mode == inMenu:
			c.clear() // the table is in use
		case e.By != "" && e.Hand > 0:
			c.tellFloor(t, e)
		case dealer && e.Kind == tracker.CutSet:
			c.tellCut(t, e.Hand)
		case dealer && !c.Pending():
			c.tellSaved(t, e)
		}
	}
	return c
}

// tellCut says what the tap came to and what another would.
func (c *Console) tellCut(t *Context, last int) {
	again := "TAP AGAIN=OFF"
	if next := t.State.NextCut(); next > 0 {
		again = fmt.Sprintf("TAP AGAIN=HAND %d", next)
	}
	c.say(t, cutLine(last), again)
}

// cutLine names the last hand of the shoe.
func cutLine(last int) string {
	if last == 0 {
		return "CUT CARD OFF"
	}
	return fmt.Sprintf("LAST IS HAND %d", last)
}

// tellFloor says what the floor has corrected, until the next key. A proposal, and a warning
// that stands until then, as that a hand was not saved, go on standing above it.
func (c *Console) tellFloor(t *Context, e tracker.Event) {
	if c.mode == lapsed {
		c.clear() // what he could not correct is corrected
	}
	word := map[tracker.Kind]string{tracker.HandFixed: "FIXED", tracker.HandInserted: "ADDED", tracker.HandRemoved: "REMOVED"}[e.Kind]
	line := fmt.Sprintf("FLOOR %s %d", word, e.Hand)
	switch {
	case c.Pending(): // what OK would save stays in sight
		c.cover(t, note{lines: [2]string{"", line}, until: t.Now.Mono + noteFor})
		return
	case c.note.told == ToldWarning:
		if c.note.lines[1] == notSaved {
			c.note.lines[0] = notSaved
		}
		c.note.lines[1] = line
		return
	}
	is := ""
	if e.Kind != tracker.HandRemoved {
		h, p := t.State.Shoe.Hands[e.Hand-1], t.State.Pack()
		is = fit(freeWord(h)+longName(p, h.Result), freeWord(h)+shortName(p, h.Result), freeWord(h)+codeName(p, h.Result))
	}
	c.cover(t, note{lines: [2]string{line, is}, until: forEver, told: ToldSaved})
}

// tellSaved says what became of a hand.
func (c *Console) tellSaved(t *Context, e tracker.Event) {
	switch e.Kind {
	case tracker.HandRecorded:
		c.say(t, savedLine(t.State), "FIX: HOLD CLEAR 1s")
	case tracker.HandFixed:
		c.say(t, fmt.Sprintf("%d FIXED", e.Hand), lastLine(t.State))
	case tracker.HandReplaced:
		c.say(t, fmt.Sprintf("%d REPLACED", e.Hand), lastLine(t.State))
	case tracker.HandRemoved:
		c.say(t, fmt.Sprintf("%d REMOVED", e.Hand), lastLine(t.State))
	default:
		return
	}
	c.note.told = ToldSaved
}
