// Package clock stamps events with the unit's clocks, sets the wall clock, and tells
// whether that can be trusted.
//
// A caller may assume that monotonic times of one boot never go back and mean the
// same in every process of it. It may not compare those of two boots, or believe a
// wall time that is not trusted.
package clock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/linux"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// The years that can be set: before this program there was no table, and the clock of a
// 32-bit unit ends in January 2038.
const (
	firstYear = 2026
	lastYear  = 2037
)

// setByHand exists from the moment a person sets the clock until the next boot.
const setByHand = "/run/shoeboard-helper/clock-set"

// The hardware clock, which runs on a battery where the unit has one.
const (
	batteryClock = "/dev/rtc0"
	batteryTime  = "/sys/class/rtc/rtc0/since_epoch"
)

// Clock stamps events with the boot-time clock and the wall clock.
type Clock struct {
	Speed float64 // 1; a fast demo's clock runs faster
	Boot  string  // this boot's id
	start time.Duration
	known bool // the wall clock was right at the start: a demo's, or set from a battery
}

// New returns a clock that runs speed times as fast as the unit's. A demo trusts the
// wall clock as it is.
func New(speed float64, demo bool) *Clock {
	return &Clock{Speed: speed, Boot: bootID(), start: linux.BootTime(), known: demo || agrees(batteryTime, time.Now())}
}

// bootID returns this boot's id as stamps have it. Where the kernel has none it is a
// constant, and monotonic times of two boots look alike.
func bootID() string {
	data, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	id, err := journal.ParseBootID(string(data))
	if err != nil {
		return journal.BootID{1}.String()
	}
	return id.String()
}

// Mono returns the boot-time clock of the unit, or of a demo that runs faster.
func (c *Clock) Mono() time.Duration {
	if c.Speed == 1 {
		return linux.BootTime()
	}
	return c.start + time.Duration(float64(linux.BootTime()-c.start)*c.Speed)
}

// At returns what Mono was at a moment of this process.
func (c *Clock) At(t time.Time) time.Duration {
	return c.Mono() - time.Duration(float64(time.Since(t))*c.Speed)
}

// Now stamps this moment.
func (c *Clock) Now() tracker.Stamp {
	mono, wall := c.Mono(), time.Now()
	if c.Speed != 1 { // it runs faster as the other does, or it would look as if somebody had moved it
		wall = wall.Add(mono - linux.BootTime())
	}
	return tracker.Stamp{Boot: c.Boot, Mono: mono, Wall: wall.UnixMilli(), Trusted: c.known || wasSet()}
}

// Trusted reports whether the wall clock is right: the kernel has synchronised it, a
// person has set it since the boot, or it agrees with a clock that runs on a battery.
func Trusted() bool { return wasSet() || agrees(batteryTime, time.Now()) }

// wasSet reports whether the network or a person has set the clock since the boot.
func wasSet() bool {
	var t unix.Timex
	if state, err := unix.Adjtimex(&t); err == nil && state != unix.TIME_ERROR {
		return true
	}
	_, err := os.Stat(setByHand)
	return err == nil
}

// apart is how far a battery's clock may be from ours: a year of a bad crystal. A Pi 5
// without a battery has such a clock too, which begins in 1970 at every start.
const apart = time.Hour

// agrees reports whether there is a hardware clock that shows about the time now.
func agrees(sinceEpoch string, now time.Time) bool {
	text, err := os.ReadFile(sinceEpoch)
	if err != nil {
		return false
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return err == nil && now.Year() >= firstYear && now.Sub(time.Unix(seconds, 0)).Abs() < apart
}

// Check returns an error for a time that cannot be.
func Check(t time.Time) error {
	if y := t.UTC().Year(); y < firstYear || y > lastYear {
		return fmt.Errorf("year %d: expected %d to %d", y, firstYear, lastYear)
	}
	return nil
}

// Set sets the wall clock, and the clock with a battery where there is one. It notes
// that a person has set it. The lines say what was done. It needs root.
func Set(t time.Time) ([]string, error) {
	at := unix.NsecToTimespec(t.UnixNano())
	if err := unix.ClockSettime(unix.CLOCK_REALTIME, &at); err != nil {
		return nil, fmt.Errorf("the clock cannot be set: %w", err)
	}
	lines := []string{"The clock is set."}
	if err := os.WriteFile(setByHand, nil, 0o644); err != nil {
		lines = append(lines, "It still counts as not set: "+err.Error())
	}
	switch err := setBattery(batteryClock, t); {
	case errors.Is(err, fs.ErrNotExist):
		lines = append(lines, "There is no battery clock: set it", "again after a power cut.")
	case err != nil:
		lines = append(lines, "The battery clock is not set: "+err.Error())
	default:
		lines = append(lines, "The battery clock is set too.")
	}
	return lines, nil
}

// setBattery sets the hardware clock, which counts in UTC.
func setBattery(device string, t time.Time) error {
	f, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	u := t.UTC()
	err = unix.IoctlSetRTCTime(int(f.Fd()), &unix.RTCTime{
		Sec: int32(u.Second()), Min: int32(u.Minute()), Hour: int32(u.Hour()),
		Mday: int32(u.Day()), Mon: int32(u.Month()) - 1, Year: int32(u.Year()) - 1900})
	return errors.Join(err, f.Close())
}
