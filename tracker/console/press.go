package console

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/menu"
)

// held is a key that is down.
type held struct {
	source, pos string
	binding     Binding
	at          time.Duration
	fired       bool // it has acted
	refused     bool // it went down with another: its release does nothing
	stuck       bool // ignored until it is let go
	saves       bool // with confirm off, letting it go records
}

func (h held) isLive() bool { return !h.stuck }

// mark returns what the key does by itself, and when: its hold, or a late tap.
func (h held) mark() (press, time.Duration) {
	if h.binding.Hold == "" {
		return press{h.binding.Tap, h.binding}, h.at + chordWithin
	}
	return press{h.binding.Hold, h.binding}, h.at + h.binding.After
}

// wantsFix reports whether the key is being held for a correction, longer than a tap.
func (h held) wantsFix(t *Context) bool {
	return h.binding.Hold == KeyFix && !h.fired && !h.refused && !h.stuck && t.Now.Mono-h.at > tapWithin
}

// Press takes one movement of the key at pos of a source, which means b: nothing, where
// the keypad has no such key.
func (c Console) Press(t *Context, source, pos string, b Binding, down bool) (Console, Out) {
	c.down = slices.Clone(c.down)
	i := slices.IndexFunc(c.down, func(h held) bool { return h.source == source && h.pos == pos })
	h := held{source: source, pos: pos, binding: b, at: t.Now.Mono}
	if i >= 0 && !down {
		h = c.down[i]
		c.down = slices.Delete(c.down, i, i+1)
	}
	switch {
	case c.mode == inMenu && c.menu.TestsKeypad():
		return c, c.countKey(t, h, i >= 0, down)
	case down && i < 0 && b != Binding{}:
		return c, c.goDown(t, h)
	case !down && i >= 0:
		return c, c.goUp(t, h)
	}
	return c, Out{} // its press or its release was missed, or this is a repeat
}

// Lost forgets the keys of a source that are down, and what is pending: events were dropped.
func (c Console) Lost(t *Context, source string) (Console, Out) {
	if slices.ContainsFunc(c.down, func(h held) bool { return h.source == source && h.wantsFix(t) }) {
		c.lapse(t)
	}
	c.down = slices.DeleteFunc(slices.Clone(c.down), func(h held) bool { return h.source == source })
	c.menu.Lost(source)
	return c, c.distrust("KEYPAD LOST A KEY")
}

// lateKeys act once no second key has followed: what they record cannot be taken back.
var lateKeys = []Key{KeyFree, KeyCut, KeyVoid, KeyPlDealer, KeyBets, KeyReview}

func (c *Console) goDown(t *Context, h held) (out Out) {
	p := press{h.binding.Tap, h.binding}
	isOK := p.key == KeyOK
	if c.isFixing() {
		c.changed, c.beeps = t.Now.Mono, 0
	}
	if !isOK {
		c.wrote = 0
	}
	switch {
	case slices.ContainsFunc(c.down, held.isLive):
		return c.refuseTogether(t, h)
	case h.binding.Hold != "", slices.Contains(lateKeys, p.key),
		isOK && t.Totals && c.mode != inMenu && c.totalsKey(t, p) == KeyBets:
	default:
		before := *c
		before.undo = nil
		out = c.act(t, p)
		c.undo = nil
		if !isOK {
			c.undo = &before
		}
		h.fired = true
		h.saves = !t.State.Settings.Confirm && out.Tone == Ack && c.mode == entry && column(t, p) == resultKeys
	}
	c.down = append(c.down, h)
	return out
}

// refuseTogether refuses a key that goes down while another is down. Within 80 ms
// neither counts, and what was pending is as before. An OK counts: what it wrote
// had been shown, and all other keys were up.
func (c *Console) refuseTogether(t *Context, late held) Out {
	live := c.down[slices.IndexFunc(c.down, held.isLive)]
	i := slices.IndexFunc(c.down, func(h held) bool { return !h.stuck && !h.refused })
	if i >= 0 {
		switch first := &c.down[i]; {
		case first.wantsFix(t):
			first.refused = true
			c.lapse(t)
		case t.Now.Mono-first.at < chordWithin && !(first.fired && first.binding.Tap == KeyOK):
			first.refused = true
			if first.fired && c.undo != nil {
				down, tasks := c.down, c.tasks
				*c = *c.undo
				c.down, c.tasks = down, tasks
				c.shown = t.Now.Mono // it was off the echo for a moment
			}
		}
	}
	c.undo = nil
	late.refused = true
	c.down = append(c.down, late)
	name := KeyName(t.State.Settings.Entry, live.binding)
	is := fit(name+" IS DOWN", name+" DOWN", "ONE KEY AT A TIME")
	if !c.Pending() {
		return c.refuse(t, "ONE KEY AT A TIME", is)
	}
	out := c.refuse(t, "", is)
	if i >= 0 && !c.down[i].refused && late.binding.Tap == KeyOK && (c.mode == entry || c.mode == fixing) {
		c.note.until, c.note.early = forEver, true
	}
	return out
}

