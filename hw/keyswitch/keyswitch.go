// Package keyswitch is the supervisor's key switch: contacts on GPIO lines that say
// in which position a lock stands.
//
// Words: a position is one contact; it is on while the key stands there.
//
// A caller may assume what hw promises of every Source, with this difference: a
// position is a mode and no press. One that is on when the switch comes is told as a
// Press going down at once, and again after the switch had gone; it may stay on for
// hours and is never stuck. While the switch is missing no position is on. A change is
// told when the contacts have been still for 30 ms, within a tenth of a second.
package keyswitch

import (
	"context"
	"fmt"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/gpio"
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
	lookEvery  = 50 * time.Millisecond
	stillLooks = 3 // looks that must agree, so far apart:
	stillEvery = 10 * time.Millisecond
)

// Switch is the source of one key switch.
type Switch struct {
	set  Settings
	open func() (Lines, error)
	now  func() time.Duration
}

var _ hw.Source = (*Switch)(nil)

// New returns the source of a switch whose contacts open finds; now reads the
// boot-time clock. Nothing is opened before Run.
func New(s Settings, open func() (Lines, error), now func() time.Duration) *Switch {
	return &Switch{s, open, now}
}

// Run tells of the positions until ctx ends. It returns an error at once for a
// switch without positions.
func (s *Switch) Run(ctx context.Context, out chan<- hw.Event) error {
	if n := len(s.set.Positions); n < 1 || n > 8 {
		return fmt.Errorf("key switch %s: %d positions, expected 1 to 8", s.set.Name, n)
	}
	r := &run{Switch: s, ctx: ctx, tell: hw.NewTeller(s.set.Name, out)}
	r.tell.Keep(ctx, "key switch", s.now, r.session)
	return nil
}

// run is the state of one Switch.Run; only its goroutine touches it.
type run struct {
	*Switch
	ctx  context.Context
	tell *hw.Teller
	told uint64 // positions that are on
}

// session opens the contacts and looks at them until they fail. No position is on
// before it.
func (r *run) session() error {
	r.told = 0
	lines, err := r.open()
	if err != nil {
		return err
	}
	defer lines.Close()
	came := false
	for ; r.ctx.Err() == nil; hw.Pause(r.ctx, lookEvery) {
		on, still, err := r.look(lines)
		switch {
		case err != nil:
			return err
		case !still:
			continue
		case !came:
			came = true
			r.tell.Came(r.ctx, "key switch", r.now())
		}
		r.change(on)
	}
	return nil
}

// look reads the contacts, and if they are not as they were told, until they have
// been still or have moved.
func (r *run) look(lines Lines) (on uint64, still bool, err error) {
	mask := uint64(1)<<len(r.set.Positions) - 1
	if on, err = lines.Get(mask); err != nil || on == r.told {
		return on, err == nil, err
	}
	for range stillLooks {
		hw.Pause(r.ctx, stillEvery)
		again, err := lines.Get(mask)
		if err != nil || again != on {
			return 0, false, err
		}
	}
	return on, true, nil
}

// change tells the positions that were left, and then those that were taken.
func (r *run) change(on uint64) {
	at := r.now()
	for _, down := range []bool{false, true} {
		for i, pos := range r.set.Positions {
			if is := on>>i&1 != 0; is == down && is != (r.told>>i&1 != 0) {
				r.tell.Press(r.ctx, pos, down, at)
			}
		}
	}
	r.told = on
}

// Wiring says which lines the contacts are on. A contact joins its line to ground,
// or with ActiveHigh to the supply.
type Wiring struct {
	Dir        string   // folder of the GPIO chips, /dev
	Lines      []string // of one chip, named as for gpio.Find, one for each position
	ActiveHigh bool
}

// Open asks for the lines. It can be called again after they have gone.
func (w Wiring) Open() (Lines, error) {
	places, err := gpio.Places(w.Dir, w.Lines...)
	if err != nil {
		return nil, err
	}
	flags := gpio.Input | gpio.PullUp | gpio.ActiveLow
	if w.ActiveHigh {
		flags = gpio.Input | gpio.PullDown
	}
	l, err := gpio.Request("shoeboard key switch", places, flags, 0)
	if err != nil {
		return nil, err
	}
	return l, nil
}
