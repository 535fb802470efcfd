package watchdog

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shoeboard/cmd/internal/testkit"
)

func TestPulse(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ready := make(chan struct{})
	close(ready)
	for _, managed := range []string{"", socket} {
		t.Setenv("NOTIFY_SOCKET", managed)
		ctx, cancel := context.WithCancel(t.Context())
		beats := 0
		Service{Ready: ready, Status: func() string { return "works" }, Log: testkit.Log(),
			Beat: func(context.Context) error { beats++; cancel(); return nil }}.Pulse(ctx)
		if beats == 0 || IsManaged() != (managed != "") {
			t.Errorf("%q: %d beats, managed %v", managed, beats, IsManaged())
		}
	}
	var got []string
	for text := make([]byte, 100); len(got) < 3; {
		n, err := l.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text[:n]))
	}
	if want := []string{"READY=1\nSTATUS=works", "WATCHDOG=1", "STOPPING=1"}; !slices.Equal(got, want) {
		t.Errorf("told %q", got)
	}
}

func TestFailedStartsAreCounted(t *testing.T) {
	s := Starts(t.TempDir())
	var got []int
	begin := func() {
		n, err := s.Begin()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, n)
	}
	begin()
	begin()
	begin()
	begin()
	if err := s.Healthy(); err != nil {
		t.Fatal(err)
	}
	begin()
	if err := os.WriteFile(s.file(), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin()
	if want := []int{0, 1, 2, 3, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := Starts("/no/such/folder").Begin(); err == nil {
		t.Error("a count that cannot be kept is no error")
	}
	for range FailedStarts + 1 { // started by hand
		if n, err := Starts("").Begin(); n != 0 || err != nil {
			t.Errorf("without a run-time folder: %d, %v", n, err)
		}
	}
	if err := Starts("").Healthy(); err != nil {
		t.Error(err)
	}
}
