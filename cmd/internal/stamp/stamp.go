// Package stamp stamps what happens at a unit: when by the clock that runs from
// the boot, when by the wall, and whether the wall clock is to be trusted.
//
// A caller may assume that monotonic times of one boot never go back and mean the
// same in every process of it; he may not compare those of two boots, and may not
// believe a wall time that is not trusted.
package stamp

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/helper"
	"shoeboard/hw/linux"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// Clock stamps what happens: the boot-time clock, the wall clock, and whether
// the wall clock has been set.
type Clock struct {
	Boot  string  // this boot's id
	Speed float64 // 1; a fast demo's clock runs faster
	start time.Duration
	known bool // of the wall clock, from the start on: a demo's, or set from a battery
}

// NewClock is a clock that runs speed times as fast as the unit's; a demo's trusts
// the wall clock as it is.
func NewClock(speed float64, demo bool) *Clock {
	return &Clock{Boot: bootID(), start: linux.BootTime(), Speed: speed, known: demo || battery("/sys/class/rtc/rtc0/since_epoch", time.Now())}
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
		return linux.BootTime()
	}
	return c.start + time.Duration(float64(linux.BootTime()-c.start)*c.Speed)
}

// At is what Mono was at a moment of this process.
func (c *Clock) At(t time.Time) time.Duration {
	return c.Mono() - time.Duration(float64(time.Since(t))*c.Speed)
}

// Now stamps this moment.
func (c *Clock) Now() tracker.Stamp {
	return tracker.Stamp{Boot: c.Boot, Mono: c.Mono(), Wall: time.Now().UnixMilli(), Trusted: c.known || setSince()}
}

// WallTrusted: the kernel says that the clock is synchronised, a person has set it
// since the boot, or a clock that runs on a battery goes with it.
func WallTrusted() bool {
	return setSince() || battery("/sys/class/rtc/rtc0/since_epoch", time.Now())
}

// setSince says that the clock was set since the boot, by the network or by a person.
func setSince() bool {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	return err == nil && state != unix.TIME_ERROR || helper.Spool(helper.Folder).ClockSet()
}

// apart is how far a battery's clock may be from ours: a year of a bad crystal. A Pi 5
// without a battery has such a clock too, which begins in 1970 at every start.
const apart = time.Hour

// battery says that there is a hardware clock, and that it goes with the time now.
func battery(sinceEpoch string, now time.Time) bool {
	text, err := os.ReadFile(sinceEpoch)
	if err != nil {
		return false
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return err == nil && now.Year() >= helper.FirstYear && now.Sub(time.Unix(seconds, 0)).Abs() < apart
}
