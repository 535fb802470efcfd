package testkit

import (
	"bytes"
	"context"
	"io"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// KeepShoes brings the file of finished shoes in a data folder up to the record.
func KeepShoes(t testing.TB, data string) {
	t.Helper()
	k := history.NewKeeper(Log(), history.Path(data), journal.Dir(datadir.Journal(data)))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.Run(ctx, func(text string) {
			if text != "" {
				t.Error(text)
			}
		})
	}()
	Eventually(t, "the finished shoes", func() bool { return k.Stream(ctx, 0, io.Discard) == nil })
	stop()
	<-ended
}

// Rows returns the finished shoes of a data folder, those of a keeper that runs unless that
// is nil.
func Rows(t testing.TB, data string, k *history.Keeper) (rows []history.Row, err error) {
	t.Helper()
	stream := func(ctx context.Context, from uint64) (io.ReadCloser, error) {
		var b bytes.Buffer
		err := k.Stream(ctx, from, &b)
		return io.NopCloser(&b), err
	}
	if k == nil {
		stream = nil
	}
	r, err := history.Open(t.Context(), history.Path(data), stream)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = r.Rows(func(row history.Row) error { rows = append(rows, row); return nil })
	return rows, err
}
