package xclient

import (
	"context"
	"errors"
	"time"
)

// Key is one edge of one key.
type Key struct {
	Name string // as Linux calls it: "KP1", "KPENTER", "P"; "KEY123" for a key without a name
	Down bool   // pressed, or released
	At   time.Time
}

// Window says which windows are watched, and what for. Its functions are
// called from one goroutine, which waits for nothing else.
type Window struct {
	Display string // as in DISPLAY
	PID     int    // of the process that has the window
	Key     func(Key)
	Changed func() // something about the monitors is different
	Cover   bool   // keep the window over its whole monitor where no window manager does
}

// Requests, events and masks of the X protocol that are used here.
const (
	reqChangeAttributes     = 2
	reqConfigureWindow      = 12
	reqGetGeometry          = 14
	reqQueryTree            = 15
	reqInternAtom           = 16
	reqGetProperty          = 20
	reqTranslateCoordinates = 40
	reqQueryExtension       = 98
	reqKeyboardMapping      = 101

	xkbUse, xkbFlags                       = 0, 21
	randrVersion, randrSelect, randrActive = 0, 4, 42

	evKeyPress, evKeyRelease, evFocusOut, evKeymap, evDestroy, evMapping = 2, 3, 10, 11, 17, 34

	maskKeys = 1<<0 | 1<<1 | 1<<14 | 1<<17 | 1<<21 // press, release, key map, structure, focus

	firstCode, lastCode = 8, 255
)

// listener turns events into keys and changes.
type listener struct {
	*conn
	window Window
	found  []uint32 // the windows of the process
	names  [256]string
	down   map[byte]string
	randr  extension
}

// extension is where the server has put an extension's requests and events; a
// server without it has given it no request.
type extension struct{ request, event byte }

// Listen watches the windows of a process until ctx ends (nil) or the X server
// is gone (its error). It waits for a window to appear.
func Listen(ctx context.Context, w Window) error {
	c, err := dial(w.Display)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	defer c.Close()
	l := &listener{conn: c, window: w, down: map[byte]string{}}
	if err := l.run(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

func (l *listener) run(ctx context.Context) error {
	for _, prepare := range []func() error{l.oneRepeat, l.readNames, l.watchMonitors} {
		if err := prepare(); err != nil {
			return err
		}
	}
	for {
		if err := l.awaitWindow(ctx); err != nil {
			return err
		}
		if err := l.hear(); err != nil {
			return err
		}
	}
}

// extension asks for an extension by name.
func (l *listener) extension(name string) (extension, error) {
	r, err := l.call(reqQueryExtension, 0, text(name))
	if err != nil || r[8] == 0 {
		return extension{}, err
	}
	return extension{r[9], r[10]}, nil
}

// oneRepeat asks for a key that is held to come as presses alone; the server
// would otherwise invent a release before each. An old server without the
// extension is used as it is.
func (l *listener) oneRepeat() error {
	xkb, err := l.extension("XKEYBOARD")
	if err != nil || xkb.request == 0 {
		return err
	}
	if _, err := l.call(xkb.request, xkbUse, []byte{1, 0, 0, 0}); err != nil {
		return err
	}
	const coreKeyboard, detectable = 0x100, 1
	_, err = l.call(xkb.request, xkbFlags, words(coreKeyboard, detectable, detectable, 0, 0, 0))
	return err
}

// readNames learns what each key carries.
func (l *listener) readNames() error {
	r, err := l.call(reqKeyboardMapping, 0, []byte{firstCode, lastCode - firstCode + 1, 0, 0})
	if err != nil {
		return err
	}
	each := int(r[1])
	for code := firstCode; code <= lastCode; code++ {
		symbols := make([]uint32, 0, each)
		for i := range each {
			if at := 32 + 4*((code-firstCode)*each+i); at+4 <= len(r) {
				symbols = append(symbols, order.Uint32(r[at:]))
			}
		}
		l.names[code] = keyName(byte(code), symbols)
	}
	return nil
}

// hear passes on what happens until a window is destroyed.
func (l *listener) hear() error {
	for {
		e, err := l.next()
		if err != nil {
			l.releaseAll()
			return err
		}
		switch kind := e[0] & 0x7f; { // the top bit marks an event sent by another program
		case kind == evKeyPress:
			l.press(e[1])
		case kind == evKeyRelease:
			l.release(e[1])
		case kind == evFocusOut:
			const grab, ungrab = 1, 2 // a shortcut of the desktop; the keyboard comes back
			if e[8] != grab && e[8] != ungrab {
				l.releaseAll()
			}
		case kind == evKeymap:
			l.heldElsewhere(e)
		case kind == evMapping:
			err = l.readNames()
		case kind == evDestroy:
			l.releaseAll()
			return nil
		case l.randr.request != 0 && (kind == l.randr.event || kind == l.randr.event+1):
			err = l.monitorsChanged()
		}
		if err != nil {
			return err
		}
	}
}

func (l *listener) press(code byte) {
	if _, held := l.down[code]; held {
		return // it repeats by itself
	}
	l.down[code] = l.names[code]
	l.tell(Key{l.names[code], true, time.Now()})
}

// release uses the name that the press had, whatever the layout is by now.
func (l *listener) release(code byte) {
	name, held := l.down[code]
	if !held {
		return // it was pressed in another window
	}
	delete(l.down, code)
	l.tell(Key{name, false, time.Now()})
}

// heldElsewhere notes the keys that are down as the window gets the keyboard:
// they were pressed for another window, and only their repeats come here.
func (l *listener) heldElsewhere(keymap []byte) {
	for code := firstCode; code <= lastCode; code++ {
		_, known := l.down[byte(code)]
		if keymap[code/8]&(1<<(code%8)) != 0 && !known {
			l.down[byte(code)] = ""
		}
	}
}

func (l *listener) releaseAll() {
	for code := range 256 { // in a fixed order
		l.release(byte(code))
	}
}

// tell passes a key on; one that was pressed for another window has no name.
func (l *listener) tell(k Key) {
	if l.window.Key != nil && k.Name != "" {
		l.window.Key(k)
	}
}

// passOver forgives a request about a window that is gone by now.
func passOver(err error) error {
	var refused errRefused
	if errors.As(err, &refused) {
		return nil
	}
	return err
}

func words(v ...uint32) []byte {
	var b []byte
	for _, x := range v {
		b = order.AppendUint32(b, x)
	}
	return b
}

// text is a name as requests carry it, with its length first.
func text(name string) []byte {
	return append([]byte{byte(len(name)), 0, 0, 0}, pad([]byte(name))...)
}
