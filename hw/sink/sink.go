// Package sink runs what the unit shows and sounds beside its screen: key lights, a
// buzzer, the dealer's echo, a timer.
//
// Words: a sink is one such device with the newest value that it must show; a step is one
// value and for how long it is shown; a step of zero length stays.
//
// A caller may assume: Show and Play never wait, whatever the device does, so that a key is
// never late for a light; only the newest value is kept, and an older one may never be
// seen; a device that is missing, fails or was unplugged is reported once, tried again every
// second, and shows the newest value when it is back; the value is written again every
// second, so that a device that lost it has it back; when the context ends the device is
// left dark and silent. As a hw.Source a sink sends only that it came and that it is faulty.
package sink

import (
	"context"
	"errors"
	"sync"
	"time"

	"shoeboard/hw"
)

// Device is hardware that shows a T. It may be slow and is called by one goroutine.
type Device[T any] interface {
	// Show shows v until the next call. It is also called with the value that is shown.
	Show(v T) error
	// Close leaves the device dark and silent and releases it.
	Close() error
}

// Lines are outputs of a GPIO chip.
type Lines interface {
	Set(values, mask uint64) error
	Close() error
}

// Step is a value and for how long it is shown; 0: it stays. After a last step that does
// not stay the first one follows again.
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
	fresh  bool // newest was not fetched yet
	wake   chan struct{}
}

// refreshEvery is how often the value is written again.
const refreshEvery = time.Second

// New returns the sink called name of the device that open opens; now reads the boot-time
// clock. Nothing is opened before Run.
func New[T any](name string, open func() (Device[T], error), now func() time.Duration) *Sink[T] {
	return &Sink[T]{name: name, open: open, now: now, wake: make(chan struct{}, 1)}
}

// Show shows v from now on. It may be called from any goroutine and does not wait; v must
// not be changed afterwards.
func (s *Sink[T]) Show(v T) { s.Play(Step[T]{Show: v}) }

// Play shows one step after the other, in place of what was shown before.
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
	hw.Keep(ctx, r.session, func(err error) { r.report(hw.Faulty, r.name+": "+err.Error()) })
	return nil
}

// run is the state of one Sink.Run; only its goroutine touches it.
type run[T any] struct {
	*Sink[T]
	ctx    context.Context
	tell   *hw.Teller
	health hw.Change // as last reported: Came, Faulty or nothing yet
	steps  []Step[T]
	at     int       // the step that is shown
	since  time.Time // it has been
}

// report sends a change of the device's health.
func (r *run[T]) report(c hw.Change, text string) {
	if r.health != c {
		r.health = c
		r.tell.Notice(r.ctx, c, "", text, r.now())
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
	r.fetch()
	if n := len(r.steps); r.health == hw.Faulty && n > 0 && r.steps[n-1].For == 0 {
		r.at = n - 1 // the steps before it are over
	}
	for r.ctx.Err() == nil {
		if err := r.show(dev); err != nil {
			return err
		}
		select {
		case <-r.ctx.Done():
		case <-r.wake:
			r.fetch()
		case <-r.over():
			r.at = (r.at + 1) % len(r.steps)
			r.since = time.Now()
		case <-refresh.C:
		}
	}
	return nil
}

// fetch fetches the newest steps, if they are new.
func (r *run[T]) fetch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fresh {
		r.steps, r.at, r.since, r.fresh = r.newest, 0, time.Now(), false
	}
}

// over returns a channel that fires when the current step has lasted long enough.
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
	r.report(hw.Came, r.name)
	return nil
}
