package devices

import (
	"slices"
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

// newSink returns the sink of one output.
func newSink[C, T any](h Hardware, name string, of C, open func(C) (sink.Device[T], error)) *sink.Sink[T] {
	return sink.New(name, func() (sink.Device[T], error) { return open(of) }, h.Now)
}

// Indicators are the devices of a table beside its keypads and its screen: those that show
// and sound what the dealer does, card-reading shoes, and the supervisor's key switch. The
// methods never wait, and belong to the table's goroutine.
type Indicators struct {
	Sources []hw.Source
	Roles   map[string]table.Role
	Counted func() // a hand was recorded

	lamps   []lamps
	buzzers []buzzer.Buzzer
	echoes  []*sink.Sink[echo.Lines]
	timers  []*sink.Sink[int]
	shown   table.Indicators
}

// Indicators returns those of a configuration.
func (h Hardware) Indicators(cfg config.Config, pack *game.Pack, o Outputs) *Indicators {
	n := &Indicators{Roles: map[string]table.Role{}}
	n.Sources, n.Counted = h.shoes(cfg, pack)
	for _, s := range cfg.Shoes {
		n.Roles[s.Name] = table.Shoe
	}
	for _, l := range cfg.Lights {
		s := newSink(h, l.Name, l, o.Lights)
		n.lamps = append(n.lamps, lamps{sink: s, keys: l.Keys})
		n.add(l.Name, table.Output, s)
	}
	for _, b := range cfg.Buzzers {
		s := buzzer.Buzzer{Sink: newSink(h, b.Name, b, o.Buzzer)}
		n.buzzers = append(n.buzzers, s)
		n.add(b.Name, table.Output, s)
	}
	for _, e := range cfg.Echoes {
		s := newSink(h, e.Name, e, o.Echo)
		n.echoes = append(n.echoes, s)
		n.add(e.Name, table.EchoLines, s)
	}
	for _, t := range cfg.Timers {
		s := newSink(h, t.Name, t, o.Timer)
		n.timers = append(n.timers, s)
		n.add(t.Name, table.Output, s)
	}
	for _, k := range cfg.KeySwitches {
		set := keyswitch.Settings{Name: k.Name, Positions: []string{"review"}}
		n.add(k.Name, table.KeySwitch, keyswitch.New(set, func() (keyswitch.Lines, error) { return o.Key(k) }, h.Now))
	}
	return n
}

// HasEcho reports whether the dealer reads on a display of his own.
func (n *Indicators) HasEcho() bool { return len(n.echoes) > 0 }

func (n *Indicators) add(name string, role table.Role, s hw.Source) {
	n.Roles[name] = role
	n.Sources = append(n.Sources, s)
}

// Show shows what has changed.
func (n *Indicators) Show(p table.Indicators) {
	was := n.shown
	n.shown = p
	for i := range n.lamps {
		n.lamps[i].show(p)
	}
	for _, e := range n.echoes {
		if p.Lines != was.Lines {
			e.Show(p.Lines)
		}
	}
	for _, t := range n.timers {
		if p.Seconds != was.Seconds {
			t.Show(max(p.Seconds, segments.Dark))
		}
	}
}

// Sound sounds a tone.
func (n *Indicators) Sound(t console.Tone) {
	tone, known := map[console.Tone]buzzer.Tone{
		console.Ack: buzzer.Acknowledge, console.Refused: buzzer.Refuse, console.Remind: buzzer.Remind,
	}[t]
	if !known {
		return
	}
	for _, b := range n.buzzers {
		b.Sound(tone)
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
