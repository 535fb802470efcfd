// Package keyswitch is the supervisor's key switch: contacts on GPIO lines that tell the
// position of a lock.
//
// Words: a position is one contact; it is on while the key is turned to it.
//
// A caller may assume what hw promises of every Source, with this difference: a position is
// a mode and no press. One that is on when the switch comes is sent as a Press going down at
// once, and again after the switch was gone; it may stay on for hours and is never stuck.
// While the switch is missing no position is on. A change is sent when the contacts have
// been still for 30 ms, within a tenth of a second.
package keyswitch

import (
	"context"
	"fmt"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/linux"
)

// Lines are the contacts: bit i is position i, 1 when it is on.
type Lines interface {
	Get(mask uint64) (uint64, error)
	Close() error
}

// Settings say what the switch is like.
type Settings struct {
	Name      string   // the source's name
	Positions []string // names of the positions, 1 to 8, "on" for a plain switch
}

// The switch's times.
const (
	still      = 30 * time.Millisecond // that the contacts must be
	readEvery  = 50 * time.Millisecond
	checkEvery = 10 * time.Millisecond // while a contact is not still
)

// Switch is the source of one key switch.
type Switch struct {
	set  Settings
	open func() (Lines, error)
	now  func() time.Duration
}

var _ hw.Source = (*Switch)(nil)

// New returns the source of a switch whose contacts open opens; now reads the boot-time
// clock. Nothing is opened before Run.
func New(s Settings, open func() (Lines, error), now func() time.Duration) *Switch {
	return &Switch{s, open, now}
}

// Run sends the positions until ctx ends. It returns an error at once for a switch without
// positions.
func (s *Switch) Run(ctx context.Context, out chan<- hw.Event) error {
	if n := len(s.set.Positions); n < 1 || n > 8 {
		return fmt.Errorf("key switch %s: %d positions, expected 1 to 8", s.set.Name, n)
	}
	r := &run{Switch: s, ctx: ctx, tell: hw.NewTeller(s.set.Name, out)}
	hw.Keep(ctx, r.session, func(err error) { r.tell.Missing(ctx, "key switch", err, s.now()) })
	return nil
}

// run is the state of one Switch.Run; only its goroutine touches it.
type run struct {
	*Switch
	ctx  context.Context
	tell *hw.Teller
}

// session opens the contacts and reads them until they fail. No position is on before it.
func (r *run) session() error {
	lines, err := r.open()
	if err != nil {
		return err
	}
	defer lines.Close()
	keys := debounce.New(debounce.Times{Press: still, Release: still})
	came, pause := false, readEvery
	for ; r.ctx.Err() == nil; hw.Pause(r.ctx, pause) {
		on, err := lines.Get(1<<len(r.set.Positions) - 1)
		if err != nil {
			return err
		}
		var moves []debounce.Move
		for i, pos := range r.set.Positions {
			moves = append(moves, keys.Level(pos, on>>i&1 != 0, r.now())...)
		}
		_, moving := keys.Next()
		if pause = readEvery; moving {
			pause = checkEvery
		}
		if !came && (!moving || len(moves) > 0) {
			came = true
			r.tell.Came(r.ctx, "key switch", r.now())
		}
		r.send(moves)
	}
	return nil
}

// send sends the positions that went off, and then those that went on.
func (r *run) send(moves []debounce.Move) {
	for _, kind := range []debounce.Kind{debounce.Up, debounce.Down} {
		for _, m := range moves {
			if m.Kind == kind {
				r.tell.Press(r.ctx, m.Pos, kind == debounce.Down, m.At)
			}
		}
	}
}

// Wiring says which lines the contacts are on. A contact joins its line to ground, or with
// ActiveHigh to the supply.
type Wiring struct {
	Dir        string   // folder of the GPIO chips, /dev
	Lines      []string // of one chip, named as for linux.FindLine, one for each position
	ActiveHigh bool
}

// Open requests the lines. It can be called again after they have gone.
func (w Wiring) Open() (Lines, error) {
	flags := linux.Input | linux.PullUp | linux.ActiveLow
	if w.ActiveHigh {
		flags = linux.Input | linux.PullDown
	}
	l, err := linux.RequestLines(w.Dir, "shoeboard key switch", flags, 0, w.Lines...)
	if err != nil {
		return nil, err
	}
	return l, nil
}
