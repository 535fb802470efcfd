package main

import (
	"errors"
	"log/slog"
	"path/filepath"

	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// shoeIndex keeps ended shoes in the history. It is an index only: whatever is
// wrong with it is mended from the record, or said and gone on without.
type shoeIndex struct {
	history *history.History // nil: there is none
	journal *journal.Journal
	log     *slog.Logger
	table   string
}

// openIndex opens the index beside the record; the fault is "" when it is kept.
func openIndex(log *slog.Logger, data, number string, j *journal.Journal, s tracker.State) (x *shoeIndex, fault string) {
	x = &shoeIndex{journal: j, log: log, table: number}
	h, report, err := history.Open(filepath.Join(data, "history.db"), history.Reach{Newest: table.LastEnded(s), Dealt: s.Shoe.Started.Seq}, x.rows)
	if err != nil {
		log.Warn("history", "err", err)
		return x, "The history is not being kept: call a technician"
	}
	if report.Did != history.Kept {
		log.Info(report.String())
	}
	x.history = h
	return x, ""
}

func (x *shoeIndex) rows(from uint64, put func(history.Row) error) error {
	return table.Shoes(x.journal, from, func(number string, s tracker.Shoe) error { return put(rowOf(number, s)) })
}

// put puts an ended shoe into the index, which is made anew if it is damaged.
func (x *shoeIndex) put(s tracker.Shoe) error {
	if x.history == nil {
		return nil
	}
	err := x.history.Put(rowOf(x.table, s))
	if !errors.Is(err, history.ErrDamaged) {
		return err
	}
	report, err := x.history.Rebuild(err, x.rows)
	if err == nil {
		x.log.Warn(report.String())
	}
	return err
}

func (x *shoeIndex) close() error {
	if x.history == nil {
		return nil
	}
	return x.history.Close()
}
