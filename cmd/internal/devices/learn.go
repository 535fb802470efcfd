package devices

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/hw/evdev"
)

// LearnFor is the keypad that a pad is learnt for.
func LearnFor(cfg config.Config, name string) (config.Keypad, error) {
	var usb []string
	for _, k := range cfg.Keypads {
		if k.Kind != "usb" {
			continue
		}
		if name == "" || k.Name == name {
			return k, nil
		}
		usb = append(usb, k.Name)
	}
	if name != "" {
		return config.Keypad{}, fmt.Errorf("the configuration has no USB keypad %q: expected one of %q", name, usb)
	}
	return config.Keypad{}, errors.New("the configuration has no USB keypad: add a [[keypad]] with kind = \"usb\" first")
}

// EnrolmentLines are the lines of a configuration that name the pad.
func EnrolmentLines(k config.Keypad, m evdev.Match) string {
	d := ports.PadOf(m)
	var out strings.Builder
	out.WriteString("[[keypad]]\n")
	for _, line := range [][2]string{{"name", k.Name}, {"kind", "usb"}, {"layout", k.Layout},
		{"vendor", d.Vendor}, {"product", d.Product}, {"device", d.Device}, {"port", d.Port}} {
		if line[1] != "" {
			fmt.Fprintf(&out, "%s = %s\n", line[0], tomlText(line[1]))
		}
	}
	return out.String()
}

// tomlText is a text as TOML writes it.
func tomlText(text string) string {
	out := `"`
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out += `\` + string(r)
		case r < ' ' || r == 0x7f:
			out += fmt.Sprintf(`\u%04X`, r)
		default:
			out += string(r)
		}
	}
	return out + `"`
}

// Learn waits for a key on any device with keys, and says on out which there are. It
// ends with ctx, and by Ctrl+C on a keyboard that it has taken.
func Learn(ctx context.Context, h Hardware, out io.Writer) (evdev.Match, error) {
	return (&learner{Hardware: h, out: out, said: map[string]bool{}}).wait(ctx)
}

// learner listens to every device with keys until one is pressed.
type learner struct {
	Hardware
	out     io.Writer
	said    map[string]bool // paths that have been told of
	open    map[string]evdev.Device
	readers sync.WaitGroup
}

// pressed is what a device with keys tells: a key that went down, or that it is gone.
type pressed struct {
	path string
	id   evdev.Identity
	rec  evdev.Record
	gone bool
}

// wait is the pad on which the first key went down.
func (l *learner) wait(ctx context.Context) (evdev.Match, error) {
	heard := make(chan pressed)
	ctx, cancel := context.WithCancel(ctx)
	l.open = map[string]evdev.Device{}
	defer func() {
		cancel()
		for _, dev := range l.open {
			dev.Close()
		}
		l.readers.Wait()
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	l.look(ctx, heard)
	control := false
	for {
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return evdev.Match{}, l.nothing()
			}
			return evdev.Match{}, ctx.Err()
		case <-tick.C:
			l.look(ctx, heard)
		case p := <-heard:
			switch code := p.rec.Code; {
			case p.gone:
				delete(l.open, p.path)
				delete(l.said, p.path)
			case code == codeCtrl || code == codeCtrlR:
				control = p.rec.What == evdev.KeyDown
			case p.rec.What != evdev.KeyDown || code == codeNumLock:
			case control && code == codeC:
				return evdev.Match{}, context.Canceled
			case !control:
				return p.id.Match, nil
			}
		}
	}
}

// nothing is why no key was heard.
func (l *learner) nothing() error {
	if len(l.said) == 0 {
		return errors.New("no key was pressed: this unit has no device with keys (see shoeboard hw list)")
	}
	return errors.New("no key was pressed in time")
}

// look takes every device with keys that is not open yet, and tells of it once.
func (l *learner) look(ctx context.Context, heard chan<- pressed) {
	for _, in := range l.inputs() {
		if _, open := l.open[in.path]; open {
			continue
		}
		if in.err == nil && kindOf(in.id) == "no keys" {
			continue
		}
		err := in.err
		var dev evdev.Device
		if err == nil {
			dev, err = l.take(in.path)
		}
		l.say(in, err)
		if err != nil {
			continue
		}
		l.open[in.path] = dev
		l.readers.Go(func() { listen(ctx, dev, in, heard) })
	}
}

// take opens a device and makes it ours alone, so that its keys reach nobody else.
func (l *learner) take(path string) (evdev.Device, error) {
	dev, err := l.Input.Open(path)
	if err != nil {
		return nil, err
	}
	if err := dev.Take(); err != nil {
		dev.Close()
		if errors.Is(err, unix.EBUSY) {
			err = fmt.Errorf("it is held by %s; if that is the core, %s", cmp.Or(openDevices(l.proc).words(path), "another program"), StopTheCore)
		}
		return nil, err
	}
	return dev, nil
}

// say tells of a candidate, once as long as it is there.
func (l *learner) say(in input, err error) {
	if l.said[in.path] {
		return
	}
	l.said[in.path] = true
	line := fmt.Sprintf("  %s  %v  %s", in.path, in.id.Match, kindOf(in.id))
	if err != nil {
		line += "  FAILED: " + err.Error()
	}
	fmt.Fprintln(l.out, line)
}

// listen tells of every key of a device until it is closed or gone.
func listen(ctx context.Context, dev evdev.Device, in input, heard chan<- pressed) {
	decoder := evdev.NewDecoder(evdev.HostWord)
	tell := func(p pressed) {
		select {
		case heard <- p:
		case <-ctx.Done():
		}
	}
	buf := make([]byte, 64*24)
	for {
		n, err := dev.Read(buf)
		for _, r := range decoder.Feed(buf[:n]) {
			tell(pressed{path: in.path, id: in.id, rec: r})
		}
		if err != nil {
			tell(pressed{path: in.path, id: in.id, gone: true})
			return
		}
	}
}
