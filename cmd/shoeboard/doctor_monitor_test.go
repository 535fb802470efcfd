package main

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

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
	want := []connector{{"HDMI-A-1", true, "1920x1080"}, {"HDMI-A-2", false, ""}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := connectors(fstest.MapFS{}); got != nil {
		t.Errorf("a machine without graphics: %+v", got)
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
	if code, out, _ := s.do("monitor"); code != exitFailed || !strings.Contains(out, "has not told") {
		t.Errorf("a monitor that has not told its modes: exit %d, %s", code, out)
	}
	time.AfterFunc(100*time.Millisecond, func() { s.write("sys/class/drm/card1-HDMI-A-1/modes", "1366x768\n") })
	if out := s.fine("monitor", "--wait"); !strings.Contains(out, "HDMI-A-1: a monitor, 1366x768") {
		t.Errorf("after waiting it says %q", out)
	}
}
