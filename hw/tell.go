package hw

import (
	"context"
	"time"
)

// Teller numbers the events of one source and hands them on in order, so that
// every source keeps the same promise with the same code: numbers without gaps
// from 1, times that never go back. It belongs to one goroutine.
type Teller struct {
	name string
	out  chan<- Event
	seq  uint64
	last time.Duration
	away bool // Went has been told
}

// NewTeller returns the Teller of the source called name.
func NewTeller(name string, out chan<- Event) *Teller {
	return &Teller{name: name, out: out}
}

// Press tells that the key at pos went down or up. It waits while out is full,
// but not beyond the end of ctx; what is not told then is never told.
func (t *Teller) Press(ctx context.Context, pos string, down bool, at time.Duration) {
	seq, at := t.next(at)
	t.send(ctx, Press{Source: t.name, Pos: pos, Down: down, Seq: seq, At: at})
}

// Notice tells news of the source itself; pos may be empty. It waits as Press does.
func (t *Teller) Notice(ctx context.Context, c Change, pos, text string, at time.Duration) {
	t.notice(ctx, Notice{Change: c, Pos: pos, Text: text}, at)
}

func (t *Teller) notice(ctx context.Context, n Notice, at time.Duration) {
	n.Source = t.name
	n.Seq, n.At = t.next(at)
	t.send(ctx, n)
}

// Ignored tells of another device that is not taken; pad: to all that can be seen it is a
// keypad.
func (t *Teller) Ignored(ctx context.Context, text string, pad bool, at time.Duration) {
	t.notice(ctx, Notice{Change: Unknown, Text: text, Pad: pad}, at)
}

// Came tells that the device is there and works.
func (t *Teller) Came(ctx context.Context, text string, at time.Duration) {
	t.away = false
	t.Notice(ctx, Came, "", text, at)
}

// retryEvery is how often a device is looked for that is missing.
const retryEvery = time.Second

// Keep is the frame of a source whose device is wired to the unit: it runs session,
// which opens the device, calls Came and tells of it until it fails or ctx ends, again
// and again until ctx ends. A device that fails, or that is not there, is told as
// missing once until it has come; what is its name in words.
func (t *Teller) Keep(ctx context.Context, what string, now func() time.Duration, session func() error) {
	for ctx.Err() == nil {
		err := session()
		if err == nil || ctx.Err() != nil {
			continue
		}
		if !t.away {
			t.away = true
			t.notice(ctx, Notice{Change: Went, Text: what + " missing: " + err.Error(), Wired: true}, now())
		}
		Pause(ctx, retryEvery)
	}
}

// Pause waits d, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Shoe tells one of a shoe's events under this source's name, with its number and
// time. It waits as Press does.
func (t *Teller) Shoe(ctx context.Context, e Event, at time.Duration) {
	seq, at := t.next(at)
	switch told := e.(type) {
	case CardSeen:
		told.Source, told.Seq, told.At = t.name, seq, at
		e = told
	case HandSeen:
		told.Source, told.Seq, told.At = t.name, seq, at
		e = told
	case ShoeSeen:
		told.Source, told.Seq, told.At = t.name, seq, at
		e = told
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
