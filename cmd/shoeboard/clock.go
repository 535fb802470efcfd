package main

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/clock"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// unitClock stamps what happens: the boot-time clock, the wall clock, and whether
// the wall clock has been set.
type unitClock struct {
	boot  string
	start time.Duration
	speed float64 // 1; a fast demo's clock runs faster
	demo  bool    // a demo trusts the clock as it is
}

func newClock(speed float64, demo bool) *unitClock {
	return &unitClock{boot: bootID(), start: clock.Boot(), speed: speed, demo: demo}
}

// bootID is this boot's id as stamps have it; where the kernel has none it is a
// constant, and monotonic times of two boots look alike.
func bootID() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return journal.BootID{1}.String()
	}
	id, err := journal.ParseBootID(string(data))
	if err != nil {
		return journal.BootID{1}.String()
	}
	return id.String()
}

// mono is the boot-time clock of the unit, or of a demo that runs faster.
func (c *unitClock) mono() time.Duration {
	if c.speed == 1 {
		return clock.Boot()
	}
	return c.start + time.Duration(float64(clock.Boot()-c.start)*c.speed)
}

func (c *unitClock) now() tracker.Stamp {
	return tracker.Stamp{Boot: c.boot, Mono: c.mono(), Wall: time.Now().UnixMilli(), Trusted: c.demo || wallTrusted()}
}

// wallTrusted: the kernel says that the clock is synchronised, or there is a
// battery-backed clock that it was read from.
func wallTrusted() bool {
	var t unix.Timex
	if state, err := unix.Adjtimex(&t); err == nil && state != unix.TIME_ERROR {
		return true
	}
	_, err := os.Stat("/sys/class/rtc/rtc0/since_epoch")
	return err == nil
}
