package menu

import (
	"fmt"
	"slices"
	"time"
)

// clearFor says how long CLEAR is held to leave the keypad test.
const clearFor = 2 * time.Second

// Key is one key as the keypad test has seen it.
type Key struct {
	Source, Pos string
	Name        string // what it means to the dealer; "" when it means nothing
	Down        bool
	Count       int // how often it went down
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
		p.keys = append(p.keys, Key{Source: key.Source, Pos: key.Pos, Name: key.Name})
	}
	if key.Down && !p.keys[i].Down {
		p.keys[i].Count++
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
	if len(p.keys) == 0 {
		return [2]string{"PRESS EVERY KEY", "OUT: HOLD CLEAR 2s"}
	}
	k := p.keys[p.last]
	if k.Name == "" {
		k.Name = "NO MEANING"
	}
	return [2]string{fit(fmt.Sprintf("%s x%d", k.Name, k.Count), k.Name), "OUT: HOLD CLEAR 2s"}
}
