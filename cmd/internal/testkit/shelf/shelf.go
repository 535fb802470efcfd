// Package shelf is a fake of every device beside keypads and screen, for tests.
//
// A caller may assume that a Shelf keeps everything new that it was shown, in order,
// and that each Device of it may be used from any goroutine. Only tests import this
// package; they read the lists when nothing runs any more.
package shelf

import (
	"slices"
	"sync"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/hw/echo"
	"shoeboard/hw/keyswitch"
	"shoeboard/hw/light"
	"shoeboard/hw/sink"
)

// Shelf is a fake of every device: what each shows, and when it was last told.
type Shelf struct {
	mu   sync.Mutex
	Lit  []light.Picture
	Beep []bool
	Read []echo.Lines
	Left []int
	on   uint64
	News chan string // which device has something new
}

// New is a shelf on which nothing was shown.
func New() *Shelf { return &Shelf{News: make(chan string, 1000)} }

// shows is a device that keeps what is new on it.
type shows[T any] struct {
	s    *Shelf
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
	case d.s.News <- d.name:
	default:
	}
	return nil
}

func (shows[T]) Close() error { return nil }

func equal[T comparable](a, b T) bool { return a == b }

// Get and Close make the shelf a key switch.
func (s *Shelf) Get(uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on, nil
}

func (*Shelf) Close() error { return nil }

// Outlets open the devices of the shelf.
func (s *Shelf) Outlets() ports.Outlets {
	return ports.Outlets{
		Lights: func(config.Lights) func() (sink.Device[light.Picture], error) {
			return func() (sink.Device[light.Picture], error) {
				return shows[light.Picture]{s, "lights", &s.Lit, func(a, b light.Picture) bool { return slices.Equal(a, b) }}, nil
			}
		},
		Buzzer: func(config.Buzzer) func() (sink.Device[bool], error) {
			return func() (sink.Device[bool], error) { return shows[bool]{s, "buzzer", &s.Beep, equal[bool]}, nil }
		},
		Echo: func(config.Echo) func() (sink.Device[echo.Lines], error) {
			return func() (sink.Device[echo.Lines], error) {
				return shows[echo.Lines]{s, "echo", &s.Read, equal[echo.Lines]}, nil
			}
		},
		Timer: func(config.Timer) func() (sink.Device[int], error) {
			return func() (sink.Device[int], error) { return shows[int]{s, "timer", &s.Left, equal[int]}, nil }
		},
		Key: func(config.KeySwitch) func() (keyswitch.Lines, error) {
			return func() (keyswitch.Lines, error) { return s, nil }
		},
	}
}

// Venue is a configuration with one of each device.
const Venue = `
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
