package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/doctor"
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
