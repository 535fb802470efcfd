package table

import (
	"maps"
	"slices"
	"strings"

	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

// Role says what a source is for.
type Role uint8

// The roles of sources.
const (
	keypad    Role = iota // the dealer's keys: every source without another role
	Shoe                  // reads cards
	EchoLines             // the dealer's echo
	Output                // shows or sounds something else
	KeySwitch             // the supervisor's: down is under review
)

// Position returns where a keypad that is not configured has a key, by the key's name, a
// bet's id or a digit.
func (e *Engine) Position(key string) (string, bool) { return e.other.Find(key) }

// reviewKey returns the sign on the key whose hold is REVIEW where it is the same on all
// keypads, else empty.
func (e *Engine) reviewKey() string {
	pads := slices.Collect(maps.Values(e.pads))
	if len(pads) == 0 {
		pads = []console.Map{e.other}
	}
	for _, keys := range pads {
		if keys["KPASTERISK"].Hold != console.KeyReview {
			return ""
		}
	}
	return "*"
}

// notice takes news of a source.
func (e *Engine) notice(n hw.Notice) {
	switch role := e.setup.Roles[n.Source]; role {
	case keypad:
		e.keypadNotice(n)
	case Shoe:
		e.shoeNotice(n)
	default:
		e.deviceNotice(role, n)
	}
}

// keypadNotice takes news of a keypad. After it went or lost events none of its keys is
// held, and what was being keyed cannot be trusted.
func (e *Engine) keypadNotice(n hw.Notice) {
	unknown, was := "keypad-unknown-"+n.Source, e.there[n.Source]
	switch n.Change {
	case hw.Came:
		e.there[n.Source] = true
		if !slices.Contains(slices.Collect(maps.Values(e.there)), false) {
			e.endFault("keypad-missing")
		}
		e.unstick(n.Source)
		e.endFault(unknown)
	case hw.Left:
		e.endFault(unknown)
	case hw.Unknown:
		e.SetFault(e.now, unknown, n.Text)
		if was && !n.Pad { // it is ignored beside the keypad, and does no harm
			e.endFault(unknown)
		}
	case hw.Ghost:
		e.console = e.console.Refuse(e.context(), &tracker.Refusal{Text: "ONE KEY AT A TIME"})
		e.effects.Tone = max(e.effects.Tone, console.Refused)
	case hw.Stuck:
		e.stuck[n.Source] = n.Pos
		e.SetFault(e.now, "keypad-"+n.Source,
			"Key "+n.Pos+" of keypad "+n.Source+" is stuck: release it or replace the keypad")
	case hw.Lost, hw.Went, hw.Faulty:
		e.keysLost(n, was)
	}
}

// keysLost takes that a keypad went or lost events.
func (e *Engine) keysLost(n hw.Notice, was bool) {
	if _, stuck := e.stuck[n.Source]; stuck { // its release may be lost: if it is still stuck, that comes again
		e.unstick(n.Source)
	}
	switch n.Change {
	case hw.Went:
		e.there[n.Source] = false
		text := "Keypad missing: plug it in again"
		if n.Wired {
			text = "Keypad does not answer: call a technician"
		}
		if n.Text != "" {
			text += " (" + strings.TrimPrefix(n.Text, "keypad missing: ") + ")"
		}
		e.SetFault(e.now, "keypad-missing", text)
	case hw.Faulty:
		e.SetFault(e.now, "keypad-"+n.Source, "Keypad "+n.Source+": "+n.Text)
	}
	if was || n.Change == hw.Lost { // else it has lost no key: it was not there
		c, out := e.console.Lost(e.context(), n.Source)
		e.accept(c, out, n.Source)
	}
}

// unstick takes a keypad's own fault away.
func (e *Engine) unstick(source string) {
	delete(e.stuck, source)
	e.endFault("keypad-" + source)
}

// deviceNotice takes news of what shows, sounds or switches.
func (e *Engine) deviceNotice(role Role, n hw.Notice) {
	code := "device-" + n.Source
	if n.Change != hw.Came {
		delete(e.turned, n.Source)
	}
	switch n.Change {
	case hw.Came:
		e.endFault(code)
		delete(e.blind, n.Source)
	case hw.Went, hw.Faulty:
		e.SetFault(e.now, code, n.Source+": "+n.Text)
		if role == EchoLines {
			e.blind[n.Source] = true
		}
	}
}

// turnKeySwitch sets the review or releases it, as the supervisor's key is turned.
func (e *Engine) turnKeySwitch(p hw.Press) {
	if delete(e.turned, p.Source); p.Down {
		e.turned[p.Source] = true
	}
	if on := e.context().Projected.Review != nil; on != p.Down {
		c := tracker.Command{Kind: tracker.ReviewSet, On: p.Down, At: e.now}
		e.enqueue(pending{commands: []tracker.Command{c}, keys: []string{p.Pos}, source: p.Source})
	}
}
