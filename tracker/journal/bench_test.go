package journal_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// hand is an event as long as a hand with the presses that led to it.
func hand(n int) journal.Record {
	e := event(n)
	e.Payload = bytes.Repeat([]byte("x"), 300)
	return e
}

// fill makes a record of shoes of 80 hands that begin with a state of 20 kB.
func fill(b *testing.B, files journal.Files, shoes int) {
	b.Helper()
	j, _ := open(b, files)
	state := journal.Record{Payload: bytes.Repeat([]byte("s"), 20_000)}
	for n := range shoes * 80 {
		if n%80 == 0 {
			must[uint64](b)(j.Roll(state))
		}
		must[uint64](b)(j.Append(hand(n)))
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
}

// What a hand costs on the way to its acknowledgement: on disk nearly all of
// it is the medium's flush, in memory it is the program's own share.
func BenchmarkAppend(b *testing.B) {
	places := map[string]journal.Files{"disk": journal.Dir(filepath.Join(b.TempDir(), "journal")), "memory": quiet{journaltest.New()}}
	for name, files := range places {
		b.Run(name, func(b *testing.B) {
			j, _ := open(b, files)
			defer j.Close()
			must[uint64](b)(j.Roll(journal.Record{}))
			e, n := hand(1), 0
			b.ReportAllocs()
			for b.Loop() {
				n++
				e.ID = journal.EventID{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
				must[uint64](b)(j.Append(e))
			}
		})
	}
}

// quiet takes writes and forgets them, so that the journal alone is measured.
type quiet struct{ journal.Files }

type nothing struct{}

func (q quiet) Create(string) (journal.File, error)    { return nothing{}, nil }
func (q quiet) Rename(string, string) error            { return nil }
func (nothing) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (nothing) Datasync() error                        { return nil }
func (nothing) Truncate(int64) error                   { return nil }
func (nothing) Close() error                           { return nil }

// A start after a full shoe of 80 hands.
func BenchmarkOpen(b *testing.B) {
	dir := journal.Dir(filepath.Join(b.TempDir(), "journal"))
	fill(b, dir, 3)
	b.ReportAllocs()
	for b.Loop() {
		j, _ := open(b, dir)
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// The check of the whole record, per shoe.
func BenchmarkVerify(b *testing.B) {
	dir := journal.Dir(filepath.Join(b.TempDir(), "journal"))
	const shoes = 20
	fill(b, dir, shoes)
	bytes := int64(0)
	for _, name := range must[[]string](b)(dir.List()) {
		bytes += int64(len(must[[]byte](b)(dir.Read(name))))
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		must[journal.Check](b)(journal.Verify(dir))
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/shoes, "µs/shoe")
}

func BenchmarkSavePending(b *testing.B) {
	j, _ := open(b, journal.Dir(filepath.Join(b.TempDir(), "journal")))
	defer j.Close()
	entry := []byte(`["BANKER","7"]`)
	b.ReportAllocs()
	for b.Loop() {
		if err := j.SavePending(entry); err != nil {
			b.Fatal(err)
		}
	}
}
