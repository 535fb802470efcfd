package devices

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw"
	"shoeboard/hw/buzzer"
	"shoeboard/hw/echo"
	"shoeboard/hw/light"
	"shoeboard/hw/segments"
)

// OutputFlags say where outputs are connected, as the flags of "hw test" write it; "" is a
// device that is not there.
type OutputFlags struct {
	Lights, Buzzer, Timer, Echo string
	ActiveLow                   bool // lights and buzzer are on while their line is low
}

// Config returns a configuration with these outputs only. Its error says which flag is wrong.
func (f OutputFlags) Config() (cfg config.Config, err error) {
	if f.Lights != "" {
		l, err := f.lights()
		if err != nil {
			return cfg, err
		}
		cfg.Lights = []config.Lights{l}
	}
	if f.Buzzer != "" {
		cfg.Buzzers = []config.Buzzer{{Line: f.Buzzer, ActiveLow: f.ActiveLow}}
	}
	if f.Echo != "" {
		kind, device, named := strings.Cut(f.Echo, ":")
		if !named || !strings.HasPrefix(device, "/") {
			return cfg, fmt.Errorf("--echo %s: expected a kind and a device, as in escpos:/dev/serial/by-id/NAME",
				f.Echo)
		}
		cfg.Echoes = []config.Echo{{Kind: kind, Device: device}}
	}
	if f.Timer != "" {
		port, number, _ := strings.Cut(f.Timer, ":")
		digits, err := strconv.Atoi(cmp.Or(number, "4"))
		if err != nil || digits < 2 || digits > 8 {
			return cfg, fmt.Errorf("--timer %s: expected /dev/spidevB.C and 2 to 8 digits, as in /dev/spidev0.1:4",
				f.Timer)
		}
		cfg.Timers = []config.Timer{{SPI: port, Digits: digits, Brightness: 8}}
	}
	return cfg, nil
}

func (f OutputFlags) lights() (config.Lights, error) {
	port, of, onSPI := strings.Cut(f.Lights, ":")
	if !onSPI || !strings.HasPrefix(port, "/") {
		lines := strings.Split(f.Lights, ",")
		return config.Lights{Kind: "lines", Lines: lines, ActiveLow: f.ActiveLow, Keys: make([]string, len(lines))}, nil
	}
	kind, number, _ := strings.Cut(of, ":")
	n, err := strconv.Atoi(number)
	switch {
	case err == nil && kind == "registers" && n > 0 && n <= 8:
		return config.Lights{Kind: kind, SPI: port, Keys: make([]string, 8*n)}, nil
	case err == nil && kind == "pixels" && n > 0 && n <= 500:
		return config.Lights{Kind: kind, SPI: port, Keys: make([]string, n)}, nil
	}
	return config.Lights{}, fmt.Errorf("--lights %s: expected /dev/spidevB.C:registers:1 to 8, or :pixels:1 to 500",
		f.Lights)
}

// TestOutputs exercises every output that the configuration names and writes what each should
// show now. It is an error if a device fails.
func TestOutputs(ctx context.Context, h Hardware, cfg config.Config, out io.Writer) error {
	return h.testOutputs(ctx, h.outputs(cfg, h.Outputs()), out)
}

func (h Hardware) testOutputs(ctx context.Context, list []output, out io.Writer) error {
	failed, tried, seen := 0, 0, map[string]bool{}
	for _, o := range list {
		if o.steps == nil {
			continue
		}
		tried++
		seen[o.section] = true
		if err := o.test(ctx, out); err != nil {
			if by := openDevices(h.proc).words(gpioLines); by != "" {
				err = fmt.Errorf("%w; GPIO lines are held by %s; if that is the core, %s", err, by, StopTheCore)
			}
			fmt.Fprintf(out, "%s: FAILED: %s\n", o.title(), strings.TrimPrefix(err.Error(), o.name+": "))
			failed++
		}
	}
	for _, section := range []string{"light", "buzzer", "echo", "timer"} {
		if !seen[section] {
			fmt.Fprintf(out, "%s: n/a\n", output{section: section}.title())
		}
	}
	switch {
	case tried == 0:
		fmt.Fprintln(out, "Nothing was tested: the configuration names none of these. "+
			"A flag can: shoeboard hw test --help")
	case failed > 0:
		return fmt.Errorf("%d of %d devices failed", failed, tried)
	}
	return ctx.Err()
}

