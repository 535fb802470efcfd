package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

const unit = "table-7"

// event is the n-th event of a script, with the size of a hand.
func event(n int) journal.Record {
	return journal.Record{
		ID: journal.EventID{1, byte(n >> 8), byte(n)}, Boot: journal.BootID{9}, Mono: int64(n) * 1e9, Wall: 1_700_000_000_000_000_000 + int64(n),
		Trusted: n%2 == 0, Source: "keypad:1", Payload: payload(n),
	}
}

func payload(n int) []byte {
	return fmt.Appendf(nil, `{"hand":%d,"presses":[%s]}`, n, strings.Repeat(`"1",`, n%60))
}

func open(t testing.TB, files journal.Files) (*journal.Journal, journal.Found) {
	t.Helper()
	j, found, err := journal.Open(files, unit)
	if err != nil {
		t.Fatal(err)
	}
	return j, found
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// all reads the whole record and complains of every problem.
func all(t testing.TB, files journal.Files) []journal.Record {
	t.Helper()
	var list []journal.Record
	for r, err := range journal.Records(files, 0) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// folders are the places on which a journal must behave the same.
func folders(t *testing.T) map[string]journal.Files {
	return map[string]journal.Files{"memory": journaltest.New(), "disk": journal.Dir(t.TempDir() + "/journal")}
}

func TestAnEveningIsReadBackAsItWasWritten(t *testing.T) {
	for name, files := range folders(t) {
		t.Run(name, func(t *testing.T) {
			j, found := open(t, files)
			if found.Last != 0 || found.Checkpoint != nil || len(found.Problems) != 0 || !j.NeedsRoll() {
				t.Fatalf("an empty folder gave %+v", found)
			}
			if _, err := j.Append(event(1)); !errors.Is(err, journal.ErrNoSegment) {
				t.Fatalf("append before the first roll: %v", err)
			}
			var want []journal.Record
			for shoe := range 3 {
				r := journal.Record{Wall: int64(shoe), Payload: fmt.Appendf(nil, "state %d", shoe)}
				r.Seq, r.Kind = must[uint64](t)(j.Roll(r)), journal.Checkpoint
				want = append(want, r)
				for hand := range 70 {
					e := event(shoe*100 + hand)
					e.Seq, e.Kind = must[uint64](t)(j.Append(e)), journal.Event
					want = append(want, e)
				}
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			same(t, all(t, files), want)

			j, found = open(t, files)
			defer j.Close()
			if len(found.Problems) != 0 || string(found.Checkpoint.Payload) != "state 2" || found.Last != 213 || j.NeedsRoll() {
				t.Fatalf("found %v, last %d, %v", found.Checkpoint, found.Last, found.Problems)
			}
			same(t, found.Records, want[len(want)-70:])
			if seq := must[uint64](t)(j.Append(event(999))); seq != 214 {
				t.Fatalf("the next record got number %d", seq)
			}
			check := must[journal.Check](t)(journal.Verify(files))
			if check.Segments != 3 || check.Records != 214 || check.First != 1 || check.Last != 214 || len(check.Problems) != 0 {
				t.Fatalf("verify: %+v", check)
			}
			n := 0
			for r, err := range journal.Records(files, 100) { // of the second of three segments
				if err != nil || r.Seq != uint64(72+n) {
					t.Fatalf("read from 100: got %d, %v at place %d", r.Seq, err, n)
				}
				n++
			}
			if n != 214-71 {
				t.Fatalf("read from 100 gave %d records", n)
			}
		})
	}
}

// equal takes a nil payload for an empty one: on the medium they are.
func equal(a, b journal.Record) bool {
	payload := bytes.Equal(a.Payload, b.Payload)
	a.Payload, b.Payload = nil, nil
	return payload && reflect.DeepEqual(a, b)
}

func same(t testing.TB, got, want []journal.Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d records, want %d", len(got), len(want))
	}
	for i := range want {
		if !equal(got[i], want[i]) {
			t.Fatalf("record %d\n got %v\nwant %v", i, got[i], want[i])
		}
	}
}

func TestAppendIsOneWriteAndOneSyncAndSmall(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(journal.Record{}))
	e := event(1)
	e.Payload = []byte(strings.Repeat("x", 300))
	before := len(files.Bytes("0000000000000001.jrn"))
	ops, syncs, writes := files.Ops(), files.Count("datasync"), files.Count("write")
	must[uint64](t)(j.Append(e))
	if files.Ops()-ops != 2 || files.Count("datasync")-syncs != 1 || files.Count("write")-writes != 1 {
		t.Errorf("an append took: %v", files.Log()[ops:])
	}
	if size := len(files.Bytes("0000000000000001.jrn")) - before; size != 76+len(e.Source)+300 {
		t.Errorf("a payload of 300 bytes took %d bytes", size)
	}
}

func TestTheSameEventTwiceIsRecordedOnce(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(journal.Record{}))
	first := must[uint64](t)(j.Append(event(1)))
	must[uint64](t)(j.Append(event(2)))
	ops := files.Ops()
	if again := must[uint64](t)(j.Append(event(1))); again != first || files.Ops() != ops {
		t.Fatalf("offered again it got number %d, first %d, and %v", again, first, files.Log()[ops:])
	}
	j2, _ := open(t, files.AfterKill())
	if again := must[uint64](t)(j2.Append(event(1))); again != first {
		t.Fatalf("after a restart it got number %d, first %d", again, first)
	}
	nameless := event(3)
	nameless.ID = journal.EventID{}
	a, b := must[uint64](t)(j2.Append(nameless)), must[uint64](t)(j2.Append(nameless))
	if a == b {
		t.Fatal("events without an id were taken for one")
	}
}

