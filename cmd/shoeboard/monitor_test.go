package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

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
