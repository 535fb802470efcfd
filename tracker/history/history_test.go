package history_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"shoeboard/tracker/history"
)

// shoe is the n-th shoe of the house, from 1.
func shoe(n int) history.Row {
	first := uint64(n * 90)
	return history.Row{
		Shoe: first, Day: fmt.Sprintf("2026-%02d-%02d", n/30%12+1, n%30+1), Game: "ez-baccarat-panda-8", Table: "7",
		First: first, Last: first + 80, Started: int64(n) * 3600e9, Ended: int64(n)*3600e9 + 3000e9, Trusted: n%3 > 0, Hands: 70 + n%20,
		Totals: fmt.Appendf(nil, `{"banker":%d,"player":%d}`, n%50, n%40), Packed: bytes.Repeat([]byte{byte(n), 0, 255}, 20+n%60),
	}
}

func shoes(n int) []history.Row {
	var list []history.Row
	for i := range n {
		list = append(list, shoe(i+1))
	}
	return list
}

// book stands for the journal: it gives the rows and counts how often.
type book struct {
	rows  []history.Row
	asked []uint64
}

func (b *book) give(from uint64, put func(history.Row) error) error {
	b.asked = append(b.asked, from)
	for _, r := range b.rows {
		if r.Shoe >= from {
			if err := put(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *book) newest() uint64 {
	if len(b.rows) == 0 {
		return 0
	}
	return b.rows[len(b.rows)-1].Last
}

func open(t testing.TB, path string, b *book) (*history.History, history.Report) {
	t.Helper()
	h, report, err := history.Open(path, history.Reach{Newest: b.newest()}, b.give)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() }) // closed twice is nothing
	return h, report
}

// holds complains unless the index gives exactly these rows.
func holds(t testing.TB, h *history.History, want []history.Row) {
	t.Helper()
	var got []history.Row
	for r, err := range h.Range(0, ^uint64(0)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%d rows, want %d, or another one", len(got), len(want))
	}
}

func TestShoesArePutAndFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	empty := &book{}
	h, report := open(t, path, empty)
	if report.Did != history.Rebuilt || report.Rows != 0 || report.Aside != "" || !errors.Is(report.Why, os.ErrNotExist) {
		t.Fatalf("a missing file: %v", report)
	}
	if _, found, err := h.Last(); found || err != nil {
		t.Fatalf("the last of none: %v, %v", found, err)
	}
	want := shoes(200)
	for _, r := range want {
		running := r
		running.Hands, running.Ended, running.Last, running.Packed = 1, 0, r.First+1, nil
		for _, r := range []history.Row{running, r} { // as it is dealt, then at its end
			if err := h.Put(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	holds(t, h, want)
	if r, found, err := h.Get(shoe(77).Shoe); !found || err != nil || !reflect.DeepEqual(r, shoe(77)) {
		t.Errorf("get: %+v, %v, %v", r, found, err)
	}
	if _, found, err := h.Get(5); found || err != nil {
		t.Errorf("get what is not there: %v, %v", found, err)
	}
	if r, found, err := h.Last(); !found || err != nil || r.Shoe != shoe(200).Shoe {
		t.Errorf("last: %+v, %v, %v", r, found, err)
	}
	if n, err := h.Newest(); n != shoe(200).Last || err != nil {
		t.Errorf("newest: %d, %v", n, err)
	}
	var days []uint64
	for r, err := range h.Range(shoe(10).Shoe, shoe(12).Shoe+1) {
		if err != nil {
			t.Fatal(err)
		}
		days = append(days, r.Shoe)
		if err := h.Put(r); err != nil { // a caller may put while it reads
			t.Fatal(err)
		}
	}
	if !slices.Equal(days, []uint64{900, 990, 1080}) {
		t.Errorf("range: %v", days)
	}
	for r := range h.Range(0, ^uint64(0)) {
		if r.Shoe == shoe(70).Shoe {
			break
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.Get(90); err == nil {
		t.Error("a closed index answers")
	}

	b := &book{rows: want}
	h, report = open(t, path, b)
	if report.Did != history.Kept || report.Why != nil || len(b.asked) != 0 {
		t.Fatalf("a whole file: %v, asked %v", report, b.asked)
	}
	holds(t, h, want)
}

func TestWhatIsNoShoeIsRefused(t *testing.T) {
	h, _ := open(t, filepath.Join(t.TempDir(), "history.db"), &book{})
	for _, r := range []history.Row{{}, {Shoe: 1, Hands: -1}} {
		if err := h.Put(r); err == nil || errors.Is(err, history.ErrDamaged) {
			t.Errorf("put %+v: %v", r, err)
		}
	}
	if err := h.Put(history.Row{Shoe: 1}); err != nil {
		t.Errorf("then a good one: %v", err)
	}
}

func TestABehindIndexCatchesUpFromItsNewestShoe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	b := &book{rows: shoes(50)}
	running := &b.rows[49]
	ended := *running
	running.Last, running.Hands = running.First+3, 3
	h, _ := open(t, path, b)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	// The shoe went on, one more was dealt, and the index heard of neither.
	b.rows[49] = ended
	b.rows = append(b.rows, shoe(51))
	b.asked = nil
	h, report := open(t, path, b)
	if report.Did != history.CaughtUp || report.Rows != 2 || report.Why == nil || !slices.Equal(b.asked, []uint64{ended.Shoe}) {
		t.Fatalf("%v, asked from %v", report, b.asked)
	}
	holds(t, h, b.rows)
}

// The journal lost its end to a cut that the index did not feel: the index
// must not show hands that the record does not have.
func TestAnIndexAheadOfTheJournalIsRebuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	h, _ := open(t, path, &book{rows: shoes(50)})
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	b := &book{rows: shoes(48)}
	h, report := open(t, path, b)
	if report.Did != history.Rebuilt || report.Aside != path+".corrupt.1" {
		t.Fatalf("%v", report)
	}
	holds(t, h, b.rows)
}

func TestRowsMayComeInAnyOrderAndTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	want := shoes(1200)
	shuffled := slices.Clone(want)
	slices.Reverse(shuffled)
	for i := range shuffled {
		j := i * 7919 % len(shuffled)
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	}
	early := shoe(600)
	early.Hands = 1
	b := &book{rows: append([]history.Row{early}, shuffled...)}
	h, report, err := history.Open(path, history.Reach{Newest: want[1199].Last}, b.give)
	if err != nil || report.Rows != 1201 {
		t.Fatalf("%v, %v", report, err)
	}
	holds(t, h, want)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h, report = open(t, path, &book{rows: want})
	if report.Did != history.Kept {
		t.Fatalf("%v", report)
	}
	holds(t, h, want)
}

func TestTwoDoNotShareTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	b := &book{rows: shoes(3)}
	h, _ := open(t, path, b)
	if _, _, err := history.Open(path, history.Reach{Newest: b.newest()}, b.give); !errors.Is(err, history.ErrInUse) {
		t.Fatalf("a second: %v", err)
	}
	holds(t, h, b.rows)
}

func TestAJournalThatCannotBeReadIsNoDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "history.db")
	refused := errors.New("input/output error")
	_, _, err := history.Open(path, history.Reach{Newest: 9}, func(uint64, func(history.Row) error) error { return refused })
	if !errors.Is(err, refused) {
		t.Fatalf("got %v", err)
	}
	b := &book{rows: shoes(3)}
	h, _ := open(t, path, b)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err = history.Open(path, history.Reach{Newest: 9999}, func(uint64, func(history.Row) error) error { return refused })
	if !errors.Is(err, refused) {
		t.Fatalf("behind: %v", err)
	}
	h, report := open(t, path, b)
	if report.Did != history.Kept {
		t.Fatalf("%v", report)
	}
	holds(t, h, b.rows)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestReportsAreSentences(t *testing.T) {
	why := errors.New("it is not a file")
	for _, r := range []history.Report{
		{}, {Did: history.CaughtUp, Why: why, Rows: 2}, {Did: history.Rebuilt, Why: why, Rows: 50, Aside: "history.db.corrupt.1"},
	} {
		s := r.String()
		if !strings.HasPrefix(s, "history: ") || r.Why != nil && !strings.Contains(s, why.Error()) || !strings.Contains(s, r.Aside) {
			t.Errorf("%q", s)
		}
	}
}

