package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/testkit"
)

// verbAt runs a verb on a machine of its own and returns its exit code and words.
func verbAt(t *testing.T, root, venue string, args ...string) (int, string) {
	t.Helper()
	file := filepath.Join(root, "venue.toml")
	text := fmt.Sprintf("data = %q\nsocket = %q\n%s", filepath.Join(root, "data"), filepath.Join(root, "none"), venue)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := &program{out: &out, err: &out, log: testkit.Log(), root: root}
	code := p.main(t.Context(), append([]string{"--config", file}, args...))
	return code, out.String()
}

// A recording of one good hand, one whose claim contradicts its cards, and noise.
const recorded = `shoeboard-recording 1 tsp1
0.000 "$TSP1,HELO,0,1,sim-shoe,1.0.3,7F3A*180B\r\n$TSP1,SHOE,1,8*E1D5\r\n"
0.010 "\xff\xfe$TSP1,CARD,3,P,1,7S*9B88\r\n"
0.020 "$TSP1,CUT,41*C38D\r\n"
`

func TestMonitorOfARecording(t *testing.T) {
	root := t.TempDir()
	testkit.Plant(t, root, map[string]string{"shoe.rec": recorded}, nil)
	raw := filepath.Join(root, "raw.txt")
	code, said := verbAt(t, root, "[[shoe]]\nname = \"old\"\nkind = \"replay\"\ndevice = \""+root+"/shoe.rec\"\n", "shoe", "monitor", "old", "--raw", raw)
	if code != exitFine {
		t.Errorf("exit %d", code)
	}
	testkit.Expect(t, said, `bytes "$TSP1,HELO`, "event new shoe", "event switched on", "SHOE new shoe", "FAULT damaged frames 1",
		"line the recording is over", "2 bytes of noise", "1 damaged")
	code, again := verbAt(t, root, "", "shoe", "monitor", raw) // every byte was kept, with its time
	if code != exitFine || !slices.Equal(sortedLines(again), sortedLines(said)) {
		t.Errorf("exit %d; the kept bytes say\n%s\nand not\n%s", code, again, said)
	}
}

// sortedLines returns the lines of a monitor in one order: bytes come on the goroutine of the
// source and the core's events on another, so that their lines may change places.
func sortedLines(said string) []string { return slices.Sorted(strings.Lines(said)) }

// A capture that somebody made with another program is bytes and nothing else.
func TestMonitorOfBytesAsTheyCame(t *testing.T) {
	root := t.TempDir()
	frames := ""
	for _, f := range []string{"\x050S\x0360", "\x051C\x0371"} {
		frames += f + f + f
	}
	testkit.Plant(t, root, map[string]string{"capture.bin": "\xff\x00" + frames, "shoe.rec": recorded}, nil)
	if code, said := verbAt(t, root, "", "shoe", "monitor", root+"/capture.bin", "--kind", "angel-eye"); code != exitFine {
		t.Errorf("exit %d: %s", code, said)
	} else {
		testkit.Expect(t, said, "event switched on", "event cut card", "2 frames, 4 repeats of them, 0 damaged, 0 lost, 2 bytes of noise")
	}
	log := ""
	for f := range strings.SplitAfterSeq(frames, "\x03") {
		log += fmt.Sprintf("20:05:30.050 % X\r\n", f)
	}
	testkit.Plant(t, root, map[string]string{"capture.log": log}, nil)
	if code, said := verbAt(t, root, "", "shoe", "monitor", root+"/capture.log"); code != exitFine { // and so is a log of them
		t.Errorf("exit %d: %s", code, said)
	} else {
		testkit.Expect(t, said, "event switched on", "event cut card", "2 frames, 4 repeats of them, 0 damaged, 0 lost, 0 bytes of noise")
	}
	code, said := verbAt(t, root, "", "shoe", "monitor", root+"/shoe.rec") // calls itself what it is
	if testkit.Expect(t, said, "event new shoe", "event cut card"); code != exitFine {
		t.Errorf("exit %d", code)
	}
}

