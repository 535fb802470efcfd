package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
)

// A unit from its first day: what the doctor says at each step, and that there is
// something to do beside every warning and fault.
func TestDoctorAtEachStep(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	data, socket := s.path("var/lib/shoeboard"), s.path("run/core.sock")
	see := func(step string, wantCode int, want map[string]doctor.Verdict) {
		t.Helper()
		code, out, _ := s.do("doctor", "--json", "--data", data, "--socket", socket)
		var found []doctor.Finding
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			t.Fatalf("%s: %v in %s", step, err, out)
		}
		if code != wantCode {
			t.Errorf("%s: exit %d, want %d: %s", step, code, wantCode, out)
		}
		got := map[string]doctor.Verdict{}
		for _, f := range found {
			got[f.Group+"/"+f.Name] = f.Verdict
			if (f.Verdict == doctor.Broken || f.Verdict == doctor.Warning) && f.Do == "" {
				t.Errorf("%s: %s is a %s, and there is nothing to do", step, f.Name, f.Verdict)
			}
		}
		for name, v := range want {
			if got[name] != v {
				t.Errorf("%s: %s is %q, want %q", step, name, got[name], v)
			}
		}
	}
	see("a new unit", exitFailed, map[string]doctor.Verdict{"configuration/file": doctor.Warning, "configuration/table": doctor.Warning, "core/running": doctor.Broken, "record/chain": doctor.Unknown})
	s.fine("config", "init", "--out", s.path("etc/shoeboard/shoeboard.toml"))
	s.fine("config", "table", "14", "--data", data)
	stop := s.runCore()
	s.board("a board that misses its keypad", func(b *stats.Board) bool { return b.Table == "14" && hasFault(b, "keypad-missing") })
	see("set up and running, without a keypad", exitFailed, map[string]doctor.Verdict{"configuration/file": doctor.Fine, "configuration/table": doctor.Fine,
		"core/running": doctor.Fine, "core/version": doctor.Fine, "faults/keypad-missing": doctor.Broken, "record/chain": doctor.Fine, "devices/keypad pad": doctor.Broken})
	s.write("etc/shoeboard/shoeboard.toml", "decks = 0\n")
	see("a spoilt file", exitFailed, map[string]doctor.Verdict{"configuration/file": doctor.Broken, "core/running": doctor.Fine})
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
	see("a flipped bit in the record", exitFailed, map[string]doctor.Verdict{"record/chain": doctor.Broken, "core/running": doctor.Broken})
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
	if n := doctor.Count([]doctor.Finding{{Verdict: doctor.Warning}, {Verdict: doctor.Fine}}, doctor.Broken); n != 0 {
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
	sum := sha256.Sum256([]byte("the program"))
	want := hex.EncodeToString(sum[:])
	s.write("usr/share/shoeboard/manifest.sha256", want+"  /usr/bin/shoeboard\n")
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
	s.write("usr/share/shoeboard/manifest.sha256", "rubbish\n")
	if code, _, _ := s.do("verify", "--data", data); code != exitFailed {
		t.Errorf("a spoilt manifest: exit %d", code)
	}
}

