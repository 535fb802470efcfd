package display

import (
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"
)

// A game loop hears keys only between two frames, as a set: two taps of one key within
// a frame become one, and nobody knows which of two keys came first. The X server tells
// of each edge when it happens.

// Key is one edge of one key of the keyboard.
type Key struct {
	Name string    // as Linux calls it: "KP1", "KPENTER", "P"; "KEY123" for a key without a name
	Down bool      // pressed, or released
	At   time.Time // when it happened, however late it was heard
}

// The keycodes an X server can have.
const firstCode, lastCode = 8, 255

// keyboard turns the X server's events into edges that alternate. A key that repeats by
// itself is one press; keys that are down when the window loses the keyboard are
// released; keys pressed in other windows are not heard.
type keyboard struct {
	x     *xgb.Conn
	tell  func(Key)
	names [lastCode + 1]string
	down  map[xproto.Keycode]string // empty: pressed for another window
}

// newKeyboard returns a keyboard that passes its keys to tell.
func newKeyboard(x *xgb.Conn, tell func(Key)) (*keyboard, error) {
	k := &keyboard{x: x, tell: tell, down: map[xproto.Keycode]string{}}
	if err := k.stopFakeReleases(); err != nil {
		return nil, err
	}
	return k, k.readNames()
}

// stopFakeReleases asks for a key that is held to come as presses alone; the server
// would otherwise invent a release before each. A server without the keyboard
// extension, for which xgb has no package, is used as it is.
func (k *keyboard) stopFakeReleases() error {
	const name, useExtension, perClientFlags = "XKEYBOARD", 0, 21
	r, err := xproto.QueryExtension(k.x, uint16(len(name)), name).Reply()
	if err != nil || !r.Present {
		return err
	}
	if err := k.request([]byte{r.MajorOpcode, useExtension, 2, 0, 1, 0, 0, 0}); err != nil { // version 1.0
		return err
	}
	flags := make([]byte, 28)
	copy(flags, []byte{r.MajorOpcode, perClientFlags, 7, 0})
	xgb.Put16(flags[4:], 0x100) // the core keyboard
	xgb.Put32(flags[8:], 1)     // the flag: repeats are to be told from presses
	xgb.Put32(flags[12:], 1)    // on
	return k.request(flags)
}

// request sends a request as it stands and waits for its reply.
func (k *keyboard) request(request []byte) error {
	cookie := k.x.NewCookie(true, true)
	k.x.NewRequest(request, cookie)
	_, err := cookie.Reply()
	return err
}

// readNames asks for the symbols on each key.
func (k *keyboard) readNames() error {
	r, err := xproto.GetKeyboardMapping(k.x, firstCode, lastCode-firstCode+1).Reply()
	if err != nil {
		return err
	}
	each := int(r.KeysymsPerKeycode)
	for code := firstCode; code <= lastCode; code++ {
		at := (code - firstCode) * each
		k.names[code] = keyName(code, r.Keysyms[min(at, len(r.Keysyms)):min(at+each, len(r.Keysyms))])
	}
	return nil
}

// event acts on an event of the keyboard; others are ignored.
func (k *keyboard) event(event xgb.Event) error {
	switch e := event.(type) {
	case xproto.KeyPressEvent:
		k.press(e.Detail, happened(e.Time, time.Now(), monotonic()))
	case xproto.KeyReleaseEvent:
		k.release(e.Detail, happened(e.Time, time.Now(), monotonic()))
	case xproto.FocusOutEvent:
		// With a grab a shortcut of the desktop takes the keyboard for a moment.
		if e.Mode != xproto.NotifyModeGrab && e.Mode != xproto.NotifyModeUngrab {
			k.releaseAll()
		}
	case xproto.KeymapNotifyEvent:
		k.ignoreHeld(e.Keys)
	case xproto.MappingNotifyEvent:
		return k.readNames()
	}
	return nil
}

// latest is the most that an event can be late: one that seems later comes from a server
// with another clock.
const latest = 10 * time.Second

// happened returns when an event of server time at happened. The server's clock is the
// machine's monotonic one, mono now, in milliseconds of 32 bits; for a server on another
// machine the time when the event was heard stands in.
func happened(at xproto.Timestamp, now time.Time, mono time.Duration) time.Time {
	late := time.Duration(uint32(mono.Milliseconds())-uint32(at))*time.Millisecond + mono%time.Millisecond
	if late > latest {
		return now
	}
	return now.Add(-late)
}

// monotonic returns the machine's monotonic clock, 0 where it cannot be read.
func monotonic() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

func (k *keyboard) press(code xproto.Keycode, at time.Time) {
	if _, held := k.down[code]; held {
		return // it repeats by itself
	}
	k.down[code] = k.names[code]
	k.edge(k.names[code], true, at)
}

// release uses the name that the press had, whatever the layout is by now.
func (k *keyboard) release(code xproto.Keycode, at time.Time) {
	name, held := k.down[code]
	if !held {
		return // it was pressed in another window
	}
	delete(k.down, code)
	k.edge(name, false, at)
}

// ignoreHeld notes the keys that are down as the window gets the keyboard:
// they were pressed for another window, and only their repeats come here. The
// map has a bit for each key from the first that a server can have.
func (k *keyboard) ignoreHeld(keymap []byte) {
	for i := range 8 * len(keymap) {
		code := xproto.Keycode(firstCode + i)
		if _, known := k.down[code]; !known && keymap[i/8]&(1<<(i%8)) != 0 {
			k.down[code] = ""
		}
	}
}

func (k *keyboard) releaseAll() {
	for code := firstCode; code <= lastCode; code++ { // in a fixed order
		k.release(xproto.Keycode(code), time.Now())
	}
}

// edge passes a key on, unless it was pressed for another window.
func (k *keyboard) edge(name string, down bool, at time.Time) {
	if name != "" {
		k.tell(Key{name, down, at})
	}
}

// pressed returns a bit for each key that is down, from the first that a server can have.
func (k *keyboard) pressed() ([]byte, error) {
	r, err := xproto.QueryKeymap(k.x).Reply()
	if err != nil {
		return nil, err
	}
	return r.Keys[firstCode/8:], nil
}
