// Package sink runs what the unit shows and sounds beside its screen: key lights, a
// buzzer, the dealer's echo, a timer.
//
// Words: a sink is one such device with the newest thing that it is to show; a step
// is one thing to show and for how long; what is shown for no time at all stays.
//
// A caller may assume: Show and Play never wait, whatever the device does, so that a
// key is never late for a light; only the newest is kept, and what it replaces may
// never be seen; a device that is missing, fails or was unplugged is told once, tried
// again every second, and shows the newest when it is back; what is shown is written
// again every second, so that a device that lost it has it back; when the context
// ends the device is left dark and silent. As a hw.Source a sink tells nothing but
// that it came and that it is faulty.
package sink

import (
	"context"
	"errors"
	"sync"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/gpio"
)

// Device is hardware that shows a T. It may be slow and is called by one goroutine.
type Device[T any] interface {
	// Show shows v until the next call. It is called again with what it shows already.
	Show(v T) error
	// Close leaves the device dark and silent and lets go of it.
	Close() error
}

// Step is something to show and for how long; for 0 it stays. After a last step
// that does not stay the first one follows again.
type Step[T any] struct {
	Show T
	For  time.Duration
}

// Sink shows the newest T on a device.
type Sink[T any] struct {
	name string
	open func() (Device[T], error)
	now  func() time.Duration

	mu     sync.Mutex
	newest []Step[T]
	fresh  bool // newest has not been taken
	wake   chan struct{}
}

// The times of a sink.
const (
	retryEvery   = time.Second
	refreshEvery = time.Second
)

// New returns the sink called name of the device that open opens; now reads the
// boot-time clock. Nothing is opened before Run.
func New[T any](name string, open func() (Device[T], error), now func() time.Duration) *Sink[T] {
	return &Sink[T]{name: name, open: open, now: now, wake: make(chan struct{}, 1)}
}

// Show shows v from now on. It may be called from any goroutine and does not wait;
// v is not to be changed afterwards.
func (s *Sink[T]) Show(v T) { s.Play(Step[T]{Show: v}) }

// Play shows one thing after the other, in place of all that was to be shown.
func (s *Sink[T]) Play(steps ...Step[T]) {
	s.mu.Lock()
	s.newest, s.fresh = steps, true
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run shows until ctx ends, and returns nil then.
func (s *Sink[T]) Run(ctx context.Context, out chan<- hw.Event) error {
	r := &run[T]{Sink: s, ctx: ctx, tell: hw.NewTeller(s.name, out)}
	for ctx.Err() == nil {
		if err := r.session(); err != nil {
			r.faulty(err)
			hw.Pause(r.ctx, retryEvery)
		}
	}
	return nil
}

// run is the state of one Sink.Run; only its goroutine touches it.
type run[T any] struct {
	*Sink[T]
	ctx   context.Context
	tell  *hw.Teller
	told  hw.Change // Came, Faulty or nothing yet
	steps []Step[T]
	at    int       // the step that is shown
	since time.Time // it has been
}

func (r *run[T]) faulty(err error) {
	if r.told != hw.Faulty && r.ctx.Err() == nil {
		r.tell.Notice(r.ctx, hw.Faulty, "", r.name+": "+err.Error(), r.now())
		r.told = hw.Faulty
	}
}

// session opens the device and shows until it fails or the context ends.
func (r *run[T]) session() (err error) {
	dev, err := r.open()
	if err != nil {
		return err
	}
	defer func() {
		if closing := dev.Close(); r.ctx.Err() == nil {
			err = errors.Join(err, closing)
		}
	}()
	refresh := time.NewTicker(refreshEvery)
	defer refresh.Stop()
	r.take()
	if n := len(r.steps); r.told == hw.Faulty && n > 0 && r.steps[n-1].For == 0 {
		r.at = n - 1 // what was for its moment only is over
	}
	for r.ctx.Err() == nil {
		if err := r.show(dev); err != nil {
			return err
		}
		select {
		case <-r.ctx.Done():
		case <-r.wake:
			r.take()
		case <-r.over():
			r.at = (r.at + 1) % len(r.steps)
			r.since = time.Now()
		case <-refresh.C:
		}
	}
	return nil
}

// take takes the newest steps, if there are new ones.
func (r *run[T]) take() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fresh {
		r.steps, r.at, r.since, r.fresh = r.newest, 0, time.Now(), false
	}
}

// over signals when the step that is shown has lasted long enough.
func (r *run[T]) over() <-chan time.Time {
	if len(r.steps) == 0 || r.steps[r.at].For == 0 {
		return nil
	}
	return time.After(r.steps[r.at].For - time.Since(r.since))
}

func (r *run[T]) show(dev Device[T]) error {
	if len(r.steps) > 0 {
		if err := dev.Show(r.steps[r.at].Show); err != nil {
			return err
		}
	}
	if r.told != hw.Came {
		r.tell.Notice(r.ctx, hw.Came, "", r.name, r.now())
		r.told = hw.Came
	}
	return nil
}

// Outputs asks for lines of one GPIO chip as outputs that are off. dir is the folder
// of the chips, /dev; the lines are named as for gpio.Find. With activeLow a line is
// on when it is low.
func Outputs(dir, consumer string, lines []string, activeLow bool) (*gpio.Lines, error) {
	places, err := gpio.Places(dir, lines...)
	if err != nil {
		return nil, err
	}
	flags := gpio.Output
	if activeLow {
		flags |= gpio.ActiveLow
	}
	return gpio.Request("shoeboard "+consumer, places, flags, 0)
}