func TestMonitorSaysWhatIsWrongWithItsDevice(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"/nowhere --seconds 0.05", exitFailed, "no such file"},
		{"/nowhere --kind morse", exitUsage, "--kind morse: expected tsp1, angel-eye, lines or replay"},
		{"/nowhere --kind replay", exitFailed, "no such file"},
		{"/nowhere --baud=-1", exitUsage, "--baud -1: expected 0 to 4000000"},
		{"left", exitUsage, "left: expected the name of a [[shoe]] (the configuration has none), a device"},
		{"tcp://shoe", exitUsage, "tcp://shoe: expected tcp://host:port"},
		{root + "/venue.toml --raw " + root + "/../" + filepath.Base(root) + "/venue.toml", exitUsage, "that file is being read; expected another file"},
		{root + "/venue.toml --seconds 0.05", exitFailed, "no valid frame was received"},
	} {
		code, said := verbAt(t, root, "", append([]string{"shoe", "monitor"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, code, said)
		}
	}
}

// spoken is a verb that runs until it is stopped.
type spoken struct {
	testkit.Text
	stop func()
	code chan int
}

func speak(t *testing.T, root string, args ...string) *spoken {
	ctx, cancel := context.WithCancel(t.Context())
	s := &spoken{stop: cancel, code: make(chan int, 1)}
	go func() {
		p := &program{out: s, err: s, log: testkit.Log(), root: root}
		s.code <- p.main(ctx, args)
	}()
	return s
}

// until waits for one of some words.
func (s *spoken) until(t *testing.T, words ...string) {
	t.Helper()
	for {
		for _, w := range words {
			if strings.Contains(s.String(), w) {
				return
			}
		}
		select {
		case c := <-s.code:
			t.Fatalf("exit %d: %s", c, s.String())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (s *spoken) end(t *testing.T) {
	t.Helper()
	s.stop()
	if c := <-s.code; c != exitFine {
		t.Errorf("exit %d, %s", c, s.String())
	}
}

// A shoe on a pseudo terminal is heard by the monitor, and leaves nothing behind.
func TestSimulatedShoeIsHeard(t *testing.T) {
	for _, flags := range []string{"--seed 7", "--seed 7 --faults --one-way", "--seed 9 --face-down --game dai-bacc"} {
		t.Run(flags, func(t *testing.T) {
			root := t.TempDir()
			link := filepath.Join(root, "shoe")
			testkit.Plant(t, root, nil, map[string]string{"shoe": "/dev/pts/left-behind"})
			sim := speak(t, root, append([]string{"shoe", "simulate", "--pace", "1ms", "--between", "1ms", "--link", link}, strings.Fields(flags)...)...)
			sim.until(t, "Ctrl+C ends")
			heard := speak(t, root, "shoe", "monitor", link)
			heard.until(t, ": certain", "the dealer is asked")
			heard.end(t)
			sim.end(t)
			if _, err := os.Lstat(link); err == nil {
				t.Error("the link is left behind")
			}
		})
	}
}

func TestSimulateTakesNoFileForItsLink(t *testing.T) {
	root := t.TempDir()
	testkit.Plant(t, root, map[string]string{"precious": "x"}, nil)
	code, said := verbAt(t, root, "", "shoe", "simulate", "--link", filepath.Join(root, "precious"))
	if data, err := os.ReadFile(filepath.Join(root, "precious")); code != exitFailed || err != nil || string(data) != "x" {
		t.Errorf("exit %d, %s; the file is %q", code, said, data)
	}
}

// wire is a line that keeps what is written to it.
type wire struct{ sent bytes.Buffer }

func (w *wire) Read([]byte) (int, error)    { return 0, nil }
func (w *wire) Write(b []byte) (int, error) { return w.sent.Write(b) }
func (w *wire) Close() error                { return nil }

func TestBadLineDoesEveryWrong(t *testing.T) {
	var w wire
	l := &badLine{Link: &w, random: rand.New(rand.NewPCG(1, 1))}
	frame := []byte("$TSP1,CUT,41*C38D\r\n")
	seen := map[string]int{}
	for range 500 {
		w.sent.Reset()
		if n, err := l.Write(frame); n != len(frame) || err != nil {
			t.Fatal(n, err)
		}
		switch got := w.sent.Bytes(); {
		case len(got) == 0:
			seen["lost"]++
		case bytes.Equal(got, frame):
			seen["good"]++
		case bytes.Equal(got, append(bytes.Clone(frame), frame...)):
			seen["twice"]++
		case len(got) == len(frame):
			seen["flipped"]++
		case bytes.HasSuffix(got, frame):
			seen["noise"]++
		}
	}
	if len(seen) != 5 || seen["good"] < 400 {
		t.Errorf("done is %v", seen)
	}
}
