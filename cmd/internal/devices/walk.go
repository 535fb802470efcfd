package devices

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/hw"
	"shoeboard/hw/buzzer"
	"shoeboard/hw/echo"
	"shoeboard/hw/light"
	"shoeboard/hw/segments"
	"shoeboard/hw/sink"
)

// Walk says where everything hangs that shows and sounds beside the screen, as the
// flags of "hw test" write it; "" is a device that there is not.
type Walk struct {
	Lights, Buzzer, Timer, Echo string
	ActiveLow                   bool // lights and buzzer are on while their line is low
}

// Check says which flag is not as it should be. It opens nothing.
func (v Walk) Check(h Hardware) error {
	_, err := v.exhibits(h)
	return err
}

// Run walks through all devices and writes what each should show now. It is an error
// if a device fails.
func (v Walk) Run(ctx context.Context, h Hardware, out io.Writer) error {
	exhibits, err := v.exhibits(h)
	if err != nil {
		return err
	}
	return walkAll(ctx, h, exhibits, out)
}

// WalkConfigured walks through all devices that the configuration names, as Walk.Run does.
func WalkConfigured(ctx context.Context, h Hardware, cfg config.Config, out io.Writer) error {
	return walkAll(ctx, h, configured(cfg, h.Outlets(), h.Now), out)
}

func walkAll(ctx context.Context, h Hardware, exhibits []exhibit, out io.Writer) error {
	failed, tried := 0, 0
	for _, s := range exhibits {
		if s.source == nil {
			fmt.Fprintf(out, "%s: n/a\n", s.name)
			continue
		}
		tried++
		if err := s.walk(ctx, out); err != nil {
			if by := openDevices(h.proc).words(gpioLines); by != "" {
				err = fmt.Errorf("%w; GPIO lines are held by %s; if that is the core, %s", err, by, StopTheCore)
			}
			fmt.Fprintf(out, "%s: FAILED: %s\n", s.name, strings.TrimPrefix(err.Error(), s.name+": "))
			failed++
		}
	}
	switch {
	case tried == 0:
		fmt.Fprintln(out, "Nothing was tried: the configuration names none of these. A flag can: shoeboard hw test --help")
	case failed > 0:
		return fmt.Errorf("%d of %d devices failed", failed, tried)
	}
	return ctx.Err()
}

// exhibit is one device of the walk.
type exhibit struct {
	name   string
	source hw.Source // its sink; nil: the unit has none
	steps  []exhibitStep
}

// exhibitStep is something to show, in words, and for how long.
type exhibitStep struct {
	say  string
	do   func()
	long time.Duration
}

// exhibits are all devices in the order of the walk.
func (v Walk) exhibits(h Hardware) ([]exhibit, error) {
	lights, err := v.lights(h)
	if err != nil {
		return nil, err
	}
	timer, err := v.timer(h)
	if err != nil {
		return nil, err
	}
	dealer, err := v.echo(h)
	return []exhibit{lights, v.buzzer(h), dealer, timer}, err
}

// configured are the devices of a configuration in the order of the walk.
func configured(cfg config.Config, o ports.Outlets, now func() time.Duration) (list []exhibit) {
	for _, l := range cfg.Lights {
		s := sink.New("light "+l.Name, o.Lights(l), now)
		list = append(list, exhibit{"light " + l.Name, s, lightSteps(len(l.Keys), l.Keys, s.Show)})
	}
	for _, b := range cfg.Buzzers {
		s := buzzer.New("buzzer "+b.Name, o.Buzzer(b), now)
		list = append(list, exhibit{"buzzer " + b.Name, s, buzzerSteps(s.Sound)})
	}
	for _, e := range cfg.Echoes {
		s := sink.New("echo "+e.Name, o.Echo(e), now)
		list = append(list, exhibit{"echo " + e.Name, s, echoSteps(s.Show)})
	}
	for _, t := range cfg.Timers {
		s := sink.New("timer "+t.Name, o.Timer(t), now)
		list = append(list, exhibit{"timer " + t.Name, s, timerSteps(t.Digits, s.Show)})
	}
	for i, none := range []bool{len(cfg.Lights) == 0, len(cfg.Buzzers) == 0, len(cfg.Echoes) == 0, len(cfg.Timers) == 0} {
		if none {
			list = append(list, exhibit{name: []string{"key lights", "buzzer", "echo", "timer"}[i]})
		}
	}
	return list
}

