package shoe

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
)

func TestRecordingIsReadAsItWasWritten(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	want := recording{"angel-eye", []chunk{{0, []byte("\x050S\x0360")}, {1500 * time.Millisecond, all}, {1500 * time.Millisecond, []byte("é√")}, {time.Hour, []byte{}}}}
	var file bytes.Buffer
	r, err := NewRecorder(&file, want.Kind)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Chunks {
		if err := r.Record(c.At+time.Hour, c.Bytes); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readRecording("x", file.Bytes())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v\nof %s", got, err, file.Bytes())
	}
}

func TestRecordingThatIsNoneSaysWhere(t *testing.T) {
	const head = "shoeboard-recording 1 tsp1\n# a note\n\n0.5 \"x\"\n"
	for text, says := range map[string]string{
		"":                                "bug.rec: empty",
		"7S\n":                            "bug.rec:1: \"7S\"",
		"shoeboard-recording 1 replay\n":  "bug.rec:1:",
		"shoeboard-recording 2 tsp1\n":    "bug.rec:1:",
		head + "x \"y\"\n":                "bug.rec:5: \"x\" is no time",
		head + "-1 \"y\"\n":               "bug.rec:5: \"-1\" is no time",
		head + "NaN \"y\"\n":              "is no time",
		head + "1e300 \"y\"\n":            "is no time",
		head + "0.25 \"y\"\n":             "bug.rec:5: 0.25 s is before",
		head + "0.75 y\n":                 "bug.rec:5: y: expected bytes in double quotes",
		head + "0.75 'y'\n":               "double quotes",
		head + "0.75\n":                   "double quotes",
		head + "0.75 \"y\n":               "double quotes",
		head + strings.Repeat("x", 2<<20): "bug.rec:5: \"xxx",
	} {
		if _, err := readRecording("bug.rec", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want something with %q", cut(text), err, says)
		}
	}
}

func TestRecordingPlaysInItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := recording{"tsp1", []chunk{{0, []byte("abc")}, {750 * time.Millisecond, []byte("defg")}}}
		line, start := rec.Play(), time.Now()
		var got []string
		for {
			b := make([]byte, 2)
			n, err := line.Read(b)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				got = append(got, time.Since(start).String()+" "+string(b[:n]))
			}
		}
		if want := []string{"0s ab", "0s c", "750ms de", "750ms fg"}; !reflect.DeepEqual(got, want) {
			t.Errorf("played %q, want %q", got, want)
		}
		line.Close()
	})
}

// A shoe that was silent for long goes and comes in its recording as it did: the
// recording does not begin anew. Skimmed, hours take no time.
func TestRecordingGoesOnAfterASilence(t *testing.T) {
	for _, skim := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newDevice("0001").hand(natural)
			before := s.flush()
			rec := recording{"tsp1", []chunk{{0, before}, {3 * time.Hour, s.hand(long).flush()}}}
			start := time.Now()
			line, now := rec.Play(), func() time.Duration { return time.Since(start) }
			if skim {
				line, now = rec.Skim()
			}
			source := newSource(Settings{Name: "shoe", Rules: punto}, newTSP1(), always(line), now)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			out := make(chan hw.Event)
			go func() {
				defer close(out)
				if err := source.Run(ctx, out); err != nil {
					t.Error(err)
				}
			}()
			var told []string
			for e := range out {
				n, is := e.(hw.Notice)
				if told = append(told, sayAll([]hw.Event{e})...); is {
					told = append(told, n.Text)
				}
				if is && n.Text == Over {
					cancel()
				}
			}
			want := slices.Concat([]string{"shoe found", "powered up"}, hand(natural).seen(), []string{"shoe missing: no data received for 5s", "shoe found"},
				hand(long).seen(), []string{Over})
			for i := range told {
				told[i], _, _ = strings.Cut(told[i], "?")
			}
			if !slices.Equal(told, want) {
				t.Errorf("told %q, want %q", told, want)
			}
			if took := time.Since(start); skim != (took < time.Minute) {
				t.Errorf("skim %v took %v", skim, took)
			}
		})
	}
}
