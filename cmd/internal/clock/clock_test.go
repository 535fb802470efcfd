package clock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A hardware clock is believed when it goes with the time that is shown; a Pi 5 without
// a battery has one that begins in 1970, and the time it shows is a guess.
func TestWhichBatteriesAreBelieved(t *testing.T) {
	now := time.Date(2026, 11, 30, 19, 5, 0, 0, time.UTC)
	for text, want := range map[string]bool{"1796065500\n": true, "1796064000": true, "1796040000": false, "1200": false, "": false, "x": false} {
		file := filepath.Join(t.TempDir(), "since_epoch")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := agrees(file, now); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if agrees(filepath.Join(t.TempDir(), "none"), now) {
		t.Error("a clock that is not there is believed")
	}
	early := filepath.Join(t.TempDir(), "since_epoch")
	if err := os.WriteFile(early, []byte("1200"), 0o600); err != nil {
		t.Fatal(err)
	}
	if agrees(early, time.Unix(1200, 0)) {
		t.Error("two clocks that begin in 1970 agree")
	}
}

func TestADemoTrustsItsClock(t *testing.T) {
	if !New(8, true).Now().Trusted {
		t.Error("a demo's clock is not trusted")
	}
}

// A clock without a battery is no error; the test has no right to set a real one.
func TestSetBatteryWithoutOne(t *testing.T) {
	if err := setBattery(filepath.Join(t.TempDir(), "rtc0"), time.Now()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Both clocks of a fast demo run alike: nobody has moved one.
func TestAFastClockIsNotMoved(t *testing.T) {
	c := New(500, true)
	before := c.Now()
	time.Sleep(20 * time.Millisecond)
	after := c.Now()
	wall := time.Duration(after.Wall-before.Wall) * time.Millisecond
	if off := wall - (after.Mono - before.Mono); off.Abs() > 2*time.Second || wall < 9*time.Second {
		t.Errorf("the wall clock ran %v, the other %v", wall, after.Mono-before.Mono)
	}
}
