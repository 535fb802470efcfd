package shoe

import (
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
)

// live runs a source on the machine's own clock until want is told.
func live(t *testing.T, w Wiring, raw func(time.Duration, []byte), want string) []string {
	t.Helper()
	start := time.Now()
	source, err := w.Source(Settings{Name: "shoe", Rules: punto, Raw: raw}, func() time.Duration { return time.Since(start) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, done := make(chan hw.Event), make(chan error, 1)
	go func() { done <- source.Run(ctx, out) }()
	var told []string
	for {
		select {
		case e := <-out:
			for _, said := range sayAll([]hw.Event{e}) {
				told = append(told, strings.Replace(said, " late", "", 1)) // which depends on the machine's speed
			}
			if slices.Contains(told, want) {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
				return told
			}
		case <-ctx.Done():
			t.Fatalf("%q was not told, but %q", want, told)
		}
	}
}

// The converters that shoes hang on in the field speak TCP.
func TestShoeBehindTCP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	sent := make(chan []byte, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		s := newEye().send('S').hand(long)
		c.Write(s.flush())
		c.Close() // and the converter restarts
		if c, err = l.Accept(); err != nil {
			return
		}
		c.Write(s.hand(natural).flush())
		b, _ := io.ReadAll(c)
		sent <- b
	}()
	var raw int
	told := live(t, Wiring{Kind: "angel-eye", Device: "tcp://" + l.Addr().String()}, func(_ time.Duration, b []byte) { raw += len(b) },
		hand(natural).String()+"?"+hw.LineWasDown)
	if want := append([]string{"powered up"}, hand(long).seen()...); !slices.Equal(told[:len(want)], want) {
		t.Errorf("told %q", told)
	}
	if b := <-sent; len(b) > 0 || raw == 0 {
		t.Errorf("the shoe was sent % x; raw bytes %d", b, raw)
	}
}
