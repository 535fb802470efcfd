package journal_test

import (
	"bytes"
	"slices"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// small is a segment of a checkpoint and two events.
func small(t testing.TB) []byte {
	t.Helper()
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(checkpoint(0)))
	must[uint64](t)(j.Append(event(1)))
	must[uint64](t)(j.Append(event(2)))
	return files.Bytes(firstShoe)
}

// FuzzSegment reads any bytes as a segment: no panic, and nothing is taken for
// a record whose own bytes do not say so, in order and without overlap.
// Whatever it was, the unit can start on it and go on. With seal the checksums
// are made good first, or no change of the other fields would be looked at.
func FuzzSegment(f *testing.F) {
	whole := small(f)
	f.Add(whole, false)
	f.Add(whole, true)
	f.Add(whole[:len(whole)-9], false)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		data = bytes.Clone(data)
		if seal {
			journal.Reseal(data)
		}
		end, next := int64(64), uint64(1)
		for _, r := range journal.Parse(data, 1) {
			if r.At < end || r.Seq < next || !bytes.Equal(r.Again, data[r.At:r.End]) {
				t.Fatalf("record %d at %d to %d is not what the bytes say", r.Seq, r.At, r.End)
			}
			end, next = r.End, r.Seq+1
		}
		files := journaltest.New()
		files.Put(firstShoe, data)
		j, found, err := journal.Open(files, unit)
		if err != nil {
			return // another unit's, or a newer format
		}
		if found.Last+1 != next {
			t.Fatalf("last is %d, the bytes say %d", found.Last, next-1)
		}
		last := goesOn(t, j, found)
		_, found = open(t, files.AfterPowerCut(0))
		for _, p := range found.Problems {
			if p.Trouble != journal.Altered { // that stays so
				t.Fatalf("the next start found %v", p)
			}
		}
		if found.Last != last {
			t.Fatalf("the next start found %d records, want %d", found.Last, last)
		}
	})
}

// goesOn offers an event to a record just found and gives the number at which
// the record must then end. Bytes may hold that event already, as far as its id
// tells: then it is not written again.
func goesOn(t *testing.T, j *journal.Journal, found journal.Found) (last uint64) {
	t.Helper()
	if j.NeedsRoll() {
		must[uint64](t)(j.Roll(checkpoint(0)))
		found.Records = nil
	}
	seq := must[uint64](t)(j.Append(event(3)))
	for _, r := range slices.Backward(found.Records) {
		if r.ID == event(3).ID {
			if seq != r.Seq {
				t.Fatalf("the event stands at %d, and was given %d", r.Seq, seq)
			}
			return found.Last
		}
	}
	return seq
}

// FuzzPending reads any bytes as the pending entry's file.
func FuzzPending(f *testing.F) {
	files := journaltest.New()
	j, _ := open(f, files)
	if err := j.SavePending([]byte("B")); err != nil {
		f.Fatal(err)
	}
	f.Add(files.Bytes("pending"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entry, _ := journal.ReadPending(data)
		if len(entry) > journal.MaxPending || !bytes.Contains(data, entry) {
			t.Fatalf("entry %q is not in the file", entry)
		}
	})
}
