package console

import (
	"fmt"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// act looks the key up in the state table and does what stands there.
func (c *Console) act(t *Context, k Key, b Binding) Out {
	c.forgive(t.Now.Mono)
	k = c.meant(t, k, b)
	if c.isSecondOK(t, k) {
		return Out{}
	}
	c.answered(t, k)
	c.uncover(t.Now.Mono)
	if c.mode < inMenu {
		c.logKey(pressName(k, b))
	}
	if k == KeyReview && c.mode < inMenu {
		return c.review(t)
	}
	c.pressedInFix(t)
	word := c.word(t, k.column(c.isModifier(t, b)))
	if k == KeyReview {
		word = "-"
	}
	if t.Saving && writes(word) {
		return c.refuseSaving(t)
	}
	return c.do(t, word, k, b)
}

func pressName(k Key, b Binding) string {
	switch k {
	case KeyBonus:
		return b.Bet
	case KeyTotal:
		return b.Digit
	case KeyThird:
		return "."
	}
	return string(k)
}

// word is what stands in the state table. Some words are those of another row.
func (c *Console) word(t *Context, col column) string {
	word := c.grammar[c.row(t)][col]
	switch {
	case word == "outact" && !t.Saving:
		c.clear()
	case word == "again" && c.tooFar:
		return word
	case c.mode == lapsed && word != "once" && t.Saving:
		return c.grammar[rowSaving][col]
	case word == "asphase", word == "again":
		c.clear()
	default:
		return word
	}
	if t.Saving {
		return c.grammar[rowSaving][col]
	}
	return c.grammar[phaseRow(t)][col]
}

// writes says whether a word of the table has something recorded, or answers a
// question that does: while SAVING only composing, CLEAR and CUT go on.
func writes(word string) bool {
	switch word {
	case "flag", "flagback", "open", "shut", "shutonly", "reopen", "resume", "pause", "save", "stands", "replace",
		"newshoe1", "asnew", "void", "yes", "unchanged", "fixes", "fixasnew", "outact", "removes", "noresult", "void?", "newshoe?":
		return true
	}
	return false
}

// do is the dictionary of the state table.
func (c *Console) do(t *Context, word string, k Key, b Binding) Out {
	switch word {
	case "propose", "modify", "keyed", "keyedold", "replaced", "toggled":
		return c.compose(t, word, k, b)
	case "keyedfree":
		return c.composeFree(t)
	case "flag", "flagback":
		return c.free(t, word == "flagback")
	case "open", "shut", "shutonly", "reopen", "noresult", "resume", "pause":
		return c.bets(t, word)
	case "shoe", "mine":
		return c.choose(t, word)
	case "save", "whowon", "stands", "replace", "newshoe1", "asnew", "void", "yes":
		return c.answer(t, word)
	case "fix", "again", "back", "out", "unchanged", "fixes", "fixasnew", "remove?", "removes", "same":
		return c.fixKey(t, word)
	case "once":
		return c.sayEnded(t, k)
	case "void?", "reason", "newshoe?", "close?", "goeson?", "open?":
		return c.ask(t, word, b)
	case "hint":
		return c.hint(t)
	case "drop":
		return c.drop(t, k)
	case "leave":
		c.clear()
		return Out{Tone: Ack}
	case "cut":
		return c.cut(t)
	case "menu", "menuout", "up", "enter", "digit":
		return c.menuKey(t, word, b)
	case "pin":
		return c.refuseBelow(t, "ONLY ON CLOSED TABLE")
	case "log":
		return c.refuseBelow(t, "PL-DEALER NOT IN USE")
	}
	return c.refusedKey(t, k)
}

// refusedKey is the table's "-": the reason is the state's, not the key's.
func (c *Console) refusedKey(t *Context, k Key) Out {
	switch c.row(t) {
	case rowTableClosed:
		return c.refuse(t, "TABLE CLOSED", "NEW SHOE 2s = OPEN")
	case rowSaving:
		return c.refuseSaving(t)
	case rowModifiers, rowProposal:
		return c.refuse(t, fmt.Sprintf("SAVE %d FIRST", c.number(t)), "OK=SAVE   CLEAR=DROP")
	case rowSame, rowReplace, rowShoeOver, rowShoe:
		return c.refuse(t, fmt.Sprintf("SAVE %d FIRST", c.number(t)), c.lines(t)[1])
	case rowFix, rowFixKeyed, rowRemove:
		return c.refuse(t, fmt.Sprintf("FIX %d FIRST", c.fix), "OK=FIX    CLEAR=OUT")
	case rowNoResult:
		return c.refuse(t, fmt.Sprintf("HAND %d NO RESULT", c.number(t)), "KEY IT, FREE OR VOID")
	case rowMenu:
		return c.refuse(t, "NO KEY OF THE MENU", "CLEAR=BACK FLOOR=OUT")
	case rowVoid, rowQuestion, rowGoesOn, rowOpen:
		return c.refuse(t, "ANSWER FIRST", "OK=YES  CLEAR=NO")
	}
	switch {
	case k == KeyOK:
		return c.refuse(t, "NOTHING TO SAVE", "")
	case k == KeyCut:
		return c.refuse(t, "NO HAND DEALT YET", "")
	}
	return c.refuse(t, "NOT NOW", "")
}

// refuseSaving: a record is on its way, and only one at a time is.
func (c *Console) refuseSaving(t *Context) Out {
	return c.refuse(t, savingLine(t), "PLEASE WAIT")
}

// review freezes the board at once and releases it; keying goes on behind it.
func (c *Console) review(t *Context) Out {
	return c.decide(t, tracker.Command{Kind: tracker.ReviewSet, On: t.Projected.Review == nil})
}

// hint is CLEAR with nothing pending: what holding it would do.
func (c *Console) hint(t *Context) Out {
	if c.mode == lapsed {
		c.clear()
	}
	switch s := t.State; {
	case s.NoHandYet() && s.Finished != nil:
		c.say(t, fmt.Sprintf("SHOE %d GOES ON:", s.Finished.Number), "HOLD CLEAR 1s")
	case len(s.Shoe.Hands) == 0:
		c.say(t, "NOTHING TO CLEAR", "")
	default:
		c.say(t, "FIX: HOLD CLEAR 1s", lastLine(s))
	}
	return Out{Tone: Ack}
}

// drop is CLEAR over something pending.
func (c *Console) drop(t *Context, k Key) Out {
	if !c.Pending() { // the one row with this word that may have nothing to drop
		if k == KeyFix {
			c.lapse(t)
		}
		return c.refuseSaving(t)
	}
	unsaved := c.keying()
	unasked := c.seen.cards != "" || c.offered || t.Saving // what is dropped is not what the hold was for
	c.clear()
	if unasked && k == KeyFix {
		c.lapse(t)
	}
	if unsaved {
		c.say(t, fmt.Sprintf("%d DROPPED,", c.number(t)), "NOT SAVED")
	}
	return Out{Tone: Ack}
}

// number is that of the hand being keyed.
func (c *Console) number(t *Context) int { return t.Projected.Shoe.Next() }

// cut turns which hand is the last. The record says what came of it; where that has to
// wait, so does this.
func (c *Console) cut(t *Context) Out {
	last := t.Projected.NextCut()
	if t.Saving {
		c.say(t, cutLine(last), "SAVING, PLEASE WAIT")
	}
	return c.decide(t, tracker.Command{Kind: tracker.CutSet, Hand: last})
}

// free turns the free-hand flag; over a question it leaves the question.
func (c *Console) free(t *Context, back bool) Out {
	switch {
	case back:
		c.set(entry, standsFor, t.Now.Mono)
	case c.mode == noResult:
		c.mode = idle
	}
	if t.State.Free {
		return c.decide(t, tracker.Command{Kind: tracker.FreeTakenOff})
	}
	return c.decide(t, tracker.Command{Kind: tracker.FreeSet, On: true})
}

// bets is the BETS key and PAUSE.
func (c *Console) bets(t *Context, word string) Out {
	switch word {
	case "pause":
		c.mode = idle
		return c.decide(t, tracker.Command{Kind: tracker.GamePaused})
	case "resume":
		return c.decide(t, tracker.Command{Kind: tracker.GameResumed})
	}
	if word == "shutonly" && t.State.Phase != tracker.Betting {
		return c.refusedKey(t, KeyBets)
	}
	if d, ok := t.State.BetsAt.Since(t.Now); ok && d < betsLock {
		return c.refuseBelow(t, "BETS JUST CHANGED")
	}
	if t.State.Free && word != "shutonly" {
		c.mode = idle
		return c.decide(t, tracker.Command{Kind: tracker.FreeTakenOff})
	}
	switch word {
	case "shut", "shutonly":
		return c.decide(t, tracker.Command{Kind: tracker.BetsShut, Reason: "key"})
	case "noresult":
		c.set(noResult, standsAfterQ, t.Now.Mono)
		c.hold = true
		return Out{Tone: Ack}
	case "reopen":
		if c.mode == noResult && c.tooSoon(t) {
			return c.refuse(t, "", "") // 00 is one press
		}
		c.clear()
		c.hold = false
		return c.decide(t, tracker.Command{Kind: tracker.BetsOpened, Seconds: t.State.Settings.Reopen})
	}
	return c.open(t)
}

// open is BETS where it opens betting.
func (c *Console) open(t *Context) Out {
	s := t.State
	switch {
	case s.Phase == tracker.Shuffling && s.Settings.Bets == tracker.BetsOff:
		return c.decide(t, tracker.Command{Kind: tracker.ShuffleEnded})
	case s.Settings.Bets == tracker.BetsOff:
		return c.refuse(t, "BETS NOT IN USE", "JUST KEY THE RESULT")
	case s.Shoe.Over() && !(c.overSaid && t.Now.Mono-c.overAt >= standsAfterQ):
		c.overSaid, c.overAt = true, t.Now.Mono
		return c.refuse(t, fmt.Sprintf("SHOE OVER, %d HANDS", len(s.Shoe.Hands)), betsKey(t)+" AGAIN OPENS")
	}
	c.hold = false
	return c.decide(t, tracker.Command{Kind: tracker.BetsOpened, Seconds: s.Settings.Countdown()})
}

// ask puts a question.
func (c *Console) ask(t *Context, word string, b Binding) Out {
	m := map[string]mode{"void?": askVoid, "newshoe?": askNewShoe, "close?": askClose, "goeson?": askGoesOn, "open?": askOpen}[word]
	reason := 0
	switch {
	case word == "reason" && b.Hold != KeyVoid && b.Tap != KeyVoid:
		return c.refusedKey(t, KeyFree)
	case word == "reason":
		m, reason = askVoid, (c.reason+1)%len(tracker.Reasons())
	case word == "goeson?" && t.State.Finished == nil:
		return c.refuseFix(t, 0, "NO HAND TO FIX", "")
	}
	c.clear()
	c.reason = reason
	c.set(m, standsAfterQ, t.Now.Mono)
	return Out{Tone: Ack}
}

// isModifier says whether the key of b is a modifier: KILL, whose condition
// implies no side, or a pair.
func (c *Console) isModifier(t *Context, b Binding) bool {
	if b.Tap != KeyBonus || t.State.Pack() == nil {
		return false
	}
	_, i, ok := t.State.Pack().Bet(b.Bet)
	return ok && t.State.Pack().Implied(i) == game.NoOutcome
}

func (c *Console) isResult(t *Context, b Binding) bool {
	return resultKey(b.Tap) || (b.Tap == KeyBonus && !c.isModifier(t, b))
}
