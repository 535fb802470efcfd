package shoe

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
)

// decodes fuzzes a decoder and the assembler behind it: a stream means the same
// however it is cut, a certain hand obeys the rules, and no place is told but those
// that there are.
func decodes(f *testing.F, build func() decoder) {
	f.Fuzz(func(t *testing.T, stream []byte, size uint8, faceDown bool) {
		whole := build().Feed(stream, 0)
		d := build()
		var pieces []event
		for chunk := range slices.Chunk(stream, int(size)+1) {
			pieces = append(pieces, d.Feed(chunk, 0)...)
		}
		if len(whole)+len(pieces) > 0 && !reflect.DeepEqual(whole, pieces) {
			t.Errorf("whole %+v\npieces %+v", whole, pieces)
		}
		pieces = append(pieces, d.Feed(nil, time.Minute)...)
		hands := newAssembler(punto, faceDown)
		for _, e := range pieces {
			for _, told := range hands.Feed(e) {
				sane(t, told)
			}
		}
	})
}

func sane(t *testing.T, e hw.Event) {
	switch e := e.(type) {
	case hw.HandSeen:
		if e.Doubt == "" && (!e.Complete || punto(e.Player, e.Banker) != nil) || len(e.Player) > 3 || len(e.Banker) > 3 {
			t.Errorf("told %+v", e)
		}
	case hw.CardSeen:
		if e.Place < 1 || e.Place > 3 || e.Side.String() == "nobody" {
			t.Errorf("told %+v", e)
		}
	}
}

func FuzzTSP1(f *testing.F) {
	s := newDevice("0001").send("SHOE", "8").send("BURN", "9H", "9").hand(long).send("HIDE").draw(hand(natural), true).send("SHOW")
	stream := s.draw(hand(natural), false).result(hand(natural)).send("CUT").send("ERR", "OVERDRAW", "1").send("BACK", "P", "1").flush()
	f.Add(stream, uint8(6), false)
	f.Add(stream[:70], uint8(0), true)
	f.Add([]byte("$TSP1,CARD,3,P,1,7S*9B87\r$TSP1,CARD,3,P,1,7S*9B87\r"), uint8(90), false)
	decodes(f, func() decoder { return newTSP1() })
}

func FuzzAngelEye(f *testing.F) {
	s := newEye().send('S').send('D', 0xc0, 0xa2).hand(long).draw(hand(natural), true).send('E', 0x82).send('d', 0x90, 0xa5)
	f.Add(s.send('e', 0x82).show(hand(natural)).result(hand(natural)).send('P').send('C').send('M', []byte("010005")...).flush(), uint8(6), false)
	f.Add([]byte("\x050S\x0360"), uint8(0), true)
	s = newEye().draw(hand(natural), false).send('E', 0x82).send('R', 0x81, 0xb2).result(hand(natural)).restOf(hand(long), false)
	f.Add(s.result(hand(long)).flush(), uint8(22), false)
	decodes(f, func() decoder { return newAngelEye() })
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("7S\r\nJD\r\n2H\r\nKC\r\n10H\r\n"), uint8(2), false)
	f.Add([]byte("2S 3H 9C / JD,3C 2D\n7X\n"), uint8(0), true)
	decodes(f, func() decoder { return newLines() })
}

// FuzzRecording: what is a recording is written and read again as it is.
func FuzzRecording(f *testing.F) {
	f.Add([]byte("shoeboard-recording 1 tsp1\n# note\n0.000 \"$TSP1\\r\\n\"\n12.5 \"\\x05\"\n"))
	f.Add([]byte("shoeboard-recording 1 lines\n"))
	f.Fuzz(recordsAgain)
}

// A line takes four times the bytes as we write it when each of its bytes is told by
// its number.
func TestRecordingOfALongLine(t *testing.T) {
	recordsAgain(t, []byte("shoeboard-recording 1 lines\n0 \""+strings.Repeat("\x05", 300_000)+"\"\n"))
}

func recordsAgain(t *testing.T, data []byte) {
	rec, err := readRecording("x", data)
	if err != nil {
		return
	}
	var file bytes.Buffer
	r, _ := NewRecorder(&file, rec.Kind)
	last := time.Duration(0)
	for _, c := range rec.Chunks {
		if c.At < last || c.At > maxSeconds*time.Second {
			t.Errorf("%v after %v", c.At, last)
		}
		last = c.At
		r.Record(c.At, c.Bytes)
	}
	again, err := readRecording("x", file.Bytes())
	if err != nil || len(again.Chunks) != len(rec.Chunks) {
		t.Fatalf("read again %+v, %v", again, err)
	}
	for i, c := range again.Chunks {
		if !bytes.Equal(c.Bytes, rec.Chunks[i].Bytes) {
			t.Errorf("%q is read again as %q", rec.Chunks[i].Bytes, c.Bytes)
		}
	}
}
