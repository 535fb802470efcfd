package view

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/testkit"
	"shoeboard/display/scene"
)

func TestProbeWantsTheLoopAndX(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newProbe()
		asks := make(chan struct{}, 1)
		picture := w.picture(func(int, int) ([]scene.Op, time.Duration) { return nil, 0 })
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				select {
				case <-asks:
					picture(1920, 1080)
				case <-ctx.Done():
					return
				}
			}
		}()
		refresh := func() { asks <- struct{}{} }
		fine := func(context.Context) error { return nil }
		if err := w.beat(t.Context(), refresh, fine); err != nil {
			t.Errorf("all well: %v", err)
		}
		select {
		case <-w.first:
		default:
			t.Error("a picture was fetched, and the screen is not ready")
		}
		hung := errors.New("hung")
		if err := w.beat(t.Context(), refresh, func(context.Context) error { return hung }); !errors.Is(err, hung) {
			t.Errorf("the X server hangs: %v", err)
		}
		refresh()
		if err := w.beat(t.Context(), refresh, fine); err != nil {
			t.Errorf("a picture that was fetched before: %v", err)
		}
		cancel()
		<-ended
		short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		if w.beat(short, func() {}, fine) == nil {
			t.Error("the loop stands still, and the watchdog is fed")
		}
	})
}

// The core is told that the board is on the screen while it is, and not while the loop
// stands still or the window shows nothing.
func TestTheCoreIsToldOnlyOfABoardThatIsSeen(t *testing.T) {
	t.Setenv("DISPLAY", "")
	synctest.Test(t, func(t *testing.T) {
		w := newProbe()
		asks := make(chan struct{}, 1)
		picture := w.picture(func(int, int) ([]scene.Op, time.Duration) { return nil, 0 })
		ctx, cancel := context.WithCancel(t.Context())
		var stands, dark atomic.Bool
		var told atomic.Int32
		go func() {
			for {
				select {
				case <-asks:
					if !stands.Load() {
						picture(1920, 1080)
					}
				case <-ctx.Done():
					return
				}
			}
		}()
		refresh := func() {
			select {
			case asks <- struct{}{}:
			default:
			}
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			w.tellCore(ctx, testkit.Log(), refresh, func() bool { return !dark.Load() }, func(context.Context) error { told.Add(1); return nil })
		}()
		count := func(what string, least, most int32) {
			t.Helper()
			told.Store(0)
			time.Sleep(10*DrawnEvery + time.Second/2)
			synctest.Wait()
			if n := told.Load(); n < least || n > most {
				t.Errorf("%s: told %d times, expected %d to %d", what, n, least, most)
			}
		}
		count("all well", 9, 11)
		dark.Store(true)
		count("no monitor", 0, 0)
		dark.Store(false)
		stands.Store(true)
		count("the loop stands still", 0, 0)
		stands.Store(false)
		count("all well again", 9, 11)
		cancel()
		<-ended
	})
}

func TestAskX(t *testing.T) {
	dir := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, "X7"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for first := true; ; first = false {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if first {
				_, _ = c.Write([]byte{0, 0, 11, 0, 0, 0, 0, 0}) // it refuses us, and so it answers
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	if err := askX(ctx, dir, ":7.0"); err != nil {
		t.Errorf("a server that refuses: %v", err)
	}
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if askX(short, dir, ":7") == nil {
		t.Error("a server that says nothing has answered")
	}
	if askX(ctx, dir, ":8") == nil {
		t.Error("a server that is not there has answered")
	}
	if err := askX(ctx, dir, "far:0"); err != nil {
		t.Errorf("another machine's server: %v", err)
	}
}