// lights is the walk along the lamps, and then all of them in each colour.
func (v Walk) lights(h Hardware) (exhibit, error) {
	s := exhibit{name: "key lights"}
	if v.Lights == "" {
		return s, nil
	}
	w := light.Wiring{Dir: h.Dev, ActiveLow: v.ActiveLow}
	lamps := 0
	if port, of, onSPI := strings.Cut(v.Lights, ":"); onSPI && strings.HasPrefix(port, "/") {
		kind, number, _ := strings.Cut(of, ":")
		n, err := strconv.Atoi(number)
		w.SPI = h.Path(port)
		switch {
		case err == nil && kind == "registers" && n > 0 && n <= 8:
			w.Registers, lamps = n, 8*n
		case err == nil && kind == "pixels" && n > 0 && n <= 500:
			w.Pixels, lamps = n, n
		default:
			return s, fmt.Errorf("--lights %s: expected /dev/spidevB.C:registers:1 to 8, or :pixels:1 to 500", v.Lights)
		}
	} else {
		w.Lines = strings.Split(v.Lights, ",")
		lamps = len(w.Lines)
	}
	sn := sink.New(s.name, w.Open, h.Now)
	s.source, s.steps = sn, lightSteps(lamps, nil, sn.Show)
	return s, nil
}

// lightSteps are the steps of so many lamps, of these keys as far as they are known.
func lightSteps(lamps int, keys []string, show func(light.Picture)) (steps []exhibitStep) {
	for i := range lamps {
		of := ""
		if i < len(keys) && keys[i] != "" {
			of = " (" + keys[i] + ")"
		}
		steps = append(steps, exhibitStep{fmt.Sprintf("lamp %d%s alone", i, of), func() {
			p := make(light.Picture, lamps)
			p[i] = light.White
			show(p)
		}, 400 * time.Millisecond})
	}
	for _, c := range []struct {
		name  string
		color light.Color
	}{{"white", light.White}, {"red", light.Red}, {"green", light.Green}, {"blue", light.Blue}, {"dark", light.Off}} {
		steps = append(steps, exhibitStep{"all lamps " + c.name, func() {
			p := make(light.Picture, lamps)
			for i := range p {
				p[i] = c.color
			}
			show(p)
		}, time.Second})
	}
	return steps
}

// buzzer is every tone.
func (v Walk) buzzer(h Hardware) exhibit {
	s := exhibit{name: "buzzer"}
	if v.Buzzer == "" {
		return s
	}
	b := buzzer.New(s.name, buzzer.Wiring{Dir: h.Dev, Line: v.Buzzer, ActiveLow: v.ActiveLow}.Open, h.Now)
	s.source, s.steps = b, buzzerSteps(b.Sound)
	return s
}

func buzzerSteps(sound func(buzzer.Tone)) (steps []exhibitStep) {
	for _, t := range []struct {
		say  string
		tone buzzer.Tone
	}{
		{"one short pulse (a press acted)", buzzer.Acknowledge},
		{"two long pulses (a press was refused)", buzzer.Refuse},
		{"three short pulses (something waits)", buzzer.Remind},
		{"silence", buzzer.Silent},
	} {
		steps = append(steps, exhibitStep{t.say, func() { sound(t.tone) }, 1500 * time.Millisecond})
	}
	return steps
}

