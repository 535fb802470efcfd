package history

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/tracker"
	"shoeboard/tracker/journal/journaltest"
)

// The file is made from the record, follows the table, and is made again whenever somebody
// deletes it or writes over it while it is open.
func TestTheFileFollowsTheTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "B+tiger-7", "T")
	c.shoe(true, "P")
	k := keep(t, path, c.files)
	rows, _ := c.rows()
	k.holds("two shoes of the record", rows)
	for name, harm := range map[string]func() error{
		"nothing":  func() error { return nil },
		"deleted":  func() error { return os.Remove(path) },
		"replaced": func() error { return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, []byte("x"), 0o600)) },
		"emptied":  func() error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
		"a folder": func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		c.shoe(true, "P", "B", "T")
		k.Wake()
		rows, _ = c.rows()
		k.holds(name+" and another shoe", rows)
	}
	k.stop()
	// What ended while no keeper ran is added, and a shoe that is taken back stays until it
	// ends again.
	c.shoe(true, "B")
	ended, _ := c.rows()
	k = keep(t, path, c.files)
	k.holds("one more", ended)
	c.wish(tracker.Command{Kind: tracker.ShoeTakenBack})
	k.stop()
	k = keep(t, path, c.files)
	k.holds("the one taken back as it was", ended)
	c.shoe(true, "P")
	k.Wake()
	rows, _ = c.rows()
	k.holds("it ended again", rows)
	if fault, _ := k.said(); fault != "" {
		t.Errorf("the board says %q", fault)
	}
}

// A file that cannot be written is a fault, and costs no shoe once it can.
func TestAFileThatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	if err := os.MkdirAll(filepath.Join(path+".tmp", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := newChronicle(t.Fatal)
	k := keep(t, path, c.files)
	eventually(t, "the board says so", func() bool { fault, _ := k.said(); return fault == faultText })
	if err := os.RemoveAll(path + ".tmp"); err != nil {
		t.Fatal(err)
	}
	c.shoe(true, "B")
	k.Wake()
	rows, _ := c.rows()
	k.holds("the shoe that ended since", rows)
	eventually(t, "the board is quiet again", func() bool { fault, _ := k.said(); return fault == "" })
}

// The first file of a new table is no news; one that was lost is logged.
func TestABrandNewFileIsNoNews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	c := newChronicle(t.Fatal)
	for _, logged := range []bool{false, true} {
		k := keep(t, path, c.files)
		rows, _ := c.rows()
		k.holds("the file", rows)
		k.stop()
		if _, log := k.said(); strings.Contains(log, "rebuilt") != logged {
			t.Errorf("the log says %q", log)
		}
		c.shoe(true, "P")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// Somebody who reads the file keeps the keeper waiting, and is no fault.
func TestAReaderIsNoFault(t *testing.T) {
	t.Parallel()
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "B")
	rows, _ := c.rows()
	path := written(t, rows)
	r := start(t.Context(), self(t), path)
	if err := r.begin(); err != nil {
		t.Fatal(err)
	}
	k := keep(t, path, c.files)
	waitsInUse := func() bool { _, err := k.stored(); return errors.Is(err, ErrInUse) || err == nil }
	eventually(t, "it is in use, or read", waitsInUse)
	r.Close()
	k.holds("what it held", rows)
	if fault, log := k.said(); fault != "" || strings.Contains(log, "rebuilt") {
		t.Errorf("fault %q, log %s", fault, log)
	}
}

// A note belongs to the shoe in play, also when that is taken back, when a shoe without a
// hand comes between, and when the segments begin anywhere.
func TestNotesAreKeptWithTheirShoe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	c := newChronicle(t.Fatal)
	fault := func(code string) { c.wish(tracker.Command{Kind: tracker.FaultRaised, Code: code, Text: "x"}) }
	k := keep(t, path, c.files)
	fault("before-the-first-hand")
	c.shoe(false, "P", "B")
	c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
	c.wish(tracker.Command{Kind: tracker.HandFixed, Hand: 1, Token: "B", By: "anna"})
	c.shoe(true, "T")
	fault("after-the-end")
	c.wish(tracker.Command{Kind: tracker.ShoeTakenBack})
	c.wish(tracker.Command{Kind: tracker.HandRemoved, Hand: 2})
	c.shoe(true, "P")
	c.wish(tracker.Command{Kind: tracker.TableShut})
	fault("at-night")
	c.wish(tracker.Command{Kind: tracker.TableOpened, Day: "2026-12-01"})
	c.roll()
	fault("in-the-morning")
	c.shoe(true, "B")
	k.Wake()
	rows, notes := c.rows()
	if !slices.Equal(notes, []int{1, 3, 2}) {
		t.Errorf("%d notes", notes)
	}
	k.holds("the rows with their notes", rows)
	k.stop()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	k = keep(t, path, c.files)
	k.holds("the journal rebuilds an equal file", rows)
	noted, err := NotesOf(rows[1])
	if n := noted[0]; err != nil || n.Event.Kind != tracker.HandFixed || n.Event.By != "anna" || n.Number != 2 || n.Wall == 0 || n.Seq == 0 {
		t.Errorf("%+v, %v", n, err)
	}
}

