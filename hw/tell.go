package hw

import (
	"context"
	"time"
)

// Teller numbers the events of one source and sends them in order, so that every source
// keeps the same promise with the same code: numbers without gaps from 1, times that never
// go back. It belongs to one goroutine.
type Teller struct {
	name    string
	out     chan<- Event
	seq     uint64
	last    time.Duration
	missing bool // Went was sent, and Came not since
}

// NewTeller returns the Teller of the source called name.
func NewTeller(name string, out chan<- Event) *Teller {
	return &Teller{name: name, out: out}
}

// Press sends that the key at pos went down or up. It waits while out is full, but not
// beyond the end of ctx; an event that was not sent by then is dropped.
func (t *Teller) Press(ctx context.Context, pos string, down bool, at time.Duration) {
	seq, at := t.next(at)
	t.send(ctx, Press{Source: t.name, Pos: pos, Down: down, Seq: seq, At: at})
}

// Notice sends news of the source itself; pos may be empty. It waits as Press does.
func (t *Teller) Notice(ctx context.Context, c Change, pos, text string, at time.Duration) {
	t.notice(ctx, Notice{Change: c, Pos: pos, Text: text}, at)
}

func (t *Teller) notice(ctx context.Context, n Notice, at time.Duration) {
	n.Source = t.name
	n.Seq, n.At = t.next(at)
	t.send(ctx, n)
}

// Strange sends that a device is there that is not enrolled; pad: as far as can be seen it is
// a keypad.
func (t *Teller) Strange(ctx context.Context, text string, pad bool, at time.Duration) {
	t.notice(ctx, Notice{Change: Unknown, Text: text, Pad: pad}, at)
}

// Came sends that the device is there and works.
func (t *Teller) Came(ctx context.Context, text string, at time.Duration) {
	t.missing = false
	t.Notice(ctx, Came, "", text, at)
}

// Missing sends that a device wired to the unit is missing, once until it has come; what is
// its name in words.
func (t *Teller) Missing(ctx context.Context, what string, err error, at time.Duration) {
	if !t.missing {
		t.missing = true
		t.notice(ctx, Notice{Change: Went, Text: what + " missing: " + err.Error(), Wired: true}, at)
	}
}

// Shoe sends one of a shoe's events under this source's name, with its number and time. It
// waits as Press does.
func (t *Teller) Shoe(ctx context.Context, e Event, at time.Duration) {
	seq, at := t.next(at)
	switch seen := e.(type) {
	case CardSeen:
		seen.Source, seen.Seq, seen.At = t.name, seq, at
		e = seen
	case HandSeen:
		seen.Source, seen.Seq, seen.At = t.name, seq, at
		e = seen
	case ShoeSeen:
		seen.Source, seen.Seq, seen.At = t.name, seq, at
		e = seen
	}
	t.send(ctx, e)
}

func (t *Teller) next(at time.Duration) (uint64, time.Duration) {
	t.seq++
	t.last = max(t.last, at)
	return t.seq, t.last
}

func (t *Teller) send(ctx context.Context, e Event) {
	select {
	case t.out <- e:
	case <-ctx.Done():
	}
}

// retryEvery is the pause before a device that failed is opened again.
const retryEvery = time.Second

// Keep serves a device until ctx ends. It runs session, which opens the device and uses it
// until it fails; then it calls failed, pauses for a second and runs session again. After a
// session that ends without an error it runs the next one at once.
func Keep(ctx context.Context, session func() error, failed func(error)) {
	for ctx.Err() == nil {
		if err := session(); err != nil && ctx.Err() == nil {
			failed(err)
			Pause(ctx, retryEvery)
		}
	}
}

// Pause waits d, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
