package journal_test

import (
	"errors"
	"testing"

	"shoeboard/tracker/journal"
)

func TestTheHeadOfASegment(t *testing.T) {
	files, _ := threeShoes(t)
	for name, want := range map[string]uint64{secondShoe: 22, thirdShoe: 43} {
		if r, err := journal.Head(files, name); err != nil || r.Seq != want || r.Kind != journal.Checkpoint || len(r.Payload) == 0 {
			t.Errorf("%s: record %d, %v", name, r.Seq, err)
		}
	}
	if _, err := journal.Head(files, "0000000000000099.jrn"); err == nil {
		t.Error("a segment that is not there has a head")
	}
}

func TestADamagedHeadIsFound(t *testing.T) {
	whole, _ := threeShoes(t)
	for at := range start(t, whole, secondShoe, 1) {
		files, _ := threeShoes(t)
		b := files.Bytes(secondShoe)
		b[at] ^= 4
		files.Put(secondShoe, b)
		// The header says nothing that a checkpoint does not say itself.
		if r, err := journal.Head(files, secondShoe); (err == nil) != (at < 64) || err == nil && r.Seq != 22 {
			t.Fatalf("byte %d: record %d, %v", at, r.Seq, err)
		}
	}
	for _, cut := range []int{0, 1, 64, 70} {
		files, _ := threeShoes(t)
		files.Put(secondShoe, files.Bytes(secondShoe)[:cut])
		if _, err := journal.Head(files, secondShoe); err == nil {
			t.Errorf("%d bytes have a head", cut)
		}
	}
}

func TestTheHeadOfANewerProgramIsAnError(t *testing.T) {
	files, _ := threeShoes(t)
	b := files.Bytes(secondShoe)
	journal.SetVersion(b, 2)
	files.Put(secondShoe, b)
	var newer *journal.VersionError
	if _, err := journal.Head(files, secondShoe); !errors.As(err, &newer) {
		t.Errorf("got %v", err)
	}
}

// Who looks sees what a start finds, while the journal is open and written.
func TestLookIsAStartThatChangesNothing(t *testing.T) {
	files, _ := threeShoes(t)
	before := contents(t, files)
	j, found := open(t, files)
	defer j.Close()
	looked := must[journal.Found](t)(journal.Look(files))
	if looked.Last != found.Last || string(looked.Checkpoint.Payload) != string(found.Checkpoint.Payload) {
		t.Fatalf("looked to %d, found to %d", looked.Last, found.Last)
	}
	same(t, looked.Records, found.Records)
	files.Put(thirdShoe, append(files.Bytes(thirdShoe), "half a record"...))
	torn := must[journal.Found](t)(journal.Look(files))
	if torn.Last != found.Last || len(torn.Problems) != 1 || torn.Problems[0].Trouble != journal.Torn {
		t.Errorf("while a record is written: to %d, %v", torn.Last, torn.Problems)
	}
	after := contents(t, files)
	after[thirdShoe] = before[thirdShoe]
	if len(after) != len(before) {
		t.Errorf("the folder has changed: %d files, then %d", len(before), len(after))
	}
	if found, err := journal.Look(journal.Dir(t.TempDir() + "/none")); err != nil || found.Checkpoint != nil || found.Last != 0 {
		t.Errorf("no folder: %+v, %v", found, err)
	}
}