func (c *Console) goUp(t *Context, h held) Out {
	if c.note.early && !slices.ContainsFunc(c.down, func(h held) bool { return !h.stuck && h.binding.Tap != KeyOK }) {
		c.note.lines[1] = tooSoon // the key that was in OK's way is up
	}
	b, age := h.binding, t.Now.Mono-h.at
	switch {
	case h.refused || h.stuck:
		if b.Hold == KeyFix && age > tapWithin && !h.stuck {
			c.lapse(t)
		}
		return Out{}
	case h.saves && c.mode == entry && !t.State.Settings.Confirm && !t.Saving && !t.Totals:
		c.uncover(t)
		return c.save(t, press{})
	case h.fired:
		return Out{}
	case b.Hold == "" || age <= tapWithin && b.Tap != "":
		return c.act(t, press{b.Tap, b})
	case age >= b.After:
		return c.act(t, press{b.Hold, b})
	}
	if b.Hold == KeyFix || b.Hold == KeyVoid && c.isFixing() {
		c.lapse(t)
	}
	if c.Pending() {
		return c.refuse(t, "HOLD LONGER", "")
	}
	return c.refuse(t, "HOLD LONGER", label(press{b.Hold, b})+": "+b.After.String())
}

// Next returns the moment at which Tick has something to do; false: never.
func (c Console) Next(t *Context) (time.Duration, bool) {
	next := forEver
	at := func(d time.Duration) {
		if d > t.Now.Mono {
			next = min(next, d)
		}
	}
	for _, h := range c.down {
		if h.stuck {
			continue
		}
		if _, due := h.mark(); !h.fired && !h.refused {
			at(due)
		}
		at(h.at + stuckAfter)
	}
	at(c.note.until)
	if s := &t.State; s.Phase == tracker.BetsClosed && s.Since.Boot == t.Now.Boot {
		at(s.Since.Mono + reopenWithin + time.Millisecond)
	}
	if c.mode == inMenu {
		at(c.menu.Next())
	}
	if c.Pending() {
		at(c.changed + beepFirst)
		at(c.changed + beepSecond)
		at(c.changed + expiresAfter)
	}
	return next, next < forEver
}

// Tick lets time act: holds reach their mark, notes go, proposals remind and expire.
func (c Console) Tick(t *Context) (Console, Out) {
	if t.Now.Mono >= c.note.until {
		c.uncover(t)
		c.forgive(t)
	}
	c.down = slices.Clone(c.down)
	var out Out
	for i := range c.down {
		if o := c.tickKey(t, &c.down[i]); o.Tone != Silent {
			out = o // one key at a time: no two have something to decide
		}
	}
	switch {
	case c.Pending():
		out.Tone = max(out.Tone, c.tickPending(t))
	case c.mode == inMenu:
		c.menuOut(t, c.menu.Tick(c.menuContext(t)))
	}
	return c, out
}

// tickKey lets a held key act at its mark, once.
func (c *Console) tickKey(t *Context, h *held) Out {
	mark, due := h.mark()
	switch {
	case h.stuck:
	case t.Now.Mono-h.at >= stuckAfter:
		h.stuck = true
		return c.nameStuck(t, *h)
	case !h.fired && !h.refused && t.Now.Mono >= due:
		h.fired = true
		return c.act(t, mark)
	}
	return Out{}
}

// nameStuck names a key that has been down for 15 s and drops the proposal it made.
func (c *Console) nameStuck(t *Context, h held) Out {
	unsaved := false
	switch {
	case !h.refused:
		unsaved = c.leave()
	case h.binding.Hold == KeyFix:
		c.lapse(t)
	}
	out := c.refuse(t, "STUCK "+KeyName(t.State.Settings.Entry, h.binding), "IGNORED. CALL TECH")
	if unsaved {
		c.note.lines[1], c.note.until, c.note.kind = notSaved, forEver, stats.ToldWarning
	}
	return out
}

// tickPending reminds at 5 and 15 s and ends what has waited for 30 s.
func (c *Console) tickPending(t *Context) Tone {
	age := t.Now.Mono - c.changed
	switch {
	case age >= expiresAfter:
		if c.leave() {
			c.warn(notSaved, "")
		}
	case age >= beepSecond && c.beeps < 2:
		c.beeps = 2
	case age >= beepFirst && c.beeps < 1:
		c.beeps = 1
	default:
		return Silent
	}
	return Remind
}

