package debounce

import "time"

type state uint8

const (
	stateUp    state = iota
	stateDown        // reported down
	stateMuted       // down, not reported
	stateStuck       // reported stuck
)

type key struct {
	pos   string
	raw   bool          // level last seen
	since time.Duration // when raw became so
	state state
	from  time.Duration // when the key went down or muted
	last  time.Duration // when it was last reported down
}

// due returns when step would change something if the level stays.
func (y *key) due(t Times) (time.Duration, bool) {
	switch {
	case y.state == stateUp && y.raw:
		return y.since + t.Press, true
	case y.state != stateUp && !y.raw:
		return y.since + t.Release, true
	case (y.state == stateDown || y.state == stateMuted) && t.Stuck > 0:
		return y.from + t.Stuck, true
	}
	return 0, false
}

// step appends the movement that is due by at, if any.
func (y *key) step(t Times, at time.Duration, moves []Move) []Move {
	due, ok := y.due(t)
	if !ok || at < due {
		return moves
	}
	switch {
	case !y.raw:
		return y.letGo(at, moves)
	case y.state != stateUp:
		y.state = stateStuck
		return append(moves, Move{y.pos, Stuck, at})
	case at-y.last < t.Lockout:
		y.state, y.from = stateMuted, at
		return moves
	}
	y.state, y.from, y.last = stateDown, at, at
	return append(moves, Move{y.pos, Down, at})
}

func (y *key) letGo(at time.Duration, moves []Move) []Move {
	reported := y.state != stateMuted
	y.state = stateUp
	if !reported {
		return moves
	}
	return append(moves, Move{y.pos, Up, at})
}
