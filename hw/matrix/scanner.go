package matrix

import (
	"fmt"
	"math/bits"
	"strconv"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
)

// picture is the result of one scan. Bits are rows that were low.
type picture struct {
	base uint8    // with no column driven
	cols [8]uint8 // with each column driven alone
}

// isAmbiguous reports whether keys cannot be told apart without diodes: two columns share two
// rows, so that three keys of a rectangle look like four.
func (p picture) isAmbiguous() bool {
	for i := range p.cols {
		for j := range i {
			if bits.OnesCount8(p.cols[i]&p.cols[j]) >= 2 {
				return true
			}
		}
	}
	return false
}

// finding is a press of pos, or, if change is set, a notice.
type finding struct {
	pos    string
	down   bool
	change hw.Change
	text   string
	at     time.Duration
}

const (
	shortFor = 100 * time.Millisecond // a row low by itself this long is a fault, no spike
	ghostFor = 10 * time.Millisecond  // an ambiguity this long is reported, no spike
)

// scanner makes findings of pictures. It has no wire and no clock.
type scanner struct {
	set    Settings
	keys   *debounce.Keys
	pos    [8][8]string // names, by column and row
	short  [8]spell     // rows that are low by themselves
	faulty uint8        // rows whose fault was reported
	ghost  spell        // an ambiguity
}

// spell is how long a state has lasted, and whether it was reported.
type spell struct {
	on, reported bool
	since        time.Duration
}

// due records whether the state is on at that time, and reports once that it has lasted d.
func (s *spell) due(on bool, at, d time.Duration) bool {
	if !on || !s.on {
		*s = spell{on: on, since: at}
	}
	if !on || s.reported || at-s.since < d {
		return false
	}
	s.reported = true
	return true
}

func newScanner(s Settings) *scanner {
	sc := &scanner{set: s, keys: debounce.New(s.Times)}
	for c := range s.Cols {
		for r := range s.Rows {
			sc.pos[c][r] = "r" + strconv.Itoa(r+1) + "c" + strconv.Itoa(c+1)
		}
	}
	return sc
}

// begin starts again, with the keys of the picture as held since unknown times.
func (s *scanner) begin(p picture, at time.Duration) {
	s.short, s.faulty, s.ghost = [8]spell{}, 0, spell{}
	s.forget(p, at)
}

func (s *scanner) forget(p picture, at time.Duration) {
	var held []string
	s.each(func(pos string, c, r int) {
		if p.cols[c]&(1<<r) != 0 {
			held = append(held, pos)
		}
	})
	s.keys.Forget(at, held...)
}

// each calls f for every key.
func (s *scanner) each(f func(pos string, c, r int)) {
	for c := range s.set.Cols {
		for r := range s.set.Rows {
			f(s.pos[c][r], c, r)
		}
	}
}

// feed evaluates the next picture.
func (s *scanner) feed(p picture, at time.Duration) []finding {
	out := s.shorts(p, at)
	for c := range p.cols {
		p.cols[c] &^= p.base // such a row says nothing of its keys
	}
	ghost := !s.set.Diodes && p.isAmbiguous()
	var moves []debounce.Move
	s.each(func(pos string, c, r int) {
		moves = append(moves, s.key(pos, p.cols[c]&(1<<r) != 0, p.base&(1<<r) != 0, s.faulty&(1<<r) != 0, ghost, at)...)
	})
	for _, m := range append(moves, s.keys.Pass(at)...) {
		out = append(out, s.moved(m))
	}
	if s.ghost.due(ghost, at, ghostFor) {
		out = append(out, finding{change: hw.Ghost, at: at,
			text: "several keys are down that cannot be told apart; let all go"})
	}
	return out
}

// key evaluates the level of one key, if the picture has it.
func (s *scanner) key(pos string, down, short, faulty, ghost bool, at time.Duration) []debounce.Move {
	switch {
	case faulty:
		s.keys.Mute(pos, at)
		return nil
	case short:
		s.keys.Doubt(pos, at)
		return nil
	case down && ghost:
		s.keys.Mute(pos, at)
	}
	return s.keys.Level(pos, down, at)
}

// doubt records that a scan failed.
func (s *scanner) doubt(at time.Duration) {
	s.each(func(pos string, _, _ int) { s.keys.Doubt(pos, at) })
}

func (s *scanner) moved(m debounce.Move) finding {
	if m.Kind == debounce.Stuck {
		return finding{pos: m.Pos, change: hw.Stuck, at: m.At, text: fmt.Sprintf(
			"key %s has been down for %v and is ignored until it is let go", m.Pos, s.set.Times.Stuck)}
	}
	return finding{pos: m.Pos, down: m.Kind == debounce.Down, at: m.At}
}

// shorts finds rows that are low by themselves. When one has been low for long, the movements
// of its keys are unknown, and all keys are forgotten.
func (s *scanner) shorts(p picture, at time.Duration) []finding {
	var out []finding
	for r := range s.set.Rows {
		row := uint8(1) << r
		if s.short[r].due(p.base&row != 0, at, shortFor) {
			s.faulty |= row
			s.forget(p, at)
			text := fmt.Sprintf("row %d is low with no column driven: "+
				"its wire, or that of a column with a key down, touches ground", r+1)
			out = append(out, finding{change: hw.Faulty, at: at, text: text})
		}
		if p.base&row == 0 && s.faulty&row != 0 {
			if s.faulty &^= row; s.faulty == 0 {
				out = append(out, finding{change: hw.Came, at: at,
					text: "no row of the keypad is low by itself any more"})
			}
		}
	}
	return out
}