// echo is what a dealer may read in an evening.
func (v Walk) echo(h Hardware) (exhibit, error) {
	s := exhibit{name: "echo"}
	if v.Echo == "" {
		return s, nil
	}
	kind, device, named := strings.Cut(v.Echo, ":")
	if !named || !strings.HasPrefix(device, "/") {
		return s, fmt.Errorf("--echo %s: expected a kind and a device, as in escpos:/dev/serial/by-id/NAME", v.Echo)
	}
	sn := sink.New(s.name, echo.Wiring{Kind: kind, Device: h.Path(device)}.Open, h.Now)
	s.source, s.steps = sn, echoSteps(sn.Show)
	return s, nil
}

func echoSteps(show func(echo.Lines)) (steps []exhibitStep) {
	for _, l := range []echo.Lines{
		{"12345678901234567890", "ABCDEFGHIJKLMNOPQRST"},
		{"49 BETS OPEN     18s", "LAST 48 BANKER D7"},
		{"49? BANKER NATURAL", "OK=SAVE   CLEAR=DROP"},
		{"48 BANKER > PLAYER?", "OK=FIX 48  0=HAND 49"},
		{"", ""},
	} {
		steps = append(steps, exhibitStep{fmt.Sprintf("%q over %q", l[0], l[1]), func() { show(l) }, 2 * time.Second})
	}
	return steps
}

// timer is every digit in every place, and a countdown.
func (v Walk) timer(h Hardware) (exhibit, error) {
	s := exhibit{name: "timer"}
	if v.Timer == "" {
		return s, nil
	}
	port, number, _ := strings.Cut(v.Timer, ":")
	digits, err := strconv.Atoi(cmp.Or(number, "4"))
	if err != nil || digits < 2 || digits > 8 {
		return s, fmt.Errorf("--timer %s: expected /dev/spidevB.C and 2 to 8 digits, as in /dev/spidev0.1:4", v.Timer)
	}
	sn := sink.New(s.name, segments.Wiring{SPI: h.Path(port), Digits: digits, Intensity: 8}.Open, h.Now)
	s.source, s.steps = sn, timerSteps(digits, sn.Show)
	return s, nil
}

func timerSteps(digits int, show func(int)) (steps []exhibitStep) {
	for d := range 10 {
		v := d*10 + d
		steps = append(steps, exhibitStep{fmt.Sprint(v), func() { show(v) }, 400 * time.Millisecond})
	}
	if digits > 2 {
		steps = append(steps, exhibitStep{"1.45 (a minute and 45 seconds)", func() { show(105) }, time.Second})
	}
	return append(steps, exhibitStep{"dark", func() { show(segments.Dark) }, 400 * time.Millisecond})
}

// patience is how long a device may take to come.
const patience = 3 * time.Second

// walk shows every step, and ends with the first fault of the device.
func (s exhibit) walk(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := make(chan hw.Event)
	ended := make(chan error, 1)
	go func() {
		ended <- s.source.Run(ctx, events)
		close(events)
	}()
	err := s.show(ctx, out, events)
	cancel()
	for range events {
	}
	return errors.Join(err, <-ended)
}

func (s exhibit) show(ctx context.Context, out io.Writer, events <-chan hw.Event) error {
	if err := s.quiet(ctx, patience, events, true); err != nil {
		return err
	}
	for _, step := range s.steps {
		fmt.Fprintf(out, "%s: %s\n", s.name, step.say)
		step.do()
		if err := s.quiet(ctx, step.long, events, false); err != nil {
			return err
		}
	}
	return nil
}

// quiet waits so long, or until the device has come if that is waited for. A fault
// ends it, and so does ctx.
func (s exhibit) quiet(ctx context.Context, d time.Duration, events <-chan hw.Event, coming bool) error {
	over := time.After(d)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			if coming {
				return fmt.Errorf("%s: no word from it within %v", s.name, d)
			}
			return nil
		case e := <-events:
			n, ok := e.(hw.Notice)
			switch {
			case ok && n.Change == hw.Faulty:
				return errors.New(n.Text)
			case ok && n.Change == hw.Came && coming:
				return nil
			}
		}
	}
}
