// Package index keeps the index of ended shoes beside the record, and says what a row
// of it is made of.
//
// Words: the record is the truth; the index has one row a shoe, with its totals and
// its hands, packed; an index is whole when it reaches as far as the record.
//
// A caller may assume that Put never waits, that an index which is missing, damaged,
// behind or of another record is made anew from the record, and that what cannot be
// mended is one sentence for the board. He may not assume that a row is in the file
// when Put returns, nor unpack rows of another program version.
package index

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// indexAgain is how often the index is looked at, and tried again after an error.
const indexAgain = time.Minute

const noIndex = "The history is not being kept: call a technician"

// Path is the file of the index in a data folder.
func Path(data string) string { return filepath.Join(data, "history.db") }

// Index keeps ended shoes in the history, on a goroutine of its own: neither a
// start nor a record waits for it, even when years are to be read again. It is an
// index only: whatever is wrong with it is mended from the record, or said and tried
// again.
type Index struct {
	path  string
	files journal.Files
	table string
	log   *slog.Logger
	reach history.Reach // of the record when this start began
	rows  Rows

	wake    chan struct{}
	mu      sync.Mutex
	waiting []tracker.Shoe // ended, and not in the index yet
}

// New is the index of a table whose record begins this start in state s. It is not
// opened before Run.
func New(log *slog.Logger, data, number string, files journal.Files, s tracker.State) *Index {
	return &Index{path: Path(data), files: files, table: number, log: log, wake: make(chan struct{}, 1),
		reach: history.Reach{Newest: table.LastEnded(s), Dealt: s.Shoe.Started.Seq, Gone: Only}}
}

// Put takes an ended shoe and never waits.
func (x *Index) Put(s tracker.Shoe) error {
	x.mu.Lock()
	x.waiting = append(x.waiting, s)
	x.mu.Unlock()
	select {
	case x.wake <- struct{}{}:
	default:
	}
	return nil
}

// Run keeps the index until ctx ends. fault is called with the sentence for the board
// when that fails, and with none when it is well again.
func (x *Index) Run(ctx context.Context, fault func(string)) {
	var h *history.History
	faulty := false
	again := time.NewTicker(indexAgain)
	defer again.Stop()
	for {
		err := x.step(ctx, &h)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			x.log.Warn("history", "err", err)
		}
		if faulty != (err != nil) {
			faulty = err != nil
			fault(map[bool]string{true: noIndex}[faulty])
		}
		select {
		case <-x.wake:
		case <-again.C:
		case <-ctx.Done():
		}
	}
	if h != nil {
		if err := h.Close(); err != nil {
			x.log.Warn("history", "err", err)
		}
	}
}

// step brings the index up to now: opens it, makes it anew, puts what waits.
func (x *Index) step(ctx context.Context, h **history.History) error {
	if *h == nil {
		opened, report, err := history.Open(x.path, x.reach, x.source(ctx))
		if err != nil {
			return err
		}
		*h = opened
		if brand := report.Rows == 0 && errors.Is(report.Why, fs.ErrNotExist); report.Did != history.Kept && !brand {
			x.log.Info(report.String())
		}
	}
	err := (*h).Check()
	for err == nil {
		s, some := x.next()
		if !some {
			return nil
		}
		if err = (*h).Put(x.rows.Row(x.table, s)); err == nil {
			x.done()
		}
	}
	if !errors.Is(err, history.ErrDamaged) {
		return err
	}
	report, err := (*h).Rebuild(err, x.source(ctx))
	if err != nil {
		err = errors.Join(err, (*h).Close())
		*h = nil
		return err
	}
	x.log.Warn(report.String())
	return x.step(ctx, h)
}

func (x *Index) next() (s tracker.Shoe, some bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.waiting) == 0 {
		return s, false
	}
	return x.waiting[0], true
}

func (x *Index) done() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waiting = x.waiting[1:]
}

// source makes rows from the record until ctx ends.
func (x *Index) source(ctx context.Context) history.Source {
	return func(from uint64, put func(history.Row) error) error {
		_, problems, err := table.Shoes(x.files, from, func(number string, s tracker.Shoe) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return put(x.rows.Row(number, s))
		})
		for _, problem := range problems {
			x.log.Warn("record", "problem", problem)
		}
		return err
	}
}
