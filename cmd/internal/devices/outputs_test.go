package devices

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw"
	"shoeboard/hw/echo"
	"shoeboard/hw/light"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

// Indicators show each new value once, and their devices have their roles.
func TestIndicatorsShowEachNewValueOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testkit.Config(t, testkit.EveryOutput)
		pack, err := config.Pack(cfg.Game)
		if err != nil {
			t.Fatal(err)
		}
		s := testkit.NewOutputs()
		start := time.Now()
		n := (Hardware{Dev: "/dev", Now: func() time.Duration { return time.Since(start) }}).Indicators(cfg, pack,
			Outputs{Lights: s.Lights, Buzzer: s.Buzzer, Echo: s.Echo, Timer: s.Timer, Key: s.Key})
		want := map[string]table.Role{"lights": table.Output, "buzzer": table.Output, "echo": table.EchoLines, "timer": table.Output, "key-switch": table.KeySwitch}
		for name, role := range want {
			if n.Roles[name] != role {
				t.Errorf("%s has the role %d", name, n.Roles[name])
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		out := make(chan hw.Event, 100)
		var running sync.WaitGroup
		for _, src := range n.Sources {
			running.Go(func() {
				if err := src.Run(ctx, out); err != nil {
					t.Error(err)
				}
			})
		}
		step := func(p table.Indicators, tone console.Tone) {
			n.Show(p)
			n.Sound(tone)
			time.Sleep(700 * time.Millisecond)
			synctest.Wait()
		}
		step(table.Indicators{Lines: [2]string{"49? DRAGON 7", "OK=SAVE   CLEAR=DROP"}, Seconds: 12,
			Lit: map[string]table.Light{"dragon-7": table.Proposed, "OK": table.Waiting, "CLEAR": table.Waiting}}, console.Ack)
		step(table.Indicators{Lines: [2]string{"49 D7  SAVED", ""}, Seconds: -1, Lit: map[string]table.Light{}}, console.Refused)
		step(table.Indicators{Lines: [2]string{"49 D7  SAVED", ""}, Seconds: -1, Lit: map[string]table.Light{"OK": table.Waiting}, Blink: true}, console.Silent)
		cancel()
		running.Wait()
		if want := []light.Picture{{0, light.White, 0, light.Green}, {0, 0, 0, 0}, {0, 0, 0, light.Green}}; !slices.EqualFunc(s.Lit, want, func(a, b light.Picture) bool { return slices.Equal(a, b) }) {
			t.Errorf("lit %v, want %v", s.Lit, want)
		}
		if want := []bool{true, false, true, false, true, false}; !slices.Equal(s.Beep, want) {
			t.Errorf("beeps %v, want %v", s.Beep, want)
		}
		if want := []echo.Lines{{"49? DRAGON 7", "OK=SAVE   CLEAR=DROP"}, {"49 D7  SAVED", ""}}; !slices.Equal(s.Read, want) {
			t.Errorf("echo %q, want %q", s.Read, want)
		}
		if want := []int{12, -1}; !slices.Equal(s.Left, want) {
			t.Errorf("timer %v, want %v", s.Left, want)
		}
	})
}
