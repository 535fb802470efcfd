package doctor

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/version"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

func files(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

// What the machine says, and what the doctor makes of it. Off a Pi all of it is n/a
// but the drawing.
func TestDoctorOfAMachine(t *testing.T) {
	const volt, alarm = "sys/class/hwmon/hwmon1/name", "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
	for _, c := range []struct {
		what  string
		run   check
		root  fstest.MapFS
		name  string
		want  Verdict
		words string
	}{
		{"no supply is watched", checkPower, files("sys/class/hwmon/hwmon0/name", "nvme\n"), "voltage", Unknown, "does not watch"},
		{"a good supply", checkPower, files(volt, "rpi_volt\n", alarm, "0\n"), "voltage", Fine, "no under-voltage"},
		{"a weak supply", checkPower, files(volt, "rpi_volt\n", alarm, "1\n"), "voltage", Broken, "fell below"},
		{"cool", checkPower, files("sys/class/thermal/thermal_zone0/temp", "48850\n"), "temperature", Fine, "48.9 °C"},
		{"warm", checkPower, files("sys/class/thermal/thermal_zone0/temp", "72000\n"), "temperature", Warning, "72.0"},
		{"hot", checkPower, files("sys/class/thermal/thermal_zone0/temp", "81000\n"), "temperature", Broken, "81.0"},
		{"rubbish for a temperature", checkPower, files("sys/class/thermal/thermal_zone0/temp", "warm\n"), "temperature", Unknown, ""},
		{"no connectors", checkDisplay, files(), "monitor", Unknown, "names no connectors"},
		{"nothing plugged in", checkDisplay, files("sys/class/drm/card1-HDMI-A-1/status", "disconnected\n"), "monitor", Broken, "no monitor"},
		{"a monitor", checkDisplay, files("sys/class/drm/card1-HDMI-A-1/status", "connected\n", "sys/class/drm/card1-HDMI-A-1/modes", "1920x1080\n"), "HDMI-A-1", Fine, "1920x1080"},
		{"a monitor that is silent", checkDisplay, files("sys/class/drm/card1-HDMI-A-1/status", "connected\n"), "HDMI-A-1", Warning, "does not report"},
		{"software drawing", checkDisplay, files(), "drawing", Warning, "by the processor"},
		{"a graphics card", checkDisplay, files("sys/class/drm/renderD128/device/uevent", "OF_NAME=gpu\nDRIVER=v3d\n"), "drawing", Fine, "driver v3d"},
		{"a battery", checkClock, files("sys/class/rtc/rtc0/name", "rtc-ds1307 1-0068\n"), "battery", Fine, "ds1307"},
		{"no battery", checkClock, files(), "battery", Unknown, "without power"},
		{"a sound disk", checkStorage, files("sys/fs/ext4/mmcblk0p2/errors_count", "0\n"), "mmcblk0p2", Fine, "no errors"},
		{"a failing disk", checkStorage, files("sys/fs/ext4/mmcblk0p2/errors_count", "3\n"), "mmcblk0p2", Broken, "3 errors"},
		{"a young eMMC", checkStorage, files("sys/block/mmcblk0/device/life_time", "0x01 0x02\n"), "mmcblk0", Fine, "20 %"},
		{"an old eMMC", checkStorage, files("sys/block/mmcblk0/device/life_time", "0x09 0x01\n"), "mmcblk0", Warning, "90 %"},
		{"a dead eMMC", checkStorage, files("sys/block/mmcblk0/device/life_time", "0x0b 0x01\n"), "mmcblk0", Broken, "past its life"},
		{"a card that tells nothing", checkStorage, files("sys/block/mmcblk0/device/life_time", "0x00 0x00\n"), "mmcblk0", Unknown, "does not report its age"},
		{"a machine that counts nothing", checkStorage, files(), "errors", Unknown, "does not count"},
	} {
		found := c.run(&Unit{root: c.root, Config: config.Default()})
		at := slices.IndexFunc(found, func(f Finding) bool { return f.Name == c.name })
		if at < 0 {
			t.Errorf("%s: no line %q in %+v", c.what, c.name, found)
			continue
		}
		f := found[at]
		if f.Verdict != c.want || !strings.Contains(f.Text, c.words) {
			t.Errorf("%s: %s, %q; want %s with %q", c.what, f.Verdict, f.Text, c.want, c.words)
		}
	}
}

// Of two screens each is compared with what hangs at its own connector.
func TestDoctorOfTwoScreens(t *testing.T) {
	small := config.Default()
	small.Screens = append(small.Screens, small.Screens[0])
	small.Screens[0].Output, small.Screens[1].Output = "HDMI-1", "HDMI-2"
	small.Screens[1].Name, small.Screens[1].Inches = "back", 7
	found := checkDisplay(&Unit{Config: small, root: files(
		"sys/class/drm/card1-HDMI-A-1/status", "connected\n", "sys/class/drm/card1-HDMI-A-1/modes", "1920x1080\n",
		"sys/class/drm/card1-HDMI-A-2/status", "connected\n", "sys/class/drm/card1-HDMI-A-2/modes", "1920x1080\n")})
	if found[0].Verdict != Fine || found[1].Verdict != Warning || !strings.Contains(found[1].Text, "screen_inches = 7") {
		t.Errorf("%+v", found)
	}
	if s := screenAt(small.Screens, "DSI-1"); s.Output != "HDMI-1" {
		t.Errorf("at a connector that none names: %+v", s)
	}
}

func TestDoctorOfTheCore(t *testing.T) {
	b := version.Read()
	same := localapi.Version{Program: b.Version, Revision: b.Revision}
	board := &stats.Board{Table: "14", Phase: "betting"}
	for _, c := range []struct {
		what string
		p    Unit
		want Verdict
	}{
		{"none runs", Unit{why: localapi.ErrNoCore}, Broken},
		{"no permission", Unit{why: errors.New("not allowed")}, Broken},
		{"it hangs", Unit{board: board, health: localapi.Health{Error: "deadline"}}, Broken},
		{"all well", Unit{board: board, health: localapi.Health{Alive: true}, version: same}, Fine},
		{"another version", Unit{board: board, health: localapi.Health{Alive: true}, version: localapi.Version{Program: "v0"}}, Warning},
	} {
		found := checkCore(&c.p)
		if last := found[len(found)-1]; last.Verdict != c.want {
			t.Errorf("%s: %+v", c.what, last)
		}
	}
	faults := checkFaults(&Unit{faults: []stats.Fault{{Code: "not-recording", Text: "E21"}, {Code: "clock-not-set"}, {Code: "new-one", Text: "words"}}})
	if len(faults) != 3 || faults[0].Verdict != Broken || faults[1].Verdict != Warning || faults[2].Do == "" {
		t.Errorf("the board's faults: %+v", faults)
	}
}

func TestConnectors(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	got := connectors(fstest.MapFS{
		"sys/class/drm/card0/dev":                file("226:0\n"),
		"sys/class/drm/card1-HDMI-A-1/status":    file("connected\n"),
		"sys/class/drm/card1-HDMI-A-1/modes":     file("1920x1080\n1280x720\n"),
		"sys/class/drm/card1-HDMI-A-2/status":    file("disconnected\n"),
		"sys/class/drm/card1-HDMI-A-2/modes":     file(""),
		"sys/class/drm/card1-Writeback-1/status": file("unknown\n"),
		"sys/class/drm/renderD128/device/uevent": file(""),
	})
	want := []Connector{{"HDMI-A-1", true, "1920x1080"}, {"HDMI-A-2", false, ""}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := connectors(fstest.MapFS{}); got != nil {
		t.Errorf("a machine without graphics: %+v", got)
	}
}

// A monitor that is connected shows nothing by itself: the doctor asks the core whether
// a screen shows the board, and says nothing of it where there is no monitor.
func TestDoctorOfABlackScreen(t *testing.T) {
	on := files("sys/class/drm/card1-HDMI-A-1/status", "connected\n", "sys/class/drm/card1-HDMI-A-1/modes", "1920x1080\n")
	off := files("sys/class/drm/card1-HDMI-A-1/status", "disconnected\n")
	ms := func(n int64) *int64 { return &n }
	board, missed := &stats.Board{}, &stats.Board{Faults: []stats.Fault{{Code: stats.NoScreen}}}
	for _, c := range []struct {
		what string
		p    Unit
		want string
	}{
		{"shown", Unit{root: on, board: board, health: localapi.Health{Drawn: ms(1000)}}, "ok: the board is on the screen"},
		{"hung", Unit{root: on, board: missed, health: localapi.Health{Drawn: ms(42400)}}, "fault: no screen has shown the board for 42s"},
		{"never came", Unit{root: on, board: missed}, "fault: no screen has shown the board since the core started"},
		{"on a desk", Unit{board: board}, "warning: no screen has shown the board since the core started"},
		{"no monitor", Unit{root: off, board: board}, ""},
		{"no core", Unit{root: on, why: localapi.ErrNoCore}, ""},
		{"a core that only has a board", Unit{root: on, board: board, why: errors.New("deadline")}, ""},
	} {
		if c.p.root == nil {
			c.p.root = files()
		}
		c.p.Config = config.Default()
		got := ""
		for _, f := range checkDisplay(&c.p) {
			if f.Name == "screen" {
				if got = string(f.Verdict) + ": " + f.Text; (f.Verdict != Fine) != strings.Contains(f.Do, "journalctl -u shoeboard-screen") {
					t.Errorf("%s: to do is %q", c.what, f.Do)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, expected %q", c.what, got, c.want)
		}
	}
}
