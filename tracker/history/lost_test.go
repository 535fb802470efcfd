package history

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// forgetful is a record of four ended shoes and one in play, with its file; a medium forgot as
// many of the newest segments.
func forgetful(t *testing.T, forgot int) (path string, c *chronicle, rows []Row) {
	c = newChronicle(t.Fatal)
	for range 4 {
		c.shoe(true, "B", "B+tiger-7", "T")
	}
	c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
	rows, _ = c.rows()
	path = written(t, rows)
	left, names := journaltest.New(), c.segments()
	for _, name := range names[:len(names)-forgot] {
		left.Put(name, c.files.Bytes(name))
	}
	c.files = left
	return path, c, rows
}

// found is what a start finds of a record.
func (c *chronicle) found() (s tracker.State, last uint64) {
	found, err := journal.Look(c.files)
	if err != nil {
		c.fail(err)
	}
	s, _ = Restore(found)
	return s, found.Last
}

// remember has the pending entry know that a record was acknowledged, as a core does that
// had nothing pending.
func (c *chronicle) remember(last uint64) {
	other := journaltest.New()
	j, _, err := journal.Open(other, "unit")
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
	if err != nil {
		c.fail(err)
	}
	c.files.Put("pending", other.Bytes("pending"))
}

// A medium forgot the newest segments. The file and the pending entry say which records are
// gone; the pending entry alone knows of the shoe in play.
func TestWhatTheRecordHasLost(t *testing.T) {
	for _, c := range []struct {
		forgot  int
		pending uint64
		want    string
	}{
		{0, 0, ""}, {0, 23, ""}, {0, 24, "record 24 is missing"}, {1, 0, ""}, {1, 23, "records 22 to 23 are missing"},
		{2, 0, "records 17 to 20 are missing, among them 1 shoe that had ended"},
		{2, 23, "records 17 to 23 are missing, among them 1 shoe that had ended"},
		{3, 0, "records 12 to 20 are missing, among them 2 shoes that had ended"},
		{4, 0, "records 7 to 20 are missing, among them 3 shoes that had ended"},
		{6, 0, "records 1 to 20 are missing, among them 4 shoes that had ended"},
		{2, 1 << 50, ""}, // that is no record's number
	} {
		path, r, _ := forgetful(t, min(c.forgot, 5))
		if c.forgot == 6 {
			r.files = journaltest.New()
		}
		if c.pending > 0 {
			r.remember(c.pending)
		}
		_, last := r.found()
		l := FindLost(path, r.files)
		if c.want == "" && l.Any() || c.want != "" && l.String() != c.want {
			t.Errorf("%d segments gone, the record ends at %d, record %d is known: %v, expected %q", c.forgot, last, c.pending, l, c.want)
		}
	}
}

// A keeper notes how far its file reaches, for a start that does not read the file. A note that
// is torn, or of another record, changes nothing.
func TestTheNoteOfHowFarAFileReaches(t *testing.T) {
	path, c, rows := forgetful(t, 2)
	want := FindLost(path, c.files).String()
	k := keep(t, written(t, rows), c.putAway(1))
	eventually(t, "the note", func() bool { _, err := os.Stat(k.path + ".reach"); return err == nil })
	if got := reachOf(k.path); got != rows[3].Last {
		t.Errorf("it says %d, expected %d", got, rows[3].Last)
	}
	k.stop()
	note := load(t, k.path+".reach")
	for name, text := range map[string][]byte{"whole": note, "torn": note[:19], "none": nil, "another's": []byte("00000000000000099999\n")} {
		save(t, path+".reach", text)
		if got := FindLost(path, c.files).String(); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if l := FindLost(path, c.files); l.Any() {
		t.Errorf("a note without its file: %v", l)
	}
}

// A file that is not of this record, is damaged or is not there says nothing of it.
func TestAFileThatIsNoWitness(t *testing.T) {
	path, c, _ := forgetful(t, 2)
	s, _ := c.found()
	whole := load(t, path)
	ours, began := FindLost(path, c.files), s
	if !ours.Any() {
		t.Fatal("the file knows nothing")
	}
	other := *s.Finished
	other.Started.Wall++ // begun by the same record, at another time
	began.Finished = &other
	if reach, shoes := ours.indexed(path, began); reach > 0 || shoes > 0 {
		t.Errorf("another record's file: %d, %d", reach, shoes)
	}
	other.Started.Seq++
	began.Shoe.Started = tracker.Stamp{}
	if reach, shoes := ours.indexed(path, began); reach > 0 || shoes > 0 {
		t.Errorf("a file without this shoe: %d, %d", reach, shoes)
	}
	for what, text := range map[string][]byte{"cut": whole[:5000], "empty": nil, "zeros": make([]byte, len(whole))} {
		save(t, path, text)
		if l := FindLost(path, c.files); l.Any() {
			t.Errorf("%s: %v", what, l)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if l := FindLost(path, c.files); l.Any() || ours.Keep(path) == nil {
		t.Errorf("without a file: %v", l)
	}
}

// The file was made again from a record that had lost its end, and two shoes were gone. They
// stay, marked and hand for hand as they were; so they do when the file is damaged, and the
// shoe whose beginning the record still has goes on beside what is left of its first life.
func TestShoesThatTheRecordHasLostStay(t *testing.T) {
	path, c, was := forgetful(t, 3)
	s, _ := c.found()
	l := FindLost(path, c.files)
	for range 2 { // once more is nothing
		if err := l.Keep(path); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := read(t, path)
	if err != nil || len(rows) != 4 || Only(rows[0]) || Only(rows[1]) || !Only(rows[2]) || !Only(rows[3]) || !reflect.DeepEqual(rows[:2], was[:2]) {
		t.Fatalf("%d rows, %v: %+v", len(rows), err, rows)
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
	k := keep(t, path, c.files)
	k.holds("what is left", rows)
	if c.j, _, err = journal.Open(c.files, "unit"); err == nil {
		err = c.j.Above(l.Last)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.state = s
	c.roll()
	c.shoe(true, "B")
	k.Wake()
	ended, _ := c.rows()
	all := []Row{was[0], was[1], ended[2], rows[2], rows[3]}
	k.holds("the shoe that went on", all)
	k.stop()
	whole := load(t, path)
	whole[slices.Index(whole[8192:], 'w')+8192] ^= 1 // of a row's figures
	save(t, path, whole)
	k = keep(t, path, c.files)
	eventually(t, "the shoes of the record", func() bool {
		got, err := k.stored()
		got = slices.DeleteFunc(got, Only)
		return err == nil && reflect.DeepEqual(got, all[:3])
	})
}

// Only a whole file is marked.
func TestOnlyAWholeFileIsMarked(t *testing.T) {
	path := written(t, shoes(30))
	l := Lost{First: 1000, Last: 3000, Shoes: 5}
	whole := load(t, path)
	whole[slices.Index(whole[8192:], 'b')+8192] ^= 1
	save(t, path, whole)
	if err := l.Keep(path); err == nil {
		t.Error("a damaged file was marked")
	}
	if now := load(t, path); !slices.Equal(now, whole) {
		t.Error("a damaged file was written")
	}
	if err := l.Keep(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
}