func TestMonitorWait(t *testing.T) {
	s := newSite(t)
	if out := s.fine("monitor", "--wait"); !strings.Contains(out, "no connectors") {
		t.Errorf("a machine without graphics says %q", out)
	}
	dir := s.path("sys/class/drm/card1-HDMI-A-1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("sys/class/drm/card1-HDMI-A-1/status", "connected\n")
	s.write("sys/class/drm/card1-HDMI-A-1/modes", "")
	if code, out, _ := s.do("monitor"); code != exitFailed || !strings.Contains(out, "does not report its modes") {
		t.Errorf("a monitor that does not report its modes: exit %d, %s", code, out)
	}
	time.AfterFunc(100*time.Millisecond, func() { s.write("sys/class/drm/card1-HDMI-A-1/modes", "1366x768\n") })
	if out := s.fine("monitor", "--wait"); !strings.Contains(out, "HDMI-A-1: a monitor, 1366x768") {
		t.Errorf("after waiting it says %q", out)
	}
}

func TestSupportBundle(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "venue = \"Ours\"\n[[shoe]]\nname = \"s\"\nkind = \"tsp1\"\ndevice = \"tcp://192.168.1.9:4000\"\n")
	testkit.Evening(t, s.path("var/lib/shoeboard"))
	s.fine("support-bundle", s.path("b.tar.gz"), "--data", s.path("var/lib/shoeboard"))
	f, err := os.Open(s.path("b.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		texts[h.Name] = string(text)
	}
	for _, name := range []string{"doctor.json", "version.json", "verify.json", "devices.json", "configuration.toml", "log.txt", "units.txt", "kernel.txt"} {
		if texts[name] == "" {
			t.Errorf("the bundle has no %s", name)
		}
	}
	all := strings.Join(slices.Collect(func(yield func(string) bool) {
		for _, text := range texts {
			if !yield(text) {
				return
			}
		}
	}), "\n")
	for _, secret := range []string{"192.168.1.9", "Ours", "panda-8\",\"outcome", core.ID()} {
		if strings.Contains(all, secret) {
			t.Errorf("the bundle has %q", secret)
		}
	}
}

// A technician over SSH: he sees what stands, acknowledges it by its code, and finds it
// so after the core has been stopped and started.
func TestFaultsAreListedAndAcknowledged(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("SUDO_USER", "tech")
	data, socket := s.path("var/lib/shoeboard"), s.path("run/core.sock")
	faults := func(args ...string) string {
		return s.fine(append([]string{"faults", "--data", data, "--socket", socket}, args...)...)
	}
	if out := faults(); out != "No faults.\n" {
		t.Errorf("of a new unit: %s", out)
	}
	if out := strings.TrimSpace(faults("--json")); out != "[]" {
		t.Errorf("of a new unit as JSON: %s", out)
	}
	s.write("etc/shoeboard/shoeboard.toml", "[[keypad]]\nname = \"pad\"\n")
	stop := s.runCore("--table", "14")
	s.board("a board that misses its keypad", func(b *stats.Board) bool { return hasFault(b, "keypad-missing") })
	if out := faults(); !strings.Contains(out, "keypad-missing: Keypad missing") || !strings.Contains(out, "not acknowledged") {
		t.Errorf("without a keypad: %s", out)
	}
	code, _, told := s.do("acknowledge", "keypad", "keypad-missing", "--socket", socket)
	told = strings.Replace(told, "clock-not-set, ", "", 1) // whose clock it is depends on who runs the test
	if code != exitFailed || !strings.Contains(told, `fault "keypad" is not raised; to acknowledge: keypad-missing`) {
		t.Errorf("a slip: exit %d, %s", code, told)
	}
	if code, _, told := s.do("acknowledge", "keypad-missing", "--socket", socket); code != exitFailed || !strings.Contains(told, "was acknowledged by") {
		t.Errorf("the other code of the slip was not taken: exit %d, %s", code, told)
	}
	if line := s.fine("status", "--line", "--socket", socket); !strings.Contains(line, "1 acknowledged") || strings.Contains(line, "keypad-missing") {
		t.Errorf("the line: %s", line)
	}
	stop()
	var list []stats.Fault
	if err := json.Unmarshal([]byte(faults("--json")), &list); err != nil || len(list) != 1 || list[0].Code != "keypad-missing" || list[0].By == "" {
		t.Errorf("of a core that is down: %+v, %v", list, err)
	}
	s.runCore()
	s.board("it is known after a restart", func(b *stats.Board) bool {
		return len(b.Faults) > 0 && b.Faults[len(b.Faults)-1].Code == "keypad-missing" && b.Faults[len(b.Faults)-1].By != ""
	})
}
