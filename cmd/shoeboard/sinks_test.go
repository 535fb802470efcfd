package main

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/rig"
	"shoeboard/hw"
	"shoeboard/hw/echo"
	"shoeboard/hw/keyswitch"
	"shoeboard/hw/light"
	"shoeboard/hw/sink"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

const everyDevice = `
[[light]]
lines = ["GPIO1", "GPIO2", "GPIO3", "GPIO4"]
keys = ["BANKER", "dragon-7", "", "OK"]
[[buzzer]]
line = "GPIO24"
[[echo]]
device = "/dev/echo"
[[timer]]
[[key_switch]]
line = "GPIO25"
`

// shelf is a fake of every device: what each shows, and when it was last told.
type shelf struct {
	mu   sync.Mutex
	lit  []light.Picture
	beep []bool
	read []echo.Lines
	left []int
	on   uint64
	news chan string // which device has something new
}

func newShelf() *shelf { return &shelf{news: make(chan string, 1000)} }

// shows is a device that keeps what is new on it.
type shows[T any] struct {
	s    *shelf
	name string
	to   *[]T
	same func(a, b T) bool
}

func (d shows[T]) Show(v T) error {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	if n := len(*d.to); n > 0 && d.same((*d.to)[n-1], v) {
		return nil
	}
	*d.to = append(*d.to, v)
	select {
	case d.s.news <- d.name:
	default:
	}
	return nil
}

func (shows[T]) Close() error { return nil }

func equal[T comparable](a, b T) bool { return a == b }

// Get and Close make the shelf a key switch.
func (s *shelf) Get(uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on, nil
}

func (*shelf) Close() error { return nil }

func (s *shelf) outlets() outlets {
	return outlets{
		lights: func(config.Lights) func() (sink.Device[light.Picture], error) {
			return func() (sink.Device[light.Picture], error) {
				return shows[light.Picture]{s, "lights", &s.lit, func(a, b light.Picture) bool { return slices.Equal(a, b) }}, nil
			}
		},
		buzzer: func(config.Buzzer) func() (sink.Device[bool], error) {
			return func() (sink.Device[bool], error) { return shows[bool]{s, "buzzer", &s.beep, equal[bool]}, nil }
		},
		echo: func(config.Echo) func() (sink.Device[echo.Lines], error) {
			return func() (sink.Device[echo.Lines], error) {
				return shows[echo.Lines]{s, "echo", &s.read, equal[echo.Lines]}, nil
			}
		},
		timer: func(config.Timer) func() (sink.Device[int], error) {
			return func() (sink.Device[int], error) { return shows[int]{s, "timer", &s.left, equal[int]}, nil }
		},
		key: func(config.KeySwitch) func() (keyswitch.Lines, error) {
			return func() (keyswitch.Lines, error) { return s, nil }
		},
	}
}

// A panel shows what is new and nothing else, and its devices are known by what they are.
func TestPanelShowsWhatIsNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := rig.Config(t, everyDevice)
		pack, err := config.Pack(cfg.Game)
		if err != nil {
			t.Fatal(err)
		}
		s := newShelf()
		start := time.Now()
		n := (ports{dev: "/dev", now: func() time.Duration { return time.Since(start) }}).panel(cfg, pack, s.outlets())
		want := map[string]table.Role{"lights": table.Output, "buzzer": table.Output, "echo": table.EchoLines, "timer": table.Output, "key-switch": table.KeySwitch}
		for name, role := range want {
			if n.roles[name] != role {
				t.Errorf("%s has the role %d", name, n.roles[name])
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		out := make(chan hw.Event, 100)
		var running sync.WaitGroup
		for _, src := range n.sources {
			running.Go(func() {
				if err := src.Run(ctx, out); err != nil {
					t.Error(err)
				}
			})
		}
		step := func(p table.Panel, tone console.Tone) {
			n.show(p)
			n.sound(tone)
			time.Sleep(700 * time.Millisecond)
			synctest.Wait()
		}
		step(table.Panel{Lines: [2]string{"49? DRAGON 7", "OK=SAVE   CLEAR=DROP"}, Seconds: 12,
			Lit: map[string]table.Light{"dragon-7": table.Proposed, "OK": table.Waiting, "CLEAR": table.Waiting}}, console.Ack)
		step(table.Panel{Lines: [2]string{"49 D7  SAVED", ""}, Seconds: -1, Lit: map[string]table.Light{}}, console.Refused)
		step(table.Panel{Lines: [2]string{"49 D7  SAVED", ""}, Seconds: -1, Lit: map[string]table.Light{"OK": table.Waiting}, Blink: true}, console.Silent)
		cancel()
		running.Wait()
		if want := []light.Picture{{0, light.White, 0, light.Green}, {0, 0, 0, 0}, {0, 0, 0, light.Green}}; !slices.EqualFunc(s.lit, want, func(a, b light.Picture) bool { return slices.Equal(a, b) }) {
			t.Errorf("lit %v, want %v", s.lit, want)
		}
		if want := []bool{true, false, true, false, true, false}; !slices.Equal(s.beep, want) {
			t.Errorf("beeps %v, want %v", s.beep, want)
		}
		if want := []echo.Lines{{"49? DRAGON 7", "OK=SAVE   CLEAR=DROP"}, {"49 D7  SAVED", ""}}; !slices.Equal(s.read, want) {
			t.Errorf("echo %q, want %q", s.read, want)
		}
		if want := []int{12, -1}; !slices.Equal(s.left, want) {
			t.Errorf("timer %v, want %v", s.left, want)
		}
	})
}

// In a safe start there is the dealer's keypad and nothing else.
func TestASafeStartHasNoDevices(t *testing.T) {
	cfg := rig.Config(t, everyDevice+"[[shoe]]\nkind = \"tsp1\"\ndevice = \"/dev/shoe\"\n")
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		t.Fatal(err)
	}
	count := func(safe int) int {
		return len(ports{dev: "/dev"}.panel(coreSetup{config: cfg, safe: safe}.inForce(), pack, newShelf().outlets()).sources)
	}
	if all, safe := count(0), count(3); all != 6 || safe != 0 {
		t.Errorf("%d devices, in a safe start %d", all, safe)
	}
}
