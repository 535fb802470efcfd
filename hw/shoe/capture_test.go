package shoe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"shoeboard/hw"
)

// readHands reads data as a capture and gives its certain hands, and all others.
func readHands(t *testing.T, data []byte, kind string) (certain, doubtful []string, c Counts) {
	t.Helper()
	rec, err := readCapture("x", data, kind)
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDecoder(rec.Kind)
	if err != nil {
		t.Fatal(err)
	}
	a := newAssembler(punto, false)
	for _, chunk := range append(rec.Chunks, chunk{At: time.Hour}) {
		for _, e := range d.Feed(chunk.Bytes, chunk.At) {
			for _, told := range a.Feed(e) {
				h, is := told.(hw.HandSeen)
				switch said := strings.TrimPrefix(sayHand(h), "hand "); {
				case is && h.Doubt == "":
					certain = append(certain, said)
				case is:
					doubtful = append(doubtful, said)
				}
			}
		}
	}
	return certain, doubtful, d.Counts()
}

// However a capture was kept, every hand of it is read, and certain.
func TestCapturesReadHoweverTheyWereKept(t *testing.T) {
	files, err := filepath.Glob("testdata/captures/*.*")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".hands") || strings.HasSuffix(file, ".md") {
			continue
		}
		hands, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".hands")
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"angel-eye", "tsp1"} { // which of both is found out
			certain, doubtful, c := readHands(t, data, kind)
			if got := strings.Join(certain, "\n") + "\n"; got != string(hands) || len(doubtful) > 0 || c.Bad+c.Lost > 0 {
				t.Errorf("%s: certain\n%sdoubtful %q; want\n%s%+v", file, got, doubtful, hands, c)
			}
		}
	}
}

