package history_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"shoeboard/tracker/history"
)

// fiveYears is about as many shoes as a busy table deals in five years.
const fiveYears = 54_000

// years is a journal of five years that is made as it is read.
func years(from uint64, put func(history.Row) error) error {
	for n := range fiveYears {
		if r := shoe(n + 1); r.Shoe >= from {
			if err := put(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// A start with five years of shoes: what looking through the file costs, in
// time and in the memory of the program (the file's own pages not counted).
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.db")
	newest := shoe(fiveYears).Last
	h, _, err := history.Open(path, history.Reach{Newest: newest}, years)
	if err == nil {
		err = h.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	var peak uint64
	for b.Loop() {
		h, report, err := history.Open(path, history.Reach{Newest: newest}, years)
		if err != nil || report.Did != history.Kept {
			b.Fatal(report, err)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(peak)/1e6, "MB-heap")
}

// Five years of shoes made anew.
func BenchmarkRebuild(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.db")
	h, _, err := history.Open(path, history.Reach{}, func(uint64, func(history.Row) error) error { return nil })
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	for b.Loop() {
		if _, err := h.Rebuild(nil, years); err != nil {
			b.Fatal(err)
		}
	}
}

// One shoe more.
func BenchmarkPut(b *testing.B) {
	h, _ := open(b, filepath.Join(b.TempDir(), "history.db"), &book{rows: shoes(2000)})
	n := 2000
	for b.Loop() {
		n++
		if err := h.Put(shoe(n)); err != nil {
			b.Fatal(err)
		}
	}
}

// The newest shoe, as a start asks for it.
func BenchmarkLast(b *testing.B) {
	h, _ := open(b, filepath.Join(b.TempDir(), "history.db"), &book{rows: shoes(2000)})
	for b.Loop() {
		if _, _, err := h.Last(); err != nil {
			b.Fatal(err)
		}
	}
}
