package journal_test

import (
	"fmt"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// A medium forgot the newest segment and said nothing. The pending entry knows how far the
// record went, whether something was pending then or not.
func TestThePendingEntryKnowsHowFarTheRecordWent(t *testing.T) {
	for _, entry := range []string{"B", ""} {
		files := journaltest.New()
		if n := journal.Acknowledged(files); n != 0 {
			t.Fatalf("a new folder knows of record %d", n)
		}
		j, _ := open(t, files)
		must[uint64](t)(j.Roll(checkpoint(0)))
		must[uint64](t)(j.Append(event(1)))
		must[uint64](t)(j.Roll(checkpoint(1)))
		last := must[uint64](t)(j.Append(event(2)))
		if err := j.SavePending([]byte("an older one")); err != nil {
			t.Fatal(err)
		}
		save := j.ClearPending
		if entry != "" {
			save = func() error { return j.SavePending([]byte(entry)) }
		}
		if err := save(); err != nil {
			t.Fatal(err)
		}
		files = files.AfterKill()
		files.Drop("0000000000000003.jrn")
		if found := must[journal.Found](t)(journal.Look(files)); found.Last != 2 || len(found.Problems) != 0 {
			t.Fatalf("%q: the record alone ends at %d, %v", entry, found.Last, found.Problems)
		}
		if n := journal.Acknowledged(files); n != last {
			t.Errorf("%q: record %d is known, %d was the last", entry, n, last)
		}
		files.Put("pending", make([]byte, 16))
		if n := journal.Acknowledged(files); n != 0 {
			t.Errorf("zeros know of record %d", n)
		}
	}
}

// Numbers that were given once are not given again, and the gap tells of them.
func TestNoNumberIsGivenTwice(t *testing.T) {
	for _, above := range []uint64{0, 2, 3, 57} {
		files := journaltest.New()
		j, _ := open(t, files)
		must[uint64](t)(j.Roll(checkpoint(0)))
		must[uint64](t)(j.Append(event(1)))
		if err := j.Above(above); err != nil {
			t.Fatal(err)
		}
		if j.NeedsRoll() != (above > 2) {
			t.Errorf("above %d: a roll is needed: %v", above, j.NeedsRoll())
		}
		if j.NeedsRoll() {
			if n := must[uint64](t)(j.Roll(checkpoint(1))); n != above+1 {
				t.Fatalf("above %d: the next record is %d", above, n)
			}
		}
		last := must[uint64](t)(j.Append(event(2)))
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		files = files.AfterPowerCut(3)
		_, found := open(t, files)
		if found.Last != last || len(found.Problems) > 0 {
			t.Errorf("above %d: a start finds %d of %d, %v", above, found.Last, last, found.Problems)
		}
		want := "[]"
		if above > 2 {
			want = fmt.Sprintf("[journal %016d.jrn: the numbers jump at byte 64; records 3 to %d are missing]", above+1, above)
		}
		if above == 3 {
			want = "[journal 0000000000000004.jrn: the numbers jump at byte 64; record 3 is missing]"
		}
		if c := must[journal.Check](t)(journal.Verify(files)); fmt.Sprint(c.Problems) != want {
			t.Errorf("above %d: %v, expected %s", above, c.Problems, want)
		}
	}
}
