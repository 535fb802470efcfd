package helper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"shoeboard/hw/linux"
)

func newSpool(t *testing.T) Spool {
	t.Helper()
	s := Spool(t.TempDir())
	for _, dir := range []string{s.asks(), s.answers()} {
		if err := os.Mkdir(dir, 0o750); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s Spool) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.asks(), name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (s Spool) left(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(string(s), "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// helper serves in the background, as the path unit makes it.
func helper(t *testing.T, s Spool, do Do) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if err := s.Serve(ctx, do); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	t.Cleanup(func() { stop(); <-done })
}

var requests = []Request{
	{Kind: SetTime, Time: time.Date(2026, 11, 30, 19, 5, 0, 0, time.UTC)},
	{Kind: Update, File: "shoeboard_0.2.0+next~1_arm64.deb"},
	{Kind: Addresses}, {Kind: Reboot}, {Kind: PowerOff},
}

func TestAnswersComeBack(t *testing.T) {
	s := newSpool(t)
	var did []Request
	afterwards := 0
	helper(t, s, func(_ context.Context, r Request) ([]string, func() error, error) {
		did = append(did, r)
		if r.Kind == PowerOff {
			return nil, nil, errors.New("a shoe is in play")
		}
		return []string{string(r.Kind), "done"}, func() error { afterwards++; return nil }, nil
	})
	for _, r := range requests {
		lines, err := s.Ask(t.Context(), r)
		if r.Kind == PowerOff {
			if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "a shoe is in play") {
				t.Errorf("%s: %v, %v", r.Kind, lines, err)
			}
			continue
		}
		if err != nil || !slices.Equal(lines, []string{string(r.Kind), "done"}) {
			t.Errorf("%s: %q, %v", r.Kind, lines, err)
		}
	}
	if !slices.Equal(did, requests) || afterwards != len(requests)-1 {
		t.Errorf("done: %v, %d afterwards", did, afterwards)
	}
}

func TestNothingAnswers(t *testing.T) {
	s := newSpool(t)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := s.Ask(ctx, Request{Kind: PowerOff}); !errors.Is(err, ErrNoAnswer) {
		t.Fatal(err)
	}
	if left := s.left(t); len(left) > 0 {
		t.Errorf("what was given up is still there to be done: %v", left)
	}
	if _, err := Spool(t.TempDir()).Ask(t.Context(), Request{Kind: PowerOff}); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("without a spool: %v", err)
	}
}

// An update from a slow stick takes longer than an ask may wait to be taken: its answer
// is waited for, and what never ends is not told as never begun.
func TestWhatWasBegunIsWaitedFor(t *testing.T) {
	for _, takes := range []time.Duration{Fresh + 10*time.Second, Fresh + Works + time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := newSpool(t)
			served := false
			var errs error
			done := make(chan struct{})
			go func() {
				defer close(done)
				for ; !served && errs == nil; time.Sleep(time.Millisecond) {
					errs = s.Serve(t.Context(), func(context.Context, Request) ([]string, func() error, error) {
						served = true
						time.Sleep(takes)
						return []string{"Installing."}, nil, nil
					})
				}
			}()
			lines, err := s.Ask(t.Context(), requests[1])
			if ends := takes < Works; ends && (err != nil || !slices.Equal(lines, []string{"Installing."})) || !ends && !errors.Is(err, ErrUnanswered) {
				t.Errorf("takes %v: %q, %v", takes, lines, err)
			}
			if <-done; errs != nil {
				t.Error(errs)
			}
		})
	}
}

// An ask that was taken back while the helper looked at it is not done.
func TestWhatIsTakenBackIsNotDone(t *testing.T) {
	s := newSpool(t)
	dir, err := os.OpenRoot(s.asks())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	err = s.one(t.Context(), dir, "0123456789abcdef.ask", func(context.Context, Request) ([]string, func() error, error) {
		t.Error("done")
		return nil, nil, nil
	})
	if left := s.left(t); err != nil || len(left) > 0 {
		t.Errorf("%v, left %q", err, left)
	}
}

