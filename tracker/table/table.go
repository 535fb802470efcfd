package table

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/journal"
)

// closeWithin is how long a stop waits for the record on its way.
const closeWithin = 5 * time.Second

// Options are what a Table is made of.
type Options struct {
	Desk    *Desk
	Journal *journal.Journal
	History func(ended tracker.Shoe) error // nil: no index
	Clock   func() tracker.Stamp
	Speed   float64 // how much faster than time the Clock runs: 1, more in a demo
	In      <-chan hw.Event
	Publish func(*stats.Board)
	Tone    func(console.Tone) // nil: silent
	View    View
	Log     *slog.Logger
}

// Table runs a Desk against time, keys and disk.
type Table struct {
	o       Options
	do      chan func(*Desk, *View)
	writer  *writer
	folder  stats.Folder
	last    *stats.Board
	pending chan []byte
}

// New is a Table that Run starts.
func New(o Options) *Table {
	return &Table{
		o: o, do: make(chan func(*Desk, *View)),
		writer: &writer{journal: o.Journal, history: o.History, jobs: make(chan job, 4), done: make(chan done, 1), log: o.Log},
		// the newest pending entry only: a slow disk must not hold up the keys
		pending: make(chan []byte, 1),
	}
}

// Do runs f in the table's goroutine and returns when it has run: the one way in
// for what is no key press (settings, identify, a look at the state).
func (t *Table) Do(ctx context.Context, f func(*Desk, *View)) error {
	ran := make(chan struct{})
	select {
	case t.do <- func(d *Desk, v *View) { f(d, v); close(ran) }:
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

// Run owns the table until ctx ends. It then waits for the record on its way, at
// most 5 s, and stops the goroutines it started.
func (t *Table) Run(ctx context.Context) error {
	wctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go t.writer.run(wctx)
	scratchDone := make(chan struct{})
	go t.saveScratch(scratchDone)
	err := t.loop(ctx)
	close(t.writer.jobs)
	close(t.pending)
	timer := time.AfterFunc(closeWithin, cancel)
	defer timer.Stop()
	for d := range t.writer.done {
		if d.err == nil {
			err = errors.Join(err, t.o.Desk.Saved(t.o.Clock(), d.seq))
			if w := t.o.Desk.Work(t.o.Clock()); w.Pending != nil {
				err = errors.Join(err, t.scratch(*w.Pending))
			}
		}
	}
	<-scratchDone
	return err
}

// loop is the table's life.
func (t *Table) loop(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		t.work()
		t.publish()
		now := t.o.Clock()
		if next, ok := t.o.Desk.Next(now); ok {
			timer.Reset(time.Duration(float64(next-now.Mono) / t.o.Speed))
		} else {
			timer.Stop()
		}
		select {
		case <-ctx.Done():
			return nil
		case e := <-t.o.In:
			t.o.Desk.Input(t.stamp(e), e)
		case f := <-t.do:
			f(t.o.Desk, &t.o.View)
		case <-timer.C:
			t.o.Desk.Tick(t.o.Clock())
		case d, ok := <-t.writer.done:
			if !ok {
				return errors.New("the journal's writer has stopped")
			}
			if d.err != nil {
				t.o.Desk.Failed(d.err)
			} else if err := t.o.Desk.Saved(t.o.Clock(), d.seq); err != nil {
				return err
			}
		}
	}
}

// stamp is the moment of an event: a press counts from when it happened, not from
// when it was read, but never from before something that was already taken.
func (t *Table) stamp(e hw.Event) tracker.Stamp {
	now := t.o.Clock()
	if p, ok := e.(hw.Press); ok && p.At > 0 && p.At <= now.Mono && now.Mono-p.At < time.Second {
		if due, some := t.o.Desk.Next(tracker.Stamp{Boot: now.Boot, Mono: p.At}); some && due <= now.Mono {
			t.o.Desk.Tick(now) // something was due before the press was read
			return now
		}
		now.Mono = p.At
	}
	return now
}

// work does what the desk left to do.
func (t *Table) work() {
	before := t.o.Desk.State()
	w := t.o.Desk.Work(t.o.Clock())
	if w.Pending != nil {
		t.keep(*w.Pending)
	}
	if w.Tone != console.Silent && t.o.Tone != nil {
		t.o.Tone(w.Tone)
	}
	if w.Roll || w.Ended != nil {
		t.writer.jobs <- job{roll: w.Roll, ended: w.Ended, state: before}
	}
	if w.Write != nil {
		t.writer.jobs <- job{write: w.Write, state: before}
	}
}

// keep hands the newest pending entry to its goroutine.
func (t *Table) keep(entry []byte) {
	for {
		select {
		case t.pending <- entry:
			return
		default:
		}
		select {
		case <-t.pending: // older, not yet written
		default:
		}
	}
}

func (t *Table) saveScratch(done chan<- struct{}) {
	defer close(done)
	for entry := range t.pending {
		if err := t.scratch(entry); err != nil {
			t.o.Log.Warn("pending entry not kept", "err", err)
		}
	}
}

func (t *Table) scratch(entry []byte) error {
	if len(entry) == 0 {
		return t.o.Journal.ClearPending()
	}
	return t.o.Journal.SavePending(entry)
}

// publish gives out the Board when it differs from the last.
func (t *Table) publish() {
	now := t.o.Clock()
	b := t.folder.Board(t.o.Desk.State(), t.o.Desk.Live(now, t.o.View))
	if t.last == nil || !reflect.DeepEqual(b, t.last) {
		t.last = b
		t.o.Publish(b)
	}
}
