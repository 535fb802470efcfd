package shoe

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// recording is what came over a line, with its times: a dump for a bug report, and what the
// kind "replay" plays. As a file it is text, one line for each read:
//
//	shoeboard-recording 1 tsp1
//	# anything
//	0.000 "$TSP1,HELO,0,1,sim-shoe,1.0.3,7F3A*180B\r\n"
//	0.412 "\x050S\x0360"
//
// that is seconds since the beginning, never going back, and the bytes as a string of the Go
// language in double quotes.
type recording struct {
	Kind   string // of the decoder: "tsp1", "angel-eye" or "lines"
	Chunks []chunk
}

// chunk is what one read brought.
type chunk struct {
	At    time.Duration // since the beginning
	Bytes []byte
}

const recordingHead = "shoeboard-recording 1 "

// Recorder writes a recording as it happens.
type Recorder struct {
	w     io.Writer
	begun bool
	start time.Duration
}

// NewRecorder writes the head of a recording of that kind to w.
func NewRecorder(w io.Writer, kind string) (*Recorder, error) {
	_, err := fmt.Fprintf(w, "%s%s\n", recordingHead, kind)
	return &Recorder{w: w}, err
}

// Record writes bytes that came at a time of any clock that does not go back.
func (r *Recorder) Record(at time.Duration, b []byte) error {
	if !r.begun {
		r.begun, r.start = true, at
	}
	_, err := fmt.Fprintf(r.w, "%.3f %q\n", max(at-r.start, 0).Seconds(), b)
	return err
}

// readRecording reads a recording. The name is for errors, which give the line.
func readRecording(name string, data []byte) (recording, error) {
	var rec recording
	n := 0
	for line := range bytes.Lines(data) {
		n++
		text := strings.TrimSpace(string(line))
		switch {
		case n == 1:
			kind, ok := strings.CutPrefix(text, recordingHead)
			if _, err := newDecoder(kind); !ok || err != nil {
				return rec, fmt.Errorf("%s:1: %q, expected %q and tsp1, angel-eye or lines",
					name, cut(text), recordingHead)
			}
			rec.Kind = kind
		case text == "" || text[0] == '#':
		default:
			if err := rec.add(text); err != nil {
				return rec, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
	}
	if rec.Kind == "" {
		return rec, fmt.Errorf("%s: empty, expected %q in its first line", name, recordingHead)
	}
	return rec, nil
}

// maxSeconds is a year: longer ago than any shoe.
const maxSeconds = 366 * 24 * 3600

func (r *recording) add(line string) error {
	stamp, quoted, _ := strings.Cut(line, " ")
	seconds, err := strconv.ParseFloat(stamp, 64)
	if err != nil || !(seconds >= 0 && seconds <= maxSeconds) {
		return fmt.Errorf("%q is no time, expected seconds such as 12.345", cut(stamp))
	}
	at := time.Duration(seconds * float64(time.Second))
	if n := len(r.Chunks); n > 0 && at < r.Chunks[n-1].At {
		return fmt.Errorf("%s s is before the line above it", stamp)
	}
	b, err := strconv.Unquote(strings.TrimSpace(quoted))
	if err != nil || quoted[0] != '"' {
		return fmt.Errorf("%s: expected bytes in double quotes after the time", cut(quoted))
	}
	r.Chunks = append(r.Chunks, chunk{at, []byte(b)})
	return nil
}

// cut shortens text for a message.
func cut(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// readWait is how long a Read of a Link waits.
const readWait = 100 * time.Millisecond

// Play returns the recording as a line on which everything comes when it came, counted from
// the first Read; after the last byte Read returns io.EOF. A line that is closed and opened
// again goes on where it was.
func (r recording) Play() Link {
	start := sync.OnceValue(time.Now)
	return &player{chunks: r.Chunks, wait: time.Sleep, now: func() time.Duration { return time.Since(start()) }}
}

// Skim returns the recording as a line on which no time passes: hours come at once, and only
// the clock that is returned too goes on. It belongs to the goroutine that reads the line.
func (r recording) Skim() (Link, func() time.Duration) {
	at := time.Duration(0)
	now := func() time.Duration { return at }
	return &player{chunks: r.Chunks, now: now, wait: func(d time.Duration) { at += max(d, 0) }}, now
}

// player is a line that plays a recording.
type player struct {
	chunks []chunk
	rest   []byte
	now    func() time.Duration // since the beginning
	wait   func(time.Duration)
}

func (p *player) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		if len(p.chunks) == 0 {
			return 0, io.EOF
		}
		due := p.chunks[0].At - p.now()
		if p.wait(min(due, readWait)); due > readWait {
			return 0, nil
		}
		p.rest, p.chunks = p.chunks[0].Bytes, p.chunks[1:]
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *player) Write(b []byte) (int, error) { return len(b), nil }

func (p *player) Close() error { return nil }
