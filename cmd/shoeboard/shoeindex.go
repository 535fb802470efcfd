package main

import (
	"context"
	"errors"
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

func indexPath(data string) string { return filepath.Join(data, "history.db") }

// shoeIndex keeps ended shoes in the history, on a goroutine of its own: neither a
// start nor a record waits for it, even when years are to be read again. It is an
// index only: whatever is wrong with it is mended from the record, or said and tried
// again.
type shoeIndex struct {
	path  string
	files journal.Files
	table string
	log   *slog.Logger
	reach history.Reach // of the record when this start began
	rows  rowMaker

	wake    chan struct{}
	mu      sync.Mutex
	waiting []tracker.Shoe // ended, and not in the index yet
}

func newShoeIndex(log *slog.Logger, data, number string, files journal.Files, s tracker.State) *shoeIndex {
	return &shoeIndex{path: indexPath(data), files: files, table: number, log: log, wake: make(chan struct{}, 1),
		reach: history.Reach{Newest: table.LastEnded(s), Dealt: s.Shoe.Started.Seq}}
}

// put takes an ended shoe and never waits.
func (x *shoeIndex) put(s tracker.Shoe) error {
	x.mu.Lock()
	x.waiting = append(x.waiting, s)
	x.mu.Unlock()
	select {
	case x.wake <- struct{}{}:
	default:
	}
	return nil
}

// run keeps the index until ctx ends. fault is called with the sentence for the board
// when that fails, and with none when it is well again.
func (x *shoeIndex) run(ctx context.Context, fault func(string)) {
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
func (x *shoeIndex) step(ctx context.Context, h **history.History) error {
	if *h == nil {
		opened, report, err := history.Open(x.path, x.reach, x.source(ctx))
		if err != nil {
			return err
		}
		*h = opened
		if report.Did != history.Kept {
			x.log.Info(report.String())
		}
	}
	err := (*h).Check()
	for err == nil {
		s, some := x.next()
		if !some {
			return nil
		}
		if err = (*h).Put(x.rows.row(x.table, s)); err == nil {
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

func (x *shoeIndex) next() (s tracker.Shoe, some bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.waiting) == 0 {
		return s, false
	}
	return x.waiting[0], true
}

func (x *shoeIndex) done() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waiting = x.waiting[1:]
}

// source makes rows from the record until ctx ends.
func (x *shoeIndex) source(ctx context.Context) history.Source {
	return func(from uint64, put func(history.Row) error) error {
		_, problems, err := table.Shoes(x.files, from, func(number string, s tracker.Shoe) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return put(x.rows.row(number, s))
		})
		for _, problem := range problems {
			x.log.Warn("record", "problem", problem)
		}
		return err
	}
}
