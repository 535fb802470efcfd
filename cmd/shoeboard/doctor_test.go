package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/version"
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
		look  probe
		root  fstest.MapFS
		name  string
		want  verdict
		words string
	}{
		{"no supply is watched", probePower, files("sys/class/hwmon/hwmon0/name", "nvme\n"), "voltage", unknown, "does not watch"},
		{"a good supply", probePower, files(volt, "rpi_volt\n", alarm, "0\n"), "voltage", fine, "no under-voltage"},
		{"a weak supply", probePower, files(volt, "rpi_volt\n", alarm, "1\n"), "voltage", broken, "fell below"},
		{"cool", probePower, files("sys/class/thermal/thermal_zone0/temp", "48850\n"), "temperature", fine, "48.9 °C"},
		{"warm", probePower, files("sys/class/thermal/thermal_zone0/temp", "72000\n"), "temperature", warning, "72.0"},
		{"hot", probePower, files("sys/class/thermal/thermal_zone0/temp", "81000\n"), "temperature", broken, "81.0"},
		{"rubbish for a temperature", probePower, files("sys/class/thermal/thermal_zone0/temp", "warm\n"), "temperature", unknown, ""},
		{"no connectors", probeDisplay, files(), "monitor", unknown, "names no connectors"},
		{"nothing plugged in", probeDisplay, files("sys/class/drm/card1-HDMI-A-1/status", "disconnected\n"), "monitor", broken, "no monitor"},
		{"a monitor", probeDisplay, files("sys/class/drm/card1-HDMI-A-1/status", "connected\n", "sys/class/drm/card1-HDMI-A-1/modes", "1920x1080\n"), "HDMI-A-1", fine, "1920x1080"},
		{"a monitor that is silent", probeDisplay, files("sys/class/drm/card1-HDMI-A-1/status", "connected\n"), "HDMI-A-1", warning, "has not told"},
		{"software drawing", probeDisplay, files(), "drawing", warning, "by the processor"},
		{"a graphics card", probeDisplay, files("sys/class/drm/renderD128/device/uevent", "OF_NAME=gpu\nDRIVER=v3d\n"), "drawing", fine, "driver v3d"},
		{"a battery", probeClock, files("sys/class/rtc/rtc0/name", "rtc-ds1307 1-0068\n"), "battery", fine, "ds1307"},
		{"no battery", probeClock, files(), "battery", unknown, "without power"},
		{"a sound disk", probeStorage, files("sys/fs/ext4/mmcblk0p2/errors_count", "0\n"), "mmcblk0p2", fine, "no errors"},
		{"a failing disk", probeStorage, files("sys/fs/ext4/mmcblk0p2/errors_count", "3\n"), "mmcblk0p2", broken, "3 errors"},
		{"a young eMMC", probeStorage, files("sys/block/mmcblk0/device/life_time", "0x01 0x02\n"), "mmcblk0", fine, "20 %"},
		{"an old eMMC", probeStorage, files("sys/block/mmcblk0/device/life_time", "0x09 0x01\n"), "mmcblk0", warning, "90 %"},
		{"a dead eMMC", probeStorage, files("sys/block/mmcblk0/device/life_time", "0x0b 0x01\n"), "mmcblk0", broken, "past its life"},
		{"a card that tells nothing", probeStorage, files("sys/block/mmcblk0/device/life_time", "0x00 0x00\n"), "mmcblk0", unknown, "does not tell"},
		{"a machine that counts nothing", probeStorage, files(), "errors", unknown, "does not count"},
	} {
		found := c.look(&patient{root: c.root, config: config.Default()})
		at := slices.IndexFunc(found, func(f finding) bool { return f.Name == c.name })
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

func TestDoctorOfTheCore(t *testing.T) {
	b := version.Read()
	same := localapi.Version{Program: b.Version, Revision: b.Revision}
	board := &stats.Board{Table: "14", Phase: "betting"}
	for _, c := range []struct {
		what string
		p    patient
		want verdict
	}{
		{"none runs", patient{why: localapi.ErrNoCore}, broken},
		{"no permission", patient{why: errors.New("not allowed")}, broken},
		{"it hangs", patient{board: board, health: localapi.Health{Error: "deadline"}}, broken},
		{"all well", patient{board: board, health: localapi.Health{Alive: true}, version: same}, fine},
		{"another version", patient{board: board, health: localapi.Health{Alive: true}, version: localapi.Version{Program: "v0"}}, warning},
	} {
		found := probeCore(&c.p)
		if last := found[len(found)-1]; last.Verdict != c.want {
			t.Errorf("%s: %+v", c.what, last)
		}
	}
	faults := probeBoard(&patient{board: &stats.Board{Faults: []stats.Fault{{Code: "not-recording", Text: "E21"}, {Code: "clock-not-set"}, {Code: "new-one", Text: "words"}}}})
	if len(faults) != 3 || faults[0].Verdict != broken || faults[1].Verdict != warning || faults[2].Do == "" {
		t.Errorf("the board's faults: %+v", faults)
	}
}

// A unit from its first day: what the doctor says at each step, and that there is
// something to do beside every warning and fault.
func TestDoctorAtEachStep(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	data, socket := s.path("var/lib/shoeboard"), s.path("run/core.sock")
	see := func(step string, wantCode int, want map[string]verdict) {
		t.Helper()
		code, out, _ := s.do("doctor", "--json", "--data", data, "--socket", socket)
		var found []finding
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			t.Fatalf("%s: %v in %s", step, err, out)
		}
		if code != wantCode {
			t.Errorf("%s: exit %d, want %d: %s", step, code, wantCode, out)
		}
		got := map[string]verdict{}
		for _, f := range found {
			got[f.Group+"/"+f.Name] = f.Verdict
			if (f.Verdict == broken || f.Verdict == warning) && f.Do == "" {
				t.Errorf("%s: %s is a %s, and there is nothing to do", step, f.Name, f.Verdict)
			}
		}
		for name, v := range want {
			if got[name] != v {
				t.Errorf("%s: %s is %q, want %q", step, name, got[name], v)
			}
		}
	}
	see("a new unit", exitFailed, map[string]verdict{"configuration/file": warning, "configuration/table": warning, "core/running": broken, "record/chain": unknown})
	s.fine("config", "init", "--out", s.path("etc/shoeboard/shoeboard.toml"))
	s.fine("config", "table", "14", "--data", data)
	stop := s.runCore()
	s.board("a board", func(b *stats.Board) bool { return b.Table == "14" })
	see("set up and running, without a keypad", exitFailed, map[string]verdict{"configuration/file": fine, "configuration/table": fine,
		"core/running": fine, "core/version": fine, "board/keypad-missing": broken, "record/chain": fine, "devices/keypad pad": broken})
	s.write("etc/shoeboard/shoeboard.toml", "decks = 0\n")
	see("a spoilt file", exitFailed, map[string]verdict{"configuration/file": broken, "core/running": fine})
	stop()
	segments, err := filepath.Glob(filepath.Join(data, "journal", "*.jrn"))
	if err != nil || len(segments) == 0 {
		t.Fatal("no segments", err)
	}
	text, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(segments[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	see("a flipped bit in the record", exitFailed, map[string]verdict{"record/chain": broken, "core/running": broken})
}

// 1 is a fault, 2 a mistyped command; a warning is no fault.
func TestDoctorExitCodes(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	s.write("etc/shoeboard/shoeboard.toml", "[[keypad]]\nname = \"pad\"\nkind = \"usb\"\n")
	if code, out, _ := s.do("doctor", "--data", s.path("var/lib/shoeboard")); code != exitFailed || !strings.Contains(out, "\nCore\n") {
		t.Errorf("faults: exit %d\n%s", code, out)
	}
	if code, _, _ := s.do("doctor", "--no-such-flag"); code != exitUsage {
		t.Errorf("usage: exit %d", code)
	}
	if n := count([]finding{{Verdict: warning}, {Verdict: fine}}, broken); n != 0 {
		t.Errorf("a warning counts as %d faults", n)
	}
}

func TestVerifyFindsEveryChangedFile(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	for _, dir := range []string{"usr/share/shoeboard", "usr/bin"} {
		if err := os.MkdirAll(s.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write("usr/bin/shoeboard", "the program")
	want := ofBytes("", []byte("the program")).SHA256
	s.write(manifest, want+"  /usr/bin/shoeboard\n")
	stop := s.runCore()
	s.board("a board", func(b *stats.Board) bool { return b.Seq > 0 })
	stop()
	data := s.path("var/lib/shoeboard")
	first := s.fine("verify", "--data", data)
	if !strings.Contains(first, want+"  /usr/bin/shoeboard") || !strings.Contains(first, "record 1 to") {
		t.Errorf("verify says\n%s", first)
	}
	if again := s.fine("verify", "--data", data); again != first {
		t.Error("verify says two different things of one unit")
	}
	s.write("usr/bin/shoeboard", "the progran")
	if code, out, _ := s.do("verify", "--data", data); code != exitFailed || !strings.Contains(out, "WRONG: /usr/bin/shoeboard") {
		t.Errorf("a changed program: exit %d\n%s", code, out)
	}
	s.write(manifest, "rubbish\n")
	if code, _, _ := s.do("verify", "--data", data); code != exitFailed {
		t.Errorf("a spoilt manifest: exit %d", code)
	}
}
