package journal_test

import (
	"bytes"
	"strings"
	"testing"

	"shoeboard/tracker/journal/journaltest"
)

func TestThePendingEntryComesBackAfterAKill(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(checkpoint(0)))
	if entry, _, err := j.LoadPending(); entry != nil || err != nil {
		t.Fatalf("before any: %q, %v", entry, err)
	}
	syncs := files.Count("datasync")
	for _, keys := range []string{"a long entry with many keys", "B", "B D7"} {
		if err := j.SavePending([]byte(keys)); err != nil {
			t.Fatal(err)
		}
	}
	must[uint64](t)(j.Append(event(1)))
	if n := files.Count("datasync") - syncs; n != 1 {
		t.Errorf("the entry was synced: %d syncs for one append", n)
	}
	ops := files.Ops()
	if err := j.SavePending([]byte("P")); err != nil || files.Ops() != ops+1 {
		t.Errorf("a press took %v, %v", files.Log()[ops:], err)
	}

	j, _ = open(t, files.AfterKill())
	if entry, after, err := j.LoadPending(); string(entry) != "P" || after != 2 || err != nil {
		t.Fatalf("after a kill: %q after %d, %v", entry, after, err)
	}
	if err := j.ClearPending(); err != nil {
		t.Fatal(err)
	}
	if entry, _, err := j.LoadPending(); entry != nil || err != nil {
		t.Fatalf("after clearing: %q, %v", entry, err)
	}
}

func TestATornPendingEntryIsNone(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	if err := j.SavePending([]byte(strings.Repeat("keys", 500))); err != nil {
		t.Fatal(err)
	}
	whole := files.Bytes("pending")
	for at := range whole {
		b := bytes.Clone(whole)
		b[at] ^= 0x10
		files.Put("pending", b)
		if entry, _, err := j.LoadPending(); entry != nil || err != nil {
			t.Fatalf("byte %d flipped: %q, %v", at, entry, err)
		}
		files.Put("pending", whole[:at])
		if entry, _, err := j.LoadPending(); entry != nil || err != nil {
			t.Fatalf("%d bytes: %q, %v", at, entry, err)
		}
	}
}

// After a power cut an older entry may come back; the number saved with it
// tells that a record has been made since.
func TestAnOldPendingEntryShowsItsAge(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(checkpoint(0)))
	if err := j.SavePending([]byte("B")); err != nil {
		t.Fatal(err)
	}
	old := files.Bytes("pending")
	must[uint64](t)(j.Append(event(1)))
	if err := j.ClearPending(); err != nil {
		t.Fatal(err)
	}
	files.Put("pending", old)
	j, found := open(t, files.AfterPowerCut(1))
	if entry, after, err := j.LoadPending(); string(entry) != "B" || after >= found.Last || err != nil {
		t.Fatalf("%q after %d, last %d, %v", entry, after, found.Last, err)
	}
}

func TestAPendingEntryThatCannotBeWrittenStopsNothing(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(checkpoint(0)))
	for _, fault := range []journaltest.Fault{journaltest.EIO, journaltest.ENOSPC} {
		files.FailAt(files.Ops(), fault)
		if err := j.SavePending([]byte("B")); err == nil {
			t.Error("a failed write was not reported")
		}
		must[uint64](t)(j.Append(event(int(fault))))
		if err := j.SavePending([]byte("P")); err != nil {
			t.Errorf("the next press: %v", err)
		}
		if entry, _, err := j.LoadPending(); string(entry) != "P" || err != nil {
			t.Errorf("then %q, %v", entry, err)
		}
	}
	files.FailAt(files.Ops(), journaltest.EIO)
	if _, _, err := j.LoadPending(); err == nil {
		t.Error("a failed read was not reported")
	}
}
