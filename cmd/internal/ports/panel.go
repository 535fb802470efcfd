package ports

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

// Outlets open the devices beside the screen; tests put others in their place.
type Outlets struct {
	Lights func(config.Lights) func() (sink.Device[light.Picture], error)
	Buzzer func(config.Buzzer) func() (sink.Device[bool], error)
	Echo   func(config.Echo) func() (sink.Device[echo.Lines], error)
	Timer  func(config.Timer) func() (sink.Device[int], error)
	Key    func(config.KeySwitch) func() (keyswitch.Lines, error)
}

// Outlets are the unit's own.
func (p Ports) Outlets() Outlets {
	return Outlets{
		Lights: func(l config.Lights) func() (sink.Device[light.Picture], error) {
			w := light.Wiring{Dir: p.Dev, Lines: l.Lines, ActiveLow: l.ActiveLow}
			switch l.Kind {
			case "registers":
				w.SPI, w.Registers = p.Path(l.SPI), (len(l.Keys)+7)/8
			case "pixels":
				w.SPI, w.Pixels = p.Path(l.SPI), len(l.Keys)
			}
			return w.Open
		},
		Buzzer: func(b config.Buzzer) func() (sink.Device[bool], error) {
			return buzzer.Wiring{Dir: p.Dev, Line: b.Line, ActiveLow: b.ActiveLow}.Open
		},
		Echo: func(e config.Echo) func() (sink.Device[echo.Lines], error) {
			return echo.Wiring{Kind: e.Kind, Device: p.Path(e.Device)}.Open
		},
		Timer: func(t config.Timer) func() (sink.Device[int], error) {
			return segments.Wiring{SPI: p.Path(t.SPI), Digits: t.Digits, Intensity: t.Brightness}.Open
		},
		Key: func(s config.KeySwitch) func() (keyswitch.Lines, error) {
			return keyswitch.Wiring{Dir: p.Dev, Lines: []string{s.Line}, ActiveHigh: s.ActiveHigh}.Open
		},
	}
}

// Panel is what a table has beside its keypads and its screen: devices that show and
// sound what the dealer does, card-reading shoes, and the supervisor's key switch. Its
// methods never wait, and belong to the table's goroutine.
type Panel struct {
	Sources []hw.Source
	Roles   map[string]table.Role
	Counted func() // a hand was recorded

	lamps   []lamps
	buzzers []buzzer.Buzzer
	echoes  []*sink.Sink[echo.Lines]
	timers  []*sink.Sink[int]
	shown   table.Panel
}

// Panel is the one of a configuration.
func (p Ports) Panel(cfg config.Config, pack *game.Pack, o Outlets) *Panel {
	n := &Panel{Roles: map[string]table.Role{}}
	n.Sources, n.Counted = p.shoes(cfg, pack)
	for _, s := range cfg.Shoes {
		n.Roles[s.Name] = table.Shoe
	}
	for _, l := range cfg.Lights {
		s := sink.New(l.Name, o.Lights(l), p.Now)
		n.lamps = append(n.lamps, lamps{sink: s, keys: l.Keys})
		n.add(l.Name, table.Output, s)
	}
	for _, b := range cfg.Buzzers {
		s := buzzer.New(b.Name, o.Buzzer(b), p.Now)
		n.buzzers = append(n.buzzers, s)
		n.add(b.Name, table.Output, s)
	}
	for _, e := range cfg.Echoes {
		s := sink.New(e.Name, o.Echo(e), p.Now)
		n.echoes = append(n.echoes, s)
		n.add(e.Name, table.EchoLines, s)
	}
	for _, t := range cfg.Timers {
		s := sink.New(t.Name, o.Timer(t), p.Now)
		n.timers = append(n.timers, s)
		n.add(t.Name, table.Output, s)
	}
	for _, k := range cfg.KeySwitches {
		n.add(k.Name, table.KeySwitch, keyswitch.New(keyswitch.Settings{Name: k.Name, Positions: []string{"review"}}, o.Key(k), p.Now))
	}
	return n
}

// HasEcho says that the dealer reads on a display of his own.
func (n *Panel) HasEcho() bool { return len(n.echoes) > 0 }

func (n *Panel) add(name string, role table.Role, s hw.Source) {
	n.Roles[name] = role
	n.Sources = append(n.Sources, s)
}

// Show shows what has changed.
func (n *Panel) Show(p table.Panel) {
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
func (n *Panel) Sound(t console.Tone) {
	tone, known := map[console.Tone]buzzer.Tone{console.Ack: buzzer.Acknowledge, console.Refused: buzzer.Refuse, console.Remind: buzzer.Remind}[t]
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

// blinks is how long the lamp of OK is on, and then off, while a proposal has waited for long.
const blinks = 400 * time.Millisecond

func (l *lamps) show(p table.Panel) {
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
	l.sink.Play(sink.Step[light.Picture]{Show: dark, For: blinks}, sink.Step[light.Picture]{Show: lit, For: blinks})
}

// colorOf is the colour of a key's lamp.
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
