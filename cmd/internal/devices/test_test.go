package devices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw/buzzer"
	"shoeboard/hw/light"
	"shoeboard/hw/linux"
	"shoeboard/hw/segments"
	"shoeboard/hw/sink"
)

// shown is a device that writes down what it shows, and fails after so many.
type shown[T any] struct {
	list  []string
	fails int // so many are shown before it fails; 0: never
	open  int
}

func (s *shown[T]) Open() (sink.Device[T], error) {
	s.open++
	return s, nil
}

func (s *shown[T]) Show(v T) error {
	text := fmt.Sprint(v)
	if n := len(s.list); n == 0 || s.list[n-1] != text {
		s.list = append(s.list, text)
	}
	if s.fails > 0 && len(s.list) > s.fails {
		return errors.New("no answer")
	}
	return nil
}

func (s *shown[T]) Close() error {
	s.open--
	return nil
}

func sinkOn[T any](s *shown[T]) *sink.Sink[T] {
	return sink.New("it", s.Open, func() time.Duration { return time.Hour })
}

func TestOfTheLamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lamps shown[light.Picture]
		s := sinkOn(&lamps)
		var out testkit.Text
		if err := (output{section: "light", source: s, steps: lightSteps(make([]string, 2), s.Show)}).test(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		for _, want := range []light.Picture{{light.White, 0}, {0, light.White}, {light.Red, light.Red}, {0, 0}} {
			if !slices.Contains(lamps.list, fmt.Sprint(want)) {
				t.Errorf("shown is %v, without %v", lamps.list, want)
			}
		}
		testkit.Expect(t, out.String(), "key lights: lamp 0 alone", "key lights: lamp 1 alone", "key lights: all lamps dark")
		if lamps.open != 0 {
			t.Error("the lights are left open")
		}
	})
}

// Without flags the outputs of the configuration are tested.
func TestOfTheConfiguredOutputs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lamps shown[light.Picture]
		var horn shown[bool]
		var timer shown[int]
		o := Outputs{
			Lights: func(config.Lights) (sink.Device[light.Picture], error) { return lamps.Open() },
			Buzzer: func(config.Buzzer) (sink.Device[bool], error) { return horn.Open() },
			Timer:  func(config.Timer) (sink.Device[int], error) { return timer.Open() },
		}
		cfg := testkit.Config(t, "[[light]]\nlines = [\"GPIO22\", \"GPIO23\"]\nkeys = [\"BANKER\", \"OK\"]\n[[buzzer]]\nname = \"horn\"\nline = \"GPIO24\"\n[[timer]]\ndigits = 2\n")
		var out testkit.Text
		start := time.Now()
		h := Hardware{Now: func() time.Duration { return time.Since(start) }}
		if err := h.testOutputs(t.Context(), h.outputs(cfg, o), &out); err != nil {
			t.Fatal(err)
		}
		testkit.Expect(t, out.String(), "light lights: lamp 0 (BANKER) alone", "light lights: lamp 1 (OK) alone",
			"buzzer horn: silence", "timer timer: 99", "timer timer: dark", "echo: n/a")
		if strings.Contains(out.String(), "1.45") || len(lamps.list) < 4 || len(horn.list) < 4 || lamps.open+horn.open+timer.open != 0 {
			t.Errorf("lamps %v, buzzer %v; said\n%s", lamps.list, horn.list, out.String())
		}
	})
}

func TestEveryToneIsSounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var horn shown[bool]
		b := buzzer.Buzzer{Sink: sinkOn(&horn)}
		var out testkit.Text
		if err := (output{section: "buzzer", source: b, steps: buzzerSteps(b.Sound)}).test(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		pulses := 0
		for _, on := range horn.list {
			if on == "true" {
				pulses++
			}
		}
		if pulses != 1+2+3 {
			t.Errorf("%d pulses: %v", pulses, horn.list)
		}
	})
}

func TestEveryDigitOfTheTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var timer shown[int]
		s := sinkOn(&timer)
		var out testkit.Text
		if err := (output{section: "timer", source: s, steps: timerSteps(4, s.Show)}).test(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprint([]int{0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 105, segments.Dark}); fmt.Sprint(timer.list) != want {
			t.Errorf("shown is %v, want %v", timer.list, want)
		}
	})
}

func TestOfAnOutputEndsWithAFaultOrAnInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := shown[int]{fails: 3}
		s := sinkOn(&broken)
		var out testkit.Text
		if err := (output{section: "timer", source: s, steps: timerSteps(4, s.Show)}).test(t.Context(), &out); err == nil || !strings.Contains(err.Error(), "no answer") {
			t.Errorf("the fault is %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var timer shown[int]
		s = sinkOn(&timer)
		if err := (output{section: "timer", source: s, steps: timerSteps(4, s.Show)}).test(ctx, &out); !errors.Is(err, context.DeadlineExceeded) || timer.open != 0 {
			t.Errorf("interrupted: %v", err)
		}
	})
}

// The echo on a serial line: what the display is sent is what the dealer should read.
func TestOfTheEchoOnASerialLine(t *testing.T) {
	port, path, err := linux.OpenPTY()
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	root := t.TempDir()
	testkit.Plant(t, root, nil, map[string]string{"dev/serial/by-id/display": path})
	cfg, err := OutputFlags{Echo: "escpos:/dev/serial/by-id/display"}.Config()
	if err != nil {
		t.Fatal(err)
	}
	h := Below(root, testkit.Log())
	s := h.outputs(cfg, h.Outputs())[0]
	for i := range s.steps {
		s.steps[i].time = 50 * time.Millisecond
	}
	var out testkit.Text
	done := make(chan error)
	go func() { done <- s.test(t.Context(), &out) }()
	var sent strings.Builder
	for buf := make([]byte, 256); ; {
		n, err := port.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		sent.Write(buf[:n])
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			testkit.Expect(t, out.String(), `echo: "49? BANKER NATURAL" over "OK=SAVE CLEAR=DROP"`)
			for _, line := range []string{"12345678901234567890", "49? BANKER NATURAL  ", "OK=FIX 48  0=HAND 49"} {
				if !strings.Contains(sent.String(), line) {
					t.Errorf("%q was not sent in %q", line, sent.String())
				}
			}
			return
		default:
		}
	}
}
