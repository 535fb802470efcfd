package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/view"
	"shoeboard/stats"
)

// Connector is one socket for a monitor, as the kernel sees it.
type Connector struct {
	Name      string `json:"name"` // "HDMI-A-1"
	Connected bool   `json:"connected"`
	Mode      string `json:"mode,omitempty"` // the monitor's first, which X uses
}

// connectors returns those of all graphics cards, from /sys. A machine without graphics,
// or with a driver that does not name them, has none.
func connectors(root fs.FS) []Connector {
	found, _ := fs.Glob(root, "sys/class/drm/card*-*") // the pattern is right: no error
	var all []Connector
	for _, dir := range found {
		_, name, _ := strings.Cut(path.Base(dir), "-")
		if strings.HasPrefix(name, "Writeback") {
			continue
		}
		c := Connector{Name: name, Connected: line(root, path.Join(dir, "status")) == "connected"}
		c.Mode = line(root, path.Join(dir, "modes"))
		all = append(all, c)
	}
	return all
}

// usable reports whether X can start on one of the connectors: a monitor may be connected
// and not have reported its modes yet.
func usable(all []Connector) bool {
	return slices.ContainsFunc(all, func(c Connector) bool { return c.Connected && c.Mode != "" })
}

// waitEvery is how often Monitors reads the connectors again.
const waitEvery = 2 * time.Second

// Monitors returns the connectors of a machine, and whether X can start on one of them.
// wait waits until it can, or the machine has no connectors.
func Monitors(ctx context.Context, root fs.FS, wait bool) (all []Connector, ok bool, err error) {
	for {
		all = connectors(root)
		if ok = usable(all); ok || !wait || len(all) == 0 {
			return all, ok, nil
		}
		select {
		case <-time.After(waitEvery):
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// String returns the connector and its monitor in words.
func (c Connector) String() string {
	switch {
	case !c.Connected:
		return c.Name + ": nothing connected"
	case c.Mode == "":
		return c.Name + ": a monitor that does not report its modes"
	}
	return c.Name + ": a monitor, " + c.Mode
}

// Monitors reports whether no monitor is connected, and whether those that are do not
// report their modes. Both are false on a machine that names no connectors.
func (u *Unit) Monitors() (missing, mute bool) {
	all := connectors(u.root)
	missing = len(all) > 0 && !slices.ContainsFunc(all, func(c Connector) bool { return c.Connected })
	return missing, len(all) > 0 && !missing && !usable(all)
}

// ScreenTimeout is how old a screen's report that it shows the board may be: three reports
// may be lost.
const ScreenTimeout = 3*view.DrawnEvery + time.Second

// checkDisplay checks the monitors, the screen and the graphics driver.
func checkDisplay(u *Unit) []Finding {
	var found []Finding
	all := connectors(u.root)
	missing, _ := u.Monitors()
	switch {
	case len(all) == 0:
		found = append(found, Finding{Name: "monitor"}.is(Unknown, "this machine names no connectors for monitors", ""))
	case missing:
		f := Finding{Name: "monitor", Code: "no-monitor"}
		found = append(found, f.is(Broken, "no monitor is connected", noMonitor))
	}
	for _, c := range all {
		if c.Connected {
			found = append(found, checkMode(c, screenAt(u.Config.Screens, c.Name)))
		}
	}
	if u.board != nil && u.why == nil && !missing {
		found = append(found, checkScreen(u))
	}
	return append(found, checkDriver(u.root))
}

// checkScreen checks whether a screen shows the board. It is no fault where the core expects
// no screen, as one that was started by hand.
func checkScreen(u *Unit) Finding {
	f := Finding{Name: "screen"}
	bad := Warning
	if slices.ContainsFunc(u.board.Faults, func(f stats.Fault) bool { return f.Code == stats.NoScreen }) {
		bad = Broken
	}
	if u.health.Drawn == nil {
		return f.is(bad, "no screen has shown the board since the core started", remedies[stats.NoScreen])
	}
	ago := time.Duration(*u.health.Drawn) * time.Millisecond
	if ago >= ScreenTimeout {
		text := fmt.Sprintf("no screen has shown the board for %v", ago.Round(time.Second))
		return f.is(bad, text, remedies[stats.NoScreen])
	}
	return f.is(Fine, "the board is on the screen", "")
}

// screenAt returns the [[screen]] that is shown at a connector: the one that names it as X
// does ("HDMI-2" is the kernel's HDMI-A-2), else the first that names none.
func screenAt(screens []config.Screen, connector string) config.Screen {
	for _, output := range []string{strings.Replace(connector, "HDMI-A-", "HDMI-", 1), ""} {
		if i := slices.IndexFunc(screens, func(s config.Screen) bool { return s.Output == output }); i >= 0 {
			return screens[i]
		}
	}
	return screens[0]
}

// checkMode compares the mode of a monitor with its [[screen]].
func checkMode(c Connector, s config.Screen) Finding {
	_, text, _ := strings.Cut(c.String(), ": ")
	f := Finding{Name: c.Name}
	if c.Mode == "" {
		return f.is(Warning, text, "switch the monitor off and on")
	}
	var w, h int
	if _, err := fmt.Sscanf(c.Mode, "%dx%d", &w, &h); err == nil {
		if wrong := view.MonitorFaults(s, w, h); len(wrong) > 0 {
			return f.is(Warning, strings.Join(wrong, "; "),
				"change the monitor, or correct its [[screen]] in the configuration")
		}
	}
	return f.is(Fine, text, "")
}

// checkDriver checks what draws: a graphics card with its kernel driver, or the processor.
func checkDriver(root fs.FS) Finding {
	f := Finding{Name: "drawing"}
	nodes, _ := fs.Glob(root, "sys/class/drm/renderD*/device/uevent")
	for _, name := range nodes {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(text)) {
			if driver, ok := strings.CutPrefix(strings.TrimSpace(l), "DRIVER="); ok {
				return f.is(Fine, "by the graphics card, driver "+driver, "")
			}
		}
	}
	return f.is(Warning, "by the processor: no graphics driver with a render node",
		"on a Pi: write dtoverlay=vc4-kms-v3d into /boot/firmware/config.txt, then: sudo reboot")
}

// line returns the first line of a small file, "" when it cannot be read.
func line(root fs.FS, name string) string {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(strings.TrimRight(first, "\x00"))
}
