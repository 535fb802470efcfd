package history

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	bolt "go.etcd.io/bbolt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// TestMain lets the tests start themselves as the child that checks a file.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == checkVerb {
		if err := Dump(os.Args[2], os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func self(t testing.TB) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// shoe is the n-th shoe of the house, from 1.
func shoe(n int) Row {
	first := uint64(n * 90)
	return Row{
		Shoe: first, Day: fmt.Sprintf("2026-%02d-%02d", n/30%12+1, n%30+1), Game: "ez-baccarat-panda-8", Table: "7",
		First: first, Last: first + 80, Started: int64(n) * 3600e9, Ended: int64(n)*3600e9 + 3000e9, Trusted: n%3 > 0, Hands: 70 + n%20,
		Totals: fmt.Appendf(nil, `{"banker":%d,"player":%d,"notes":[]}`, n%50, n%40), Packed: bytes.Repeat([]byte{byte(n), 0, 255}, 20+n%60),
	}
}

func shoes(n int) []Row {
	var list []Row
	for i := range n {
		list = append(list, shoe(i+1))
	}
	return list
}

func source(rows []Row) func(put func(Row) error) error {
	return func(put func(Row) error) error {
		for _, r := range rows {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	}
}

// written makes a file that was built and then grew, as it does on a unit.
func written(t testing.TB, rows []Row) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "history.db")
	first := len(rows) * 9 / 10
	if _, err := create(path, source(rows[:first])); err != nil {
		t.Fatal(err)
	}
	k := NewKeeper(slog.New(slog.DiscardHandler), path, journaltest.New())
	if err := k.attach(); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[first:] {
		if _, err := fill(k.db, source([]Row{r})); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads a file through a child.
func read(t testing.TB, path string) (rows []Row, err error) {
	t.Helper()
	r := start(t.Context(), self(t), path)
	defer r.Close()
	r.most = 2 * time.Second
	if err := r.begin(); err != nil {
		return nil, err
	}
	err = r.Rows(func(row Row) error { rows = append(rows, row); return nil })
	return rows, err
}

// kept is a keeper that runs, and what it says.
type kept struct {
	*Keeper
	t    *testing.T
	stop func()

	mu    sync.Mutex
	fault string
	log   bytes.Buffer
}

func (k *kept) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.log.Write(p)
}

func (k *kept) said() (fault, log string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fault, k.log.String()
}

func keep(t *testing.T, path string, files journal.Files) *kept {
	t.Helper()
	k := &kept{t: t}
	k.Keeper = NewKeeper(slog.New(slog.NewTextHandler(k, nil)), path, files)
	k.exe = self(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.Run(ctx, func(text string) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.fault = text
		})
	}()
	k.stop = func() { cancel(); <-ended }
	t.Cleanup(k.stop)
	return k
}

// stored returns the rows of a keeper, as its socket gives them.
func (k *kept) stored() (rows []Row, err error) {
	r, err := Open(k.t.Context(), k.path, func(ctx context.Context, from uint64) (io.ReadCloser, error) {
		var b bytes.Buffer
		err := k.Stream(ctx, from, &b)
		return io.NopCloser(&b), err
	})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = r.Rows(func(row Row) error { rows = append(rows, row); return nil })
	return rows, err
}

func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 2000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("not in 20 s: %s", what)
}

// holds waits until the keeper has exactly these rows.
func (k *kept) holds(what string, want []Row) {
	k.t.Helper()
	var got []Row
	var err error
	eventually(k.t, what, func() bool {
		if err = k.use(func(*bolt.DB) error { return nil }); err == nil {
			got, err = k.stored()
		}
		return err == nil && len(got) == len(want) && (len(want) == 0 || reflect.DeepEqual(got, want))
	})
}

// rows returns the rows of the record, and what is noted in each.
func (c *chronicle) rows() (rows []Row, notes []int) {
	var m Rows
	if _, _, err := Shoes(c.files, Row{}, func(d Dealt) error {
		r := m.Row(d)
		r.partial = false // as it is stored
		noted, err := NotesOf(r)
		rows, notes = append(rows, r), append(notes, len(noted))
		return err
	}); err != nil {
		c.fail(err)
	}
	return rows, notes
}

// putAway returns the record without all but its newest n segments.
func (c *chronicle) putAway(n int) *journaltest.FS {
	left := journaltest.New()
	names := c.segments()
	for _, name := range names[len(names)-n:] {
		left.Put(name, c.files.Bytes(name))
	}
	return left
}

// withoutNotes is a row as an earlier version wrote it.
func withoutNotes(t *testing.T, r Row) Row {
	t.Helper()
	var fields Totals
	if err := json.Unmarshal(r.Totals, &fields); err != nil {
		t.Fatal(err)
	}
	fields.Notes = nil
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	r.Totals = text
	return r
}
