package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/view"
	"shoeboard/stats"
)

func probeClock(p *Patient) []Finding {
	set := Finding{Name: "set", Code: ClockNotSet, Verdict: Fine, Text: "the wall clock is to be trusted"}
	trusted := clock.Trusted()
	if p.board != nil {
		trusted = p.board.ClockTrusted
	}
	if !trusted {
		set.Verdict, set.Text, set.Do = Warning, "the wall clock is not set; times are marked so in the record", remedies[ClockNotSet]
	}
	battery := Finding{Name: "battery", Verdict: Unknown, Text: "this machine has no clock that runs without power"}
	if name := line(p.root, "sys/class/rtc/rtc0/name"); name != "" {
		battery.Verdict, battery.Text = Fine, "a clock that runs without power: "+name
	}
	return grouped("clock", set, battery)
}

// hottest is the temperature in degrees above which a Pi throttles itself.
const (
	hottest = 80.0
	hot     = 70.0
)

func probePower(p *Patient) []Finding { return grouped("power", voltage(p.root), temperature(p.root)) }

// voltage is what the kernel's driver saw in the last two seconds: it clears its own
// memory of the supply whenever it looks, so what was before is for the record to say.
func voltage(root fs.FS) Finding {
	volts := Finding{Name: "voltage", Code: "under-voltage", Verdict: Unknown, Text: "this machine does not watch its supply"}
	names, _ := fs.Glob(root, "sys/class/hwmon/*/name")
	for _, name := range names {
		if line(root, name) != "rpi_volt" {
			continue
		}
		volts.Verdict, volts.Text = Fine, "no under-voltage now; what was before stands under faults"
		if line(root, path.Join(path.Dir(name), "in0_lcrit_alarm")) == "1" {
			volts.Verdict, volts.Text, volts.Do = Broken, "the supply fell below 4.63 V", ownSupply
		}
	}
	return volts
}

func temperature(root fs.FS) Finding {
	heat := Finding{Name: "temperature", Code: "too-hot", Verdict: Unknown, Text: "this machine does not tell"}
	if milli, err := strconv.Atoi(line(root, "sys/class/thermal/thermal_zone0/temp")); err == nil {
		c := float64(milli) / 1000
		heat.Verdict, heat.Text = Fine, fmt.Sprintf("the processor is at %.1f °C", c)
		switch {
		case c >= hottest:
			heat.Verdict, heat.Do = Broken, "give it air: it slows itself down"
		case c >= hot:
			heat.Verdict, heat.Do = Warning, "give it more air"
		}
	}
	return heat
}

func probeDisplay(p *Patient) []Finding {
	var found []Finding
	all := Connectors(p.root)
	missing, _ := p.Monitors()
	switch {
	case len(all) == 0:
		found = append(found, Finding{Name: "monitor", Verdict: Unknown, Text: "this machine names no connectors for monitors"})
	case missing:
		found = append(found, Finding{Name: "monitor", Code: "no-monitor", Verdict: Broken, Text: "no monitor is connected", Do: noMonitor})
	}
	for _, c := range all {
		if c.Connected {
			found = append(found, monitorMode(c, screenAt(p.Config.Screens, c.Name)))
		}
	}
	if p.board != nil && p.why == nil && !missing {
		found = append(found, screen(p))
	}
	return grouped("display", append(found, driver(p.root))...)
}

// DrawnIn is how old the word of a screen that it shows the board may be: three of them
// may fail to come.
const DrawnIn = 3*view.DrawnEvery + time.Second

// screen reports whether the board is seen anywhere. Where the core misses no screen, as one
// that was started by hand, that none is there is no fault.
func screen(p *Patient) Finding {
	f := Finding{Name: "screen", Verdict: Warning, Do: remedies[stats.NoScreen]}
	if slices.ContainsFunc(p.board.Faults, func(f stats.Fault) bool { return f.Code == stats.NoScreen }) {
		f.Verdict = Broken
	}
	switch {
	case p.health.Drawn == nil:
		f.Text = "no screen has shown the board since the core started"
	case time.Duration(*p.health.Drawn)*time.Millisecond >= DrawnIn:
		f.Text = fmt.Sprintf("no screen has shown the board for %v", (time.Duration(*p.health.Drawn) * time.Millisecond).Round(time.Second))
	default:
		f.Verdict, f.Text, f.Do = Fine, "the board is on the screen", ""
	}
	return f
}

// screenAt is the [[screen]] that is shown at a connector: the one that names it as X
// does ("HDMI-2" is the kernel's HDMI-A-2), else the first that names none.
func screenAt(screens []config.Screen, connector string) config.Screen {
	for _, output := range []string{strings.Replace(connector, "HDMI-A-", "HDMI-", 1), ""} {
		if i := slices.IndexFunc(screens, func(s config.Screen) bool { return s.Output == output }); i >= 0 {
			return screens[i]
		}
	}
	return screens[0]
}

// monitorMode compares what the monitor shows with what the configuration wants.
func monitorMode(c Connector, s config.Screen) Finding {
	f := Finding{Name: c.Name, Verdict: Fine, Text: c.Text()}
	var w, h int
	if c.Mode == "" {
		f.Verdict, f.Do = Warning, "switch the monitor off and on"
	} else if _, err := fmt.Sscanf(c.Mode, "%dx%d", &w, &h); err == nil {
		if wrong := view.MonitorFaults(s, w, h); len(wrong) > 0 {
			f.Verdict, f.Text, f.Do = Warning, strings.Join(wrong, "; "), "put another monitor there, or say in the configuration what stands there"
		}
	}
	return f
}

// driver says who draws: a graphics card with its kernel driver, or the processor.
func driver(root fs.FS) Finding {
	nodes, _ := fs.Glob(root, "sys/class/drm/renderD*/device/uevent")
	for _, name := range nodes {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(text)) {
			if drv, ok := strings.CutPrefix(strings.TrimSpace(l), "DRIVER="); ok {
				return Finding{Name: "drawing", Verdict: Fine, Text: "by the graphics card, driver " + drv}
			}
		}
	}
	return Finding{Name: "drawing", Verdict: Warning, Text: "by the processor: no graphics driver with a render node",
		Do: "on a Pi: write dtoverlay=vc4-kms-v3d into /boot/firmware/config.txt, then: sudo reboot"}
}

// probeDevices tells of the keypads and shoes that the configuration names.
func probeDevices(p *Patient) []Finding {
	var found []Finding
	for _, u := range p.devices {
		f := Finding{Name: u.Section + " " + u.Name, Verdict: Fine, Text: fmt.Sprintf("%s: %s", u.Device, devices.HowItIs(u.Found, u.HeldBy, ""))}
		switch {
		case u.Why != "":
			f.Verdict, f.Text = Broken, fmt.Sprintf("%s: %s", u.Device, u.Why)
			f.Do = remedy("device")
		case u.Found == "":
			f.Verdict, f.Text = Unknown, u.Device+": only the core knows whether it answers, under faults"
		}
		if strings.HasPrefix(u.Device, "tcp://") {
			f.Do = "the service has no network of its own: see /usr/share/doc/shoeboard/shoe-network.conf"
		}
		found = append(found, f)
	}
	return grouped("devices", found...)
}
