package journal_test

import (
	"errors"
	"slices"
	"testing"

	"shoeboard/tracker/journal"
)

// heads is the numbers of the checkpoints given, and the problems between them.
func heads(t testing.TB, files journal.Files, from uint64) (seqs []uint64, problems []*journal.Problem) {
	t.Helper()
	for r, err := range journal.Heads(files, from) {
		var p *journal.Problem
		switch {
		case errors.As(err, &p):
			problems = append(problems, p)
		case err != nil:
			t.Fatal(err)
		case r.Kind != journal.Checkpoint || len(r.Payload) == 0:
			t.Fatalf("record %d is of kind %d with %d bytes", r.Seq, r.Kind, len(r.Payload))
		default:
			seqs = append(seqs, r.Seq)
		}
	}
	return seqs, problems
}

func TestHeadsAreTheCheckpoints(t *testing.T) {
	files, _ := threeShoes(t)
	for _, c := range []struct {
		from uint64
		want []uint64
	}{
		{0, []uint64{1, 22, 43}}, {1, []uint64{1, 22, 43}}, {21, []uint64{1, 22, 43}},
		{22, []uint64{22, 43}}, {30, []uint64{22, 43}}, {63, []uint64{43}}, {64, []uint64{43}},
	} {
		if got, problems := heads(t, files, c.from); !slices.Equal(got, c.want) || problems != nil {
			t.Errorf("from %d: %v, %v; expected %v", c.from, got, problems, c.want)
		}
	}
}

func TestADamagedHeadIsPassedOver(t *testing.T) {
	whole, _ := threeShoes(t)
	for at := range start(t, whole, secondShoe, 1) {
		files, _ := threeShoes(t)
		b := files.Bytes(secondShoe)
		b[at] ^= 4
		files.Put(secondShoe, b)
		got, problems := heads(t, files, 0)
		switch {
		case at < 64: // the header says nothing that a checkpoint does not say itself
			if !slices.Equal(got, []uint64{1, 22, 43}) {
				t.Fatalf("byte %d: %v, %v", at, got, problems)
			}
		case !slices.Equal(got, []uint64{1, 43}) || len(problems) != 1 || problems[0].Segment != secondShoe:
			t.Fatalf("byte %d: %v, %v", at, got, problems)
		}
	}
	for _, cut := range []int{0, 1, 64, 70} {
		files, _ := threeShoes(t)
		files.Put(secondShoe, files.Bytes(secondShoe)[:cut])
		if got, problems := heads(t, files, 0); !slices.Equal(got, []uint64{1, 43}) || len(problems) != 1 {
			t.Errorf("%d bytes: %v, %v", cut, got, problems)
		}
	}
}

func TestHeadsOfANewerProgramAreAnError(t *testing.T) {
	files, _ := threeShoes(t)
	b := files.Bytes(secondShoe)
	journal.SetVersion(b, 2)
	files.Put(secondShoe, b)
	var newer *journal.VersionError
	n := 0
	for _, err := range journal.Heads(files, 0) {
		if n++; n == 2 && !errors.As(err, &newer) {
			t.Errorf("got %v", err)
		}
	}
	if n != 2 {
		t.Errorf("%d answers, expected a checkpoint and the error", n)
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
