package helper

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"shoeboard/tracker/localapi"
)

// listen serves every connection as systemd makes it, in a process of its own there.
func listen(t *testing.T, do act) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = serve(t.Context(), conn, do)
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return socket
}

var requests = []Request{{SetTime, "2026-11-30T19:05:00Z"}, {Update, "shoeboard_0.2.0+next~1_arm64.deb"}, {Kind: Addresses}, {Kind: Reboot}, {Kind: PowerOff}}

func TestAnswersComeBack(t *testing.T) {
	var did []Request
	var afterwards atomic.Int32
	socket := listen(t, func(_ context.Context, r Request) ([]string, func() error, error) {
		did = append(did, r)
		after := func() error { afterwards.Add(1); return nil }
		if r.Kind == PowerOff {
			return []string{"off"}, after, errors.New("a shoe is in play")
		}
		return []string{r.Kind, "done"}, after, nil
	})
	for _, r := range requests {
		lines, err := Do(t.Context(), socket, r)
		if r.Kind == PowerOff {
			if err == nil || err.Error() != "a shoe is in play" || lines != nil {
				t.Errorf("%s: %v, %v", r.Kind, lines, err)
			}
			continue
		}
		if err != nil || !slices.Equal(lines, []string{r.Kind, "done"}) {
			t.Errorf("%s: %q, %v", r.Kind, lines, err)
		}
	}
	_, _ = Do(t.Context(), socket, requests[3]) // the one before has ended
	if !slices.Equal(did[:len(requests)], requests) || int(afterwards.Load()) < len(requests)-1 {
		t.Errorf("done: %v, %d afterwards", did, afterwards.Load())
	}
}

func TestWithoutAHelper(t *testing.T) {
	if _, err := Do(t.Context(), filepath.Join(t.TempDir(), "none"), requests[4]); !errors.Is(err, ErrNoReply) {
		t.Error(err)
	}
}

// A helper that dies, or takes too long, may have done something: that must not be
// reported as if it had not begun.
func TestAnAnswerThatDoesNotCome(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if conn, err := l.Accept(); err == nil {
			_, _ = bufio.NewReader(conn).ReadString('\n')
			conn.Close()
		}
	}()
	if _, err := Do(t.Context(), socket, requests[4]); !errors.Is(err, ErrRunning) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if conn, err := l.Accept(); err == nil {
			_, _ = bufio.NewReader(conn).ReadString('\n') // it is here: cancelled sooner, it was not begun
			cancel()
			_, _ = io.Copy(io.Discard, conn) // until it is cancelled
			conn.Close()
		}
	}()
	if _, err := Do(ctx, socket, requests[4]); !errors.Is(err, ErrRunning) {
		t.Error(err)
	}
}

// A request that is cancelled in time is refused; one that is past it answers what it did.
func TestCancel(t *testing.T) {
	for _, inTime := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		after := make(chan struct{}, 1)
		socket := listen(t, func(ctx context.Context, r Request) ([]string, func() error, error) {
			cancel()
			<-ctx.Done()
			act := func() error { after <- struct{}{}; return nil }
			if inTime {
				return nil, act, ctx.Err()
			}
			return []string{"done"}, act, nil
		})
		lines, err := Do(ctx, socket, requests[3])
		if inTime && (err == nil || errors.Is(err, ErrRunning)) || !inTime && (err != nil || !slices.Equal(lines, []string{"done"})) {
			t.Errorf("in time %v: %q, %v", inTime, lines, err)
		}
		if !inTime {
			<-after
		} else if len(after) > 0 {
			t.Error("it was cancelled, and done afterwards")
		}
	}
}

// A client that says nothing does not keep the helper for ever.
func TestAClientThatSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		defer here.Close()
		go func() { _, _ = io.Copy(io.Discard, here) }()
		err := serve(t.Context(), there, func(context.Context, Request) ([]string, func() error, error) {
			t.Error("done")
			return nil, nil, nil
		})
		if err == nil {
			t.Error("no error")
		}
	})
}

// Only root and the core's user are answered; this test's user is the helper's own.
func TestPeersAreChecked(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var said bytes.Buffer
	served := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			err = (&Server{Clients: localapi.Guard{}, Log: slog.New(slog.NewTextHandler(&said, nil))}).Serve(t.Context(), conn)
		}
		served <- err
	}()
	if lines, err := Do(t.Context(), socket, Request{Kind: Addresses}); err != nil || len(lines) == 0 {
		t.Errorf("%q, %v", lines, err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if want := fmt.Sprintf(`msg="helper: asked" uid=%d for=addresses`, os.Geteuid()); !strings.Contains(said.String(), want) {
		t.Errorf("the log says %s, expected %s", said.String(), want)
	}
}

func TestImpossibleRequestsAreNotSent(t *testing.T) {
	for _, r := range []Request{
		{}, {Kind: "shell"}, {Kind: "../reboot"}, {Reboot, "now"}, {Addresses, "eth0"},
		{Kind: SetTime}, {SetTime, "1970-01-01T00:00:00Z"}, {SetTime, "2038-01-01T00:00:00Z"}, {SetTime, "2026-02-30T00:00:00Z"},
		{SetTime, "2026-11-30T19:05:00+01:00"}, {SetTime, "2026-11-30T19:05:00.5Z"},
		{Kind: Update}, {Update, "../x.deb"}, {Update, "-x.deb"}, {Update, "a b.deb"}, {Update, "x.deb.sig"}, {Update, "x\x00.deb"},
	} {
		if _, err := Do(t.Context(), "/nowhere", r); err == nil || errors.Is(err, ErrNoReply) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

func sent(t interface{ Fatal(...any) }, r Request) []byte {
	q, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := q.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func TestEveryRequestIsReadAsItWasSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(requests).Draw(t, "request")
		if r.Kind == SetTime {
			at := time.Date(2026, 1, 1, 0, 0, rapid.IntRange(0, 10*365*86400).Draw(t, "seconds"), 0, time.UTC)
			r.Argument = at.Format(time.RFC3339)
		}
		q, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(sent(t, r))))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decode(q); got != r || err != nil {
			t.Fatalf("%+v is read as %+v, %v", r, got, err)
		}
	})
}

// Whatever is sent: what is accepted is a request that a client may send.
func FuzzRequest(f *testing.F) {
	for _, r := range requests {
		f.Add(sent(f, r))
	}
	f.Add([]byte("POST /v1/update?argument=../../etc/x.deb HTTP/1.1\r\nHost: helper\r\n\r\n"))
	f.Add([]byte("POST /v1/set-time?argument=2028-02-29T23:59:60Z HTTP/1.1\r\nHost: helper\r\n\r\n"))
	f.Add([]byte("GET /v1/reboot HTTP/1.1\r\nHost: helper\r\n\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		q, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
		if err != nil {
			return
		}
		r, err := decode(q)
		if err != nil {
			return
		}
		if q, err := r.encode(); err != nil {
			t.Errorf("%q is accepted as %+v, which cannot be sent: %v", text, r, err)
		} else if again, err := decode(q); again != r || err != nil {
			t.Errorf("%+v is read as %+v, %v", r, again, err)
		}
	})
}

func TestAddresses(t *testing.T) {
	lines, err := addresses()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%q, %v", lines, err)
	}
	for _, line := range lines {
		if strings.Contains(line, "127.0.0.1") || strings.Contains(line, "fe80") {
			t.Errorf("%q leads nowhere", line)
		}
	}
}
