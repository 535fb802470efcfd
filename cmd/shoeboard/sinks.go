package main

import (
	"slices"
	"time"

	"shoeboard/cmd/shoeboard/config"
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

// outlets open the devices beside the screen; tests put others in their place.
type outlets struct {
	lights func(config.Lights) func() (sink.Device[light.Picture], error)
	buzzer func(config.Buzzer) func() (sink.Device[bool], error)
	echo   func(config.Echo) func() (sink.Device[echo.Lines], error)
	timer  func(config.Timer) func() (sink.Device[int], error)
	key    func(config.KeySwitch) func() (keyswitch.Lines, error)
}

// outlets are the unit's own.
func (p ports) outlets() outlets {
	return outlets{
		lights: func(l config.Lights) func() (sink.Device[light.Picture], error) {
			w := light.Wiring{Dir: p.dev, Lines: l.Lines, ActiveLow: l.ActiveLow}
			switch l.Kind {
			case "registers":
				w.SPI, w.Registers = p.below(l.SPI), (len(l.Keys)+7)/8
			case "pixels":
				w.SPI, w.Pixels = p.below(l.SPI), len(l.Keys)
			}
			return w.Open
		},
		buzzer: func(b config.Buzzer) func() (sink.Device[bool], error) {
			return buzzer.Wiring{Dir: p.dev, Line: b.Line, ActiveLow: b.ActiveLow}.Open
		},
		echo: func(e config.Echo) func() (sink.Device[echo.Lines], error) {
			return echo.Wiring{Kind: e.Kind, Device: p.below(e.Device)}.Open
		},
		timer: func(t config.Timer) func() (sink.Device[int], error) {
			return segments.Wiring{SPI: p.below(t.SPI), Digits: t.Digits, Intensity: t.Brightness}.Open
		},
		key: func(s config.KeySwitch) func() (keyswitch.Lines, error) {
			return keyswitch.Wiring{Dir: p.dev, Lines: []string{s.Line}, ActiveHigh: s.ActiveHigh}.Open
		},
	}
}

// panel is what a table has beside its keypads and its screen: devices that show and
// sound what the dealer does, card-reading shoes, and the supervisor's key switch. Its
// methods never wait, and belong to the table's goroutine.
type panel struct {
	sources []hw.Source
	roles   map[string]table.Role
	counted func() // a hand was recorded

	lamps   []lamps
	buzzers []buzzer.Buzzer
	echoes  []*sink.Sink[echo.Lines]
	timers  []*sink.Sink[int]
	shown   table.Panel
}

// panel is the one of a configuration.
func (p ports) panel(cfg config.Config, pack *game.Pack, o outlets) *panel {
	n := &panel{roles: map[string]table.Role{}}
	n.sources, n.counted = p.shoes(cfg, pack)
	for _, s := range cfg.Shoes {
		n.roles[s.Name] = table.Shoe
	}
	for _, l := range cfg.Lights {
		s := sink.New(l.Name, o.lights(l), p.now)
		n.lamps = append(n.lamps, lamps{sink: s, keys: l.Keys})
		n.add(l.Name, table.Output, s)
	}
	for _, b := range cfg.Buzzers {
		s := buzzer.New(b.Name, o.buzzer(b), p.now)
		n.buzzers = append(n.buzzers, s)
		n.add(b.Name, table.Output, s)
	}
	for _, e := range cfg.Echoes {
		s := sink.New(e.Name, o.echo(e), p.now)
		n.echoes = append(n.echoes, s)
		n.add(e.Name, table.EchoLines, s)
	}
	for _, t := range cfg.Timers {
		s := sink.New(t.Name, o.timer(t), p.now)
		n.timers = append(n.timers, s)
		n.add(t.Name, table.Output, s)
	}
	for _, k := range cfg.KeySwitches {
		n.add(k.Name, table.KeySwitch, keyswitch.New(keyswitch.Settings{Name: k.Name, Positions: []string{"review"}}, o.key(k), p.now))
	}
	return n
}

func (n *panel) add(name string, role table.Role, s hw.Source) {
	n.roles[name] = role
	n.sources = append(n.sources, s)
}

// show shows what has changed.
func (n *panel) show(p table.Panel) {
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

// sound sounds a tone.
func (n *panel) sound(t console.Tone) {
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
