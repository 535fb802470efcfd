package matrix

import (
	"testing"
	"time"

	"shoeboard/hw/debounce"
)

func TestAmbiguousPictures(t *testing.T) {
	for _, c := range []struct {
		name string
		cols [8]uint8
		want bool
	}{
		{"nothing", [8]uint8{}, false},
		{"two keys of a column", [8]uint8{0b11}, false},
		{"two keys of a row", [8]uint8{0b01, 0b01}, false},
		{"three keys of an L, with the fourth that seems down", [8]uint8{0b11, 0b11}, true},
		{"a long way apart", [8]uint8{2: 0b10001, 7: 0b10001}, true},
		{"a diagonal", [8]uint8{0b001, 0b010, 0b100}, false},
	} {
		if got := (picture{cols: c.cols}).isAmbiguous(); got != c.want {
			t.Errorf("%s: ambiguous is %v", c.name, got)
		}
	}
}

// BenchmarkFeed is what one scan of 5 by 8 keys costs apart from the wires, with
// one key down; a scan comes every 5 ms.
func BenchmarkFeed(b *testing.B) {
	s := newScanner(Settings{Rows: 5, Cols: 8, Times: debounce.Contacts()})
	p := picture{cols: [8]uint8{2: 0b00100}}
	var at time.Duration
	b.ReportAllocs()
	for b.Loop() {
		at += scanEvery
		s.feed(p, at)
	}
}
