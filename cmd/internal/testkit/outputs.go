package testkit

import (
	"slices"
	"sync"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw/echo"
	"shoeboard/hw/keyswitch"
	"shoeboard/hw/light"
	"shoeboard/hw/sink"
)

// Outputs fakes every device beside keypads and screen. Its methods open them, for
// devices.Outputs; it keeps each new value that they show, in order. The lists are read when
// nothing runs any more.
type Outputs struct {
	mu   sync.Mutex
	Lit  []light.Picture
	Beep []bool
	Read []echo.Lines
	Left []int
	News chan string // which device shows something new
}

// NewOutputs returns devices that have shown nothing.
func NewOutputs() *Outputs { return &Outputs{News: make(chan string, 1000)} }

// output is a device that keeps its new values.
type output[T any] struct {
	o    *Outputs
	name string
	list *[]T
	same func(a, b T) bool
}

func (d output[T]) Show(v T) error {
	d.o.mu.Lock()
	defer d.o.mu.Unlock()
	if n := len(*d.list); n > 0 && d.same((*d.list)[n-1], v) {
		return nil
	}
	*d.list = append(*d.list, v)
	select {
	case d.o.News <- d.name:
	default:
	}
	return nil
}

func (output[T]) Close() error { return nil }

func equal[T comparable](a, b T) bool { return a == b }

// Lights opens the lights.
func (o *Outputs) Lights(config.Lights) (sink.Device[light.Picture], error) {
	return output[light.Picture]{o, "lights", &o.Lit, func(a, b light.Picture) bool { return slices.Equal(a, b) }}, nil
}

// Buzzer opens the buzzer.
func (o *Outputs) Buzzer(config.Buzzer) (sink.Device[bool], error) {
	return output[bool]{o, "buzzer", &o.Beep, equal[bool]}, nil
}

// Echo opens the echo.
func (o *Outputs) Echo(config.Echo) (sink.Device[echo.Lines], error) {
	return output[echo.Lines]{o, "echo", &o.Read, equal[echo.Lines]}, nil
}

// Timer opens the timer.
func (o *Outputs) Timer(config.Timer) (sink.Device[int], error) {
	return output[int]{o, "timer", &o.Left, equal[int]}, nil
}

// Key opens a key switch that stays off.
func (o *Outputs) Key(config.KeySwitch) (keyswitch.Lines, error) { return offSwitch{}, nil }

type offSwitch struct{}

func (offSwitch) Get(uint64) (uint64, error) { return 0, nil }

func (offSwitch) Close() error { return nil }

// EveryOutput is a configuration with one of each.
const EveryOutput = `
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