func TestImpossibleRequestsAreNotAsked(t *testing.T) {
	s := newSpool(t)
	for _, r := range []Request{
		{}, {Kind: "shell"},
		{Kind: SetTime}, {Kind: SetTime, Time: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)}, {Kind: SetTime, Time: time.Date(2038, 1, 1, 0, 0, 0, 0, time.UTC)},
		{Kind: Update}, {Kind: Update, File: "../x.deb"}, {Kind: Update, File: "-x.deb"}, {Kind: Update, File: "a b.deb"}, {Kind: Update, File: "x.deb.sig"},
	} {
		if _, err := s.Ask(t.Context(), r); err == nil || errors.Is(err, ErrNoAnswer) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// An ask that comes to the helper late, or from the boot before, is not done.
func TestStaleAsksAreNotDone(t *testing.T) {
	s := newSpool(t)
	for i, asked := range []time.Duration{linux.BootTime() - Fresh - time.Second, linux.BootTime() + time.Hour} {
		line, err := Request{Kind: PowerOff}.line(asked)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Repeat("0", 15) + string(rune('1'+i))
		s.write(t, name+askSuffix, line)
		err = s.Serve(t.Context(), func(context.Context, Request) ([]string, func() error, error) {
			t.Error("a stale ask was done")
			return nil, nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(s.answer(name)); err != nil || !strings.HasPrefix(string(text), "no\n") {
			t.Errorf("answer %q, %v", text, err)
		}
	}
}

// Whatever stands in the folder of asks: it is gone afterwards, since the path unit
// would start the helper for ever, and nothing is done or read that is no ask.
func TestTheSpoolIsCleanedOfEverything(t *testing.T) {
	s := newSpool(t)
	secret := filepath.Join(string(s), "secret")
	line, err := Request{Kind: Reboot}.line(linux.BootTime())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	s.write(t, "not a name.ask", line)
	s.write(t, "0000000000000001.ask", "rubbish\n")
	s.write(t, "0000000000000002.ask", strings.Repeat("x", 1<<20))
	name := func(n string) string { return filepath.Join(s.asks(), "000000000000000"+n+askSuffix) }
	for _, err := range []error{os.Symlink(secret, name("3")), syscall.Mkfifo(name("4"), 0o600), os.MkdirAll(name("5")+"/deep/er", 0o700), os.Symlink("nowhere", name("6"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	err = s.Serve(t.Context(), func(_ context.Context, r Request) ([]string, func() error, error) {
		t.Errorf("%v was done", r)
		return nil, nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(s.asks() + "/*"); len(left) > 0 {
		t.Errorf("still there: %v", left)
	}
	if _, err := os.Stat(secret); err != nil {
		t.Errorf("behind a link: %v", err)
	}
}

func TestOldAnswersAreForgotten(t *testing.T) {
	s := newSpool(t)
	old := time.Now().Add(-2 * keptFor)
	if err := errors.Join(os.WriteFile(s.answer("old"), nil, 0o600), os.WriteFile(s.answer("new"), nil, 0o600), os.Chtimes(s.answer("old"), old, old)); err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if left := s.left(t); len(left) != 1 || filepath.Base(left[0]) != "new" {
		t.Errorf("left: %v", left)
	}
}

func TestEveryLineIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(requests).Draw(t, "request")
		if r.Kind == SetTime {
			r.Time = r.Time.Add(time.Duration(rapid.IntRange(0, 10*365*86400).Draw(t, "seconds")) * time.Second)
		}
		asked := time.Duration(rapid.Int64Min(0).Draw(t, "asked"))
		line, err := r.line(asked)
		if err != nil {
			t.Fatal(err)
		}
		if got, at, err := Parse([]byte(line)); got != r || at != asked || err != nil {
			t.Fatalf("%q: %+v at %v, %v", line, got, at, err)
		}
	})
}

// What Parse takes is exactly what line writes.
func FuzzParse(f *testing.F) {
	for _, r := range requests {
		line, err := r.line(123456789)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(line))
	}
	f.Add([]byte("shoeboard-ask 1 007 reboot\n"))
	f.Add([]byte("shoeboard-ask 1 7 set-time 2026-02-30T00:00:00Z\n"))
	f.Add([]byte("shoeboard-ask 1 7 update ../../etc/x.deb\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, asked, err := Parse(text)
		if err != nil {
			return
		}
		if line, err := r.line(asked); err != nil || line != string(text) {
			t.Errorf("%q is taken, and written as %q (%v)", text, line, err)
		}
	})
}

func TestInterfaces(t *testing.T) {
	lines, err := Interfaces()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%q, %v", lines, err)
	}
	for _, line := range lines {
		if strings.Contains(line, "127.0.0.1") || strings.Contains(line, "fe80") {
			t.Errorf("%q leads nowhere", line)
		}
	}
}

// A clock without a battery is no error; the test has no right to set a real one.
func TestSetBatteryWithoutOne(t *testing.T) {
	if err := setBattery(filepath.Join(t.TempDir(), "rtc0"), time.Now()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	s := newSpool(t)
	if s.ClockSet() {
		t.Error("nobody has set the clock")
	}
}
