package takeover

import (
	"cmp"
	"maps"
	"time"

	"shoeboard/tracker/console"
)

const (
	tapWithin  = 400 * time.Millisecond // a longer press is a hold
	stuckAfter = 15 * time.Second       // a key that is down for longer is ignored
)

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
// name of another that is down, so that neither counts.
func (k keys) move(now time.Duration, at position, b console.Binding, down bool) (acts console.Key, other string) {
	was, isDown := k[at]
	switch {
	case !down && isDown:
		delete(k, at)
		return was.release(now), ""
	case !down || isDown:
		return "", "" // it repeats, or a movement was missed
	}
	h := held{binding: b, at: now}
	for p, o := range k {
		if now-o.at < stuckAfter {
			o.used, h.used, other = true, true, console.KeyName("", o.binding)
			k[p] = o
		}
	}
	if !h.used && b.Hold == "" {
		h.used, acts = true, b.Tap
	}
	k[at] = h
	return acts, other
}

// notYet is the key of a press that is too long for a tap and too short for a hold, or of
// a key that has no tap.
const notYet console.Key = "HOLD LONGER"

// release returns the key that acts when h is let go.
func (h held) release(now time.Duration) console.Key {
	age := now - h.at
	switch {
	case h.used || age >= stuckAfter:
		return ""
	case age <= tapWithin:
		return cmp.Or(h.binding.Tap, notYet)
	case age >= h.binding.After:
		return h.binding.Hold
	}
	return notYet
}

// forget lets every key of a source go: some of its events were lost.
func (k keys) forget(source string) {
	maps.DeleteFunc(k, func(p position, _ held) bool { return p.source == source })
}
