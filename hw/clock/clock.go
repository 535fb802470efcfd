// Package clock reads the boot-time clock of the machine (CLOCK_BOOTTIME).
//
// A caller may assume that the time never goes back, is the same in every
// process until the next boot, and counts while the machine sleeps. It says
// nothing of the date.
package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Boot returns the time since the machine booted. It panics where the kernel has
// no such clock (before Linux 2.6.39), because no time of day may stand in for it.
func Boot() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		panic("clock: no CLOCK_BOOTTIME: " + err.Error())
	}
	return time.Duration(ts.Nano())
}