// The dealer thinks better of it while the unit is not recording: another,
// shorter event follows the one that failed.
func TestAfterRepairAnotherEventMayFollow(t *testing.T) {
	for _, fault := range []journaltest.Fault{journaltest.EIO, journaltest.Late, journaltest.ENOSPC, journaltest.Short} {
		for op := range 2 {
			files := journaltest.New()
			j, _ := open(t, files)
			must[uint64](t)(j.Roll(journal.Record{}))
			must[uint64](t)(j.Append(event(1)))
			files.FailAt(files.Ops()+op, fault)
			if _, err := j.Append(event(50)); err == nil {
				continue // a sync cannot be short
			} else if !errors.Is(err, journal.ErrUnknown) || j.Err() == nil {
				t.Fatalf("append gave %v, Err %v", err, j.Err())
			}
			ops := files.Ops()
			if _, err := j.Append(event(2)); !errors.Is(err, journal.ErrFailed) {
				t.Fatalf("append before repair: %v", err)
			}
			if _, err := j.Roll(journal.Record{}); !errors.Is(err, journal.ErrFailed) {
				t.Fatalf("roll before repair: %v", err)
			}
			if files.Ops() != ops {
				t.Fatalf("a stopped journal did %v", files.Log()[ops:])
			}
			if err := j.Repair(); err != nil || j.NeedsRoll() || j.Err() != nil {
				t.Fatalf("repair: %v, needs roll %v, Err %v", err, j.NeedsRoll(), j.Err())
			}
			if seq := must[uint64](t)(j.Append(event(2))); seq != 3 {
				t.Fatalf("after repair the record got number %d", seq)
			}
			_, found := open(t, files.AfterPowerCut(3))
			if len(found.Problems) != 0 || found.Last != 3 || found.Records[1].ID != event(2).ID {
				t.Fatalf("found %v, %v", found.Records, found.Problems)
			}
		}
	}
}

func TestNothingIsAcknowledgedWhileTheSyncIsOut(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(journal.Record{}))
	out, release := make(chan bool), make(chan bool)
	files.SlowSync(func() { out <- true; <-release })
	done := make(chan uint64)
	go func() { seq, _ := j.Append(event(1)); done <- seq }()
	<-out
	if err := j.SavePending([]byte("B")); err != nil {
		t.Fatal(err)
	}
	if entry, after, err := j.LoadPending(); string(entry) != "B" || after != 1 || err != nil {
		t.Fatalf("pending while the sync is out: %q after %d, %v", entry, after, err)
	}
	if j.Last() != 1 {
		t.Fatalf("record %d counts as acknowledged", j.Last())
	}
	select {
	case <-done:
		t.Fatal("append returned before the sync")
	default:
	}
	close(release)
	if seq := <-done; seq != 2 || j.Last() != 2 {
		t.Fatalf("append gave %d, last is %d", seq, j.Last())
	}
}

