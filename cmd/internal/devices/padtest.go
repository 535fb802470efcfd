package devices

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/evdev"
	"shoeboard/tracker/game"
)

// StopTheCore is what to do when the core has the device.
const StopTheCore = "stop it for the test with: sudo systemctl stop shoeboard (and afterwards: sudo systemctl start shoeboard)"

// rawTimes let every edge through; only a stuck key is named.
var rawTimes = debounce.Times{Stuck: debounce.Pads().Stuck}

// PadTest is a test of all keypads of a configuration.
type PadTest struct {
	Hardware
	pads    []*padWatch
	sources []hw.Source
	moves   chan keyMove

	Once bool
	Most time.Duration // 0: no end
}

// NewPadTest builds the test. Wires that a running core has are left alone, because
// two programs that scan one matrix see keys that nobody presses; an I2C bus, which
// keeps nobody out, is left to whoever has it open.
func NewPadTest(h Hardware, cfg config.Config, pack *game.Pack, book *ports.Book, coreRuns bool) *PadTest {
	t := &PadTest{Hardware: h, moves: make(chan keyMove, 64)}
	held := openDevices(h.proc)
	for _, k := range cfg.Keypads {
		w := &padWatch{name: k.Name, kind: k.Kind, layout: k.Layout, keys: cfg.Caps(k, pack), pack: pack, tracks: map[string]*keyTrack{}}
		t.pads = append(t.pads, w)
		switch {
		case k.Kind == "usb":
			t.sources = append(t.sources, t.usb(k, ports.Others(cfg, k, book), book))
		case coreRuns:
			w.state = "the running core has it; " + StopTheCore
		case k.Kind == "expander" && held.words(h.Path(k.Bus)) != "":
			w.state = k.Bus + " is held by " + held.words(h.Path(k.Bus)) + "; if that is the core, " + StopTheCore
		default:
			t.sources = append(t.sources, t.Wired(k, rawTimes))
		}
	}
	return t
}

// usb is the source of a USB pad on a host that lets every record be heard.
func (t *PadTest) usb(k config.Keypad, taken []evdev.Match, book *ports.Book) hw.Source {
	m, _ := book.Find(k) // a damaged book is told by the core and by hw list
	host := &earHost{Host: t.Input, wanted: m, heard: func(r evdev.Record) { t.heard(k.Name, r) }}
	if !ports.Whole(m) {
		m = evdev.Match{}
	}
	return evdev.New(evdev.Settings{Name: k.Name, Match: m, Taken: taken, Times: rawTimes}, host)
}

// heard takes a record on the goroutine that reads the pad.
func (t *PadTest) heard(pad string, r evdev.Record) {
	if r.What != evdev.KeyDown && r.What != evdev.KeyUp {
		return
	}
	t.moves <- keyMove{pad, evdev.Pos(r.Code), int(r.Code), r.What == evdev.KeyDown, r.At}
}

// earHost is a host on which every record of the wanted pads is heard as it is read.
type earHost struct {
	evdev.Host
	wanted evdev.Match
	heard  func(evdev.Record)
}

// Open opens a device. Where any pad will do, a keyboard is left alone: it may be
// the one of the technician.
func (e *earHost) Open(path string) (evdev.Device, error) {
	dev, err := e.Host.Open(path)
	if err != nil {
		return nil, err
	}
	id, err := dev.Identity()
	if err != nil || !ports.Whole(e.wanted) && !means(e.wanted, id) {
		dev.Close()
		return nil, errors.Join(fmt.Errorf("%s is not the pad that is meant", path), err)
	}
	return &ear{dev, evdev.NewDecoder(evdev.HostWord), e.heard}, nil
}

// ear is an opened device on which every record is heard.
type ear struct {
	evdev.Device
	decoder *evdev.Decoder
	heard   func(evdev.Record)
}

func (e *ear) Read(b []byte) (int, error) {
	n, err := e.Device.Read(b)
	for _, r := range e.decoder.Feed(b[:n]) {
		e.heard(r)
	}
	return n, err
}

// redrawEvery is how often a table on a terminal is drawn anew.
const redrawEvery = 100 * time.Millisecond

