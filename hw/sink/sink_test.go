package sink_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/sink"
)

const ms = time.Millisecond

// lamp is a device that writes down what it shows, and when.
type lamp struct {
	mu    sync.Mutex
	start time.Time
	shown []string
	err   error         // of every call
	slow  time.Duration // that a Show takes
	open  int
}

func (l *lamp) Open() (sink.Device[string], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	l.open++
	return l, nil
}

func (l *lamp) Show(v string) error {
	time.Sleep(l.slow)
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.shown); n == 0 || !strings.HasSuffix(l.shown[n-1], " "+v) {
		l.shown = append(l.shown, fmt.Sprint(time.Since(l.start), " ", v))
	}
	return l.err
}

func (l *lamp) Close() error {
	l.Show("dark")
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	return nil
}

func (l *lamp) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// expect waits until d has passed since the start and compares what was shown.
func (l *lamp) expect(t *testing.T, d time.Duration, want ...string) {
	t.Helper()
	time.Sleep(d - time.Since(l.start))
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Equal(l.shown, want) {
		t.Fatalf("shown %q, want %q", l.shown, want)
	}
}

// lit runs a sink on a lamp; told returns the notices.
func lit(t *testing.T, test func(l *lamp, s *sink.Sink[string], told func() []string)) {
	synctest.Test(t, func(t *testing.T) {
		l := &lamp{start: time.Now()}
		s := sink.New("lamp", l.Open, func() time.Duration { return time.Since(l.start) })
		ctx, cancel := context.WithCancel(t.Context())
		out, done := make(chan hw.Event, 100), make(chan error, 1)
		defer func() {
			cancel()
			hwtest.Stops(t, done)
			if l.open != 0 {
				t.Errorf("%d are left open", l.open)
			}
			if n := len(l.shown); n > 0 && l.err == nil && !strings.HasSuffix(l.shown[n-1], " dark") {
				t.Errorf("left showing %s", l.shown[n-1])
			}
		}()
		go func() { done <- s.Run(ctx, out) }()
		test(l, s, func() (told []string) {
			for range len(out) {
				n := (<-out).(hw.Notice)
				told = append(told, map[hw.Change]string{hw.Came: "came", hw.Faulty: "faulty"}[n.Change]+" "+n.Text)
			}
			return told
		})
	})
}

func TestNewestIsShownAndStays(t *testing.T) {
	lit(t, func(l *lamp, s *sink.Sink[string], told func() []string) {
		s.Show("a")
		l.expect(t, 5*time.Second, "0s a")
		s.Show("b")
		s.Show("c")
		s.Show("d") // what it replaces is never seen
		l.expect(t, 10*time.Second, "0s a", "5s d")
		if got := told(); !slices.Equal(got, []string{"came lamp"}) {
			t.Errorf("told %q", got)
		}
	})
}

func TestShowDoesNotWaitForASlowDevice(t *testing.T) {
	lit(t, func(l *lamp, s *sink.Sink[string], _ func() []string) {
		l.slow = 300 * ms
		time.Sleep(ms)
		before := time.Now()
		for i := range 1000 {
			s.Show(fmt.Sprint(i))
		}
		if time.Since(before) > 0 {
			t.Errorf("a thousand calls took %v", time.Since(before))
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		if n := len(l.shown); n > 2 || !strings.HasSuffix(l.shown[n-1], " 999") {
			t.Errorf("shown %q", l.shown)
		}
	})
}

func TestStepsFollowEachOtherAndTheLastOneStays(t *testing.T) {
	lit(t, func(l *lamp, s *sink.Sink[string], _ func() []string) {
		s.Play(sink.Step[string]{Show: "on", For: 50 * ms}, sink.Step[string]{Show: "off", For: 1500 * ms}, sink.Step[string]{Show: "rest"})
		l.expect(t, 10*time.Second, "0s on", "50ms off", "1.55s rest")
		s.Play(sink.Step[string]{Show: "long", For: time.Hour}, sink.Step[string]{Show: "never"})
		time.Sleep(20 * ms)
		s.Show("now")
		l.expect(t, 20*time.Second, "0s on", "50ms off", "1.55s rest", "10s long", "10.02s now")
	})
}

func TestStepsWithoutAnEndRepeat(t *testing.T) {
	lit(t, func(l *lamp, s *sink.Sink[string], _ func() []string) {
		s.Play(sink.Step[string]{Show: "on", For: 700 * ms}, sink.Step[string]{Show: "off", For: 300 * ms})
		l.expect(t, 2500*ms, "0s on", "700ms off", "1s on", "1.7s off", "2s on")
	})
}

func TestFailingDeviceIsToldOnceAndTriedAgain(t *testing.T) {
	lit(t, func(l *lamp, s *sink.Sink[string], told func() []string) {
		s.Show("a")
		l.expect(t, 500*ms, "0s a")
		l.fail(errors.New("it was unplugged"))
		time.Sleep(time.Second) // noticed though nothing new was to be shown
		if got := told(); !slices.Equal(got, []string{"came lamp", "faulty lamp: it was unplugged"}) {
			t.Errorf("told %q", got)
		}
		time.Sleep(time.Minute)
		s.Play(sink.Step[string]{Show: "moment", For: time.Second}, sink.Step[string]{Show: "b"})
		time.Sleep(time.Minute)
		if got := told(); len(got) > 0 {
			t.Errorf("told %q", got)
		}
		l.fail(nil)
		time.Sleep(1500 * ms)
		if got := told(); !slices.Equal(got, []string{"came lamp"}) || !strings.HasSuffix(l.shown[len(l.shown)-1], " b") {
			t.Errorf("told %q, shows %q", got, l.shown)
		}
	})
}

func TestMissingDeviceIsToldAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lamp{start: time.Now(), err: errors.New("no such device")}
		s := sink.New("lamp", l.Open, func() time.Duration { return 0 })
		ctx, cancel := context.WithCancel(t.Context())
		out, done := make(chan hw.Event), make(chan error, 1)
		go func() { done <- s.Run(ctx, out) }()
		if n := (<-out).(hw.Notice); n.Change != hw.Faulty || n.Source != "lamp" || n.Seq != 1 {
			t.Errorf("told %+v", n)
		}
		cancel()
		hwtest.Stops(t, done)
	})
}

// instant is a device that says when it was called.
type instant chan time.Time

func (c instant) Show(int) error {
	select {
	case c <- time.Now():
	default:
	}
	return nil
}

func (instant) Close() error { return nil }

// BenchmarkShow measures the time from Show to the device, on the machine's clock.
func BenchmarkShow(b *testing.B) {
	shown := make(instant, 1)
	s := sink.New("lamp", func() (sink.Device[int], error) { return shown, nil }, func() time.Duration { return 0 })
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, make(chan hw.Event, 1)) }()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		s.Show(len(took))
		took = append(took, (<-shown).Sub(start))
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}
