package takeover

import (
	"cmp"
	"maps"
	"time"

	"shoeboard/tracker/console"
)

// stuckAfter is how long a key is down that is ignored from then on.
const stuckAfter = 15 * time.Second

// position is a key of a keypad.
type position struct{ source, pos string }

// held is a key that is down.
type held struct {
	binding console.Binding
	at      time.Duration
	used    bool // it has acted, or counts no more: letting it go does nothing
}

// keys are the keys that are down.
type keys map[position]held

// move takes one movement of a key. It returns the key that acts, "" for none, and the
// name of another that is down, so that neither counts. As in a game, a key that can be
// held acts when it is let go.
func (k keys) move(now time.Duration, at position, b console.Binding, down bool) (acts console.Key, other string) {
	was, isDown := k[at]
	acts = cmp.Or(b.Tap, b.Hold)
	if down == isDown {
		return "", "" // it repeats, or a movement was missed
	}
	if !down {
		delete(k, at)
		if was.used || now-was.at >= stuckAfter {
			acts = ""
		}
		return acts, ""
	}
	h := held{binding: b, at: now, used: b.Hold == ""}
	for p, o := range k {
		if now-o.at < stuckAfter {
			o.used, h.used, other = true, true, console.KeyName("", o.binding)
			k[p] = o
		}
	}
	k[at] = h
	if other != "" || b.Hold != "" {
		acts = ""
	}
	return acts, other
}

// forget lets every key of a source go: some of its events were lost.
func (k keys) forget(source string) {
	maps.DeleteFunc(k, func(p position, _ held) bool { return p.source == source })
}