// title names an output in a test. One of a flag has no name.
func (o output) title() string {
	if o.section == "light" && o.name == "" {
		return "key lights"
	}
	return strings.TrimSpace(o.section + " " + o.name)
}

// outputStep is something to show, in words, and for how long.
type outputStep struct {
	words string
	show  func()
	time  time.Duration
}

// lightSteps returns the steps of lamps, one for each of the keys, "" for an unnamed one.
func lightSteps(keys []string, show func(light.Picture)) (steps []outputStep) {
	for i, key := range keys {
		of := ""
		if key != "" {
			of = " (" + key + ")"
		}
		p := make(light.Picture, len(keys))
		p[i] = light.White
		words := fmt.Sprintf("lamp %d%s alone", i, of)
		steps = append(steps, outputStep{words, func() { show(p) }, 400 * time.Millisecond})
	}
	for _, c := range []struct {
		name  string
		color light.Color
	}{{"white", light.White}, {"red", light.Red}, {"green", light.Green}, {"blue", light.Blue}, {"dark", light.Off}} {
		p := slices.Repeat(light.Picture{c.color}, len(keys))
		steps = append(steps, outputStep{"all lamps " + c.name, func() { show(p) }, time.Second})
	}
	return steps
}

func buzzerSteps(sound func(buzzer.Tone)) (steps []outputStep) {
	for _, t := range []struct {
		words string
		tone  buzzer.Tone
	}{
		{"one short pulse (a press acted)", buzzer.Acknowledge},
		{"two long pulses (a press was refused)", buzzer.Refuse},
		{"three short pulses (something waits)", buzzer.Remind},
		{"silence", buzzer.Silent},
	} {
		steps = append(steps, outputStep{t.words, func() { sound(t.tone) }, 1500 * time.Millisecond})
	}
	return steps
}

func echoSteps(show func(echo.Lines)) (steps []outputStep) {
	for _, l := range []echo.Lines{
		{"12345678901234567890", "ABCDEFGHIJKLMNOPQRST"},
		{"49 BETS OPEN     18s", "LAST 48 BANKER D7"},
		{"49? BANKER NATURAL", "OK=SAVE   CLEAR=DROP"},
		{"48 BANKER > PLAYER?", "OK=FIX 48  0=HAND 49"},
		{"", ""},
	} {
		steps = append(steps, outputStep{fmt.Sprintf("%q over %q", l[0], l[1]), func() { show(l) }, 2 * time.Second})
	}
	return steps
}

// timerSteps returns every digit in every place, and a minute.
func timerSteps(digits int, show func(int)) (steps []outputStep) {
	for d := range 10 {
		v := d*10 + d
		steps = append(steps, outputStep{fmt.Sprint(v), func() { show(v) }, 400 * time.Millisecond})
	}
	if digits > 2 {
		steps = append(steps, outputStep{"1.45 (a minute and 45 seconds)", func() { show(105) }, time.Second})
	}
	return append(steps, outputStep{"dark", func() { show(segments.Dark) }, 400 * time.Millisecond})
}

// patience is how long a device may take to come.
const patience = 3 * time.Second

// errDone ends a test that went well.
var errDone = errors.New("done")

// test shows every step, and ends with the first fault of the device.
func (o output) test(ctx context.Context, out io.Writer) error {
	ctx, end := context.WithCancelCause(ctx)
	came, steps := make(chan struct{}), sync.WaitGroup{}
	tellCame := sync.OnceFunc(func() { close(came) })
	steps.Go(func() { end(o.showSteps(ctx, out, came)) })
	err := follow(ctx, func(e hw.Event) {
		switch n, _ := e.(hw.Notice); n.Change {
		case hw.Faulty:
			end(errors.New(n.Text))
		case hw.Came:
			tellCame()
		}
	}, o.source)
	end(err)
	steps.Wait()
	if cause := context.Cause(ctx); cause != errDone {
		return cause
	}
	return err
}

// showSteps shows the steps once the device has come.
func (o output) showSteps(ctx context.Context, out io.Writer, came <-chan struct{}) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-came:
	case <-time.After(patience):
		return fmt.Errorf("no answer within %v", patience)
	}
	for _, step := range o.steps {
		fmt.Fprintf(out, "%s: %s\n", o.title(), step.words)
		step.show()
		if hw.Pause(ctx, step.time); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errDone
}
