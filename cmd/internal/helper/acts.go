package helper

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// clockSet stands in the spool, which a boot empties, while the clock shows what a
// person has set.
const clockSet = "clock-set"

// ClockSet says that somebody has set the clock since the boot.
func (s Spool) ClockSet() bool {
	_, err := os.Stat(filepath.Join(string(s), clockSet))
	return err == nil
}

// SetClock sets the clock to t and the clock that has a battery too, where there is
// one, and notes that a person has set it. It needs root. The lines say what was done.
func (s Spool) SetClock(t time.Time) ([]string, error) {
	at := unix.NsecToTimespec(t.UnixNano())
	if err := unix.ClockSettime(unix.CLOCK_REALTIME, &at); err != nil {
		return nil, fmt.Errorf("the clock cannot be set: %w", err)
	}
	lines := []string{"The clock is set."}
	if err := os.WriteFile(filepath.Join(string(s), clockSet), nil, 0o644); err != nil {
		lines = append(lines, "It still counts as not set: "+err.Error())
	}
	switch err := setBattery("/dev/rtc0", t); {
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
	err = unix.IoctlSetRTCTime(int(f.Fd()), &unix.RTCTime{Sec: int32(u.Second()), Min: int32(u.Minute()), Hour: int32(u.Hour()),
		Mday: int32(u.Day()), Mon: int32(u.Month()) - 1, Year: int32(u.Year()) - 1900})
	return errors.Join(err, f.Close())
}

// Interfaces are the addresses of the unit, a line for each: "eth0 192.168.1.20".
// Loopback and what a link makes up for itself are left out.
func Interfaces() ([]string, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, i := range all {
		addresses, err := i.Addrs()
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			ip, _, err := net.ParseCIDR(a.String())
			if err == nil && ip.IsGlobalUnicast() {
				lines = append(lines, i.Name+" "+ip.String())
			}
		}
	}
	if lines == nil {
		lines = []string{"none, no network"}
	}
	return lines, nil
}
