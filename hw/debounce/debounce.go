// Package debounce makes clean key movements of raw levels.
//
// Words: a level is the state of a key at one moment, as a line or a device gives it; a
// movement is the debounced result: down, up, or stuck. A contact that is muted is down and
// not reported until it has been let go.
//
// A caller may assume: a key is reported down only when its level has been seen down and has
// not been seen up for Times.Press; each down is followed by one up unless Forget comes
// between; the same key never goes down twice within Times.Lockout; a contact that begins in
// that time is bounce and is muted. It is deferred, not eager: an eager scan makes a hand of
// one spike.
//
// It has no clock and starts nothing: times are given to it, and Next says when it wants to
// be called. Times must not go back.
package debounce

import "time"

// Times are the settings of a keypad's keys. A zero Press, Release or Lockout has no effect; a
// zero Stuck never names a key.
type Times struct {
	Press   time.Duration // level must stay down this long to be reported down
	Release time.Duration // level must stay up this long to be reported up
	Lockout time.Duration // from one down of a key to its next
	Stuck   time.Duration // down this long, a key is named and ignored
}

// Contacts returns the times for bare switches that we scan: Zephyr's 10 and 20 ms, 80 ms
// lockout (nobody presses one key 12 times a second), stuck after 15 s.
func Contacts() Times {
	return Times{Press: 10 * time.Millisecond, Release: 20 * time.Millisecond,
		Lockout: 80 * time.Millisecond, Stuck: 15 * time.Second}
}

// Pads returns the times for devices that debounce their own keys: only the lockout, against
// worn switches and double-zero keys, and the stuck key remain.
func Pads() Times {
	return Times{Lockout: 80 * time.Millisecond, Stuck: 15 * time.Second}
}

// Kind is the kind of a movement.
type Kind uint8

// The kinds of movement.
const (
	Down Kind = iota + 1
	Up
	Stuck
)

// Move is a movement of the key at Pos, decided at At.
type Move struct {
	Pos  string
	Kind Kind
	At   time.Duration
}

// Keys are the keys of one device. A key exists from the first time it is seen.
type Keys struct {
	times Times
	keys  []*key // in the order in which they were first seen
	byPos map[string]*key
}

// New returns the keys of a device with nothing down.
func New(t Times) *Keys { return &Keys{times: t, byPos: map[string]*key{}} }

// Level records that the key at pos was seen down or up at that time. A level that changes
// before it was stable is a bounce, however late Level is called: a caller that misses no
// change (a device that reports each one) calls Pass first.
func (k *Keys) Level(pos string, down bool, at time.Duration) []Move {
	y := k.key(pos)
	if down != y.raw {
		y.raw, y.since = down, at
	}
	return y.step(k.times, at, nil)
}

// Pass records that the time is at, and that no level has changed since the last call.
func (k *Keys) Pass(at time.Duration) []Move {
	var moves []Move
	for _, y := range k.keys {
		moves = y.step(k.times, at, moves)
	}
	return moves
}

// Next returns when Pass must be called if no level changes, and whether there is such a time
// at all.
func (k *Keys) Next() (at time.Duration, ok bool) {
	for _, y := range k.keys {
		if due, has := y.due(k.times); has && (!ok || due < at) {
			at, ok = due, true
		}
	}
	return at, ok
}

// Quiet reports whether every key is up and stays up, so that a scanner may rest.
func (k *Keys) Quiet() bool {
	for _, y := range k.keys {
		if y.raw || y.state != stateUp {
			return false
		}
	}
	return true
}

// Forget sets every key up without reporting it, for when the device went or lost events. The
// keys at held are down at that time and are muted: a press that began unseen is never
// reported.
func (k *Keys) Forget(at time.Duration, held ...string) {
	for _, y := range k.keys {
		y.raw, y.since, y.state = false, at, stateUp
	}
	for _, pos := range held {
		y := k.key(pos)
		y.raw, y.since, y.state, y.from = true, at, stateMuted, at
	}
}

// Mute records that the key at pos seems down and must not be reported until it has been let
// go; whether it is stuck is counted from the last Mute. It has no effect on a key that was
// reported down.
func (k *Keys) Mute(pos string, at time.Duration) {
	if y := k.key(pos); y.state == stateUp || y.state == stateMuted {
		y.raw, y.since, y.state, y.from = true, at, stateMuted, at
	}
}

// Doubt records that the level of the key at pos could not be read at that time: a level that
// is not stable yet must be stable from then on.
func (k *Keys) Doubt(pos string, at time.Duration) { k.key(pos).since = at }

func (k *Keys) key(pos string) *key {
	y := k.byPos[pos]
	if y == nil {
		y = &key{pos: pos, last: -k.times.Lockout}
		k.byPos[pos] = y
		k.keys = append(k.keys, y)
	}
	return y
}
