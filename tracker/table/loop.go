package table

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/menu"
)

// closeWithin is how long a stop waits for the record in flight.
const closeWithin = 5 * time.Second

// lateMost is how late a press may be read and still count from when it happened.
const lateMost = time.Second

// Options are what a Loop is made of.
type Options struct {
	Engine  *Engine
	Journal *journal.Journal
	Ended   func() // is called when a shoe has ended; nil: nobody wants to know
	Full    func() // is called when a record finds no room; nil: nothing can make any
	Clock   func() tracker.Stamp
	Speed   float64 // how much faster than time the Clock runs: 1, more in a demo
	In      <-chan hw.Event
	Publish func(*stats.Board)
	Status  func(*stats.Board) string // the unit in one line; nil: none
	// DayEnded reports whether a gaming day has just ended: the record's code is shown in
	// play too. nil: it never does.
	DayEnded func(tracker.Stamp) bool
	// These must not wait; nil where the table has no such thing.
	Tone       func(console.Tone)
	Indicators func(Indicators)
	Counted    func() // a hand or a shoe was recorded
	// Tasks does a maintenance task, one at a time in a goroutine of its own, and gives up
	// when ctx ends. Nil: there are none.
	Tasks func(ctx context.Context, t menu.Task) menu.Result
	Unit  stats.Board // what every Board says of the unit, see Engine.Fill
	Log   *slog.Logger
}

// Loop runs an Engine against time, keys and disk.
type Loop struct {
	o       Options
	calls   chan func(*Engine, *stats.Board)
	writer  *writer
	tasks   *runner
	last    *stats.Board
	shown   Indicators
	at      time.Duration // the newest moment that anything counted from
	entries chan []byte
}

// NewLoop returns a Loop that Run starts.
func NewLoop(o Options) *Loop {
	return &Loop{
		o: o, calls: make(chan func(*Engine, *stats.Board)), tasks: newRunner(o.Tasks),
		writer: &writer{journal: o.Journal, ended: o.Ended, full: o.Full, log: o.Log,
			jobs: make(chan job, 4), done: make(chan Event, 1)},
		// the newest entry only: a slow disk must not hold up the keys
		entries: make(chan []byte, 1),
	}
}

