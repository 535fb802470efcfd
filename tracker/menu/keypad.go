package menu

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"shoeboard/stats"
)

// clearFor says how long CLEAR is held to leave the keypad test.
const clearFor = 2 * time.Second

// Key is a key as the keypad test has seen it; without a name it means nothing.
type Key struct {
	Source string
	stats.KeyState
}

// keypad is the test of the keypad: every key that moved, the one that did last.
type keypad struct {
	keys  []Key
	last  int           // index in keys
	clear time.Duration // when the CLEAR that is down went down, 0: it is up
}

// TestsKeypad reports whether keys are counted and do nothing.
func (m *Menu) TestsKeypad() bool { return m.page == keypadPage }

// Count counts a movement of a key in the keypad test. Clear says that it is CLEAR.
func (m *Menu) Count(t *Context, key Key, clear bool) {
	m.since = t.Now
	p := &m.keypad
	switch {
	case clear && !key.Down:
		p.clear = 0
	case clear && p.clear == 0:
		p.clear = t.Now
	}
	i := slices.IndexFunc(p.keys, func(k Key) bool { return k.Source == key.Source && k.Pos == key.Pos })
	if i < 0 && !key.Down {
		return // it went down before the test began
	}
	p.keys = slices.Clone(p.keys)
	if i < 0 {
		i = len(p.keys)
		p.keys = append(p.keys, Key{key.Source, stats.KeyState{Pos: key.Pos, Name: key.Name}})
	}
	if key.Down && !p.keys[i].Down {
		p.keys[i].Seen++
	}
	p.keys[i].Down, p.last = key.Down, i
}

// Lost forgets which keys of a source are down, and the digits that were keyed.
func (m *Menu) Lost(source string) {
	m.keyed = ""
	m.keypad.keys = slices.Clone(m.keypad.keys)
	for i := range m.keypad.keys {
		if k := &m.keypad.keys[i]; k.Source == source {
			k.Down, m.keypad.clear = false, 0
		}
	}
}

// lines show the last key and how the test is left.
func (p *keypad) lines() [2]string {
	first := "PRESS EVERY KEY"
	if len(p.keys) > 0 {
		k := p.keys[p.last]
		name := cmp.Or(k.Name, "NO MEANING")
		first = fit(fmt.Sprintf("%s x%d", name, k.Seen), name)
	}
	return [2]string{first, "OUT: HOLD CLEAR 2s"}
}
