package evdev

import (
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
	"time"
)

// raw is a stream being written down.
type raw struct {
	word wordSize
	b    []byte
	at   time.Duration
}

func (r *raw) add(typ, code uint16, value int32) *raw {
	r.at += time.Millisecond
	r.b = append(r.b, inputEvent(r.word, r.at, typ, code, value)...)
	return r
}

// inputEvent is one struct input_event of the kernel.
func inputEvent(w wordSize, at time.Duration, typ, code uint16, value int32) (b []byte) {
	sec, usec := uint64(at/time.Second), uint64(at%time.Second/time.Microsecond)
	if w == word64 {
		b = binary.NativeEndian.AppendUint64(binary.NativeEndian.AppendUint64(b, sec), usec)
	} else {
		b = binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(b, uint32(sec)), uint32(usec))
	}
	b = binary.NativeEndian.AppendUint16(b, typ)
	b = binary.NativeEndian.AppendUint16(b, code)
	return binary.NativeEndian.AppendUint32(b, uint32(value))
}

// stream has a press with its scan code, a repeat, a drop in mid-press, and the
// press after it.
func stream(w wordSize) []byte {
	r := &raw{word: w}
	r.add(4, 4, 0x70059).add(1, 79, 1).add(0, 0, 0)
	r.add(1, 79, 2).add(0, 0, 1)
	r.add(1, 79, 0).add(0, 3, 0).add(1, 80, 1).add(0, 0, 0)
	r.add(1, 81, 1).add(0, 0, 0)
	return r.b
}

func TestDecoderReadsEveryCutOfBothForms(t *testing.T) {
	want := []Record{
		{What: KeyDown, Code: 79, At: 2 * time.Millisecond},
		{What: Dropped, At: 7 * time.Millisecond},
		{What: Resumed, At: 9 * time.Millisecond},
		{What: KeyDown, Code: 81, At: 10 * time.Millisecond},
	}
	for _, w := range []wordSize{word32, word64} {
		b := stream(w)
		for cut := range len(b) + 1 {
			d := newDecoder(w)
			if got := slices.Concat(d.feed(b[:cut]), d.feed(b[cut:])); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d-bit, cut at %d: got %v, want %v", 8*w, cut, got, want)
			}
		}
	}
}

func TestDecoderTakesAnEndlessReportAsDropped(t *testing.T) {
	r := &raw{word: word64}
	for i := range 1000 {
		r.add(1, 79, int32(i%2))
	}
	got := newDecoder(word64).feed(r.add(0, 0, 0).b)
	if len(got) != 2 || got[0].What != Dropped || got[1].What != Resumed {
		t.Errorf("got %v, want dropped and resumed", got)
	}
}

// FuzzDecoder: however a stream is cut it means the same, drops are always
// followed by a resume before the next key, and nothing but down and up of keys
// is made of it.
func FuzzDecoder(f *testing.F) {
	f.Add(stream(word64), uint8(7), true)
	f.Add(stream(word32), uint8(16), false)
	f.Add([]byte{1, 2, 3}, uint8(0), true)
	f.Fuzz(func(t *testing.T, b []byte, step uint8, wide bool) {
		w := word32
		if wide {
			w = word64
		}
		whole := newDecoder(w).feed(b)
		var pieces []Record
		d := newDecoder(w)
		for c := range slices.Chunk(b, int(step)+1) {
			pieces = append(pieces, d.feed(c)...)
		}
		if !slices.Equal(whole, pieces) {
			t.Fatalf("whole %v, in pieces %v", whole, pieces)
		}
		dropped := false
		for _, r := range whole {
			switch r.What {
			case Dropped:
				if dropped {
					t.Fatal("dropped twice")
				}
				dropped = true
			case Resumed:
				if !dropped {
					t.Fatal("resumed without a drop")
				}
				dropped = false
			case Released:
				if dropped {
					t.Fatal("released while dropped")
				}
			default:
				if dropped || r.What != KeyDown && r.What != KeyUp {
					t.Fatalf("%v while dropped is %v", r, dropped)
				}
			}
			Pos(r.Code)
		}
	})
}

func TestPositionsAreWhatTheKeycapsSay(t *testing.T) {
	for code, want := range map[uint16]string{
		1: "ESC", 14: "BACKSPACE", 15: "TAB", 13: "KPEQUAL", 28: "KPENTER", 30: "A", 2: "1", 59: "F1",
		55: "KPASTERISK", 69: "NUMLOCK", 71: "KP7", 72: "KP8", 73: "KP9", 74: "KPMINUS", 75: "KP4",
		76: "KP5", 77: "KP6", 78: "KPPLUS", 79: "KP1", 80: "KP2", 81: "KP3", 82: "KP0", 83: "KPDOT",
		88: "F12", 96: "KPENTER", 98: "KPSLASH", 102: "KP7", 103: "KP8", 104: "KP9", 105: "KP4",
		106: "KP6", 107: "KP1", 108: "KP2", 109: "KP3", 110: "KP0", 111: "KPDOT", 117: "KPEQUAL",
		121: "KPCOMMA", 183: "F13", 194: "F24", 84: "KEY84", 0x2ff: "KEY767",
	} {
		if got := Pos(code); got != want {
			t.Errorf("key code %d is %q, want %q", code, got, want)
		}
	}
}

func TestDecoderTellsTheKernelsReleaseFromAFingers(t *testing.T) {
	r := &raw{word: word64}
	r.add(1, 79, 1).add(0, 0, 0).add(1, 79, 2).add(0, 0, 1).add(1, 79, 0).add(0, 0, 1).add(1, 80, 0).add(0, 0, 0)
	want := []Record{
		{What: KeyDown, Code: 79, At: time.Millisecond},
		{What: Released, At: 6 * time.Millisecond},
		{What: KeyUp, Code: 80, At: 7 * time.Millisecond},
	}
	if got := newDecoder(word64).feed(r.b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
