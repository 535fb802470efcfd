package journal_test

import (
	"errors"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

func TestProblemsAreSentences(t *testing.T) {
	cause := errors.New("input/output error")
	for _, c := range []struct {
		p    journal.Problem
		want string
	}{
		{journal.Problem{Trouble: journal.Torn, Segment: "1.jrn", Offset: 900, Bytes: 12, First: 1, Kept: "1.jrn.900.cut"},
			"journal 1.jrn: 12 bytes from byte 900 are an unfinished record; cut, and kept in 1.jrn.900.cut"},
		{journal.Problem{Trouble: journal.Gap, Segment: "1.jrn", Offset: 64, Bytes: 300, First: 4, Last: 4},
			"journal 1.jrn: 300 bytes from byte 64 are no record; record 4 is missing"},
		{journal.Problem{Trouble: journal.Gap, Segment: "9.jrn", Offset: 64, First: 4, Last: 8},
			"journal 9.jrn: the numbers jump at byte 64; records 4 to 8 are missing"},
		{journal.Problem{Trouble: journal.BadHeader, Segment: "1.jrn", First: 1},
			"journal 1.jrn: the header is damaged"},
		{journal.Problem{Trouble: journal.Unreadable, Segment: "1.jrn", First: 1, Cause: cause},
			"journal 1.jrn: parts cannot be read: input/output error"},
		{journal.Problem{Trouble: journal.Altered, Segment: "1.jrn", Offset: 500, First: 3, Last: 3},
			"journal 1.jrn: record 3 at byte 500 does not carry the hash of the one before it: one of them was altered"},
		{journal.Problem{Trouble: journal.Superseded, Segment: "1.jrn", Offset: 500, Bytes: 80, First: 1},
			"journal 1.jrn: 80 bytes from byte 500 were never acknowledged and have been replaced by a newer segment"},
		{journal.Problem{Trouble: journal.Unwritable, Segment: "1.jrn", First: 1, Cause: cause},
			"journal 1.jrn: cannot be written, a new segment is needed: input/output error"},
	} {
		if got := c.p.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if c.p.Cause != nil && !errors.Is(&c.p, c.p.Cause) {
			t.Errorf("%s hides its cause", c.want)
		}
	}
}

// Whoever reads may stop at any moment, at a record or at a problem, and hears
// when the folder itself cannot be listed.
func TestReadingMayStopAnywhere(t *testing.T) {
	files, _ := threeShoes(t)
	b := files.Bytes(firstShoe)
	b[90] ^= 1  // in the checkpoint
	b[20] ^= 1  // in the header
	b[500] ^= 1 // in an event
	files.Put(firstShoe, b)
	files.Drop(secondShoe)
	for stop := range 20 {
		n := 0
		for range journal.Records(files, 0) {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Fatalf("%d steps, wanted to stop after %d", n, stop)
		}
	}
	files.FailFrom(files.Ops(), journaltest.EIO)
	for _, err := range journal.Records(files, 0) {
		if err == nil {
			t.Error("a folder that cannot be listed gave records")
		}
	}
	if _, err := journal.Verify(files); err == nil {
		t.Error("a folder that cannot be listed was verified")
	}
	if _, _, err := journal.Open(files, unit); err == nil {
		t.Error("a folder that cannot be listed was opened")
	}
}
