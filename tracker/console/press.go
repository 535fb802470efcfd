package console

import (
	"slices"
	"time"
)

// Press takes one movement of the key at pos of a source, which means b.
func (c Console) Press(t Table, source, pos string, b Binding, down bool) (Console, Out) {
	c.down = slices.Clone(c.down)
	if down {
		return c, c.goDown(t, source, pos, b)
	}
	return c, c.goUp(t, source, pos)
}

// Lost forgets every key of a source that is down, and what is pending: events
// were dropped, so what was keyed cannot be trusted.
func (c Console) Lost(t Table, source string) (Console, Out) {
	c.down = slices.DeleteFunc(slices.Clone(c.down), func(h held) bool { return h.source == source })
	c.undo = nil
	if !c.Pending() {
		return c, Out{}
	}
	c.clear()
	c.note = note{lines: [2]string{"NOT SAVED: KEY AGAIN", "KEYPAD LOST A KEY"}, refused: true}
	return c, Out{Tone: Refused}
}

// alive are the keys down that are not dead.
func (c *Console) alive() int {
	n := 0
	for _, h := range c.down {
		if !h.dead {
			n++
		}
	}
	return n
}

func (c *Console) goDown(t Table, source, pos string, b Binding) Out {
	now := t.Now.Mono
	if i := c.find(source, pos); i >= 0 {
		return Out{} // its release was missed or this is a repeat: it is down already
	}
	if c.alive() > 0 {
		return c.chord(t, held{source: source, pos: pos, binding: b, at: now, dead: true})
	}
	h := held{source: source, pos: pos, binding: b, at: now}
	var out Out
	switch {
	case b.Hold != "":
	case b.Tap == KeyFree || b.Tap == KeyCut || b.Tap == KeyVoid || b.Tap == KeyPlDealer || b.Tap == KeyBets:
		h.deferred = true
	default:
		h.fired = true
		before := *c
		before.undo = nil
		out = c.tap(t, b)
		c.undo = nil
		if b.Tap != KeyOK {
			c.undo = &before
		}
	}
	c.down = append(c.down, h)
	return out
}

// chord refuses a key that goes down while another is down. Within 80 ms neither
// counts, and what was pending is as before. An OK stands: what it wrote had been
// shown, and all other keys were up.
func (c *Console) chord(t Table, late held) Out {
	first := &c.down[slices.IndexFunc(c.down, func(h held) bool { return !h.dead })]
	if t.Now.Mono-first.at < chordWithin && !(first.fired && first.binding.Tap == KeyOK) {
		first.dead = true
		if first.fired && c.undo != nil {
			down := c.down
			*c = *c.undo
			c.down = down
		}
	}
	c.undo = nil
	c.down = append(c.down, late)
	return c.refuse(t, "ONE KEY AT A TIME", "")
}

func (c *Console) goUp(t Table, source, pos string) Out {
	i := c.find(source, pos)
	if i < 0 {
		return Out{}
	}
	h := c.down[i]
	c.down = slices.Delete(c.down, i, i+1)
	switch {
	case h.dead:
		return Out{}
	case h.fired:
		return c.released(t, h)
	case h.deferred:
		return c.tap(t, h.binding)
	case t.Now.Mono-h.at <= tapWithin && h.binding.Tap != "":
		return c.tap(t, h.binding)
	}
	return c.refuse(t, "HOLD LONGER", holdHint(h.binding))
}

func holdHint(b Binding) string {
	name := map[Key]string{KeyVoid: "VOID", KeyReview: "REVIEW", KeyNewShoe: "NEW SHOE", KeyFix: "FIX", KeyPause: "PAUSE"}[b.Hold]
	if name == "" {
		return ""
	}
	return name + ": HOLD " + b.After.String()
}

// released: with confirm off, letting a result key go records the hand.
func (c *Console) released(t Table, h held) Out {
	if t.State.Settings.Confirm || c.mode != entry || !c.isResult(t, h.binding) || t.Saving {
		return Out{}
	}
	return c.save(t)
}

func (c *Console) find(source, pos string) int {
	return slices.IndexFunc(c.down, func(h held) bool { return h.source == source && h.pos == pos })
}

// Next is the moment at which Tick has something to do; false: never.
func (c Console) Next(t Table) (time.Duration, bool) {
	next, some := time.Duration(0), false
	at := func(d time.Duration) {
		if d > t.Now.Mono && (!some || d < next) {
			next, some = d, true
		}
	}
	for _, h := range c.down {
		if !h.dead {
			at(h.at + stuckAfter)
		}
		if !h.fired && !h.dead && h.binding.Hold != "" {
			at(h.at + h.binding.After)
		}
		if h.deferred && !h.fired && !h.dead {
			at(h.at + chordWithin)
		}
	}
	if c.note.until > 0 {
		at(c.note.until)
	}
	if c.Pending() {
		at(c.since + beepFirst)
		at(c.since + beepSecond)
		at(c.since + expiresAfter)
	}
	return next, some
}

// Tick lets time act: holds reach their mark, notes go, proposals remind and expire.
func (c Console) Tick(t Table) (Console, Out) {
	now := t.Now.Mono
	if c.note.until > 0 && now >= c.note.until {
		c.note = note{}
	}
	c.down = slices.Clone(c.down)
	for i := range c.down {
		if out, acted := c.tickKey(t, &c.down[i]); acted {
			return c, out
		}
	}
	if c.Pending() {
		return c, c.tickPending(t)
	}
	return c, Out{}
}

// tickKey lets a held key act at its mark, once.
func (c *Console) tickKey(t Table, h *held) (Out, bool) {
	age := t.Now.Mono - h.at
	switch {
	case h.dead:
	case age >= stuckAfter:
		h.dead = true
		return c.stuck(t, *h), true
	case h.fired:
	case h.deferred && age >= chordWithin:
		h.fired = true
		return c.tap(t, h.binding), true
	case h.binding.Hold != "" && age >= h.binding.After:
		h.fired = true
		return c.act(t, h.binding.Hold, h.binding), true
	}
	return Out{}, false
}

// stuck names a key that has been down for 15 s and drops the proposal it made.
func (c *Console) stuck(t Table, h held) Out {
	c.clear()
	c.refuse(t, "KEY "+h.pos+" IS STUCK", "IGNORED. CALL TECH")
	return Out{Tone: Refused}
}

// tickPending reminds at 5 and 15 s and ends what has waited for 30 s.
func (c *Console) tickPending(t Table) Out {
	age := t.Now.Mono - c.since
	switch {
	case age >= expiresAfter:
		c.expire()
		return Out{Tone: Remind}
	case age >= beepSecond && c.beeps < 2:
		c.beeps = 2
	case age >= beepFirst && c.beeps < 1:
		c.beeps = 1
	default:
		return Out{}
	}
	return Out{Tone: Remind}
}

func (c *Console) expire() {
	switch c.mode {
	case fixing, removing:
		c.clear()
		c.mode = lapsed
	case entry, askSame, askReplace, askShoeOver:
		c.clear()
		c.note = note{lines: [2]string{"NOT SAVED: KEY AGAIN", ""}}
	default:
		c.clear()
	}
}
