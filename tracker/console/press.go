package console

import (
	"slices"
	"strings"
	"time"
)

// Press takes one movement of the key at pos of a source, which means b.
func (c Console) Press(t *Context, source, pos string, b Binding, down bool) (Console, Out) {
	c.down = slices.Clone(c.down)
	if c.TestsKeys() {
		return c, c.testKey(t, source, pos, b, down)
	}
	if down {
		return c, c.goDown(t, source, pos, b)
	}
	return c, c.goUp(t, source, pos)
}

// Lost forgets every key of a source that is down, and what is pending: events
// were dropped, so what was keyed cannot be trusted.
func (c Console) Lost(t *Context, source string) (Console, Out) {
	if slices.ContainsFunc(c.down, func(h held) bool { return h.source == source && h.wantsFix(t) }) {
		c.lapse(t)
	}
	c.down = slices.DeleteFunc(slices.Clone(c.down), func(h held) bool { return h.source == source })
	c.menu.keyed, c.menu.pad = "", c.menu.pad.released(source)
	return c, c.distrust("KEYPAD LOST A KEY")
}

// wantsFix reports whether the key is held for a correction, longer than a tap, and has
// not come to its mark.
func (h held) wantsFix(t *Context) bool {
	return h.binding.Hold == KeyFix && !h.fired && !h.refused && !h.stuck && t.Now.Mono-h.at > tapWithin
}

// distrust drops what is pending, because what was keyed may not be what was meant.
func (c *Console) distrust(why string) Out {
	c.undo = nil
	if !c.Pending() {
		return Out{}
	}
	c.leave()
	c.note = note{lines: [2]string{notSaved, why}, until: forEver, refused: true, told: ToldWarning}
	return Out{Tone: Refused}
}

func (c *Console) goDown(t *Context, source, pos string, b Binding) Out {
	if c.find(source, pos) >= 0 {
		return Out{} // its release was missed or this is a repeat: it is down already
	}
	c.pressedInFix(t)
	h := held{source: source, pos: pos, binding: b, at: t.Now.Mono}
	if b.Tap != KeyOK {
		c.wrote = 0
	}
	if slices.ContainsFunc(c.down, func(h held) bool { return !h.stuck }) {
		return c.together(t, h)
	}
	var out Out
	switch {
	case b.Hold != "":
	case b.Tap == KeyOK && c.meant(t, b.Tap, b) == KeyBets:
		h.deferred = true // as BETS is
	case b.Tap == KeyFree || b.Tap == KeyCut || b.Tap == KeyVoid || b.Tap == KeyPlDealer || b.Tap == KeyBets || b.Tap == KeyReview:
		h.deferred = true // what is recorded cannot be taken back when a second key follows
	default:
		h.fired = true
		before := *c
		before.undo = nil
		out = c.act(t, b.Tap, b)
		c.undo = nil
		if b.Tap != KeyOK && (out.Errand == nil || c.mode == inMenu) { // there a key that is no OK has only asked to look
			c.undo = &before
		}
		h.result = out.Tone == Ack && c.mode == entry && c.isResult(t, b)
	}
	c.down = append(c.down, h)
	return out
}

// together refuses a key that goes down while another is down. Within 80 ms
// neither counts, and what was pending is as before. An OK stands: what it wrote
// had been shown, and all other keys were up.
func (c *Console) together(t *Context, late held) Out {
	late.refused = true
	i := slices.IndexFunc(c.down, func(h held) bool { return !h.stuck && !h.refused })
	if i >= 0 && c.down[i].wantsFix(t) {
		c.down[i].refused = true
		c.lapse(t)
	}
	if i >= 0 && t.Now.Mono-c.down[i].at < chordWithin && !(c.down[i].fired && c.down[i].binding.Tap == KeyOK) {
		c.down[i].refused = true
		if c.down[i].fired && c.undo != nil {
			down, errands := c.down, c.errands
			*c = *c.undo
			c.down, c.errands = down, errands
			c.shown = t.Now.Mono // it was off the echo for a moment
		}
	}
	c.undo = nil
	is := "ONE KEY AT A TIME"
	if j := slices.IndexFunc(c.down, func(h held) bool { return !h.stuck }); j >= 0 {
		name := KeyName(t.State.Settings.Entry, c.down[j].binding)
		is = fit(name+" IS DOWN", name+" DOWN", is)
	}
	c.down = append(c.down, late)
	if !c.Pending() {
		return c.refuse(t, "ONE KEY AT A TIME", is)
	}
	out := c.refuse(t, "", is)
	if i >= 0 && !c.down[i].refused && late.binding.Tap == KeyOK && (c.mode == entry || c.mode == fixing) {
		c.note.until, c.note.early = forEver, true
	}
	return out
}

