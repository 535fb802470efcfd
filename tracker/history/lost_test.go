package history_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"shoeboard/tracker/history"
)

// gone are the rows that a test's caller has marked.
func gone(r history.Row) bool { return string(r.Totals) == "gone" }

// marked is a row with that mark, under another key.
func marked(r history.Row) history.Row {
	r.Shoe, r.Totals = r.Last, []byte("gone")
	return r
}

// lostEnd is an index of so many shoes, the last two of which the journal has lost, and the
// journal.
func lostEnd(t *testing.T, n int) (path string, b *book, rows []history.Row) {
	path, b = filepath.Join(t.TempDir(), "history.db"), &book{rows: shoes(n)}
	h, _ := open(t, path, b)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	rows, b.rows = shoes(n), b.rows[:n-2]
	done, err := history.Amend(path, func(r history.Row) (history.Row, bool) { return marked(r), r.Last > b.newest() })
	if err != nil || done != 2 {
		t.Fatalf("%d rows amended, %v", done, err)
	}
	for i := range 2 {
		rows[n-2+i] = marked(rows[n-2+i])
	}
	return path, b, rows
}

// goneOpen opens it as one who has marked rows.
func goneOpen(t *testing.T, path string, b *book) (*history.History, history.Report) {
	t.Helper()
	h, report, err := history.Open(path, history.Reach{Newest: b.newest(), Gone: gone}, b.give)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() }) // closed twice is nothing
	return h, report
}

// The journal lost its end, and the index that knew of it was thrown away: two shoes were
// gone without a word. Rows that are marked stay, also while new shoes come, when the index
// has fallen behind, and when a page in front of which they stand is damaged.
func TestRowsThatTheJournalHasLostStay(t *testing.T) {
	path, b, rows := lostEnd(t, 300)
	h, report := goneOpen(t, path, b)
	if report.Did != history.Kept {
		t.Errorf("at first: %v", report)
	}
	holds(t, h, rows)
	add := func() {
		b.rows = append(b.rows, shoe(len(rows)+1))
		rows = append(rows, shoe(len(rows)+1))
	}
	add()
	if err := h.Put(rows[len(rows)-1]); err != nil {
		t.Fatal(err)
	}
	holds(t, h, rows)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	add()
	h, report = goneOpen(t, path, b)
	if report.Did != history.CaughtUp {
		t.Errorf("behind: %v", report)
	}
	holds(t, h, rows)
	report, err := h.Rebuild(history.ErrDamaged, b.give)
	if err != nil || report.Did != history.Rebuilt {
		t.Errorf("made anew: %v, %v", report, err)
	}
	holds(t, h, rows)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := len(whole) - 4096 + 20 // the last page in the file
	for whole[at] == 0 {
		at -= 4096
	}
	if _, err := f.WriteAt([]byte{^whole[at]}, int64(at)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	h, _ = goneOpen(t, path, b)
	var got []history.Row
	for r, err := range h.Range(0, ^uint64(0)) {
		if err != nil {
			t.Fatal(err)
		}
		if !gone(r) {
			got = append(got, r)
		}
	}
	if !reflect.DeepEqual(got, b.rows) {
		t.Errorf("damaged: %d rows of the journal, expected %d", len(got), len(b.rows))
	}
}

// What another record has lost is none of this one's.
func TestAnotherRecordsLostRowsGo(t *testing.T) {
	path, _, _ := lostEnd(t, 20)
	b := &book{rows: shoes(3)}
	h, report := goneOpen(t, path, b)
	if report.Did != history.Rebuilt || report.Aside == "" {
		t.Errorf("%v", report)
	}
	holds(t, h, shoes(3))
}

// An index that is damaged, in use or not there is not amended.
func TestOnlyAWholeIndexIsAmended(t *testing.T) {
	all := func(r history.Row) (history.Row, bool) { return marked(r), true }
	path, b := filepath.Join(t.TempDir(), "history.db"), &book{rows: shoes(30)}
	if _, err := history.Amend(path, all); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	h, _ := open(t, path, b)
	if _, err := history.Amend(path, all); !errors.Is(err, history.ErrInUse) {
		t.Errorf("in use: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(whole[8192:], 'b') + 8192 // in a row's totals
	whole[at] ^= 1
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := history.Amend(path, all); err == nil || n > 0 {
		t.Errorf("damaged: %d rows, %v", n, err)
	}
	if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, whole) {
		t.Errorf("a damaged index was written: %v", err)
	}
}

// Since gives what a whole look would from there on, for every size of an index.
func TestSince(t *testing.T) {
	for _, n := range []int{0, 1, 2, 9, 40, 700} {
		path, b := filepath.Join(t.TempDir(), "history.db"), &book{rows: shoes(n)}
		h, _ := open(t, path, b)
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		for _, from := range []uint64{0, 1, 90, 91, 170, 180, uint64(n)*45 + 1, uint64(n) * 90, uint64(n)*90 + 50, ^uint64(0)} {
			var got []history.Row
			if err := history.Since(path, from, func(r history.Row) error { got = append(got, r); return nil }); err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(shoes(n), func(r history.Row) bool { return r.Last < from && r.Shoe+90 <= from && r.Shoe != uint64(n)*90 })
			if len(got) < len(want) || !reflect.DeepEqual(got[len(got)-len(want):], append([]history.Row{}, want...)) && len(want) > 0 {
				t.Fatalf("%d shoes from %d: %d rows, expected %d", n, from, len(got), len(want))
			}
			if n == 700 && from == ^uint64(0) && len(got) > 60 {
				t.Errorf("the newest row took %d rows of %d", len(got), n)
			}
		}
	}
	if err := history.Since(filepath.Join(t.TempDir(), "none"), 0, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