// Finished segments are put away: the file alone has their shoes, and keeps them while new
// ones come, when it is damaged, and beside what it may have of them that is less.
func TestShoesOfSegmentsThatWerePutAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	c := newChronicle(t.Fatal)
	for range 6 {
		c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
		c.wish(tracker.Command{Kind: tracker.HandFixed, Hand: 1, Token: "B", By: "anna"})
		c.shoe(true, "P", "B+tiger-7", "T")
	}
	k := keep(t, path, c.files)
	rows, _ := c.rows()
	k.holds("all", rows)
	k.stop()

	c.files = c.putAway(1)
	k = keep(t, path, c.files)
	k.holds("the file alone", rows)
	if _, log := k.said(); strings.Contains(log, "rebuilt") {
		t.Errorf("the log says %s", log)
	}
	k.stop()

	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(file, rows[1].encode()) // of the second shoe, wherever it was written
	for ; at >= 0; at = bytes.Index(file, rows[1].encode()) {
		file[at+20] ^= 1
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	k = keep(t, path, c.files)
	eventually(t, "it is made again", func() bool { _, log := k.said(); return strings.Contains(log, "rebuilt") })
	k.holds("and has the shoes that can be read", append(slices.Clone(rows[:1]), rows[2:]...))
}

// An earlier version wrote rows without notes: they are made again, and what the journal no
// longer has stays as it is.
func TestRowsOfAnEarlierVersion(t *testing.T) {
	c := newChronicle(t.Fatal)
	for range 3 {
		c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
		c.wish(tracker.Command{Kind: tracker.HandFixed, Hand: 1, Token: "B", By: "anna"})
		c.shoe(true, "T")
	}
	rows, _ := c.rows()
	var old []Row
	for _, r := range rows {
		old = append(old, withoutNotes(t, r))
	}
	gone := withoutNotes(t, shoe(1))
	gone.Shoe, gone.Last = 1, 1
	path := written(t, append([]Row{gone}, old...))
	k := keep(t, path, c.files)
	k.holds("the rows with notes", append([]Row{gone}, rows...))
}

// A file that reaches further than the journal is of another one.
func TestAFileOfAnotherRecord(t *testing.T) {
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "T")
	path := written(t, shoes(30))
	k := keep(t, path, c.files)
	rows, _ := c.rows()
	k.holds("the shoes of this record", rows)
	if aside, err := filepath.Glob(path + ".corrupt.*"); err != nil || len(aside) != 1 {
		t.Errorf("%q, %v", aside, err)
	}
}

// A hand that was lost from the journal since does not cost the one in the file.
func TestALostHandDoesNotReplaceARow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "B", "T")
	c.shoe(false, "P", "B+tiger-7", "T")
	k := keep(t, path, c.files)
	rows, _ := c.rows()
	k.holds("both", rows)
	k.stop()
	names := c.segments()
	last := c.files.Bytes(names[len(names)-1])
	last[bytes.Index(last, []byte("B+tiger-7"))] ^= 1
	c.files.Put(names[len(names)-1], last)
	if now, _ := c.rows(); bytes.Equal(now[1].Packed, rows[1].Packed) {
		t.Fatal("the journal has lost nothing")
	}
	k = keep(t, path, c.files)
	k.holds("as they were", rows)
}

// A journal that cannot be read is no damage of the file.
func TestAJournalThatCannotBeRead(t *testing.T) {
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "T")
	rows, _ := c.rows()
	path := written(t, rows)
	k := keep(t, path, unreadable{c.files})
	eventually(t, "the board says so", func() bool { fault, _ := k.said(); return fault == faultText })
	k.stop()
	if got, err := read(t, path); err != nil || len(got) != len(rows) {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

type unreadable struct{ *journaltest.FS }

func (unreadable) List() ([]string, error) { return nil, errors.New("input/output error") }

// The newest damaged files are kept.
func TestOnlyTheNewestDamagedFilesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	for range 6 {
		if err := os.WriteFile(path, []byte("damage"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := putAside(path); err != nil {
			t.Fatal(err)
		}
	}
	left, err := filepath.Glob(path + ".corrupt.*")
	if err != nil || len(left) != quarantine || left[0] != path+".corrupt.4" {
		t.Fatalf("left are %v, %v", left, err)
	}
}

// A check that cannot be started says nothing of the file.
func TestACheckThatDoesNotStart(t *testing.T) {
	path := written(t, shoes(3))
	k := NewKeeper(slog.New(slog.DiscardHandler), path, newChronicle(t.Fatal).files)
	k.exe = filepath.Join(t.TempDir(), "none")
	before := load(t, path)
	if err := k.step(t.Context()); err == nil || errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	if now := load(t, path); !bytes.Equal(now, before) {
		t.Error("the file was changed")
	}
}
