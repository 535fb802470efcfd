package shoe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"shoeboard/hw/linux"
)

// Link is a line to a shoe. Read waits a tenth of a second at most and then returns
// nothing and no error; io.EOF says that nothing more will ever come. Write waits
// half a second at most.
type Link interface{ io.ReadWriteCloser }

// The times of a link.
const (
	readWait  = 100 * time.Millisecond
	writeWait = 500 * time.Millisecond
	dialWait  = 3 * time.Second
)

// NewDecoder returns the decoder of a kind: "tsp1", "angel-eye" or "lines".
func NewDecoder(kind string) (Decoder, error) {
	switch kind {
	case "tsp1":
		return NewTSP1(), nil
	case "angel-eye":
		return NewAngelEye(), nil
	case "lines":
		return NewLines(), nil
	}
	return nil, fmt.Errorf("%q is no kind of shoe, expected \"tsp1\", \"angel-eye\" or \"lines\"", kind)
}

// Wiring says where a shoe hangs.
type Wiring struct {
	Kind   string // "tsp1", "angel-eye", "lines", or "replay" for a recording
	Device string // "/dev/serial/by-id/…", "tcp://host:port", or the file of a recording
	Baud   int    // bits a second of a serial port; 0: what the kind has
}

// Shoe returns the decoder and what opens the line, for New.
func (w Wiring) Shoe() (Decoder, func(context.Context) (Link, error), error) {
	if w.Kind == "replay" { // the file is read once, now, so that a wrong one is told at once
		rec, err := w.recording()
		if err != nil {
			return nil, nil, err
		}
		d, err := NewDecoder(rec.Kind)
		return d, always(rec.Play()), err
	}
	d, err := NewDecoder(w.Kind)
	if err != nil {
		return nil, nil, err
	}
	open := func(ctx context.Context) (Link, error) { return w.open(ctx) }
	if _, asks := d.(Answerer); !asks {
		open = func(ctx context.Context) (Link, error) {
			l, err := w.open(ctx)
			if err != nil {
				return nil, err
			}
			return listener{l}, nil
		}
	}
	return d, open, nil
}

// Capture is as Shoe, but that Device is a file of what once came over a line of Kind, as
// ReadCapture reads it. It comes at once, in the times of the clock that is returned too,
// and then the recording is over.
func (w Wiring) Capture() (Decoder, func(context.Context) (Link, error), func() time.Duration, error) {
	rec, err := w.recording()
	if err != nil {
		return nil, nil, nil, err
	}
	d, err := NewDecoder(rec.Kind)
	line, now := rec.Skim()
	return d, always(line), now, err
}

// recording reads the file. Of the kind "replay" is only what calls itself a recording.
func (w Wiring) recording() (Recording, error) {
	data, err := os.ReadFile(w.Device)
	if err != nil {
		return Recording{}, err
	}
	if w.Kind == "replay" {
		return ReadRecording(w.Device, data)
	}
	return ReadCapture(w.Device, data, w.Kind)
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
	if address, ok := strings.CutPrefix(w.Device, "tcp://"); ok {
		return dial(ctx, address)
	}
	baud := w.Baud
	if baud == 0 {
		baud = map[string]int{"tsp1": 115200, "angel-eye": 4800, "lines": 9600}[w.Kind]
	}
	if w.Kind == "tsp1" {
		return orNil(linux.OpenSerial(w.Device, baud))
	}
	return orNil(linux.OpenSerialToRead(w.Device, baud))
}

func orNil(p *linux.Serial, err error) (Link, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// dial opens a line over TCP. The far end is asked whether it is still there, so
// that one that vanished is missed within five seconds.
func dial(ctx context.Context, address string) (Link, error) {
	d := net.Dialer{Timeout: dialWait, KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 3}}
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

// conn is a Link over TCP.
type conn struct{ net.Conn }

func (c *conn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(readWait)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, nil
	case errors.Is(err, io.EOF):
		return n, fmt.Errorf("%s closed the line", c.RemoteAddr())
	}
	return n, err
}

func (c *conn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
