package config

import (
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Keymap is what every position of a keypad means in a game.
func (c Config) Keymap(k Keypad, p *game.Pack) console.Map {
	own, ok := c.Keymaps[k.Layout]
	if !ok {
		m, _ := console.Layout(k.Layout, p)
		return m
	}
	return own.over(p)
}

// Caps is the map as it stands on the keys: where totals are keyed the digits are those.
func (c Config) Caps(k Keypad, p *game.Pack) console.Map {
	m := c.Keymap(k, p)
	if c.Entry == string(tracker.EntryTotals) {
		return m.ByTotals()
	}
	return m
}

// over is the venue's own map over its base.
func (m Keymap) over(p *game.Pack) console.Map {
	keys, ok := console.Layout(m.Base, p)
	if !ok {
		keys = console.Map{}
	}
	for pos, k := range m.Keys {
		if k.Tap == "" && k.Hold == "" {
			delete(keys, pos)
			continue
		}
		keys[pos] = k.binding()
	}
	return keys
}

func (k Key) binding() console.Binding {
	b := console.Binding{Tap: console.Key(k.Tap), Hold: console.Key(k.Hold), Bet: k.Bet, Digit: k.Digit}
	if k.Hold != "" {
		b.After = k.holdTime()
	}
	return b
}

// holdTime is how long a key is held: as written, else 2 s for a new shoe and 1 s
// for everything else.
func (k Key) holdTime() time.Duration {
	switch {
	case k.After > 0:
		return time.Duration(k.After * float64(time.Second))
	case k.Hold == string(console.KeyNewShoe):
		return 2 * time.Second
	}
	return time.Second
}

// keyNames are the dealer's keys that a key map may use.
func keyNames() []string {
	var names []string
	for _, k := range console.Keys() {
		names = append(names, string(k))
	}
	return names
}
