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
	"shoeboard/tracker/menu"
)

// closeWithin is how long a stop waits for the record on its way.
const closeWithin = 5 * time.Second

// lateMost is how late a press may be read and still count from when it happened.
const lateMost = time.Second

// Options are what a Table is made of.
type Options struct {
	Desk    *Desk
	Journal *journal.Journal
	History func(ended tracker.Shoe) error // nil: no index
	Clock   func() tracker.Stamp
	Speed   float64 // how much faster than time the Clock runs: 1, more in a demo
	In      <-chan hw.Event
	Publish func(*stats.Board)
	Tone    func(console.Tone) // nil: silent; must not wait
	Panel   func(Panel)        // nil: the dealer has no devices of his own; must not wait
	Counted func()             // nil: nobody asks; a hand or a shoe was recorded; must not wait
	// Errands does what the technician's menu asks of the world, one errand at a time
	// in a goroutine of its own, and gives up when ctx ends. Nil: nothing can be asked.
	Errands func(ctx context.Context, e menu.Task) menu.Result
	View    View
	Log     *slog.Logger
}

// Table runs a Desk against time, keys and disk.
type Table struct {
	o       Options
	do      chan func(*Desk, *View)
	writer  *writer
	errands *runner
	folder  stats.Folder
	last    *stats.Board
	panel   Panel
	at      time.Duration // the newest moment that anything counted from
	pending chan []byte
}

// New is a Table that Run starts.
func New(o Options) *Table {
	return &Table{
		o: o, do: make(chan func(*Desk, *View)), errands: newRunner(o.Errands),
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

// Run owns the table until ctx ends. It then waits for the record on its way and what
// was decided behind it, at most 5 s, and stops the goroutines it started.
func (t *Table) Run(ctx context.Context) error {
	wctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go t.writer.run(wctx)
	scratchDone := make(chan struct{})
	go t.saveScratch(scratchDone)
	go t.errands.run()
	err := t.loop(ctx)
	t.errands.stop()
	timer := time.AfterFunc(closeWithin, cancel)
	defer timer.Stop()
	err = errors.Join(err, t.finish())
	close(t.writer.jobs)
	for range t.writer.done { // until it has stopped
	}
	close(t.pending)
	<-scratchDone
	if !t.errands.ended() {
		t.o.Log.Warn("an errand of the menu does not end")
	}
	return err
}

// finish records what was decided before the stop, until the writer gives up.
func (t *Table) finish() error {
	for t.o.Desk.Recording() {
		d, ok := <-t.writer.done
		switch {
		case !ok:
			return nil
		case d.err != nil:
			t.o.Desk.Failed(d.err)
		default:
			if err := t.o.Desk.Saved(t.o.Clock(), d.seq); err != nil {
				return err
			}
			t.work()
		}
	}
	return nil
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
			t.o.Desk.Tick(t.now())
		case a := <-t.errands.done:
			t.o.Desk.Done(t.now(), a.no, a.answer)
		case d, ok := <-t.writer.done:
			if !ok {
				return errors.New("the journal's writer has stopped")
			}
			if d.err != nil {
				t.o.Desk.Failed(d.err)
			} else if err := t.o.Desk.Saved(t.now(), d.seq); err != nil {
				return err
			}
		}
	}
}

// now is the clock's moment, and remembers it: nothing is taken as older any more.
func (t *Table) now() tracker.Stamp {
	now := t.o.Clock()
	t.at = max(t.at, now.Mono)
	return now
}

// stamp is the moment of an event. A press counts from when it happened, not from
// when it was read: what was due before it comes first, what was due after it comes
// after. It never counts from before something that was already taken.
func (t *Table) stamp(e hw.Event) tracker.Stamp {
	now := t.o.Clock()
	p, press := e.(hw.Press)
	late := float64(now.Mono - p.At)
	if !press || p.At <= 0 || late < 0 || late > float64(lateMost)*t.o.Speed {
		return t.now()
	}
	at := max(p.At, t.at)
	for {
		due, some := t.o.Desk.Next(tracker.Stamp{Boot: now.Boot, Mono: t.at})
		if !some || due > at {
			break
		}
		now.Mono, t.at = due, due
		t.o.Desk.Tick(now)
		t.work()
	}
	now.Mono, t.at = at, at
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
	t.showPanel()
	t.errands.work(w)
	if w.Counted && t.o.Counted != nil {
		t.o.Counted()
	}
	if w.Roll || w.Ended != nil {
		t.writer.jobs <- job{roll: w.Roll, ended: w.Ended, state: before}
	}
	if w.Write != nil {
		t.writer.jobs <- job{write: w.Write, state: before}
	}
}

// showPanel gives out the Panel when it differs from the last: before the disk and the
// board, for it answers the finger.
func (t *Table) showPanel() {
	if t.o.Panel == nil {
		return
	}
	if p := t.o.Desk.Panel(t.o.Clock()); !p.same(t.panel) {
		t.panel = p
		t.o.Panel(p)
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
