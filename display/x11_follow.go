package display

import (
	"context"
	"image"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
)

// watch says which windows are watched, and what for. Its functions are called from one
// goroutine, which waits for nothing else.
type watch struct {
	pid     int       // of the process that has the windows
	key     func(Key) // nil: no keys are heard
	changed func()    // the monitors are others, or the window's picture is lost
	cover   bool      // keep the windows over their whole monitor where no window manager does
	output  string    // whose monitor is the windows', as xrandr calls it; empty: any
}

// watcher follows the windows of a process.
type watcher struct {
	*xClient
	watch
	keys  *keyboard       // nil: none are heard
	found []xproto.Window // of the process
}

// follow watches the windows of a process until ctx ends (nil) or the X server is gone
// (an error). It waits for a window to appear.
func (c *xClient) follow(ctx context.Context, w watch) error {
	l := &watcher{xClient: c, watch: w}
	if err := l.run(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

func (l *watcher) run(ctx context.Context) (err error) {
	if l.key != nil {
		if l.keys, err = newKeyboard(l.x, l.key); err != nil {
			return err
		}
	}
	for {
		if err := l.awaitWindow(ctx); err != nil {
			return err
		}
		if err := l.returnToOutput(); err != nil {
			return err
		}
		if err := l.hear(); err != nil {
			return err
		}
	}
}

// hear acts on events until a window is destroyed.
func (l *watcher) hear() error {
	defer func() {
		if l.keys != nil {
			l.keys.releaseAll()
		}
	}()
	for {
		event, fault := l.x.WaitForEvent()
		switch {
		case event != nil:
			if gone, err := l.event(event); gone || err != nil {
				return err
			}
		case fault == nil: // else a request came too late for its window
			return errGone
		}
	}
}

// event acts on one event, and reports whether a window has gone with it.
func (l *watcher) event(event xgb.Event) (gone bool, err error) {
	switch e := event.(type) {
	case xproto.DestroyNotifyEvent:
		return true, nil
	case xproto.ConfigureNotifyEvent:
		return false, l.returnToOutput()
	case xproto.ExposeEvent:
		if e.Count == 0 { // else more of it follow
			l.changed()
		}
	case randr.ScreenChangeNotifyEvent, randr.NotifyEvent:
		l.changed()
		return false, l.coverMonitors()
	}
	if l.keys != nil {
		err = l.keys.event(event)
	}
	return false, err
}

// property returns the first word of a window's property, 0 for none. A window
// that has gone meanwhile has none.
func (l *watcher) property(w xproto.Window, name string) (uint32, error) {
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

// awaitWindow asks for the events of every window of the process, and looks again, less
// and less often, until there is one. A window that has the keyboard by then was not
// heard when it got it: keys that are down before and after were pressed for another.
func (l *watcher) awaitWindow(ctx context.Context) error {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second/2) {
		before, err := l.pressedKeys()
		if err != nil {
			return err
		}
		l.found = l.found[:0]
		if err := l.search(l.root); err != nil {
			return err
		}
		if len(l.found) > 0 {
			after, err := l.pressedKeys()
			for i := range after {
				after[i] &= before[i]
			}
			if l.keys != nil {
				l.keys.ignoreHeld(after)
			}
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (l *watcher) pressedKeys() ([]byte, error) {
	if l.keys == nil {
		return nil, nil
	}
	return l.keys.pressed()
}

// search walks the windows below w and asks for the events of those that belong to the
// process.
func (l *watcher) search(w xproto.Window) error {
	tree, err := xproto.QueryTree(l.x, w).Reply()
	if err != nil {
		return passOver(err)
	}
	for _, child := range tree.Children {
		owner, err := l.property(child, "_NET_WM_PID")
		if err != nil {
			return err
		}
		if owner != uint32(l.pid) {
			if err := l.search(child); err != nil {
				return err
			}
			continue
		}
		l.found = append(l.found, child)
		mask := uint32(xproto.EventMaskStructureNotify | xproto.EventMaskExposure)
		if l.keys != nil {
			mask |= xproto.EventMaskKeyPress | xproto.EventMaskKeyRelease |
				xproto.EventMaskKeymapState | xproto.EventMaskFocusChange
		}
		xproto.ChangeWindowAttributes(l.x, child, xproto.CwEventMask, []uint32{mask})
	}
	return nil
}

// returnToOutput covers the monitor of the output that the windows are for. A game loop goes
// full screen on a monitor that it chooses, whenever it likes.
func (l *watcher) returnToOutput() error {
	if l.output == "" {
		return nil
	}
	return l.coverMonitors()
}

// coverMonitors lays the windows over their monitors where no window manager does.
func (l *watcher) coverMonitors() error {
	if !l.watch.cover {
		return nil
	}
	manager, err := l.property(l.root, "_NET_SUPPORTING_WM_CHECK")
	if err != nil || manager != 0 {
		return err
	}
	monitors, err := l.monitors(l.output)
	if err != nil {
		return passOver(err)
	}
	if len(monitors) == 0 && l.output != "" {
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
func (l *watcher) lay(w xproto.Window, monitors []image.Rectangle) error {
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
