package stick

import (
	"testing"
	"time"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/tracker/journal"
)

// How long a take-over of a thousand shoes takes but for the media: copy, sums, chain,
// commit. Five years of one table are 54 times as much.
func BenchmarkTakeOverOfAThousandShoes(b *testing.B) {
	dead := newUnit(b, "10000000aaaa", "14")
	dead.shoes(make([]int, 1000)...)
	dead.shoes(70)
	slot := Slot{Dir: b.TempDir(), Plain: true}
	m, _ := dead.mirroring(slot)
	for now := time.Duration(0); now < 40*look; now += look {
		m.step(b.Context(), now)
	}
	var size int64
	for _, text := range dead.own() {
		size += int64(len(text))
	}
	b.SetBytes(size)
	for b.Loop() {
		u := spare(b, "10000000bbbb")
		dead.must(u.questions(slot)[0].Yes(u.id))
	}
}

// What a look costs when nothing is new: a minute's work of the mirror.
func BenchmarkMirrorOfNothingNew(b *testing.B) {
	u := newUnit(b, "10000000aaaa", "14")
	u.shoes(make([]int, 1000)...)
	m, _ := u.mirroring(Slot{Dir: b.TempDir(), Plain: true})
	now := time.Duration(0)
	for ; now < 40*look; now += look {
		m.step(b.Context(), now)
	}
	if check, err := journal.Verify(journal.Dir(config.JournalDir(u.data))); err != nil || check.Segments != 1000 {
		b.Fatal(check.Segments, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		now += every
		m.step(b.Context(), now)
	}
}