// A capture that begins anywhere, in a frame or in a hand: every hand that begins in it is
// read and certain, and what is left of the one before is at most asked about.
func TestCaptureThatBeginsInTheMiddle(t *testing.T) {
	for _, name := range []string{"hidden", "open", "turned"} {
		data, err := os.ReadFile("testdata/captures/angel-eye-" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		all, _, _ := readHands(t, data, "angel-eye")
		for at := 0; at < len(data); at += 7 {
			certain, doubtful, c := readHands(t, data[at:], "angel-eye")
			left := len(all) - len(certain)
			if left < 0 || !slices.Equal(certain, all[left:]) || len(doubtful) > 1 || c.Lost > 0 {
				t.Errorf("%s from byte %d on: certain %q, doubtful %q; %+v", name, at, certain, doubtful, c)
			}
		}
	}
}

// dumps are ways to write a stream down, a line for each frame or sixteen bytes.
var dumps = map[string]func(frame []byte) string{
	"apart":            func(f []byte) string { return fmt.Sprintf("% x\n", f) },
	"capitals":         func(f []byte) string { return fmt.Sprintf("% X\r\n", f) },
	"together":         func(f []byte) string { return fmt.Sprintf("%x\n", f) },
	"all together":     func(f []byte) string { return fmt.Sprintf("%x", f) },
	"with dashes":      func(f []byte) string { return strings.ReplaceAll(fmt.Sprintf("% X\n", f), " ", "-") },
	"with colons":      func(f []byte) string { return "2026-11-30 " + strings.ReplaceAll(fmt.Sprintf("% X\n", f), " ", ":") },
	"an array":         func(f []byte) string { return "  " + strings.ReplaceAll(fmt.Sprintf("%# x", f), " ", ", ") + ",\n" },
	"an array, tight":  func(f []byte) string { return "{" + strings.ReplaceAll(fmt.Sprintf("%# x", f), " ", ",") + "}\n" },
	"a time":           func(f []byte) string { return fmt.Sprintf("20:05:30.050 % X\n", f) },
	"a date and time":  func(f []byte) string { return fmt.Sprintf("[2026-11-30 20:05:30] RX: % x\n", f) },
	"a stamp":          func(f []byte) string { return fmt.Sprintf("2026-11-30T20:05:30Z RXRAW %x\n", f) },
	"seconds, a count": func(f []byte) string { return fmt.Sprintf("1796000000.050505\t%d\t% X\t..0D..\n", len(f), f) },
	"a digits' stamp":  func(f []byte) string { return fmt.Sprintf("20261130 200530.05 (COM3) % X\n", f) },
	"an object":        func(f []byte) string { return fmt.Sprintf("{\"type\":\"CardDrawn\",\"raw\":\"% X\"}\n", f) },
	"characters":       func(f []byte) string { return fmt.Sprintf("%-30s  .1D..\n", fmt.Sprintf("% X", f)) },
	"a bytes literal":  func(f []byte) string { return "20:05:30 b'" + strings.ReplaceAll(escaped(f), "'", `\'`) + "'\n" },
	"a string":         func(f []byte) string { return `"` + escaped(f) + `"` + "\n" },
	"bare escapes":     func(f []byte) string { return escaped(f) },
	"all escapes":      func(f []byte) string { return strings.ReplaceAll(" "+fmt.Sprintf("% x", f), " ", `\x`) + "\n" },
}

// escaped is a string literal's inside, with all but letters and digits as \x.
func escaped(b []byte) string {
	text := ""
	for _, c := range b {
		if c == '\n' || c == '\r' {
			text += map[byte]string{'\n': `\n`, '\r': `\r`}[c]
		} else if c < ' ' || c > '~' || c == '\\' {
			text += fmt.Sprintf(`\x%02x`, c)
		} else {
			text += string(c)
		}
	}
	return text
}

func TestDumpsReadInEveryForm(t *testing.T) {
	s := newEye().send('S').send('D', 0xc0, 0xa2)
	for range 3 {
		s.draw(hand(long), true).show(hand(long)).result(hand(long)).hand(natural)
	}
	frames := splitBefore(s.flush(), enq)
	want := slices.Repeat([]string{strings.TrimPrefix(hand(long).String(), "hand "), strings.TrimPrefix(hand(natural).String(), "hand ")}, 3)
	check := func(name, text string) {
		certain, doubtful, c := readHands(t, []byte(text), "angel-eye")
		if !slices.Equal(certain, want) || len(doubtful) > 0 || c.Bad+c.Lost+c.Noise > 0 {
			t.Errorf("%s: certain %q, doubtful %q, %+v of\n%s", name, certain, doubtful, c, cut(text))
		}
	}
	for name, write := range dumps {
		text := ""
		for _, f := range frames {
			text += write(f)
		}
		check(name, text)
		check(name+", with a mark", "\ufeff"+text)
		units := utf16.Encode([]rune("\ufeff" + text))
		wide := make([]byte, 0, 2*len(units))
		for _, u := range units {
			wide = append(wide, byte(u), byte(u>>8))
		}
		check(name+", in UTF-16", string(wide))
	}
	stream := bytes.Join(frames, nil)
	headed := "           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\r\n\r\n"
	wire := ""
	for i := 0; i < len(stream); i += 16 {
		row := stream[i:min(i+16, len(stream))]
		headed += fmt.Sprintf("%08X   % X  .1D..\r\n", i, row)
		wire += fmt.Sprintf("%04x   % x   .1D..\n", i, row)
	}
	check("a heading", headed)
	check("four digits of offset", wire)
}

// Cards on lines, as a terminal program keeps them.
func TestLogOfCardsIsReadWithoutItsTimes(t *testing.T) {
	for _, stamp := range []string{"", "20:05:30 ", "[2026-11-30 20:05:30.123] ", "2026-11-30T20:05:30Z ", "(20:05:30): "} {
		text := ""
		for _, c := range strings.Fields("7S JD 2H KC 2s jd 3h 3c 9c 2d") {
			text += stamp + c + "\r\n"
		}
		_, hands, c := readHands(t, []byte(strings.TrimSpace(text)), "lines")
		want := []string{strings.TrimPrefix(words(natural)[4], "hand "), strings.TrimPrefix(words(long)[6], "hand ")}
		for i := range hands {
			hands[i], _, _ = strings.Cut(hands[i], "?")
			want[i], _, _ = strings.Cut(want[i], "?")
		}
		if !slices.Equal(hands, want) || c.Bad > 0 {
			t.Errorf("%q: read %q, want %q; %+v", stamp, hands, want, c)
		}
	}
}

// What is no capture of any shoe is left as it is, for its bytes to be looked at.
func TestWhatIsNoCaptureIsKeptAsItIs(t *testing.T) {
	for _, text := range []string{"", "data = \"/var/lib\"\n", "\xff\xfe", "* \n*\n", "00000000\n*\n", "\\", "deadbeef", "9 lives\n", "0000000 00\n*\n0000020\n"} {
		rec, err := readCapture("x", []byte(text), "angel-eye")
		if err != nil || rec.Kind != "angel-eye" || len(rec.Chunks) != 1 || string(rec.Chunks[0].Bytes) != text {
			t.Errorf("%q: %+v, %v", text, rec, err)
		}
	}
	if _, err := readCapture("x", nil, "morse"); err == nil {
		t.Error("a capture of Morse is read")
	}
}

// FuzzCapture: whatever a file holds, it is read in time and space that its size bounds,
// and read the same again.
func FuzzCapture(f *testing.F) {
	f.Add([]byte("00000000  05 30 53 03 36 30 05 30  53 03 36 30 05 30 53 03  |.0S.60.0S.60.0S.|\n*\n00000030  36 30  |60|\n"))
	f.Add([]byte("20:05:30 b'\\x050S\\x0360'\n20:05:31 05-30-53-03-36-30\n0x05,0x30\n"))
	f.Add([]byte("\xff\xfe7\x00S\x00\n\x00"))
	f.Add([]byte("[20:05:30] $TSP1,CUT,41*C38D\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []string{"tsp1", "angel-eye", "lines"} {
			rec, err := readCapture("x", data, kind)
			if err != nil {
				continue // a recording that is damaged
			}
			for _, c := range rec.Chunks {
				if len(c.Bytes) > 2*len(data)+1 {
					t.Errorf("%d bytes of %d", len(c.Bytes), len(data))
				}
			}
		}
	})
}
