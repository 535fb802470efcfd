package view

import (
	"errors"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
	"shoeboard/display/specimen"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

func TestLookIsAsTheScreenWants(t *testing.T) {
	screens := testkit.Config(t, testkit.TwoScreens).Screens
	plain, err := New(screens[0])
	if err != nil {
		t.Fatal(err)
	}
	v := plain.View
	if v.First.Lang != "en" || v.Second.Lang != "zh-Hant" || v.Theme.Name != "dark" || v.Beads != "letters" || v.Naturals || v.BarTop || plain.Rotation != paint.Rotate0 || pixelShift(screens[0]) != 0 {
		t.Errorf("the default screen looks so: %+v", plain)
	}
	other, err := New(screens[1])
	if err != nil {
		t.Fatal(err)
	}
	v = other.View
	if v.First.Lang != "vi" || v.Second.Lang != "en" || v.Theme.Name != "light" || v.Beads != scene.Characters || !v.Naturals || !v.BarTop || other.Rotation != paint.Rotate90 || pixelShift(screens[1]) == 0 {
		t.Errorf("the other screen looks so: %+v", other)
	}
	for degrees, want := range map[int]paint.Rotation{0: paint.Rotate0, 90: paint.Rotate90, 180: paint.Rotate180, 270: paint.Rotate270} {
		s := screens[0]
		s.Rotation, s.Languages, s.BeadStyle = degrees, []string{"ko"}, "totals"
		l, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		if l.Rotation != want || l.View.First.Lang != "ko" || l.View.Second != nil || l.View.Beads != scene.Totals {
			t.Errorf("%d degrees, one language, totals: %+v", degrees, l)
		}
	}
}

func TestMonitorFaultsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		inches, w, h int
		size         config.Size
		want         []string
	}{
		{27, 1920, 1080, config.Size{}, nil},
		{27, 1280, 720, config.Size{}, nil},  // fewer pixels, the same letters
		{27, 1080, 1920, config.Size{}, nil}, // upright
		{55, 3840, 2160, config.Size{Width: 3840, Height: 2160}, nil},
		{24, 1920, 1080, config.Size{}, []string{"from 7.1 m, not from 8 m"}},
		{10, 1024, 600, config.Size{}, []string{"screen_inches = 10, 1024x600"}},
		{27, 1024, 768, config.Size{Width: 1920, Height: 1080}, []string{"shows 1024x768, the configuration wants 1920x1080", "too small"}},
		{32, 1024, 768, config.Size{Width: 1920, Height: 1080}, []string{`or size = "auto"`}},
	} {
		s := config.Default().Screens[0]
		s.Inches, s.Size = c.inches, c.size
		got := MonitorFaults(s, c.w, c.h)
		if len(got) != len(c.want) {
			t.Errorf("%d inches, %dx%d: %q, want %q", c.inches, c.w, c.h, got, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%d inches, %dx%d: %q does not say %q", c.inches, c.w, c.h, got[i], want)
			}
		}
	}
}

// Between shoes board and pages take turns by themselves, since each picture says when
// it is no longer right.
func TestAttractPagesTurnByThemselves(t *testing.T) {
	l, err := New(config.Default().Screens[0])
	if err != nil {
		t.Fatal(err)
	}
	var b stats.Board
	for _, s := range specimen.All() {
		if s.Name == "attract-bets" {
			b = s.Board
		}
	}
	if !b.Attract.On {
		t.Fatal("the specimen shows no attract page")
	}
	b.ClockTrusted = false // the minute is not what turns them
	clock := clock.New(1000, true)
	g := &Presenter{Setup: l, Clock: clock}
	g.Update(localapi.Update{Board: &b})
	pages := map[string]bool{}
	for began := time.Now(); len(pages) < 3 || !pages[""]; {
		if time.Since(began) > testkit.Patience {
			t.Fatalf("all this time only the board (%v) and %d pages", pages[""], len(pages))
		}
		ops, next := g.Picture(1280, 720)
		if next <= 0 {
			t.Fatal("the page would stay for ever")
		}
		pages[signature(ops)] = true
		time.Sleep(next)
	}
}

// signature is what an attract page says, "" when the board is shown.
func signature(ops []scene.Op) string {
	var s strings.Builder
	for _, o := range ops {
		if o.Run != nil && strings.HasPrefix(o.Name, "attract.") {
			s.WriteString(o.Run.Text + "\n")
		}
	}
	return s.String()
}

// A screen that shows words on a core that is gone, or whose boards it cannot read, does
// not show the board.
func TestOnlyTheCoresBoardIsCurrent(t *testing.T) {
	g := &Presenter{Clock: clock.New(1, false)}
	for i, c := range []struct {
		u    localapi.Update
		want bool
	}{
		{localapi.Update{}, false}, {localapi.Update{Board: &stats.Board{}}, true}, {localapi.Update{Err: errors.New("a board of version 2")}, false},
		{localapi.Update{Board: &stats.Board{}}, true},
	} {
		if g.Update(c.u); g.IsCurrent() != c.want {
			t.Errorf("update %d: %v", i+1, g.IsCurrent())
		}
	}
}