// A shoe that was taken back is in play again: its row is from before, and no reason
// to make all rows anew.
func TestAShoeTakenBackIsNoDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	b := &book{rows: shoes(30)}
	h, _ := open(t, path, b)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	reach := history.Reach{Newest: shoe(29).Last, Dealt: shoe(30).Shoe}
	h, report, err := history.Open(path, reach, b.give)
	if err != nil || report.Did != history.Kept {
		t.Fatalf("%v, %v", report, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h, report, err = history.Open(path, history.Reach{Newest: shoe(29).Last, Dealt: shoe(31).Shoe}, b.give)
	if err != nil || report.Did != history.Rebuilt {
		t.Fatalf("a row that the journal does not have: %v, %v", report, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// Somebody deletes or replaces the file under a program that has it open.
func TestTheFileIsTakenAway(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		path := filepath.Join(t.TempDir(), "history.db")
		b := &book{rows: shoes(30)}
		h, _ := open(t, path, b)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if err := take(path); err != nil {
			t.Fatal(err)
		}
		if err := h.Put(shoe(31)); !errors.Is(err, history.ErrDamaged) {
			t.Errorf("%s, then a put: %v", name, err)
		}
		err := h.Check()
		if !errors.Is(err, history.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if report, err := h.Rebuild(err, b.give); err != nil || report.Rows != 30 {
			t.Fatalf("%s: %v, %v", name, report, err)
		}
		if err := errors.Join(h.Check(), h.Put(shoe(31))); err != nil {
			t.Errorf("%s, after the rebuild: %v", name, err)
		}
		holds(t, h, shoes(31))
	}
}

// Who does not have the file open reads it all the same.
func TestReadBesideTheOneThatWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	h, _ := open(t, path, &book{rows: shoes(700)})
	if err := h.Put(shoe(701)); err != nil {
		t.Fatal(err)
	}
	var got []history.Row
	if err := history.Read(path, func(r history.Row) error { got = append(got, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, shoes(701)) {
		t.Fatalf("%d rows, want 701, or another one", len(got))
	}
	enough := errors.New("enough")
	if err := history.Read(path, func(history.Row) error { return enough }); !errors.Is(err, enough) || errors.Is(err, history.ErrDamaged) {
		t.Errorf("the caller's own error came as %v", err)
	}
	if err := history.Read(path+".none", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	// Many rows are put while others read: what is given is right, and what is not
	// all is called so.
	done := make(chan error, 1)
	go func() {
		var err error
		for n := 702; n < 760 && err == nil; n++ {
			err = h.Put(shoe(n))
		}
		done <- err
	}()
	for writing := true; writing; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			writing = false
		default:
		}
		n, last := 0, uint64(0)
		err := history.Read(path, func(r history.Row) error {
			if r.Shoe <= last || !reflect.DeepEqual(r, shoe(int(r.Shoe/90))) {
				return fmt.Errorf("after %d comes %+v", last, r)
			}
			n, last = n+1, r.Shoe
			return nil
		})
		if err != nil && !errors.Is(err, history.ErrDamaged) || err == nil && n < 701 {
			t.Fatalf("%d rows, %v", n, err)
		}
	}
}