// Do runs f in the table's goroutine and returns when it has run: the one way in for
// everything that no device tells of (settings, corrections, a look at the state). f may
// change what Boards say of the unit.
func (l *Loop) Do(ctx context.Context, f func(e *Engine, unit *stats.Board)) error {
	ran := make(chan struct{})
	select {
	case l.calls <- func(e *Engine, unit *stats.Board) { f(e, unit); close(ran) }:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-ran:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run owns the table until ctx ends. It then waits for the record in flight and what
// was decided after it, at most 5 s, and stops the goroutines it started.
func (l *Loop) Run(ctx context.Context) error {
	wctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go l.writer.run(wctx)
	var entries sync.WaitGroup
	entries.Go(l.saveEntries)
	go l.tasks.run()
	err := l.loop(ctx)
	l.tasks.stop()
	timer := time.AfterFunc(closeWithin, cancel)
	defer timer.Stop()
	err = errors.Join(err, l.finish())
	close(l.writer.jobs)
	for range l.writer.done { // until it has stopped
	}
	close(l.entries)
	entries.Wait()
	if !l.tasks.wait() {
		l.o.Log.Warn("a maintenance task does not end")
	}
	return err
}

// finish records what was decided before the stop, until the writer gives up.
func (l *Loop) finish() error {
	for l.o.Engine.Recording() {
		written, ok := <-l.writer.done
		if !ok {
			return nil
		}
		if err := l.step(l.o.Clock(), written); err != nil {
			return err
		}
	}
	return nil
}

// loop hands one event after another to the engine.
func (l *Loop) loop(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	now, event := l.o.Clock(), Event(nil)
	for {
		if err := l.step(now, event); err != nil {
			return err
		}
		l.publish()
		now, event = l.o.Clock(), nil
		if next, ok := l.o.Engine.Next(now); ok {
			timer.Reset(time.Duration(float64(next-now.Mono) / l.o.Speed))
		} else {
			timer.Stop()
		}
		select {
		case <-ctx.Done():
			return nil
		case in := <-l.o.In:
			now, event = l.stamp(in), in
		case f := <-l.calls:
			now = l.o.Clock()
			l.o.Engine.at(now)
			f(l.o.Engine, &l.o.Unit)
		case <-timer.C:
			now, event = l.now(), Tick{}
		case finished := <-l.tasks.done:
			now, event = l.now(), finished
		case written, ok := <-l.writer.done:
			if !ok {
				return errors.New("the journal's writer has stopped")
			}
			now, event = l.now(), written
		}
	}
}

// now returns the clock's moment, and remembers it: no event counts from before it.
func (l *Loop) now() tracker.Stamp {
	now := l.o.Clock()
	l.at = max(l.at, now.Mono)
	return now
}

// stamp returns the moment of an event. A press counts from when it happened, not from
// when it was read: what was due before it comes first, what was due after it comes
// after. It never counts from before something that has been handled.
func (l *Loop) stamp(in hw.Event) tracker.Stamp {
	now := l.o.Clock()
	p, press := in.(hw.Press)
	late := float64(now.Mono - p.At)
	if !press || p.At <= 0 || late < 0 || late > float64(lateMost)*l.o.Speed {
		return l.now()
	}
	at := max(p.At, l.at)
	for {
		due, some := l.o.Engine.Next(tracker.Stamp{Boot: now.Boot, Mono: l.at})
		if !some || due > at {
			break
		}
		now.Mono, l.at = due, due
		l.carryOut(l.o.Engine.Handle(now, Tick{}))
	}
	now.Mono, l.at = at, at
	return now
}

// step lets the engine handle an event, and carries out its effects.
func (l *Loop) step(now tracker.Stamp, event Event) error {
	fx := l.o.Engine.Handle(now, event)
	l.carryOut(fx)
	return fx.Err
}

// carryOut shows first what answers the finger, before the disk and the board.
func (l *Loop) carryOut(fx Effects) {
	if fx.Entry != nil {
		l.keep(*fx.Entry)
	}
	if fx.Tone != console.Silent && l.o.Tone != nil {
		l.o.Tone(fx.Tone)
	}
	if l.o.Indicators != nil && !reflect.DeepEqual(fx.Indicators, l.shown) {
		l.shown = fx.Indicators
		l.o.Indicators(fx.Indicators)
	}
	l.tasks.carryOut(fx)
	if fx.Counted && l.o.Counted != nil {
		l.o.Counted()
	}
	if fx.Roll || fx.Ended != nil {
		l.writer.jobs <- job{roll: fx.Roll, ended: fx.Ended != nil, state: l.o.Engine.State()}
	}
	if fx.Write != nil {
		l.writer.jobs <- job{write: fx.Write, state: l.o.Engine.State()}
	}
}

// keep hands the newest entry to its goroutine.
func (l *Loop) keep(entry []byte) {
	for {
		select {
		case l.entries <- entry:
			return
		default:
		}
		select {
		case <-l.entries: // older, not yet written
		default:
		}
	}
}

func (l *Loop) saveEntries() {
	for entry := range l.entries {
		save := l.o.Journal.SavePending
		if len(entry) == 0 {
			save = func([]byte) error { return l.o.Journal.ClearPending() }
		}
		if err := save(entry); err != nil {
			l.o.Log.Warn("pending entry not kept", "err", err)
		}
	}
}

// publish gives out the Board when it differs from the last.
func (l *Loop) publish() {
	b := l.o.Unit
	l.o.Engine.Fill(&b)
	idle := l.o.Engine.State().Phase <= tracker.Shuffling || b.ShoeOver
	if idle || l.o.DayEnded != nil && l.o.DayEnded(l.o.Clock()) {
		b.Code = codeText(l.o.Journal.Code())
	}
	if l.o.Status != nil {
		b.StatusLine = l.o.Status(&b)
	}
	if l.last == nil || !reflect.DeepEqual(&b, l.last) {
		l.last = &b
		l.o.Publish(&b)
	}
}

// codeText returns a code as the board shows it, "" for none.
func codeText(c journal.Code) string {
	if c.IsZero() {
		return ""
	}
	return c.String()
}
