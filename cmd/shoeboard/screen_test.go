package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/display/scene"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// houseScreen is a [[screen]] with everything in it that a house may have set.
func houseScreen() config.Screen {
	s := config.Default().Screens[0]
	s.Name, s.Languages, s.Rotation, s.Output, s.Inches = "left", []string{"vi", "en"}, 90, "HDMI-2", 32
	s.Theme, s.BeadStyle, s.PhaseBar, s.NaturalMarks, s.PixelShift = "light", "totals", "top", true, true
	s.Size, s.Pictures, s.Fullscreen = config.Size{Width: 1280, Height: 720}, "/srv/pictures", false
	return s
}

// A screen that has failed three times keeps what makes it readable, and nothing that
// may have kept it from starting.
func TestSafeStartOfAScreen(t *testing.T) {
	built := config.Default().Screens[0]
	kept := built
	kept.Name, kept.Languages, kept.Rotation, kept.Output, kept.Inches, kept.Fullscreen = "left", []string{"vi", "en"}, 90, "HDMI-2", 32, false
	house := config.Config{Screens: []config.Screen{houseScreen()}}
	for _, c := range []struct {
		name, ask string
		cfg       config.Config
		bad       error
		want      config.Screen
	}{
		{"as configured", "left", house, nil, kept},
		{"the first", "", house, nil, kept},
		{"a name that is not there", "right", house, nil, kept},
		{"no configuration", "left", config.Config{}, errors.New("a pack is broken"), built},
	} {
		g, s, err := (&screenVerb{Name: c.ask}).presenter(c.cfg, c.bad, watchdog.FailedStarts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.Pictures != "" || s.Theme != "dark" || !slices.Equal(s.Languages, c.want.Languages) || s.Rotation != c.want.Rotation ||
			s.Output != c.want.Output || g.Setup.Output != c.want.Output || s.Fullscreen != c.want.Fullscreen || s.Size != built.Size || s.PixelShift {
			t.Errorf("%s: got %+v, want %+v", c.name, s, c.want)
		}
		if g.Fault == nil || g.Fault.Code != "screen-safe" || !strings.Contains(g.Fault.Text, "3 failed starts") {
			t.Errorf("%s: the screen says %+v", c.name, g.Fault)
		}
	}
}

// Before the third failure a start is as the house wants it, and what is wrong ends it.
func TestAnOrdinaryStartOfAScreen(t *testing.T) {
	house := config.Config{Screens: []config.Screen{houseScreen()}}
	g, s, err := (&screenVerb{Name: "left", Output: "HDMI-1"}).presenter(house, nil, watchdog.FailedStarts-1)
	if err != nil || g.Fault != nil || s.Theme != "light" || g.Setup.View.Theme.Name != "light" {
		t.Errorf("got %+v, %v", s, err)
	}
	if g.Setup.Output != "HDMI-1" || g.Setup.View.Rotation != 90 {
		t.Errorf("the flag does not override the output, or the rotation is not told: %q, %d", g.Setup.Output, g.Setup.View.Rotation)
	}
	if _, _, err := (&screenVerb{Name: "right"}).presenter(house, nil, 0); err == nil || !strings.Contains(err.Error(), "--name right: expected a [[screen]] of the configuration, one of left") {
		t.Errorf("a screen that is not there: %v", err)
	}
	if _, _, err := (&screenVerb{}).presenter(config.Config{}, errors.New("broken"), 0); err == nil || err.Error() != "broken" {
		t.Errorf("a configuration that is broken: %v", err)
	}
}

// The screen's own fault stands among those of the board, which is not changed.
func TestTheScreenSaysThatItStartedSafe(t *testing.T) {
	g, _, err := (&screenVerb{}).presenter(config.Default(), nil, watchdog.FailedStarts)
	if err != nil {
		t.Fatal(err)
	}
	b := &stats.Board{Version: stats.BoardVersion, Phase: "table-closed", Bar: stats.Bar{Kind: stats.BarClosedTable}, ClockTrusted: true}
	g.Update(localapi.Update{Board: b})
	ops, _ := g.Picture(1920, 1080)
	said := slices.ContainsFunc(ops, func(o scene.Op) bool {
		return o.Kind == scene.Text && strings.Contains(o.Run.Text, "built-in look")
	})
	if !said || len(b.Faults) != 0 {
		t.Errorf("on the screen: %v, on the board: %v", said, b.Faults)
	}
}

// The unit says "shoeboard screen", a technician "shoeboard screen test".
func TestTheScreenHasAVerbOfItsOwn(t *testing.T) {
	for _, args := range [][]string{{"screen", "--list"}, {"screen", "tset"}} {
		if code := (&program{out: new(bytes.Buffer), err: new(bytes.Buffer), log: testkit.Log(), root: t.TempDir()}).main(t.Context(), args); code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
	out := new(bytes.Buffer)
	p := &program{out: out, err: out, log: testkit.Log(), root: t.TempDir()}
	if code := p.main(t.Context(), []string{"screen", "test", "--list"}); code != exitFine {
		t.Fatalf("exit code %d: %s", code, out)
	}
	for _, page := range stats.TestPages() {
		if !strings.Contains("\n"+out.String(), "\n"+page+" ") {
			t.Errorf("the list has no %s", page)
		}
	}
	t.Setenv("DISPLAY", "")
	file := filepath.Join(t.TempDir(), "shoeboard.toml")
	if err := os.WriteFile(file, []byte("socket = \"/no/such/core.sock\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags string
		code  int
		says  string
	}{
		{"", exitFailed, "DISPLAY is not set"}, {"--page gird", exitUsage, "did you mean grid?"},
		{"--seconds=-1", exitUsage, "expected 0 to 600"}, {"--seconds=601", exitUsage, "expected 0 to 600"},
	} {
		out.Reset()
		if code := p.main(t.Context(), append([]string{"--config", file, "screen", "test"}, strings.Fields(c.flags)...)); code != c.code || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: exit code %d, said %q, want %q", c.flags, code, out, c.says)
		}
	}
}
