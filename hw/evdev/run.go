package evdev

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/debounce"
)

// run is the state of one Pad.Run; only its goroutine touches it.
type run struct {
	*Pad
	ctx      context.Context
	tell     *hw.Teller
	keys     *debounce.Keys
	begun    bool                     // Came or Went was sent
	accepted Match                    // the pad that is meant since the start, when it is not the enrolled one
	meant    int                      // the rank with which that came
	said     map[string]hw.Change     // notices of other devices that still hold
	strange  bool                     // Unknown was sent, and not Left
	idle     bool                     // and of a keypad
	another  bool                     // a device gave way to another since the last scan
	denied   map[string]time.Duration // nodes that may not be opened, since when

	// of the open device
	open     Device // nil: none
	path     string
	id       Identity
	chunks   <-chan chunk
	rankOpen int           // the rank with which it was attached
	leaving  time.Duration // by when it must have gone, since the kernel let go of its keys; 0: it did not
}

// leaveWithin is the longest time from the kernel's release of a pad's keys until the pad
// itself goes: drivers that leave it one by one before evdev take tens of milliseconds each.
const leaveWithin = 500 * time.Millisecond

// chunk is what one read brought.
type chunk struct {
	records []Record
	err     error
}

func newRun(ctx context.Context, p *Pad, out chan<- hw.Event) *run {
	return &run{Pad: p, ctx: ctx, tell: hw.NewTeller(p.set.Name, out), keys: debounce.New(p.set.Times),
		said: map[string]hw.Change{}, denied: map[string]time.Duration{}}
}

// missing reports once, at the start, that there is no pad, so that nobody has to infer it
// from silence.
func (r *run) missing() {
	if !r.begun {
		r.begun = true
		r.notice(hw.Went, "", "keypad missing: "+r.set.Match.String())
	}
}

func (r *run) notice(c hw.Change, pos, text string) {
	r.tell.Notice(r.ctx, c, pos, text, r.host.Now())
}

// arm sets the timer for the next key or the end of a pad that is leaving.
func (r *run) arm(t *time.Timer) {
	at, ok := r.keys.Next()
	if r.leaving > 0 && (!ok || r.leaving < at) {
		at, ok = r.leaving, true
	}
	if !ok {
		t.Stop()
		return
	}
	t.Reset(max(0, at-r.host.Now()))
}

func (r *run) pass() {
	now := r.host.Now()
	r.moves(r.keys.Pass(now))
	if r.leaving > 0 && now >= r.leaving {
		r.stayed()
	}
}

// stayed reports lost keys: the kernel released them and the pad did not go.
func (r *run) stayed() {
	r.leaving = 0
	r.notice(hw.Lost, "", "the system let go of the keypad's keys (was the keypad asleep?)")
}

// attach makes o the open device, and reports whether it could.
func (r *run) attach(o offer, before map[string]hw.Change) bool {
	if err := o.dev.Grab(); err != nil {
		r.sayOnce(before, hw.Faulty, fmt.Sprintf("keypad %s cannot be used: %v (is another program using it?)",
			o.id.called(r.set.Match), err))
		return false
	}
	held, err := o.dev.Held()
	if err != nil {
		return false // it has just gone; the next scan reports it
	}
	if r.open != nil { // keys that are held on it are never sent as up
		r.another = true
		r.notice(hw.Lost, "", fmt.Sprintf("keypad %s gives way to keypad %s",
			r.id.called(r.set.Match), o.id.called(r.set.Match)))
	}
	r.close()
	r.open, r.path, r.id, r.rankOpen = o.dev, o.path, o.id, o.rank
	r.chunks = reading(o.dev)
	r.forget(held)
	r.came()
	if r.idle { // a pad that comes ends the notice of another: it is sent again
		r.idle = false
		clear(before)
	}
	return true
}

// standsIn reports whether the open device stands in for the pad that is meant.
func (r *run) standsIn() bool { return r.open != nil && r.rankOpen == rankStandIn }

