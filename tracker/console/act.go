package console

import (
	"fmt"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// tap is a press that acts.
func (c *Console) tap(t Table, b Binding) Out { return c.act(t, b.Tap, b) }

// act looks the key up in the state table and does what stands there.
func (c *Console) act(t Table, k Key, b Binding) Out {
	c.note = note{}
	c.logKey(pressName(k, b))
	if k == KeyReview {
		return c.review(t)
	}
	col := k.column(c.isModifier(t, b))
	row := c.row(t)
	if row != rowLapsed && c.mode == lapsed {
		c.mode = idle
	}
	word := c.grammar[row][col]
	if word == "asphase" {
		c.mode = idle
		word = c.grammar[phaseRow(t)][col]
	}
	return c.do(t, word, k, b)
}

func pressName(k Key, b Binding) string {
	if k == KeyBonus {
		return b.Bet
	}
	return string(k)
}

// do is the dictionary of the state table.
func (c *Console) do(t Table, word string, k Key, b Binding) Out {
	switch word {
	case "propose", "modify", "keyed", "keyedold", "replaced", "toggled", "keyedfree":
		return c.compose(t, word, k, b)
	case "flag", "flagback":
		return c.free(t, word == "flagback")
	case "open", "shut", "shutonly", "reopen", "noresult", "resume", "pause":
		return c.bets(t, word)
	case "save", "whowon", "stands", "replace", "newshoe1", "asnew", "void", "yes":
		return c.answer(t, word)
	case "fix", "back", "out", "outact", "unchanged", "fixes", "fixasnew", "remove?", "removes", "same", "once":
		return c.fixKey(t, word, k, b)
	case "void?", "reason", "newshoe?", "close?", "goeson?", "open?":
		return c.ask(t, word, b)
	case "hint":
		return c.hint(t)
	case "drop":
		return c.drop(t)
	case "leave":
		c.clear()
		return Out{Tone: Ack}
	case "cut":
		return c.cut(t)
	case "pin":
		return c.refuse(t, "NO FLOOR MENU YET", "")
	case "log":
		return c.refuse(t, "PL-DEALER NOT IN USE", "")
	}
	return c.refusedKey(t, k)
}

// refusedKey is the table's "-": the reason is the state's, not the key's.
func (c *Console) refusedKey(t Table, k Key) Out {
	n := t.State.Shoe.Next()
	switch c.row(t) {
	case rowTableClosed:
		return c.refuse(t, "TABLE CLOSED", "NEW SHOE 2s = OPEN")
	case rowSaving:
		return c.refuse(t, fmt.Sprintf("SAVING %d", n), "PLEASE WAIT")
	case rowModifiers, rowProposal:
		return c.refuse(t, fmt.Sprintf("SAVE %d FIRST", n), "OK=SAVE   CLEAR=DROP")
	case rowFix, rowFixKeyed, rowRemove:
		return c.refuse(t, fmt.Sprintf("FIX %d FIRST", c.fix), "OK=FIX    CLEAR=OUT")
	case rowNoResult:
		return c.refuse(t, fmt.Sprintf("HAND %d NO RESULT", n), "KEY IT, FREE OR VOID")
	case rowSame, rowReplace, rowShoeOver, rowVoid, rowQuestion, rowOpen:
		return c.refuse(t, "ANSWER FIRST", c.answerHint())
	}
	switch {
	case k == KeyOK:
		return c.refuse(t, "NOTHING TO SAVE", "")
	case k == KeyCut:
		return c.refuse(t, "NO HAND DEALT YET", "")
	}
	return c.refuse(t, "NOT NOW", "")
}

func (c *Console) answerHint() string {
	if c.mode == askSame || c.mode == askReplace || c.mode == askShoeOver {
		return "OK, 0 OR CLEAR"
	}
	return "OK=YES  CLEAR=NO"
}

// review freezes the board at once and releases it; keying goes on behind it.
func (c *Console) review(t Table) Out {
	return c.decide(t, tracker.Command{Kind: tracker.ReviewSet, On: t.State.Review == nil})
}

func (c *Console) hint(t Table) Out {
	if t.State.NoHandYet() && t.State.Finished != nil {
		c.note = note{lines: [2]string{fmt.Sprintf("SHOE %d BACK: HOLD", t.State.Finished.Number), "CLEAR 1s"}, until: t.Now.Mono + noteFor}
	} else {
		c.note = note{lines: [2]string{"FIX: HOLD CLEAR 1s", c.lastLine(t)}, until: t.Now.Mono + noteFor}
	}
	if c.mode == lapsed {
		c.clear()
	}
	return Out{Tone: Ack}
}

// drop is CLEAR over something pending.
func (c *Console) drop(t Table) Out {
	if !c.Pending() {
		if t.Saving {
			return c.refusedKey(t, KeyClear)
		}
		return c.hint(t)
	}
	was := c.mode
	c.clear()
	if was == entry || was == askSame || was == askReplace || was == askShoeOver {
		line := fmt.Sprintf("%d DROPPED, NOT SAVED", c.number(t))
		c.note = note{lines: [2]string{fit(line, fmt.Sprintf("%d DROPPED", c.number(t))), ""}, until: t.Now.Mono + noteFor}
	}
	return Out{Tone: Ack}
}

// number is that of the hand being keyed: while a record is on its way, the next.
func (c *Console) number(t Table) int {
	if t.Saving {
		return t.State.Shoe.Next() + 1
	}
	return t.State.Shoe.Next()
}

// cut marks the last hand, the number after the cut card first, then this hand,
// then off again (rules/catalogue.md, "Cut card").
func (c *Console) cut(t Table) Out {
	return c.decide(t, tracker.Command{Kind: tracker.CutSet, Hand: t.State.NextCut()})
}

// free turns the free-hand flag; over a question it leaves the question.
func (c *Console) free(t Table, back bool) Out {
	if back || c.mode == noResult {
		if c.mode == noResult {
			c.mode = idle
		} else {
			c.set(entry, standsFor, t.Now.Mono)
		}
	}
	return c.decide(t, tracker.Command{Kind: tracker.FreeSet, On: !t.State.Free})
}

// bets is the BETS key and PAUSE.
func (c *Console) bets(t Table, word string) Out {
	s := t.State.Settings
	switch word {
	case "pause":
		c.mode = idle
		return c.decide(t, tracker.Command{Kind: tracker.GamePaused})
	case "resume":
		return c.decide(t, tracker.Command{Kind: tracker.GameResumed})
	}
	if c.locked(t) {
		return c.refuse(t, "BETS JUST CHANGED", "WAIT A MOMENT")
	}
	switch word {
	case "shut", "shutonly":
		if t.State.Phase != tracker.Betting {
			return c.refusedKey(t, KeyBets)
		}
		return c.decide(t, tracker.Command{Kind: tracker.BetsShut, Reason: "key"})
	case "noresult":
		c.set(noResult, standsAfterQ, t.Now.Mono)
		c.hold = true
		return Out{Tone: Ack}
	case "reopen":
		c.clear()
		return c.decide(t, tracker.Command{Kind: tracker.BetsOpened, Seconds: s.Reopen})
	}
	return c.open(t)
}

// open is BETS where it opens betting.
func (c *Console) open(t Table) Out {
	s := t.State
	switch {
	case s.Phase == tracker.Shuffling && s.Settings.Bets == tracker.BetsOff:
		return c.decide(t, tracker.Command{Kind: tracker.ShuffleEnded})
	case s.Settings.Bets == tracker.BetsOff:
		return c.refuse(t, "BETS NOT IN USE", "JUST KEY THE RESULT")
	case s.Shoe.Over() && !c.overSaid:
		c.overSaid = true
		return c.refuse(t, fmt.Sprintf("SHOE OVER, %d HANDS", len(s.Shoe.Hands)), "BETS AGAIN OPENS")
	}
	c.hold = false
	return c.decide(t, tracker.Command{Kind: tracker.BetsOpened, Seconds: s.Settings.Countdown()})
}

// locked: BETS is dead for 1.5 s after any change of the bets, so that 00 is one
// press and a press at zero does not reopen.
func (c *Console) locked(t Table) bool {
	if t.State.Phase != tracker.Betting && t.State.Phase != tracker.BetsClosed {
		return false
	}
	d, ok := t.State.Since.Since(t.Now)
	return ok && d < betsLock
}

// ask puts a question.
func (c *Console) ask(t Table, word string, b Binding) Out {
	m := map[string]mode{"void?": askVoid, "newshoe?": askNewShoe, "close?": askClose, "goeson?": askGoesOn, "open?": askOpen}[word]
	switch {
	case word == "reason" && b.Hold != KeyVoid && b.Tap != KeyVoid:
		return c.refusedKey(t, KeyFree)
	case word == "reason":
		m = askVoid
		c.reason = (c.reason + 1) % len(tracker.Reasons())
	case word == "void?":
		c.clear()
		c.reason = 0
	case word == "goeson?" && t.State.Finished == nil:
		return c.refuse(t, "NO HAND TO FIX", "")
	}
	if c.mode == lapsed {
		c.clear()
	}
	c.set(m, standsAfterQ, t.Now.Mono)
	return Out{Tone: Ack}
}

// isModifier says whether the key of b is a modifier: KILL, whose condition
// implies no side, or a pair.
func (c *Console) isModifier(t Table, b Binding) bool {
	if b.Tap != KeyBonus || t.State.Pack() == nil {
		return false
	}
	_, i, ok := t.State.Pack().Bet(b.Bet)
	return ok && t.State.Pack().Implied(i) == game.NoOutcome
}

func (c *Console) isResult(t Table, b Binding) bool {
	return resultKey(b.Tap) || (b.Tap == KeyBonus && !c.isModifier(t, b))
}
