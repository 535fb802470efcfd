package shoe

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"shoeboard/hw/linux"
)

// Link is a line to a shoe. Read waits a tenth of a second at most and then returns no bytes
// and no error; io.EOF says that nothing more will ever come. Write waits half a second at
// most.
type Link interface{ io.ReadWriteCloser }

// Wiring says where a shoe is connected.
type Wiring struct {
	Kind   string // "tsp1", "angel-eye", "lines", or "replay" for a recording
	Device string // "/dev/serial/by-id/…", "tcp://host:port", or the file of a recording
	Baud   int    // bits a second of a serial port; 0: the default of the kind
}

// Source returns the source of the shoe; now reads the boot-time clock. Only the file of a
// recording is read before Run, so that a wrong one is reported at once.
func (w Wiring) Source(s Settings, now func() time.Duration) (*Source, error) {
	if w.Kind != "replay" {
		return New(w.Kind, s, w.open, now)
	}
	rec, err := w.recording()
	if err != nil {
		return nil, err
	}
	return New(rec.Kind, s, always(rec.Play()), now)
}

// Replay returns a source that reads Device as a file of what once came over a line of Kind,
// in any form that somebody kept it: the bytes, a dump of them in hex, a terminal program's
// log, a recording. It comes at once, in the times of the source's own clock, and then the
// recording is over.
func (w Wiring) Replay(s Settings) (*Source, error) {
	rec, err := w.recording()
	if err != nil {
		return nil, err
	}
	line, now := rec.Skim()
	return New(rec.Kind, s, always(line), now)
}

// recording reads the file. Of the kind "replay" it must be a recording by its first line.
func (w Wiring) recording() (recording, error) {
	data, err := os.ReadFile(w.Device)
	if err != nil {
		return recording{}, err
	}
	if w.Kind == "replay" {
		return readRecording(w.Device, data)
	}
	return readCapture(w.Device, data, w.Kind)
}

// always opens the same line.
func always(l Link) func(context.Context) (Link, error) {
	return func(context.Context) (Link, error) { return l, nil }
}

// listener is a line that can only be read.
type listener struct{ Link }

func (listener) Write([]byte) (int, error) {
	return 0, errors.New("nothing is ever sent to this kind of shoe")
}

func (w Wiring) open(ctx context.Context) (Link, error) {
	port, err := w.openPort(ctx)
	if err != nil {
		return nil, err
	}
	return port, nil
}

func (w Wiring) openPort(ctx context.Context) (*linux.Serial, error) {
	if address, ok := strings.CutPrefix(w.Device, "tcp://"); ok {
		return linux.DialSerial(ctx, address)
	}
	baud := w.Baud
	if baud == 0 {
		baud = map[string]int{"tsp1": 115200, "angel-eye": 4800, "lines": 9600}[w.Kind]
	}
	if w.Kind == "tsp1" {
		return linux.OpenSerial(w.Device, baud)
	}
	return linux.OpenSerialToRead(w.Device, baud)
}
