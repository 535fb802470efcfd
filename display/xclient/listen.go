package xclient

import (
	"context"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"
)

// Key is one edge of one key.
type Key struct {
	Name string    // as Linux calls it: "KP1", "KPENTER", "P"; "KEY123" for a key without a name
	Down bool      // pressed, or released
	At   time.Time // when it happened, however late it was heard
}

// Window says which windows are watched, and what for. Its functions are
// called from one goroutine, which waits for nothing else.
type Window struct {
	PID     int       // of the process that has the window
	Key     func(Key) // nil: keys are of no interest
	Changed func()    // the monitors are others, or what the window showed is lost
	Cover   bool      // keep the window over its whole monitor where no window manager does
	Output  string    // the output whose monitor is the window's, as xrandr calls it; empty: any
}

// The keys an X server can have.
const firstCode, lastCode = 8, 255

// listener turns events into keys and changes.
type listener struct {
	*Client
	window Window
	found  []xproto.Window // of the process
	names  [lastCode + 1]string
	down   map[xproto.Keycode]string
}

// Listen watches the windows of a process until ctx ends (nil) or the X server
// is gone (an error). It waits for a window to appear.
func (c *Client) Listen(ctx context.Context, w Window) error {
	l := &listener{Client: c, window: w, down: map[xproto.Keycode]string{}}
	if err := l.run(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

func (l *listener) run(ctx context.Context) error {
	for _, prepare := range []func() error{l.oneRepeat, l.readNames} {
		if err := prepare(); err != nil {
			return err
		}
	}
	for {
		if err := l.awaitWindow(ctx); err != nil {
			return err
		}
		if err := l.goHome(); err != nil {
			return err
		}
		if err := l.hear(); err != nil {
			return err
		}
	}
}

// oneRepeat asks for a key that is held to come as presses alone; the server
// would otherwise invent a release before each. A server without the keyboard
// extension, for which xgb has no package, is used as it is.
func (l *listener) oneRepeat() error {
	const name, useExtension, perClientFlags = "XKEYBOARD", 0, 21
	r, err := xproto.QueryExtension(l.x, uint16(len(name)), name).Reply()
	if err != nil || !r.Present {
		return err
	}
	if err := l.ask([]byte{r.MajorOpcode, useExtension, 2, 0, 1, 0, 0, 0}); err != nil { // version 1.0
		return err
	}
	flags := make([]byte, 28)
	copy(flags, []byte{r.MajorOpcode, perClientFlags, 7, 0})
	xgb.Put16(flags[4:], 0x100) // the core keyboard
	xgb.Put32(flags[8:], 1)     // the flag: repeats are to be told from presses
	xgb.Put32(flags[12:], 1)    // on
	return l.ask(flags)
}

// ask sends a request as it stands and waits for its reply.
func (l *listener) ask(request []byte) error {
	cookie := l.x.NewCookie(true, true)
	l.x.NewRequest(request, cookie)
	_, err := cookie.Reply()
	return err
}

// readNames learns what each key carries.
func (l *listener) readNames() error {
	r, err := xproto.GetKeyboardMapping(l.x, firstCode, lastCode-firstCode+1).Reply()
	if err != nil {
		return err
	}
	each := int(r.KeysymsPerKeycode)
	for code := firstCode; code <= lastCode; code++ {
		at := (code - firstCode) * each
		l.names[code] = keyName(code, r.Keysyms[min(at, len(r.Keysyms)):min(at+each, len(r.Keysyms))])
	}
	return nil
}

// hear passes on what happens until a window is destroyed.
func (l *listener) hear() error {
	for {
		event, fault := l.x.WaitForEvent()
		switch {
		case event != nil:
			if gone, err := l.event(event); gone || err != nil {
				l.releaseAll()
				return err
			}
		case fault == nil: // else a request came too late for its window
			l.releaseAll()
			return errGone
		}
	}
}

// event acts on one event, and reports whether a window has gone with it.
func (l *listener) event(event xgb.Event) (gone bool, err error) {
	switch e := event.(type) {
	case xproto.KeyPressEvent:
		l.press(e.Detail, happened(e.Time, time.Now(), monotonic()))
	case xproto.KeyReleaseEvent:
		l.release(e.Detail, happened(e.Time, time.Now(), monotonic()))
	case xproto.FocusOutEvent:
		// With a grab a shortcut of the desktop takes the keyboard for a moment.
		if e.Mode != xproto.NotifyModeGrab && e.Mode != xproto.NotifyModeUngrab {
			l.releaseAll()
		}
	case xproto.KeymapNotifyEvent:
		l.heldElsewhere(e.Keys)
	case xproto.MappingNotifyEvent:
		return false, l.readNames()
	case xproto.DestroyNotifyEvent:
		return true, nil
	case xproto.ConfigureNotifyEvent:
		return false, l.goHome()
	case xproto.ExposeEvent:
		if e.Count == 0 && l.window.Changed != nil { // else more of it follow
			l.window.Changed()
		}
	case randr.ScreenChangeNotifyEvent, randr.NotifyEvent:
		if l.window.Changed != nil {
			l.window.Changed()
		}
		return false, l.cover()
	}
	return false, nil
}

// elsewhere is more than an event can be late: what seems later comes from a server
// with another clock.
const elsewhere = 10 * time.Second

// happened is when an event happened, of which the server says at. Its clock is the
// machine's monotonic one, which stood at mono now, in milliseconds of 32 bits; of a
// server on another machine it can only be said when the event was heard.
func happened(at xproto.Timestamp, now time.Time, mono time.Duration) time.Time {
	late := time.Duration(uint32(mono.Milliseconds())-uint32(at))*time.Millisecond + mono%time.Millisecond
	if late > elsewhere {
		return now
	}
	return now.Add(-late)
}

// monotonic is the machine's monotonic clock, 0 where it cannot be read.
func monotonic() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

func (l *listener) press(code xproto.Keycode, at time.Time) {
	if _, held := l.down[code]; held {
		return // it repeats by itself
	}
	l.down[code] = l.names[code]
	l.tell(Key{l.names[code], true, at})
}

// release uses the name that the press had, whatever the layout is by now.
func (l *listener) release(code xproto.Keycode, at time.Time) {
	name, held := l.down[code]
	if !held {
		return // it was pressed in another window
	}
	delete(l.down, code)
	l.tell(Key{name, false, at})
}

// heldElsewhere notes the keys that are down as the window gets the keyboard:
// they were pressed for another window, and only their repeats come here. The
// map has a bit for each key from the first that a server can have.
func (l *listener) heldElsewhere(keymap []byte) {
	for i := range 8 * len(keymap) {
		code := xproto.Keycode(firstCode + i)
		if _, known := l.down[code]; !known && keymap[i/8]&(1<<(i%8)) != 0 {
			l.down[code] = ""
		}
	}
}

func (l *listener) releaseAll() {
	for code := firstCode; code <= lastCode; code++ { // in a fixed order
		l.release(xproto.Keycode(code), time.Now())
	}
}

// tell passes a key on; one that was pressed for another window has no name.
func (l *listener) tell(k Key) {
	if l.window.Key != nil && k.Name != "" {
		l.window.Key(k)
	}
}
