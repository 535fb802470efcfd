package devices

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw"
	"shoeboard/hw/debounce"
	"shoeboard/hw/evdev"
	"shoeboard/tracker/game"
)

// rawTimes pass every edge on; only a stuck key is reported.
var rawTimes = debounce.Times{Stuck: debounce.Pads().Stuck}

// KeypadTest is a test of all keypads of a configuration.
type KeypadTest struct {
	Config   config.Config
	Pack     *game.Pack
	Enrolled *Enrolments
	CoreRuns bool // a core may hold the keypads
	Live     bool // the output is a terminal, on which the tables are redrawn
	Once     bool // end when every keypad has reported whether it is there
}

// keypadTest is the state of one KeypadTest. Sources report on their own goroutines, so that
// it has a lock.
type keypadTest struct {
	KeypadTest
	h       Hardware
	out     io.Writer
	sources []hw.Source
	end     context.CancelFunc

	mu      sync.Mutex
	ended   bool
	pads    []*keypadTable
	control bool // a Ctrl key is down
}

// TestKeypads shows what the keypads send until ctx ends, somebody presses Ctrl+C on a
// keyboard that is tested, or with Once every keypad has reported. It is an error if a keypad
// does not work at the end.
func (h Hardware) TestKeypads(ctx context.Context, test KeypadTest, out io.Writer) error {
	t := &keypadTest{KeypadTest: test, h: h, out: out}
	for _, k := range test.Config.Keypads {
		t.add(k)
	}
	ctx, t.end = context.WithCancel(ctx)
	defer t.end()
	var redraw sync.WaitGroup
	if t.Live {
		redraw.Go(func() { t.redraw(ctx) })
	}
	err := follow(ctx, func(e hw.Event) { t.event(ctx, e) }, t.sources...)
	t.end()
	redraw.Wait()
	if !t.Live {
		fmt.Fprintln(out)
	}
	t.write()
	return errors.Join(err, t.verdict())
}

// add adds a keypad. Wires that a running core has are left alone, because two programs that
// scan one matrix see keys that nobody presses; an I2C bus, which keeps nobody out, is left
// to the program that has it open.
func (t *keypadTest) add(k config.Keypad) {
	p := &keypadTable{name: k.Name, kind: k.Kind, layout: k.Layout,
		keys: t.Config.Caps(k, t.Pack), pack: t.Pack, tracks: map[string]*keyTrack{}}
	t.pads = append(t.pads, p)
	holder := ""
	if k.Kind == "expander" {
		holder = openDevices(t.h.proc).words(t.h.path(k.Bus))
	}
	switch {
	case k.Kind == "usb":
		t.sources = append(t.sources, t.usb(k))
	case t.CoreRuns:
		p.state = "the running core is using it; " + StopTheCore
	case holder != "":
		p.state = k.Bus + " is held by " + holder + "; if that is the core, " + StopTheCore
	default:
		t.sources = append(t.sources, t.h.wired(k, rawTimes))
	}
}

// usb returns the source of a USB pad, of which every record is shown.
func (t *keypadTest) usb(k config.Keypad) hw.Source {
	m, _ := t.Enrolled.find(k) // the core and hw list report a corrupt file
	return evdev.New(evdev.Settings{
		Name: k.Name, Match: m, Others: t.Enrolled.others(t.Config, k), Times: rawTimes, PadsOnly: true,
		Tap: func(r evdev.Record) {
			t.move(keyMove{k.Name, evdev.Pos(r.Code), int(r.Code), r.What == evdev.KeyDown, r.At})
		}}, t.h.Input)
}

// redrawEvery is how often the tables on a terminal are redrawn.
const redrawEvery = 100 * time.Millisecond

func (t *keypadTest) redraw(ctx context.Context) {
	for hw.Pause(ctx, redrawEvery); ctx.Err() == nil; hw.Pause(ctx, redrawEvery) {
		t.mu.Lock()
		t.write()
		t.mu.Unlock()
	}
}

// event shows an event of a source. The keys of a USB pad were shown already.
func (t *keypadTest) event(ctx context.Context, e hw.Event) {
	switch e := e.(type) {
	case hw.Press:
		if t.pad(e.Source).kind != "usb" {
			t.move(keyMove{e.Source, e.Pos, noCode, e.Down, e.At})
		}
	case hw.Notice:
		t.mu.Lock()
		defer t.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		p := t.pad(e.Source)
		if p.notice(e); e.Change == hw.Went || e.Change == hw.Faulty {
			p.state += t.holders(p)
		}
		if !t.Live {
			fmt.Fprintf(t.out, "%s: %s\n", e.Source, e.Text)
		}
		if t.Once && t.allReported() {
			t.end()
		}
	}
}

// allReported reports whether every keypad has reported whether it is there.
func (t *keypadTest) allReported() bool {
	for _, p := range t.pads {
		if p.state == "" {
			return false
		}
	}
	return true
}

func (t *keypadTest) pad(name string) *keypadTable {
	for _, p := range t.pads {
		if p.name == name {
			return p
		}
	}
	return nil
}

// move shows one edge of a key, and ends the test with Ctrl+C.
func (t *keypadTest) move(m keyMove) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	p := t.pad(m.pad)
	p.move(m)
	if !t.Live {
		fmt.Fprintf(t.out, "%10.3f %s %s (%s) %s %s\n", m.at.Seconds(), m.pad, m.pos, codeText(m.code),
			map[bool]string{true: "down", false: "up"}[m.down], p.meaning(m.pos))
	}
	if m.code == codeCtrl || m.code == codeCtrlR {
		t.control = m.down
	}
	if t.ended = t.control && m.code == codeC && m.down; t.ended {
		t.end()
	}
}

// holders returns which programs may hold a keypad that does not work.
func (t *keypadTest) holders(p *keypadTable) string {
	held := openDevices(t.h.proc)
	var by []string
	if p.kind == "usb" {
		for _, in := range t.h.inputs() {
			if names := held.words(in.path); names != "" && in.id.Kind() != "no keys" {
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
func (t *keypadTest) write() {
	var text strings.Builder
	if t.Live {
		text.WriteString("Press every key. Ctrl+C ends.\n\n")
	}
	for _, p := range t.pads {
		p.write(&text, t.h.Now())
		text.WriteByte('\n')
	}
	if !t.Live {
		io.WriteString(t.out, text.String())
		return
	}
	io.WriteString(t.out, InPlace(text.String()))
}

// InPlace returns a text that a terminal writes over the text before it, line by line: a
// screen that is cleared first flickers.
func InPlace(text string) string {
	return "\x1b[H" + strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[J"
}

// verdict returns an error for each keypad that does not work.
func (t *keypadTest) verdict() error {
	var errs []error
	for _, p := range t.pads {
		if !p.works {
			errs = append(errs, fmt.Errorf("keypad %s: %s", p.name, p.state))
		}
		for _, pos := range p.order() {
			if k := p.tracks[pos]; k != nil && k.stuck {
				errs = append(errs, fmt.Errorf("keypad %s: key %s is stuck", p.name, pos))
			}
		}
	}
	return errors.Join(errs...)
}
