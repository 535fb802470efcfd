package devices

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw"
	"shoeboard/hw/buzzer"
	"shoeboard/hw/echo"
	"shoeboard/hw/keyswitch"
	"shoeboard/hw/light"
	"shoeboard/hw/segments"
	"shoeboard/hw/sink"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// Outputs open the devices beside the screen; tests put others in their place.
type Outputs struct {
	Lights func(config.Lights) (sink.Device[light.Picture], error)
	Buzzer func(config.Buzzer) (sink.Device[bool], error)
	Echo   func(config.Echo) (sink.Device[echo.Lines], error)
	Timer  func(config.Timer) (sink.Device[int], error)
	Key    func(config.KeySwitch) (keyswitch.Lines, error)
}

// Outputs returns the unit's own.
func (h Hardware) Outputs() Outputs {
	return Outputs{
		Lights: h.openLights,
		Buzzer: func(b config.Buzzer) (sink.Device[bool], error) {
			return buzzer.Wiring{Dir: h.Dev, Line: b.Line, ActiveLow: b.ActiveLow}.Open()
		},
		Echo: func(e config.Echo) (sink.Device[echo.Lines], error) {
			return echo.Wiring{Kind: e.Kind, Device: h.path(e.Device)}.Open()
		},
		Timer: func(t config.Timer) (sink.Device[int], error) {
			return segments.Wiring{SPI: h.path(t.SPI), Digits: t.Digits, Intensity: t.Brightness}.Open()
		},
		Key: func(s config.KeySwitch) (keyswitch.Lines, error) {
			return keyswitch.Wiring{Dir: h.Dev, Lines: []string{s.Line}, ActiveHigh: s.ActiveHigh}.Open()
		},
	}
}

func (h Hardware) openLights(l config.Lights) (sink.Device[light.Picture], error) {
	w := light.Wiring{Dir: h.Dev, Lines: l.Lines, ActiveLow: l.ActiveLow}
	switch l.Kind {
	case "registers":
		w.SPI, w.Registers = h.path(l.SPI), registersFor(l)
	case "pixels":
		w.SPI, w.Pixels = h.path(l.SPI), len(l.Keys)
	}
	return w.Open()
}

// registersFor returns how many registers of eight outputs the keys need.
func registersFor(l config.Lights) int { return (len(l.Keys) + 7) / 8 }

// output is one device of a configuration beside keypads and shoes.
type output struct {
	section, name string // of the configuration
	kind, device  string // for a technician
	lines         []string
	node          string // the device file, if there are no lines
	role          table.Role
	source        hw.Source
	show          func(table.Indicators) // may be nil
	sound         func(buzzer.Tone)      // may be nil
	steps         []outputStep           // its test; nil: it shows nothing
}

// newSink returns the sink of one output.
func newSink[C, T any](h Hardware, name string, of C, open func(C) (sink.Device[T], error)) *sink.Sink[T] {
	return sink.New(name, func() (sink.Device[T], error) { return open(of) }, h.Now)
}

// outputs returns the outputs of a configuration.
func (h Hardware) outputs(cfg config.Config, o Outputs) (list []output) {
	for _, l := range cfg.Lights {
		list = append(list, h.lights(l, o))
	}
	for _, b := range cfg.Buzzers {
		s := buzzer.Buzzer{Sink: newSink(h, b.Name, b, o.Buzzer)}
		list = append(list, output{section: "buzzer", name: b.Name, kind: "line", device: "active buzzer on " + b.Line,
			lines: []string{b.Line}, role: table.Output, source: s, sound: s.Sound, steps: buzzerSteps(s.Sound)})
	}
	for _, e := range cfg.Echoes {
		s := newSink(h, e.Name, e, o.Echo)
		show := onChange(func(p table.Indicators) echo.Lines { return p.Lines }, s.Show)
		list = append(list, output{section: "echo", name: e.Name, kind: e.Kind, device: e.Device, node: e.Device,
			role: table.EchoLines, source: s, show: show, steps: echoSteps(s.Show)})
	}
	for _, t := range cfg.Timers {
		s := newSink(h, t.Name, t, o.Timer)
		show := onChange(func(p table.Indicators) int { return max(p.Seconds, segments.Dark) }, s.Show)
		list = append(list, output{section: "timer", name: t.Name, kind: "max7219",
			device: fmt.Sprintf("MAX7219 of %d digits on %s", t.Digits, t.SPI), node: t.SPI,
			role: table.Output, source: s, show: show, steps: timerSteps(t.Digits, s.Show)})
	}
	for _, k := range cfg.KeySwitches {
		set := keyswitch.Settings{Name: k.Name, Positions: []string{"review"}}
		open := func() (keyswitch.Lines, error) { return o.Key(k) }
		list = append(list, output{section: "key_switch", name: k.Name, kind: "line", device: "contact on " + k.Line,
			lines: []string{k.Line}, role: table.KeySwitch, source: keyswitch.New(set, open, h.Now)})
	}
	return list
}

