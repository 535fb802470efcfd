package table

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// Times between tries of a record that could not be written.
const (
	retryFirst = 100 * time.Millisecond
	retryMost  = time.Second
)

// slowAfter is how long the medium may take for one record before that is reported as a
// failure, although it may still succeed.
const slowAfter = 3 * time.Second

var errSlow = fmt.Errorf("the card has not answered for %v", slowAfter)

// job is one thing for the writer: a record to append, a segment to begin, a shoe
// for the history.
type job struct {
	write *Write
	roll  bool
	state tracker.State // as recorded before the job
	ended bool          // a shoe has ended
}

// writer is the one goroutine that writes to the journal. It never gives a record
// up: it repairs, waits and tries again with the same event id until ctx ends.
type writer struct {
	journal *journal.Journal
	ended   func() // is called when a shoe has ended; nil: nobody wants to know
	full    func() // is called when the medium is full; nil: nothing can make room
	jobs    chan job
	done    chan Event // Committed or Failed
	log     *slog.Logger
	count   uint32
}

// run works until jobs is closed or ctx ends.
func (w *writer) run(ctx context.Context) {
	defer close(w.done)
	for j := range w.jobs {
		if j.write != nil && !w.append(ctx, j) {
			return
		}
		if j.roll {
			w.roll(j.state)
		}
		if j.ended && w.ended != nil {
			w.ended()
		}
	}
}

// append writes one record, however long it takes; false when ctx ended first.
func (w *writer) append(ctx context.Context, j job) bool {
	w.count++
	for pause := retryFirst; ; pause = min(2*pause, retryMost) {
		var seq uint64
		err := w.report(func() (err error) { seq, err = w.try(j); return err })
		if err == nil {
			w.done <- Committed{seq}
			return true
		}
		w.fail(err)
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}

// fail tells the table, unless it knows.
func (w *writer) fail(err error) {
	w.log.Error("record not written, trying again", "err", err)
	if w.full != nil && (errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)) {
		w.full()
	}
	select {
	case w.done <- Failed{err}:
	default:
	}
}

// report does what the medium may take long for, and tells the table when it does.
func (w *writer) report(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(slowAfter):
		w.fail(errSlow)
	}
	return <-done
}

// try appends once, after what has to be put in order first.
func (w *writer) try(j job) (uint64, error) {
	rec, err := w.record(j.write)
	if err != nil {
		return 0, err
	}
	if err := w.journal.Repair(); err != nil { // of what the last try left
		return 0, err
	}
	if w.journal.NeedsRoll() {
		if err := w.begin(j.state); err != nil {
			return 0, err
		}
	}
	return w.journal.Append(rec)
}

// begin starts a segment with the state as it was before the record at hand.
func (w *writer) begin(state tracker.State) error {
	data, err := tracker.MarshalCheckpoint(state)
	if err != nil {
		return err
	}
	_, err = w.journal.Roll(journal.Record{Source: "table", Payload: data, Boot: bootOf(state.Since.Boot),
		Mono: int64(state.Since.Mono), Wall: state.Since.Wall * 1e6, Trusted: state.Since.Trusted})
	return err
}

// roll begins the segment of a new shoe. When that fails the old segment goes on:
// nothing is lost, and the next record will try again.
func (w *writer) roll(state tracker.State) {
	if err := w.report(func() error { return w.begin(state) }); err != nil {
		w.log.Warn("segment not begun", "err", err)
		if err := w.journal.Repair(); err != nil {
			w.log.Warn("repair", "err", err)
		}
	}
}

func (w *writer) record(wr *Write) (journal.Record, error) {
	payload, err := wr.Record.Marshal()
	if err != nil {
		return journal.Record{}, err
	}
	return journal.Record{ID: w.id(wr), Boot: bootOf(wr.At.Boot), Mono: int64(wr.At.Mono), Wall: wr.At.Wall * 1e6,
		Trusted: wr.At.Trusted, Source: wr.Source, Payload: payload}, nil
}

// id names a decision by its boot, its moment and its number, so that a second try
// is known as the first.
func (w *writer) id(wr *Write) journal.EventID {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %d", wr.At.Boot, wr.At.Mono, w.count)
	var id journal.EventID
	binary.BigEndian.PutUint64(id[:], h.Sum64()|1)
	return id
}

// bootOf returns the boot id of a stamp; one that is not hexadecimal is hashed.
func bootOf(s string) journal.BootID {
	id, err := journal.ParseBootID(s)
	if err != nil && s != "" {
		h := fnv.New128a()
		h.Write([]byte(s))
		h.Sum(id[:0])
	}
	return id
}
