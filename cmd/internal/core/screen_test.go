package core

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// panel is a screenWatch whose seconds go by one by one.
type panel struct {
	*testing.T
	screenWatch
	now           time.Time
	drawn         time.Time // when a screen last gave its word; zero: never
	missing, mute bool
	says          string
	changes       int
}

// newPanel is a unit that starts, with a service or by hand.
func newPanel(t *testing.T, service bool) *panel {
	start := time.Unix(1e9, 0)
	return &panel{T: t, screenWatch: screenWatch{expected: service, since: start}, now: start}
}

// pass lets seconds go by, with a screen that draws or without.
func (p *panel) pass(d time.Duration, draws bool) *panel {
	for end := p.now.Add(d); p.now.Before(end); p.now = p.now.Add(time.Second) {
		if draws {
			p.drawn = p.now
		}
		if text, changed := p.check(p.now, p.now.Sub(p.drawn), !p.drawn.IsZero(), p.missing, p.mute); changed {
			p.says = text
			p.changes++
		}
	}
	return p
}

func (p *panel) wants(what, says string) {
	p.Helper()
	if says == "" && p.says != "" || !strings.Contains(p.says, says) {
		p.Errorf("%s it says %q, expected %q", what, p.says, says)
	}
}

func TestAScreenThatNeverComesIsAFault(t *testing.T) {
	p := newPanel(t, true)
	p.pass(comesIn, false).wants("while X starts", "")
	p.pass(screenEvery, false).wants("after a minute", "none has come since the start")
	p.pass(time.Hour, false)
	p.pass(time.Second, true).wants("once it draws", "")
	if p.changes != 2 {
		t.Errorf("%d changes", p.changes)
	}
}

func TestAScreenThatStopsIsAFaultAndARestartIsNone(t *testing.T) {
	p := newPanel(t, true)
	for range 10 {
		p.pass(time.Minute, true).pass(backIn-time.Second, false)
	}
	if p.wants("after restarts", ""); p.changes > 1 { // that the fault of the run before is over
		t.Errorf("%d changes", p.changes)
	}
	p.pass(time.Minute, true).pass(backIn+screenEvery, false).wants("half a minute later", "any more")
	p.pass(2*time.Second, true).wants("back again", "")
}

// What nobody could see is the fault no-monitor, and that alone.
func TestWithoutAMonitorNoScreenIsMissed(t *testing.T) {
	p := newPanel(t, true)
	p.missing = true
	p.pass(time.Hour, false).wants("without a monitor", "")
	p.missing = false
	p.pass(comesIn-time.Second, false).wants("while X starts", "")
	p.pass(time.Minute, true).pass(time.Minute, false).wants("dark", "any more")
	p.missing = true
	p.pass(screenEvery, false).wants("the monitor is off as well", "")
	p.missing, p.mute = false, true
	p.pass(time.Minute, false).wants("a monitor that says nothing", "Switch the monitor off and on")
}

func TestACoreStartedByHandMissesAScreenOnlyOnceItHadOne(t *testing.T) {
	p := newPanel(t, false)
	p.pass(time.Hour, false).wants("alone", "")
	p.pass(time.Second, true).pass(time.Minute, false).wants("its screen has gone", "any more")
}

// The fault that the run before left goes with the first word of a screen, identify is
// refused until then, and says why.
func TestTheFirstWordOfAScreenEndsTheFault(t *testing.T) {
	data, root := t.TempDir(), t.TempDir()
	connector := filepath.Join(root, "sys/class/drm/card0-HDMI-A-1")
	if err := os.MkdirAll(connector, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(connector, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("status", "connected\n")
	write("modes", "1920x1080\n")
	cfg := config.Default()
	cfg.Data = data
	set := Setup{Data: data, Table: "14", Config: cfg, Clock: clock.New(1, false), Socket: filepath.Join(data, "core.sock"),
		Machine: doctor.Machine(os.DirFS(root), cfg), Service: true}
	c, board, stop := runCore(t, set)
	board("a board", func(*stats.Board) bool { return true })
	c.SetFaults(t.Context(), map[string]string{stats.NoScreen: unseenText(true, false)})
	board("the fault", func(b *stats.Board) bool {
		return has(b.Faults, stats.NoScreen) && strings.Contains(b.StatusLine, stats.NoScreen)
	})
	stop()

	_, board, stop = runCore(t, set)
	defer stop()
	client, ctx := localapi.Client{Path: set.Socket}, t.Context()
	board("a board", func(*stats.Board) bool { return true })
	if err := client.Identify(ctx, time.Second); err == nil || !strings.Contains(err.Error(), "no screen shows the board") {
		t.Errorf("identify: %v", err)
	}
	if err := client.Identify(ctx, 0); err != nil {
		t.Errorf("the end of it: %v", err)
	}
	write("status", "disconnected\n")
	if err := client.Identify(ctx, time.Second); err == nil || !strings.Contains(err.Error(), "no monitor is connected") {
		t.Errorf("identify without a monitor: %v", err)
	}
	if h, err := client.Health(ctx); err != nil || h.Drawn != nil {
		t.Errorf("%+v, %v", h, err)
	}
	if err := client.Drawn(ctx); err != nil {
		t.Fatal(err)
	}
	board("its end", func(b *stats.Board) bool { return has(b.EndedFaults, stats.NoScreen) && !has(b.Faults, stats.NoScreen) })
	if err := client.Identify(ctx, time.Second); err != nil {
		t.Error(err)
	}
	board("the number", func(b *stats.Board) bool { return b.Identify })
	if h, err := client.Health(ctx); err != nil || h.Drawn == nil {
		t.Errorf("%+v, %v", h, err)
	}
}