func (r *run) came() {
	r.begun, r.strange = true, r.strangers()
	r.notice(hw.Came, "", "keypad "+r.id.String())
	switch {
	case r.standsIn():
		r.strange = true
		r.tell.Strange(r.ctx, fmt.Sprintf("keypad %s stands in for %s: bring that back, or enrol this one "+
			"(sudo shoeboard keypad learn %s)", r.id.called(r.set.Match), r.meantPad(), r.set.Name), true, r.host.Now())
		return
	case r.rankOpen > rankEnrolled && (r.accepted == Match{} || r.rankOpen < r.meant):
		r.accepted, r.meant = r.id.Match, r.rankOpen
	}
	if r.id.Match != r.set.Match && r.set.Accepted != nil {
		r.set.Accepted(r.id.Match)
	}
}

// meantPad describes the pad that is meant, by its numbers where nobody has enrolled its name.
func (r *run) meantPad() string {
	if (r.set.Match == Match{}) {
		return Identity{Match: r.accepted}.called(r.set.Match)
	}
	return r.set.Match.String()
}

// close closes the open device and waits for its reader.
func (r *run) close() {
	if r.open == nil {
		return
	}
	r.open.Close()
	for range r.chunks {
	}
	r.open, r.chunks, r.path, r.leaving = nil, nil, "", 0
	r.forget(nil)
}

// forget sets all keys up, and those that are held down since unknown times.
func (r *run) forget(held []uint16) {
	pos := make([]string, 0, len(held))
	for _, code := range held {
		if code != keyNumLock {
			pos = append(pos, Pos(code))
		}
	}
	r.keys.Forget(r.host.Now(), pos...)
}

func (r *run) gone(err error) {
	was := r.id
	r.close()
	r.notice(hw.Went, "", fmt.Sprintf("keypad missing: %s was unplugged (%v)", was.called(r.set.Match), err))
}

func (r *run) read(c chunk) {
	for _, rec := range c.records {
		r.record(rec)
	}
	if c.err != nil && r.open != nil {
		r.gone(c.err)
	}
}

func (r *run) record(rec Record) {
	if r.open == nil {
		return
	}
	at := min(rec.At, r.host.Now())
	if r.leaving > 0 {
		r.stayed()
	}
	if r.set.Tap != nil && (rec.What == KeyDown || rec.What == KeyUp) {
		r.set.Tap(rec)
	}
	switch {
	case rec.What == Released:
		r.forget(nil)
		r.leaving = r.host.Now() + leaveWithin
	case rec.What == Dropped:
		r.forget(nil)
		r.notice(hw.Lost, "", "the keypad's events came faster than they were read; some are lost")
	case rec.What == Resumed:
		held, err := r.open.Held()
		if err != nil {
			r.gone(err)
			return
		}
		r.forget(held)
	case rec.Code != keyNumLock:
		r.moves(r.keys.Pass(at))
		r.moves(r.keys.Level(Pos(rec.Code), rec.What == KeyDown, at))
	}
}

// moves sends the movements of the pad's keys.
func (r *run) moves(moves []debounce.Move) {
	for _, m := range moves {
		if m.Kind == debounce.Stuck {
			r.tell.Notice(r.ctx, hw.Stuck, m.Pos, "key "+m.Pos+" has been down for "+
				strconv.Itoa(int(r.set.Times.Stuck/time.Second))+" s and is ignored until it is let go", m.At)
			continue
		}
		r.tell.Press(r.ctx, m.Pos, m.Kind == debounce.Down, m.At)
	}
}

// reading reads dev until an error and then closes the channel.
func reading(dev Device) <-chan chunk {
	ch := make(chan chunk)
	go func() {
		defer close(ch)
		for {
			records, err := dev.Records()
			if ch <- (chunk{records, err}); err != nil {
				return
			}
		}
	}()
	return ch
}