func (c *Console) goUp(t *Context, source, pos string) Out {
	i := c.find(source, pos)
	if i < 0 {
		return Out{}
	}
	h := c.down[i]
	c.down = slices.Delete(c.down, i, i+1)
	if c.note.early && !slices.ContainsFunc(c.down, func(h held) bool { return !h.stuck && h.binding.Tap != KeyOK }) {
		c.note.lines[1] = tooSoonLine // the key that was in OK's way is up
	}
	b, age := h.binding, t.Now.Mono-h.at
	switch {
	case h.refused || h.stuck:
		if b.Hold == KeyFix && age > tapWithin && !h.stuck {
			c.lapse(t)
		}
		return Out{}
	case h.fired:
		return c.released(t, h)
	case h.deferred || age <= tapWithin && b.Tap != "":
		return c.act(t, b.Tap, b)
	case age >= b.After:
		return c.act(t, b.Hold, b)
	}
	c.uncover(t.Now.Mono)
	if b.Hold == KeyFix || b.Hold == KeyVoid && c.fixes() {
		c.lapse(t)
	}
	if c.Pending() {
		return c.refuseBelow(t, "HOLD LONGER")
	}
	return c.refuse(t, "HOLD LONGER", label(b.Hold, b)+": "+b.After.String())
}

// label is a key's name on the echo.
func label(k Key, b Binding) string {
	if k == "" {
		k = b.Hold
	}
	return strings.ToUpper(strings.NewReplacer("_", " ", "-", " ").Replace(pressName(k, b)))
}

// released: with confirm off, letting a result key go records the hand.
func (c *Console) released(t *Context, h held) Out {
	if t.State.Settings.Confirm || byTotals(t) || !h.result || c.mode != entry || t.Saving {
		return Out{}
	}
	c.uncover(t.Now.Mono)
	return c.save(t)
}

func (c *Console) find(source, pos string) int {
	return slices.IndexFunc(c.down, func(h held) bool { return h.source == source && h.pos == pos })
}

// Next is the moment at which Tick has something to do; false: never.
func (c Console) Next(t *Context) (time.Duration, bool) {
	next, some := time.Duration(0), false
	at := func(d time.Duration) {
		if d > t.Now.Mono && d < forEver && (!some || d < next) {
			next, some = d, true
		}
	}
	for _, h := range c.down {
		if !h.stuck {
			at(h.at + stuckAfter)
		}
		if h.stuck || h.fired || h.refused {
			continue
		}
		if h.deferred {
			at(h.at + chordWithin)
		} else {
			at(h.at + h.binding.After)
		}
	}
	at(c.note.until)
	if c.mode == inMenu {
		c.menuNext(at)
	}
	if c.Pending() {
		at(c.changed + beepFirst)
		at(c.changed + beepSecond)
		at(c.changed + expiresAfter)
	}
	return next, some
}

// Tick lets time act: holds reach their mark, notes go, proposals remind and expire.
func (c Console) Tick(t *Context) (Console, Out) {
	if t.Now.Mono >= c.note.until {
		c.uncover(t.Now.Mono)
		c.forgive(t.Now.Mono)
	}
	c.down = slices.Clone(c.down)
	var out Out
	for i := range c.down {
		if o := c.tickKey(t, &c.down[i]); o.Tone != Silent {
			out = o // one key at a time: no two have something to decide
		}
	}
	if c.Pending() {
		out.Tone = max(out.Tone, c.tickPending(t))
	}
	c.tickMenu(t)
	return c, out
}

// tickKey lets a held key act at its mark, once.
func (c *Console) tickKey(t *Context, h *held) Out {
	age := t.Now.Mono - h.at
	switch {
	case h.stuck:
	case age >= stuckAfter:
		h.stuck = true
		return c.stuck(t, *h)
	case h.fired || h.refused:
	case h.deferred && age >= chordWithin:
		h.fired = true
		return c.act(t, h.binding.Tap, h.binding)
	case h.binding.Hold != "" && age >= h.binding.After:
		h.fired = true
		return c.act(t, h.binding.Hold, h.binding)
	}
	return Out{}
}

// stuck names a key that has been down for 15 s and drops the proposal it made; a
// key that was refused has made none.
func (c *Console) stuck(t *Context, h held) Out {
	unsaved := !h.refused && c.keying()
	switch {
	case !h.refused:
		c.leave()
	case h.binding.Hold == KeyFix:
		c.lapse(t)
	}
	out := c.refuse(t, "STUCK "+KeyName(t.State.Settings.Entry, h.binding), "IGNORED. CALL TECH")
	if unsaved {
		c.note.lines[1], c.note.until, c.note.told = notSaved, forEver, ToldWarning
	}
	return out
}

// tickPending reminds at 5 and 15 s and ends what has waited for 30 s.
func (c *Console) tickPending(t *Context) Tone {
	age := t.Now.Mono - c.changed
	switch {
	case age >= expiresAfter:
		c.expire()
	case age >= beepSecond && c.beeps < 2:
		c.beeps = 2
	case age >= beepFirst && c.beeps < 1:
		c.beeps = 1
	default:
		return Silent
	}
	return Remind
}

// expire ends what has waited for 30 s.
func (c *Console) expire() {
	unsaved := c.keying()
	c.leave()
	if unsaved {
		c.note = note{lines: [2]string{notSaved, ""}, until: forEver, told: ToldWarning}
	}
}
