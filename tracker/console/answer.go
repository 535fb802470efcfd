package console

import (
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// answer is OK, and 0 where a question offers it.
func (c *Console) answer(t Table, word string) Out {
	switch word {
	case "whowon":
		return c.refuse(t, c.describe(t, c.hand)+": WHO WON?", "BANKER  TIE  PLAYER")
	case "asnew":
		if c.mode == askShoeOver {
			c.isPast = true
		} else {
			c.isNew = true
		}
		c.set(entry, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	}
	if out, soon := c.tooSoon(t); soon {
		return out
	}
	switch word {
	case "save":
		return c.save(t)
	case "stands":
		c.clear()
		c.say(t, "NOTHING NEW SAVED", c.lastLine(t))
		return Out{Tone: Ack}
	case "replace":
		cmd := tracker.Command{Kind: tracker.HandReplaced, Hand: len(t.State.Shoe.Hands), Token: c.token(t)}
		cmd.Free = t.State.Free
		return c.finish(t, cmd)
	case "newshoe1":
		return c.finish(t, tracker.Command{Kind: tracker.ShoeStarted},
			tracker.Command{Kind: tracker.HandRecorded, Token: c.token(t)})
	case "void":
		return c.finish(t, tracker.Command{Kind: tracker.HandVoided, Reason: tracker.Reasons()[c.reason], Hold: c.hold})
	}
	return c.yes(t)
}

// tooSoon: OK counts once what it confirms has stood on the echo unchanged. Sooner
// is refused and never kept; in a question the time starts anew.
func (c *Console) tooSoon(t Table) (Out, bool) {
	if t.Now.Mono-c.since >= c.wait {
		return Out{}, false
	}
	if c.mode != entry && c.mode != fixing {
		c.since = t.Now.Mono
	}
	return Out{Tone: Refused}, true
}

// yes does what a question without a hand asked.
func (c *Console) yes(t Table) Out {
	kind := map[mode]tracker.Kind{askNewShoe: tracker.ShoeStarted, askClose: tracker.TableShut,
		askGoesOn: tracker.ShoeTakenBack, askOpen: tracker.TableOpened}[c.mode]
	return c.finish(t, tracker.Command{Kind: kind})
}

// finish makes the decision and leaves nothing pending.
func (c *Console) finish(t Table, cmds ...tracker.Command) Out {
	c.clear()
	c.hold, c.overSaid = false, false
	return c.decide(t, cmds...)
}

// save records the proposal, or asks first where it may be a slip: a second
// result within min_hand, or a hand past the last of the shoe.
func (c *Console) save(t Table) Out {
	now := t.Now.Mono
	s := t.State
	if last, ok := s.Last(); ok && !c.isNew && c.double(t) {
		c.set(askReplace, standsAfterQ, now)
		if last.Result == s.Pack().Complete(c.hand) && last.Free == s.Free {
			c.mode = askSame
		}
		return Out{Tone: Ack}
	}
	if s.Shoe.Over() && !c.isPast {
		c.set(askShoeOver, standsAfterQ, now)
		return Out{Tone: Ack}
	}
	return c.finish(t, tracker.Command{Kind: tracker.HandRecorded, Token: c.token(t), Free: s.Free, Hold: c.hold})
}

// double: the proposal's first key came within min_hand of the last record.
func (c *Console) double(t Table) bool {
	d, ok := t.State.Saved.Since(tracker.Stamp{Boot: t.Now.Boot, Mono: c.firstKey})
	return ok && d < time.Duration(t.State.Settings.MinHand)*time.Second
}

// token is the proposal as the record keeps it.
func (c *Console) token(t Table) string {
	return tracker.FormatToken(t.State.Pack(), tracker.Hand{Result: t.State.Pack().Complete(c.hand)})
}

// say puts a message over the echo that is not a refusal.
func (c *Console) say(t Table, line1, line2 string) {
	c.note = note{lines: [2]string{line1, line2}, until: t.Now.Mono + noteFor}
}

// fixKey is every word of the table that concerns a fix.
func (c *Console) fixKey(t Table, word string, k Key, b Binding) Out {
	switch word {
	case "fix":
		return c.openFix(t, len(t.State.Shoe.Hands))
	case "back":
		return c.openFix(t, c.fix-1)
	case "out":
		c.clear()
		return Out{Tone: Ack}
	case "outact":
		c.clear()
		return c.act(t, k, b)
	case "remove?":
		c.set(removing, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	case "same":
		return Out{Tone: Ack}
	case "once":
		c.clear()
		return c.refuse(t, "FIX WAS LEFT", c.lastLine(t))
	case "fixasnew":
		return c.fixAsNew(t)
	}
	if out, soon := c.tooSoon(t); soon {
		return out
	}
	return c.endFix(t, word)
}

// endFix is OK in a fix.
func (c *Console) endFix(t Table, word string) Out {
	if c.fix < 1 || c.fix > len(t.State.Shoe.Hands) {
		c.clear()
		return c.refuse(t, "HAND IS GONE", "")
	}
	old := t.State.Shoe.Hands[c.fix-1]
	if word == "removes" {
		return c.finish(t, tracker.Command{Kind: tracker.HandRemoved, Hand: c.fix})
	}
	same := t.State.Pack().Complete(c.hand) == old.Result && c.fixFree == old.Free
	switch {
	case word == "unchanged" || same:
		n := c.fix
		c.clear()
		c.say(t, numbered(n, "UNCHANGED"), c.lastLine(t))
		return Out{Tone: Ack}
	case c.hand.Outcome == game.NoOutcome:
		return c.refuse(t, c.describe(t, c.hand)+": WHO WON?", "BANKER  TIE  PLAYER")
	}
	return c.finish(t, tracker.Command{Kind: tracker.HandFixed, Hand: c.fix, Token: c.token(t), Free: c.fixFree})
}

// openFix opens hand n for correction, if a dealer may: the last dealer_fix hands
// of the shoe. Older ones are the floor's.
func (c *Console) openFix(t Table, n int) Out {
	hands := len(t.State.Shoe.Hands)
	switch {
	case hands == 0 || n < 1:
		return c.refuse(t, "NO HAND TO FIX", "")
	case hands-n >= t.State.Settings.DealerFix:
		return c.refuse(t, "OLDER HAND: TELL", "THE FLOOR")
	}
	c.clear()
	old := t.State.Shoe.Hands[n-1]
	c.fix, c.hand, c.fixFree = n, old.Result, old.Free
	c.set(fixing, standsAfterQ, t.Now.Mono)
	return Out{Tone: Ack}
}

// fixAsNew: what was keyed was no correction but the next hand.
func (c *Console) fixAsNew(t Table) Out {
	if c.hand.Outcome == game.NoOutcome {
		return c.refuse(t, c.describe(t, c.hand)+": WHO WON?", "BANKER  TIE  PLAYER")
	}
	hand := c.hand
	c.clear()
	c.hand, c.isNew, c.firstKey = hand, true, t.Now.Mono
	c.set(entry, standsAfterQ, t.Now.Mono)
	return Out{Tone: Ack}
}