func (h Hardware) lights(l config.Lights, o Outputs) output {
	s := newSink(h, l.Name, l, o.Lights)
	out := output{section: "light", name: l.Name, kind: l.Kind, node: l.SPI, role: table.Output, source: s,
		show: (&lamps{sink: s, keys: l.Keys}).show, steps: lightSteps(l.Keys, s.Show)}
	switch l.Kind {
	case "registers":
		out.device = fmt.Sprintf("%d 74HC595 on %s", registersFor(l), l.SPI)
	case "pixels":
		out.device = fmt.Sprintf("%d APA102 on %s", len(l.Keys), l.SPI)
	default:
		out.device, out.lines = "lamps on "+strings.Join(l.Lines, " "), l.Lines
	}
	return out
}

// onChange shows a part of the indicators when it differs from the last one.
func onChange[T comparable](part func(table.Indicators) T, show func(T)) func(table.Indicators) {
	last := part(table.Indicators{})
	return func(p table.Indicators) {
		if v := part(p); v != last {
			last = v
			show(v)
		}
	}
}

// Indicators are the devices of a table beside its keypads and its screen: those that show
// and sound what the dealer does, card-reading shoes, and the supervisor's key switch. The
// methods never wait, and belong to the table's goroutine.
type Indicators struct {
	Sources []hw.Source
	Roles   map[string]table.Role
	Counted func() // a hand was recorded
	outputs []output
}

// Indicators returns those of a configuration.
func (h Hardware) Indicators(cfg config.Config, pack *game.Pack, o Outputs) *Indicators {
	n := &Indicators{Roles: map[string]table.Role{}, outputs: h.outputs(cfg, o)}
	n.Sources, n.Counted = h.shoes(cfg, pack)
	for _, s := range cfg.Shoes {
		n.Roles[s.Name] = table.Shoe
	}
	for _, out := range n.outputs {
		n.Roles[out.name] = out.role
		n.Sources = append(n.Sources, out.source)
	}
	return n
}

// HasEcho reports whether the dealer reads on a display of his own.
func (n *Indicators) HasEcho() bool {
	return slices.ContainsFunc(n.outputs, func(o output) bool { return o.role == table.EchoLines })
}

// Show shows what has changed.
func (n *Indicators) Show(p table.Indicators) {
	for _, out := range n.outputs {
		if out.show != nil {
			out.show(p)
		}
	}
}

// Sound sounds a tone.
func (n *Indicators) Sound(t console.Tone) {
	tone, known := map[console.Tone]buzzer.Tone{
		console.Ack: buzzer.Acknowledge, console.Refused: buzzer.Refuse, console.Remind: buzzer.Remind,
	}[t]
	for _, out := range n.outputs {
		if known && out.sound != nil {
			out.sound(tone)
		}
	}
}

// lamps are the lights of some keys.
type lamps struct {
	sink  *sink.Sink[light.Picture]
	keys  []string // the key of each lamp
	lit   light.Picture
	blink bool
}

// blinkTime is how long the lamp of OK is on, and then off, while a proposal has waited for
// long.
const blinkTime = 400 * time.Millisecond

func (l *lamps) show(p table.Indicators) {
	lit := make(light.Picture, len(l.keys))
	for i, key := range l.keys {
		lit[i] = colorOf(key, p.Lit[key])
	}
	if slices.Equal(lit, l.lit) && p.Blink == l.blink {
		return
	}
	l.lit, l.blink = lit, p.Blink
	ok := slices.Index(l.keys, string(console.KeyOK))
	if !p.Blink || ok < 0 {
		l.sink.Show(lit)
		return
	}
	dark := slices.Clone(lit)
	dark[ok] = light.Off
	l.sink.Play(sink.Step[light.Picture]{Show: dark, For: blinkTime},
		sink.Step[light.Picture]{Show: lit, For: blinkTime})
}

// colorOf returns the colour of a key's lamp.
func colorOf(key string, l table.Light) light.Color {
	switch {
	case l == table.Waiting && key == string(console.KeyClear), l == table.Active:
		return light.Amber
	case l == table.Waiting:
		return light.Green
	case l == table.Alarm:
		return light.Red
	case l == table.Unlit:
		return light.Off
	}
	return light.White
}
