package xclient

import (
	"context"
	"image"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// property returns the first word of a window's property, 0 for none. A window
// that has gone meanwhile has none.
func (l *listener) property(w xproto.Window, name string) (uint32, error) {
	atom, err := xproto.InternAtom(l.x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	r, err := xproto.GetProperty(l.x, false, w, atom.Atom, xproto.GetPropertyTypeAny, 0, 1).Reply()
	if err != nil || len(r.Value) < 4 {
		return 0, passOver(err)
	}
	return xgb.Get32(r.Value), nil
}

// passOver forgives what the server says of a window that is gone by now. An
// error that is not the server's is the end of the connection.
func passOver(err error) error {
	if _, ok := err.(xgb.Error); ok {
		return nil
	}
	return err
}

// awaitWindow asks for the keys of every window of the process, and looks
// again, less and less often, until there is one. A window that has the keyboard
// by then was not heard when it got it: keys that are down before and after were
// pressed for another.
func (l *listener) awaitWindow(ctx context.Context) error {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second/2) {
		before, err := l.keymap()
		if err != nil {
			return err
		}
		l.found = l.found[:0]
		if err := l.search(l.root); err != nil {
			return err
		}
		if len(l.found) > 0 {
			after, err := l.keymap()
			for i := range after {
				after[i] &= before[i]
			}
			l.heldElsewhere(after)
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// keymap has a bit for each key that is down, from the first that a server can have.
func (l *listener) keymap() ([]byte, error) {
	r, err := xproto.QueryKeymap(l.x).Reply()
	if err != nil {
		return nil, err
	}
	return r.Keys[firstCode/8:], nil
}

// search walks the windows below w and asks for the keys of those that belong
// to the process, and to be told when they lose what they show.
func (l *listener) search(w xproto.Window) error {
	tree, err := xproto.QueryTree(l.x, w).Reply()
	if err != nil {
		return passOver(err)
	}
	for _, child := range tree.Children {
		owner, err := l.property(child, "_NET_WM_PID")
		if err != nil {
			return err
		}
		if owner != uint32(l.window.PID) {
			if err := l.search(child); err != nil {
				return err
			}
			continue
		}
		l.found = append(l.found, child)
		const mask = xproto.EventMaskKeyPress | xproto.EventMaskKeyRelease | xproto.EventMaskKeymapState |
			xproto.EventMaskStructureNotify | xproto.EventMaskFocusChange | xproto.EventMaskExposure
		xproto.ChangeWindowAttributes(l.x, child, xproto.CwEventMask, []uint32{mask})
	}
	return nil
}

// goHome covers the monitor of the output that the windows are for. A game loop goes
// full screen on a monitor that it chooses, whenever it likes.
func (l *listener) goHome() error {
	if l.window.Output == "" {
		return nil
	}
	return l.cover()
}

// cover lays the windows over their monitors where no window manager does.
func (l *listener) cover() error {
	if !l.window.Cover {
		return nil
	}
	manager, err := l.property(l.root, "_NET_SUPPORTING_WM_CHECK")
	if err != nil || manager != 0 {
		return err
	}
	monitors, err := l.monitors(l.window.Output)
	if err != nil {
		return passOver(err)
	}
	if len(monitors) == 0 && l.window.Output != "" {
		// Its output is off: it must not lie over another screen's board.
		monitors = []image.Rectangle{image.Rect(-2000, 0, -720, 720)}
	}
	for _, w := range l.found {
		if err := l.lay(w, monitors); err != nil {
			return passOver(err)
		}
	}
	return nil
}

// lay lays a window over its monitor when it does not lie there.
func (l *listener) lay(w xproto.Window, monitors []image.Rectangle) error {
	size, err := xproto.GetGeometry(l.x, xproto.Drawable(w)).Reply()
	if err != nil {
		return err
	}
	at, err := xproto.TranslateCoordinates(l.x, w, l.root, 0, 0).Reply()
	if err != nil {
		return err
	}
	now := rectangle(at.DstX, at.DstY, size.Width, size.Height)
	m, ok := monitorOf(now, monitors)
	if !ok || m == now {
		return nil
	}
	const mask = xproto.ConfigWindowX | xproto.ConfigWindowY | xproto.ConfigWindowWidth | xproto.ConfigWindowHeight
	return xproto.ConfigureWindowChecked(l.x, w, mask,
		[]uint32{uint32(int32(m.Min.X)), uint32(int32(m.Min.Y)), uint32(m.Dx()), uint32(m.Dy())}).Check()
}

// monitorOf returns the monitor that has the window's corner, else the first.
func monitorOf(window image.Rectangle, monitors []image.Rectangle) (image.Rectangle, bool) {
	for _, m := range monitors {
		if window.Min.In(m) {
			return m, true
		}
	}
	if len(monitors) == 0 {
		return image.Rectangle{}, false
	}
	return monitors[0], true
}
