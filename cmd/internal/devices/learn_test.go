package devices

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw/evdev"
)

// lesson runs a learner on a fake input layer.
type lesson struct {
	*testBench
	m    evdev.Match
	err  error
	done chan struct{}
}

func newLesson(t *testing.T, limit time.Duration) *lesson {
	l := &lesson{testBench: newTestBench(t), done: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	go func() {
		defer cancel()
		l.m, l.err = l.h.Learn(ctx, &l.out)
		close(l.done)
	}()
	l.wait(100 * time.Millisecond)
	return l
}

func (l *lesson) result(t *testing.T) evdev.Match {
	t.Helper()
	<-l.done
	if l.err != nil {
		t.Fatal(l.err)
	}
	if n := l.in.Opened(); n != 0 {
		t.Errorf("%d devices are left open", n)
	}
	return l.m
}

func TestLearnTakesThePadOnWhichAKeyIsPressed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLesson(t, time.Minute)
		l.in.Plug("event0", evdev.Identity{Match: evdev.Match{Name: "pwr_button"}, Keys: []uint16{116}}).Key(116, true)
		l.in.Plug("event1", testkit.SomePad("Dell Keyboard", testkit.PortB))
		l.in.Plug("event2", testkit.SomePad("SEM USB Keypad", testkit.PortA)).Busy(true)
		l.in.Plug("event3", testkit.SomePad("SEM USB Keypad", testkit.PortA)).Deny(true)
		l.wait(2 * time.Second)
		said := l.out.String()
		testkit.Expect(t, said, `event1 "Dell Keyboard" (1a2c:2124) at `+testkit.PortB+" keyboard", "event2 ", "FAILED: it is held by another program", "group input")
		if strings.Contains(said, "pwr_button") || strings.Count(said, "event1") != 1 {
			t.Errorf("said is\n%s", said)
		}
		n := l.in.Plug("event4", testkit.SomePad("SEM USB Keypad", testkit.PortA)) // plugged in while it waits
		l.wait(2 * time.Second)
		n.Key(codeNumLock, true)
		n.Key(testkit.CodeKP1, true)
		if m := l.result(t); m != testkit.SomePad("SEM USB Keypad", testkit.PortA).Match {
			t.Errorf("learnt is %v", m)
		}
	})
}

func TestLearnEndsByCtrlCOrTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLesson(t, time.Minute)
		n := l.in.Plug("event1", testkit.SomePad("Dell Keyboard", testkit.PortB))
		l.wait(2 * time.Second)
		n.Key(codeCtrl, true)
		n.Key(codeC, true)
		if <-l.done; !errors.Is(l.err, context.Canceled) {
			t.Errorf("Ctrl+C on a taken keyboard: %v", l.err)
		}
		l = newLesson(t, 3*time.Second)
		if <-l.done; l.err == nil || !strings.Contains(l.err.Error(), "no device with keys") {
			t.Errorf("without a device: %v", l.err)
		}
		l = newLesson(t, 5*time.Second)
		l.in.Plug("event1", testkit.SomePad("Dell Keyboard", testkit.PortB))
		l.wait(2 * time.Second)
		l.in.Unplug("event1")
		l.in.Plug("event2", testkit.SomePad("Dell Keyboard", testkit.PortB))
		if <-l.done; l.err == nil || l.err.Error() != "no key was pressed in time" {
			t.Errorf("without a key: %v", l.err)
		}
	})
}

// The lines that are printed are read back as the same pad.
func TestEnrolmentLinesAreAConfiguration(t *testing.T) {
	for _, m := range []evdev.Match{
		testkit.SomePad("SEM USB Keypad", testkit.PortA).Match,
		{Vendor: 1, Product: 0xffff, Name: `odd "name" \ ü`, Port: "usb-1/input0"},
		{Name: "virtual pad"},
	} {
		k := testkit.PadNamed("pad-2")
		lines := EnrolmentLines(k, m)
		cfg := testkit.Config(t, lines)
		if got := cfg.Keypads[0]; configured(got) != m || got.Name != "pad-2" {
			t.Errorf("%v is read back as %+v from\n%s", m, got, lines)
		}
	}
	if got := tomlText("a\tb\x7f"); got != `"a\tb\u007F"` {
		t.Errorf("written is %s", got)
	}
}

func TestLearnForWhichKeypad(t *testing.T) {
	cfg := testkit.Config(t, "[[keypad]]\nname = \"pad-1\"\n[[keypad]]\nname = \"pad-2\"\n"+testkit.WiredPad)
	for name, want := range map[string]string{"": "pad-1", "pad-2": "pad-2"} {
		if k, err := LearnFor(cfg, name); err != nil || k.Name != want {
			t.Errorf("%q: %s %v", name, k.Name, err)
		}
	}
	for name, c := range map[string]config.Config{"wired": cfg, "": testkit.Config(t, testkit.WiredPad)} {
		if _, err := LearnFor(c, name); err == nil || !strings.Contains(err.Error(), "no USB keypad") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
