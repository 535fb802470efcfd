package console

import (
	"fmt"
	"slices"
	"time"

	"shoeboard/tracker"
)

// outAfter is how long CLEAR is held to leave the keypad test.
const outAfter = 2 * time.Second

// KeySeen is one key as the keypad test has seen it.
type KeySeen struct {
	Source, Pos string
	Name        string // what it means to the dealer; "" when it means nothing
	Down        bool
	Count       int // how often it went down
}

// pad is the test of the keypad: every key that moved, the one that did last.
type pad struct {
	keys []KeySeen
	last int // index in keys
}

// TestsKeys says whether every key is only counted, those too that mean nothing.
func (c Console) TestsKeys() bool { return c.mode == inMenu && c.menu.page == pageKeypad }

// KeysSeen are the keys that were pressed in the keypad test, in that order.
func (c Console) KeysSeen() []KeySeen { return c.menu.pad.keys }

// testKey counts a movement of a key and lets it do nothing else.
func (c *Console) testKey(t *Context, source, pos string, b Binding, down bool) Out {
	c.uncover(t.Now.Mono)
	c.menu.since = t.Now.Mono
	c.menu.pad = c.menu.pad.moved(source, pos, KeyName(t.State.Settings.Entry, b), down)
	i := c.find(source, pos)
	switch {
	case down && i < 0: // refused: what it does when it is let go is nothing
		c.down = append(c.down, held{source: source, pos: pos, binding: b, at: t.Now.Mono, refused: true})
	case !down && i >= 0:
		c.down = slices.Delete(c.down, i, i+1)
	}
	return Out{Tone: Ack}
}

// KeyName is what a key does in the words of the echo, by its tap where it has one.
func KeyName(entry tracker.EntryMode, b Binding) string {
	if entry == tracker.EntryTotals {
		b.Tap = b.byTotals()
	}
	if b.Tap == "" && b.Hold == "" {
		return ""
	}
	return label(b.Tap, b)
}

// moved is p with one more movement of a key.
func (p pad) moved(source, pos, name string, down bool) pad {
	i := slices.IndexFunc(p.keys, func(k KeySeen) bool { return k.Source == source && k.Pos == pos })
	if i < 0 && !down {
		return p // it went down before the test began
	}
	p.keys = slices.Clone(p.keys)
	if i < 0 {
		i = len(p.keys)
		p.keys = append(p.keys, KeySeen{Source: source, Pos: pos, Name: name})
	}
	if k := &p.keys[i]; down && !k.Down {
		k.Count++
	}
	p.keys[i].Down, p.last = down, i
	return p
}

// released: the keys of a source are not known to be down any more.
func (p pad) released(source string) pad {
	p.keys = slices.Clone(p.keys)
	for i := range p.keys {
		if p.keys[i].Source == source {
			p.keys[i].Down = false
		}
	}
	return p
}

// lines are the last key and how the test is left.
func (p pad) lines() [2]string {
	if len(p.keys) == 0 {
		return [2]string{"PRESS EVERY KEY", "OUT: HOLD CLEAR 2s"}
	}
	k := p.keys[p.last]
	name := k.Name
	if name == "" {
		name = "NO MEANING"
	}
	count := fmt.Sprintf("x%d", k.Count)
	return [2]string{fit(name+" "+count, name), "OUT: HOLD CLEAR 2s"}
}

// clearHeld is when the CLEAR that is down will have been held long enough to leave
// the keypad test; false when none is down.
func (c *Console) clearHeld() (time.Duration, bool) {
	for _, h := range c.down {
		if h.binding.Tap == KeyClear && !h.stuck {
			return h.at + outAfter, true
		}
	}
	return 0, false
}
