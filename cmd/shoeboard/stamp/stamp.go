// Package stamp stamps what happens at a unit: when by the clock that runs from
// the boot, when by the wall, and whether the wall clock is to be trusted.
//
// A caller may assume that monotonic times of one boot never go back and mean the
// same in every process of it; he may not compare those of two boots, and may not
// believe a wall time that is not trusted.
package stamp

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/clock"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// Clock stamps what happens: the boot-time clock, the wall clock, and whether
// the wall clock has been set.
type Clock struct {
	Boot  string  // this boot's id
	Speed float64 // 1; a fast demo's clock runs faster
	start time.Duration
	demo  bool // a demo trusts the clock as it is
}

// NewClock is a clock that runs speed times as fast as the unit's; a demo's trusts
// the wall clock as it is.
func NewClock(speed float64, demo bool) *Clock {
	return &Clock{Boot: bootID(), start: clock.Boot(), Speed: speed, demo: demo}
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

// Mono is the boot-time clock of the unit, or of a demo that runs faster.
func (c *Clock) Mono() time.Duration {
	if c.Speed == 1 {
		return clock.Boot()
	}
	return c.start + time.Duration(float64(clock.Boot()-c.start)*c.Speed)
}

// Now stamps this moment.
func (c *Clock) Now() tracker.Stamp {
	return tracker.Stamp{Boot: c.Boot, Mono: c.Mono(), Wall: time.Now().UnixMilli(), Trusted: c.demo || WallTrusted()}
}

// WallTrusted: the kernel says that the clock is synchronised, or there is a
// battery-backed clock that it was read from.
func WallTrusted() bool {
	var t unix.Timex
	if state, err := unix.Adjtimex(&t); err == nil && state != unix.TIME_ERROR {
		return true
	}
	_, err := os.Stat("/sys/class/rtc/rtc0/since_epoch")
	return err == nil
}