// Down names the keys that are down and were not refused, by their tap where they have one.
func (c Console) Down() (names []string) {
	for _, h := range c.down {
		if !h.stuck && !h.refused {
			names = append(names, pressName(press{cmp.Or(h.binding.Tap, h.binding.Hold), h.binding}))
		}
	}
	return names
}

// pressName names a key as the record does.
func pressName(p press) string {
	switch p.key {
	case KeyBonus:
		return p.binding.Bet
	case KeyTotal:
		return p.binding.Digit
	case KeyThird:
		return "."
	}
	return string(p.key)
}

// label names a key on the echo.
func label(p press) string {
	return strings.ToUpper(strings.NewReplacer("_", " ", "-", " ").Replace(pressName(p)))
}

// KeyName says in the words of the echo what a key does, by its tap where it has one.
func KeyName(entry tracker.EntryMode, b Binding) string {
	if entry == tracker.EntryTotals {
		b.Tap = b.totalsTap()
	}
	return label(press{cmp.Or(b.Tap, b.Hold), b})
}

// menuKey passes a key to the technician's menu, or opens it once the table is closed on disk.
func (c *Console) menuKey(t *Context, p press) Out {
	at := c.menuContext(t)
	c.log = nil // no press in the menu is for the record, least of all a PIN
	switch {
	case c.mode != inMenu && t.State.Phase != tracker.TableClosed:
		return c.refuseSaving(t)
	case c.mode != inMenu:
		c.clear()
		return c.menuOut(t, c.menu.Open(at))
	case p.key == KeyOK || p.key == KeyClear || p.key == KeyFloor || p.key == KeyFix:
		return c.menuOut(t, c.menu.Press(at, string(p.key), p.key == KeyOK && c.isTooSoon(t)))
	}
	return c.menuOut(t, c.menu.Press(at, p.binding.Digit, false))
}

func (c *Console) menuContext(t *Context) *menu.Context {
	at := t.Menu
	at.Now, at.NextTask, at.Number = t.Now.Mono, c.tasks+1, t.State.Settings.Table
	return &at
}

// menuOut does what came of a press in the menu.
func (c *Console) menuOut(t *Context, out menu.Out) Out {
	switch {
	case out.Refusal != [2]string{}:
		return c.refuse(t, out.Refusal[0], out.Refusal[1])
	case out.Acknowledge != "":
		return c.decide(t, tracker.Command{Kind: tracker.FaultAcknowledged, Code: out.Acknowledge, By: out.By})
	case out.Closed:
		c.clear()
	case out.Opened:
		c.set(t, inMenu, readQuestion)
	case out.Keyed:
		c.set(t, inMenu, readKeyed)
	}
	if out.Task != nil {
		c.tasks = out.Task.No
	}
	return Out{Tone: Ack, Task: out.Task}
}

// countKey counts a movement of a key in the keypad test and lets it do nothing else.
func (c *Console) countKey(t *Context, h held, wasDown, down bool) Out {
	c.uncover(t)
	if down && !wasDown { // refused: what it does when it is let go is nothing
		h.refused = true
		c.down = append(c.down, h)
	}
	state := stats.KeyState{Pos: h.pos, Name: KeyName(t.State.Settings.Entry, h.binding), Down: down}
	c.menu.Count(c.menuContext(t), menu.Key{Source: h.source, KeyState: state}, h.binding.Tap == KeyClear)
	return Out{Tone: Ack}
}

// InMenu reports whether the technician's menu is open.
func (c Console) InMenu() bool { return c.mode == inMenu }

// FillMenu shows an open menu on a Board, and returns the keys that moved in the keypad test.
func (c Console) FillMenu(t *Context, b *stats.Board) (moved []menu.Key) {
	if c.mode != inMenu {
		return nil
	}
	moved = c.menu.Fill(c.menuContext(t), b)
	if b.Menu != nil && c.note.refused {
		b.Menu.Refused = strings.TrimSpace(c.note.lines[0] + "  " + c.note.lines[1])
	}
	return moved
}

// Task returns the number of the menu's task that is to go on, 0: none.
func (c Console) Task() int { return c.menu.Task() }

// Finish takes the result of a task. One that is not waited for is dropped.
func (c Console) Finish(t *Context, no int, r menu.Result) (Console, Out) {
	if !c.menu.Finish(c.menuContext(t), no, r) {
		return c, Out{}
	}
	c.uncover(t)
	c.shown = t.Now.Mono
	if r.Failed {
		return c, Out{Tone: Refused}
	}
	return c, Out{Tone: Ack}
}
