package main

import (
	"encoding/json"
	"strings"
	"testing"

	"shoeboard/stats"
)

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
