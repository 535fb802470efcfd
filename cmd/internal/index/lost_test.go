package index

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// dealt is a data folder of a record of four ended shoes and one in play, with its index; as
// many of the newest segments are gone as a medium forgot.
func dealt(t *testing.T, forgot int) (data string, shoes []tracker.Shoe) {
	data = t.TempDir()
	w := testkit.NewScribe(t, data)
	for range 4 {
		w.Hands("B", "P+panda-8", "T")
		shoes = append(shoes, w.State.Shoe)
		w.NewShoe("2026-11-30")
	}
	w.Hands("P")
	w.Close()
	x := runIndex(t, data, w.State)
	x.holds("four shoes", shoes...)
	x.stop()
	segments, err := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	if err != nil || len(segments) != 5 {
		t.Fatal(segments, err)
	}
	for _, path := range segments[len(segments)-forgot:] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	return data, shoes
}

// found is what a start finds of a record.
func found(t *testing.T, data string) (s tracker.State, last uint64) {
	t.Helper()
	found, err := journal.Look(journal.Dir(datadir.Journal(data)))
	if err != nil {
		t.Fatal(err)
	}
	s, _ = table.Restore(found)
	return s, found.Last
}

// rowsOf are the rows of an index.
func rowsOf(t *testing.T, data string) (rows []history.Row) {
	t.Helper()
	if err := history.Read(Path(data), func(r history.Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return rows
}

// remember has the pending entry know that a record was acknowledged, as a core does that
// had nothing pending.
func remember(t *testing.T, data string, last uint64) {
	t.Helper()
	other := t.TempDir()
	j, _, err := journal.Open(journal.Dir(other), "unit")
	if err == nil {
		err = j.Above(last - 1)
	}
	if err == nil {
		_, err = j.Roll(journal.Record{Payload: []byte("{}")})
	}
	if err == nil {
		err = j.ClearPending()
	}
	if err == nil {
		err = j.Close()
	}
	if err == nil {
		err = os.Rename(filepath.Join(other, "pending"), filepath.Join(datadir.Journal(data), "pending"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A medium forgot the newest segments. Index and pending entry say which records are gone;
// the pending entry alone knows of the shoe in play.
func TestWhatTheRecordHasLost(t *testing.T) {
	for _, c := range []struct {
		forgot  int
		pending uint64
		want    string
	}{
		{0, 0, ""}, {0, 37, ""}, {0, 38, ""}, {0, 39, "record 39 is missing"}, {1, 0, ""}, {1, 38, "records 36 to 38 are missing"},
		{2, 0, "records 28 to 34 are missing, among them 1 shoe that had ended"},
		{2, 38, "records 28 to 38 are missing, among them 1 shoe that had ended"},
		{3, 0, "records 20 to 34 are missing, among them 2 shoes that had ended"},
		{4, 0, "records 12 to 34 are missing, among them 3 shoes that had ended"},
		{5, 0, "records 1 to 34 are missing, among them 4 shoes that had ended"},
		{2, 1 << 50, ""}, // that is no record's number
	} {
		data, _ := dealt(t, c.forgot)
		if c.pending > 0 {
			remember(t, data, c.pending)
		}
		s, last := found(t, data)
		l := Ask(data).Lost(s, last)
		if c.want == "" && l.Any() || c.want != "" && l.String() != c.want {
			t.Errorf("%d segments gone, the record ends at %d, record %d is known: %v, expected %q", c.forgot, last, c.pending, l, c.want)
		}
	}
}

// An index that is not of this record, is damaged or is not there says nothing of it.
func TestAnIndexThatIsNoWitness(t *testing.T) {
	data, _ := dealt(t, 2)
	s, last := found(t, data)
	whole, err := os.ReadFile(Path(data))
	if err != nil {
		t.Fatal(err)
	}
	ours, began := Ask(data).Lost(s, last), s
	if !ours.Any() {
		t.Fatal("the index knows nothing")
	}
	other := *s.Previous
	other.Started.Wall++ // begun by the same record, at another time
	if began.Previous = &other; s.Finished != nil {
		other = *s.Finished
		other.Started.Wall++
		began.Finished = &other
	}
	if l := Ask(data).Lost(began, last); l.Any() {
		t.Errorf("another record's index: %v", l)
	}
	other.Started.Seq++
	began.Shoe.Started = tracker.Stamp{}
	if l := Ask(data).Lost(began, last); l.Any() {
		t.Errorf("an index without this shoe: %v", l)
	}
	for what, text := range map[string][]byte{"cut": whole[:5000], "empty": nil, "zeros": make([]byte, len(whole))} {
		if err := os.WriteFile(Path(data), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if l := Ask(data).Lost(s, last); l.Any() {
			t.Errorf("%s: %v", what, l)
		}
	}
	if err := os.Remove(Path(data)); err != nil {
		t.Fatal(err)
	}
	if l := Ask(data).Lost(s, last); l.Any() || ours.Keep(data) == nil {
		t.Errorf("without an index: %v", l)
	}
}

// The index was made anew from a record that had lost its end, and two shoes were gone. They
// stay, marked and hand for hand as they were, and the shoe whose beginning the record still
// has goes on beside what is left of its first life.
func TestShoesThatTheRecordHasLostStay(t *testing.T) {
	data, shoes := dealt(t, 3)
	s, last := found(t, data)
	was := rowsOf(t, data)
	l := Ask(data).Lost(s, last)
	for range 2 { // once more is nothing
		if err := l.Keep(data); err != nil {
			t.Fatal(err)
		}
	}
	rows := rowsOf(t, data)
	if len(rows) != 4 || Only(rows[0]) || Only(rows[1]) || !Only(rows[2]) || !Only(rows[3]) || !reflect.DeepEqual(rows[:2], was[:2]) {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	if s.Shoe.Started.Seq != was[2].Shoe || rows[2].Shoe != was[2].Last || rows[3].Shoe != was[3].Shoe {
		t.Errorf("the shoes have keys %d and %d, were %d and %d", rows[2].Shoe, rows[3].Shoe, was[2].Shoe, was[3].Shoe)
	}
	for i := range rows {
		tokens, hands, err := Unpack(rows[i], nil)
		tokensWas, handsWas, errWas := Unpack(was[i], nil)
		if err != nil || errWas != nil || !slices.Equal(tokens, tokensWas) || !slices.Equal(hands, handsWas) {
			t.Errorf("shoe %d: %v %v %v, was %v %v %v", rows[i].Shoe, tokens, hands, err, tokensWas, handsWas, errWas)
		}
	}
	x := runIndex(t, data, s)
	again := shoes[2]
	again.Hands = slices.Clone(again.Hands[:1])
	again.Hands[0].At.Seq = 50
	if err := x.Put(again); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the shoe that went on", func() bool {
		var all []history.Row
		err := history.Read(x.path, func(r history.Row) error { all = append(all, r); return nil })
		return err == nil && len(all) == 5 && reflect.DeepEqual(all[3], rows[2]) && reflect.DeepEqual(all[4], rows[3]) && all[2].Shoe == again.Started.Seq && all[2].Hands == 1
	})
	x.stop()
}