// Run runs the test until ctx ends, the time is up, or with once every keypad has
// said what it is. It is an error if a keypad does not work at the end.
func (t *PadTest) Run(ctx context.Context, out io.Writer, live bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if t.Most > 0 {
		stop := time.AfterFunc(t.Most, cancel)
		defer stop.Stop()
	}
	events := make(chan hw.Event, 64)
	g, sourceCtx := errgroup.WithContext(ctx)
	for _, s := range t.sources {
		g.Go(func() error { return s.Run(sourceCtx, events) })
	}
	ended := make(chan error, 1)
	go func() { ended <- g.Wait() }()
	err := t.listen(ctx, cancel, events, ended, out, live)
	if !live {
		fmt.Fprintln(out)
	}
	t.write(out, live)
	return errors.Join(err, t.verdict())
}

// listen takes what comes until all sources have ended.
func (t *PadTest) listen(ctx context.Context, cancel func(), events <-chan hw.Event, ended <-chan error, out io.Writer, live bool) error {
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	control := false
	for {
		if t.Once && t.told() {
			cancel()
		}
		select {
		case err := <-ended:
			return err
		case m := <-t.moves:
			if ctx.Err() == nil {
				t.move(m, out, live)
			}
			if m.code == codeCtrl || m.code == codeCtrlR {
				control = m.down
			}
			if control && m.code == codeC && m.down {
				cancel()
			}
		case e := <-events:
			if ctx.Err() == nil {
				t.event(e, out, live)
			}
		case <-tick.C:
			if live {
				t.write(out, true)
			}
		}
	}
}

// told says that every keypad has said whether it is there.
func (t *PadTest) told() bool {
	for _, w := range t.pads {
		if w.state == "" {
			return false
		}
	}
	return true
}

func (t *PadTest) pad(name string) *padWatch {
	for _, w := range t.pads {
		if w.name == name {
			return w
		}
	}
	return nil
}

// event takes what a source tells. The keys of a USB pad have been heard already.
func (t *PadTest) event(e hw.Event, out io.Writer, live bool) {
	switch e := e.(type) {
	case hw.Press:
		if t.pad(e.Source).kind != "usb" {
			t.move(keyMove{e.Source, e.Pos, noCode, e.Down, e.At}, out, live)
		}
	case hw.Notice:
		t.pad(e.Source).notice(e, func() string { return t.help(t.pad(e.Source)) })
		if !live {
			fmt.Fprintf(out, "%s: %s\n", e.Source, e.Text)
		}
	}
}

func (t *PadTest) move(m keyMove, out io.Writer, live bool) {
	w := t.pad(m.pad)
	w.move(m)
	if !live {
		fmt.Fprintf(out, "%10.3f %s %s (%s) %s %s\n", m.at.Seconds(), m.pad, m.pos, codeText(m.code),
			map[bool]string{true: "down", false: "up"}[m.down], w.meaning(m.pos))
	}
}

// help says of a keypad that does not work who has it.
func (t *PadTest) help(w *padWatch) string {
	held := openDevices(t.proc)
	var by []string
	if w.kind == "usb" {
		for _, in := range t.inputs() {
			if names := held.words(in.path); names != "" && kindOf(in.id) != "no keys" {
				by = append(by, in.path+" is held by "+names)
			}
		}
	} else if names := held.words(gpioLines); names != "" {
		by = append(by, "GPIO lines are held by "+names)
	}
	if len(by) == 0 {
		return ""
	}
	return "; " + strings.Join(by, ", ") + "; if that is the core, " + StopTheCore
}

// write writes all tables, on a terminal in place of those before.
func (t *PadTest) write(out io.Writer, live bool) {
	var text strings.Builder
	if live {
		text.WriteString("Press every key. Ctrl+C ends.\n\n")
	}
	for _, w := range t.pads {
		w.write(&text, t.Now())
		text.WriteByte('\n')
	}
	if !live {
		io.WriteString(out, text.String())
		return
	}
	io.WriteString(out, InPlace(text.String()))
}

// InPlace is a text that a terminal writes over what is there, line by line: a screen that
// is cleared first flickers.
func InPlace(text string) string {
	return "\x1b[H" + strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[J"
}

// verdict is which keypads do not work.
func (t *PadTest) verdict() error {
	var errs []error
	for _, w := range t.pads {
		if !w.works {
			errs = append(errs, fmt.Errorf("keypad %s: %s", w.name, w.state))
		}
		for _, pos := range w.order() {
			if k := w.tracks[pos]; k != nil && k.stuck {
				errs = append(errs, fmt.Errorf("keypad %s: key %s is stuck", w.name, pos))
			}
		}
	}
	return errors.Join(errs...)
}