func TestWhatDoesNotFitIsRefusedAndNothingStops(t *testing.T) {
	j, _ := open(t, journaltest.New())
	must[uint64](t)(j.Roll(journal.Record{}))
	long := event(1)
	long.Source = strings.Repeat("s", journal.MaxSource+1)
	if _, err := j.Append(long); !errors.Is(err, journal.ErrTooLong) {
		t.Errorf("long source: %v", err)
	}
	long = event(1)
	long.Payload = make([]byte, journal.MaxPayload+1)
	if _, err := j.Append(long); !errors.Is(err, journal.ErrTooLong) {
		t.Errorf("long payload: %v", err)
	}
	if _, err := j.Roll(long); !errors.Is(err, journal.ErrTooLong) {
		t.Errorf("long checkpoint: %v", err)
	}
	if err := j.SavePending(make([]byte, journal.MaxPending+1)); err == nil {
		t.Error("long pending entry was taken")
	}
	long.Payload = long.Payload[:journal.MaxPayload]
	if seq := must[uint64](t)(j.Append(long)); seq != 2 {
		t.Errorf("the longest event got number %d", seq)
	}
}

func TestOneJournalOneWriter(t *testing.T) {
	for name, files := range folders(t) {
		t.Run(name, func(t *testing.T) {
			j, _ := open(t, files)
			if _, _, err := journal.Open(files, unit); !errors.Is(err, journal.ErrInUse) {
				t.Fatalf("second writer: %v", err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			j, _ = open(t, files)
			defer j.Close()
		})
	}
}

func TestAnotherUnitsOrANewerJournalIsLeftAlone(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(journal.Record{}))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	var wrong *journal.UnitError
	if _, _, err := journal.Open(files, "table-8"); !errors.As(err, &wrong) || wrong.Have != unit {
		t.Errorf("another unit: %v", err)
	}
	if _, _, err := journal.Open(files, ""); err == nil {
		t.Error("a unit without a name was taken")
	}
	j, _ = open(t, files) // the refusals gave the lock back
	defer j.Close()
}

func TestARollIsDueAtTheLimit(t *testing.T) {
	j, _ := open(t, journaltest.New())
	must[uint64](t)(j.Roll(journal.Record{}))
	j.SetLimit(1000)
	for n := 0; !j.NeedsRoll(); n++ {
		must[uint64](t)(j.Append(event(n)))
		if n > 20 {
			t.Fatal("a thousand bytes were never full")
		}
	}
	must[uint64](t)(j.Append(event(99))) // due is not must
	must[uint64](t)(j.Roll(journal.Record{}))
	if j.NeedsRoll() {
		t.Error("due again after a roll")
	}
}

func TestBootID(t *testing.T) {
	id := must[journal.BootID](t)(journal.ParseBootID("3f2504e0-4f89-41d3-9a0c-0305e82c3301\n"))
	if id.String() != "3f2504e04f8941d39a0c0305e82c3301" {
		t.Errorf("got %s", id)
	}
	if _, err := journal.ParseBootID("3f25"); err == nil {
		t.Error("half an id was taken")
	}
	if s := (journal.EventID{0xab, 1}).String(); s != "ab01000000000000" {
		t.Errorf("event id is %s", s)
	}
}

// Another unit goes on with a record: its name is on the segments from then on, the chain
// is whole, and a crash at any moment leaves the record of one or of the other.
func TestAnotherUnitGoesOn(t *testing.T) {
	files := journaltest.New()
	j, _ := open(t, files)
	must[uint64](t)(j.Roll(checkpoint(0)))
	must[uint64](t)(j.Append(event(1)))
	if err := j.HandOver(strings.Repeat("x", journal.MaxUnit+1)); err == nil {
		t.Error("a name that no segment has room for")
	}
	if err := j.HandOver("spare"); err != nil || !j.NeedsRoll() {
		t.Fatalf("%v, a roll is needed: %v", err, j.NeedsRoll())
	}
	if is, n, err := journal.Newest(files); is != unit || n != 1 || err != nil {
		t.Errorf("before the roll: %q, %d, %v", is, n, err)
	}
	must[uint64](t)(j.Roll(checkpoint(1)))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if is, n, err := journal.Newest(files); is != "spare" || n != 2 || err != nil {
		t.Errorf("after it: %q, %d, %v", is, n, err)
	}
	if c := must[journal.Check](t)(journal.Verify(files)); len(c.Problems) > 0 || c.Last != 3 {
		t.Errorf("%+v", c)
	}
	if _, _, err := journal.Open(files, unit); err == nil {
		t.Error("the first unit goes on with it")
	}
	again, _, err := journal.Open(files, "spare")
	if err != nil {
		t.Fatal(err)
	}
	must[uint64](t)(again.Append(event(2)))
}
