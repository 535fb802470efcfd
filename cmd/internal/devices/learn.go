package devices

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw/evdev"
)

// LearnFor returns the keypad that a pad is learnt for.
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
	return config.Keypad{}, errors.New(`the configuration has no USB keypad: add a [[keypad]] with kind = "usb" first`)
}

// EnrolmentLines returns the lines of a configuration that name the pad.
func EnrolmentLines(k config.Keypad, m evdev.Match) string {
	d := idOf(m)
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

// tomlText quotes a text as TOML does: as JSON, which leaves DEL as it is.
func tomlText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""` // no text is an error
	}
	return strings.ReplaceAll(string(quoted), "\x7f", `\u007F`)
}

// Learn waits for a key on any device with keys, and returns that device. It lists on out
// which there are. It ends with ctx, and by Ctrl+C on a keyboard that it has grabbed.
func (h Hardware) Learn(ctx context.Context, out io.Writer) (evdev.Match, error) {
	ctx, cancel := context.WithCancel(ctx)
	l := &learner{h: h, out: out, ctx: ctx, records: make(chan learnt),
		listed: map[string]bool{}, open: map[string]evdev.Device{}}
	defer func() {
		cancel()
		for _, dev := range l.open {
			dev.Close()
		}
		l.readers.Wait()
	}()
	return l.wait()
}

// learner reads every device with keys until one is pressed.
type learner struct {
	h       Hardware
	out     io.Writer
	ctx     context.Context
	records chan learnt
	listed  map[string]bool // paths
	open    map[string]evdev.Device
	readers sync.WaitGroup
}

// learnt is a record of a device, or that the device is gone.
type learnt struct {
	input
	evdev.Record
	gone bool
}

// wait returns the pad on which the first key went down.
func (l *learner) wait() (evdev.Match, error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	l.grabAll()
	control := false
	for {
		select {
		case <-l.ctx.Done():
			return evdev.Match{}, l.timedOut()
		case <-tick.C:
			l.grabAll()
		case r := <-l.records:
			switch {
			case r.gone:
				delete(l.open, r.path)
				delete(l.listed, r.path)
			case r.Code == codeCtrl || r.Code == codeCtrlR:
				control = r.What == evdev.KeyDown
			case r.What != evdev.KeyDown || r.Code == codeNumLock:
			case control && r.Code == codeC:
				return evdev.Match{}, context.Canceled
			case !control:
				return r.id.Match, nil
			}
		}
	}
}

// timedOut returns why no key was read.
func (l *learner) timedOut() error {
	switch {
	case !errors.Is(l.ctx.Err(), context.DeadlineExceeded):
		return l.ctx.Err()
	case len(l.listed) == 0:
		return errors.New("no key was pressed: this unit has no device with keys (see shoeboard hw list)")
	}
	return errors.New("no key was pressed in time")
}

// grabAll grabs every device with keys that is not open yet, and lists it once.
func (l *learner) grabAll() {
	for _, in := range l.h.inputs() {
		if _, open := l.open[in.path]; open || in.err == nil && in.id.Kind() == "no keys" {
			continue
		}
		err := in.err
		var dev evdev.Device
		if err == nil {
			dev, err = l.grab(in.path)
		}
		l.list(in, err)
		if err == nil {
			l.open[in.path] = dev
			l.readers.Go(func() { l.read(dev, in) })
		}
	}
}

// grab opens a device and makes it ours alone, so that its keys reach nobody else.
func (l *learner) grab(path string) (evdev.Device, error) {
	dev, err := l.h.Input.Open(path)
	if err != nil {
		return nil, err
	}
	if err := dev.Grab(); err != nil {
		dev.Close()
		if errors.Is(err, unix.EBUSY) {
			err = fmt.Errorf("it is held by %s; if that is the core, %s",
				cmp.Or(openDevices(l.h.proc).words(path), "another program"), StopTheCore)
		}
		return nil, err
	}
	return dev, nil
}

// list writes a candidate, once as long as it is there.
func (l *learner) list(in input, err error) {
	if l.listed[in.path] {
		return
	}
	l.listed[in.path] = true
	line := fmt.Sprintf("  %s  %v  %s", in.path, in.id.Match, in.id.Kind())
	if err != nil {
		line += "  FAILED: " + err.Error()
	}
	fmt.Fprintln(l.out, line)
}

// read sends every record of a device until it is closed or gone.
func (l *learner) read(dev evdev.Device, in input) {
	send := func(r learnt) {
		select {
		case l.records <- r:
		case <-l.ctx.Done():
		}
	}
	for {
		records, err := dev.Records()
		for _, r := range records {
			send(learnt{input: in, Record: r})
		}
		if err != nil {
			send(learnt{input: in, gone: true})
			return
		}
	}
}
