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
	readEvery  = 50 * time.Millisecond
	stillReads = 3 // readings that must agree, so far apart:
	stillEvery = 10 * time.Millisecond
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
	sent uint64 // positions that are on
}

// session opens the contacts and reads them until they fail. No position is on before it.
func (r *run) session() error {
	r.sent = 0
	lines, err := r.open()
	if err != nil {
		return err
	}
	defer lines.Close()
	came := false
	for ; r.ctx.Err() == nil; hw.Pause(r.ctx, readEvery) {
		on, still, err := r.read(lines)
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

// read reads the contacts; if they differ from what was sent, until they have been still or
// have moved.
func (r *run) read(lines Lines) (on uint64, still bool, err error) {
	mask := uint64(1)<<len(r.set.Positions) - 1
	if on, err = lines.Get(mask); err != nil || on == r.sent {
		return on, err == nil, err
	}
	for range stillReads {
		hw.Pause(r.ctx, stillEvery)
		again, err := lines.Get(mask)
		if err != nil || again != on {
			return 0, false, err
		}
	}
	return on, true, nil
}

// change sends the positions that went off, and then those that went on.
func (r *run) change(on uint64) {
	at := r.now()
	for _, down := range []bool{false, true} {
		for i, pos := range r.set.Positions {
			if is := on>>i&1 != 0; is == down && is != (r.sent>>i&1 != 0) {
				r.tell.Press(r.ctx, pos, down, at)
			}
		}
	}
	r.sent = on
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
