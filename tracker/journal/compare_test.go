package journal_test

import (
	"encoding/binary"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// A copy of a record finds the record that was forged and all that was computed anew after it,
// and what the record has lost; that it ends sooner is nothing.
func TestACopyIsAWitness(t *testing.T) {
	whole, _ := coded(t, false)
	forged, _ := coded(t, true)
	names, err := whole.List()
	if err != nil {
		t.Fatal(err)
	}
	var segments []string
	for _, name := range names {
		if name != "lock" && name != "pending" {
			segments = append(segments, name)
		}
	}
	if len(segments) != 3 {
		t.Fatalf("segments %v", segments)
	}
	part := func(names ...string) *journaltest.FS {
		f := journaltest.New()
		for _, name := range names {
			f.Put(name, whole.Bytes(name))
		}
		return f
	}
	for what, c := range map[string]struct {
		mine, copied journal.Files
		want         journal.Difference
	}{
		"the same":         {whole, whole, journal.Difference{Same: 63}},
		"it ends sooner":   {whole, part(segments[:2]...), journal.Difference{Same: 42}},
		"forged":           {forged, whole, journal.Difference{First: 30, Last: 63, Same: 29}},
		"the end is lost":  {part(segments[:2]...), whole, journal.Difference{OnlyFirst: 43, OnlyLast: 63, Same: 42}},
		"a part is lost":   {part(segments[0], segments[2]), whole, journal.Difference{OnlyFirst: 22, OnlyLast: 42, Same: 42}},
		"nothing is there": {journaltest.New(), whole, journal.Difference{OnlyFirst: 1, OnlyLast: 63}},
	} {
		d, err := journal.Compare(c.mine, c.copied, 0)
		if err != nil || d != c.want || d.Any() != (what != "the same" && what != "it ends sooner") {
			t.Errorf("%s: %+v, %v, expected %+v", what, d, err, c.want)
		}
	}
}

// A segment of records that each promise a megabyte and have a wrong checksum: the rest of it
// is not read once that has cost enough.
func BenchmarkVerifyASegmentMadeToKeepUsBusy(b *testing.B) {
	data := make([]byte, 8<<20)
	copy(data, "SHOEJRNL")
	for at := 64; at+76 < len(data); at += 76 {
		binary.LittleEndian.PutUint32(data[at:], 1<<20)
		binary.LittleEndian.PutUint64(data[at+8:], 1)
		data[at+72] = 1
	}
	f := journaltest.New()
	f.Put("0000000000000001.jrn", data)
	for b.Loop() {
		if _, err := journal.Verify(f); err != nil {
			b.Fatal(err)
		}
	}
}
