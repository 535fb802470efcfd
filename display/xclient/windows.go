package xclient

import (
	"context"
	"time"
)

// atom returns the server's number for a name.
func (l *listener) atom(name string) (uint32, error) {
	r, err := l.call(reqInternAtom, 0, text(name))
	if err != nil {
		return 0, err
	}
	return order.Uint32(r[8:]), nil
}

// property returns the first word of a window's property, 0 for none.
func (l *listener) property(w, atom uint32) (uint32, error) {
	r, err := l.call(reqGetProperty, 0, words(w, atom, 0, 0, 1))
	if err != nil {
		return 0, passOver(err)
	}
	if len(r) < 36 {
		return 0, nil
	}
	return order.Uint32(r[32:]), nil
}

// awaitWindow asks for the keys of every window of the process, and looks
// again, less and less often, until there is one.
func (l *listener) awaitWindow(ctx context.Context) error {
	pid, err := l.atom("_NET_WM_PID")
	if err != nil {
		return err
	}
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second/2) {
		l.found = l.found[:0]
		if err := l.search(l.root, pid); err != nil || len(l.found) > 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// search walks the windows below w and asks for the keys of those that belong
// to the process. One that goes away meanwhile is passed over.
func (l *listener) search(w, pid uint32) error {
	r, err := l.call(reqQueryTree, 0, words(w))
	if err != nil {
		return passOver(err)
	}
	for at := 32; at+4 <= len(r); at += 4 {
		child := order.Uint32(r[at:])
		owner, err := l.property(child, pid)
		if err == nil && owner == uint32(l.window.PID) {
			const eventMask = 1 << 11
			l.found = append(l.found, child)
			err = l.send(reqChangeAttributes, 0, words(child, eventMask, maskKeys))
		} else if err == nil {
			err = l.search(child, pid)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// watchMonitors asks to be told of new modes and of outputs that come and go.
// A server too old for RandR 1.5 has monitors that do not change.
func (l *listener) watchMonitors() error {
	randr, err := l.extension("RANDR")
	if err != nil || randr.request == 0 {
		return err
	}
	r, err := l.call(randr.request, randrVersion, words(1, 5))
	if err != nil {
		return err
	}
	if major, minor := order.Uint32(r[8:]), order.Uint32(r[12:]); major < 1 || (major == 1 && minor < 5) {
		return nil
	}
	l.randr = randr
	const screen, crtc, output = 1, 2, 4
	return l.send(randr.request, randrSelect, words(l.root, screen|crtc|output))
}

// area is a part of the screen in pixels.
type area struct{ x, y, w, h int }

func (a area) holds(x, y int) bool {
	return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h
}

// monitors returns where the monitors that are on lie.
func (l *listener) monitors() ([]area, error) {
	r, err := l.call(l.randr.request, randrActive, words(l.root, 1))
	if err != nil {
		return nil, passOver(err)
	}
	var out []area
	at := 32
	for range order.Uint32(r[12:]) {
		if len(r) < at+24 {
			break
		}
		m := r[at:]
		out = append(out, area{half(m[8:]), half(m[10:]), int(order.Uint16(m[12:])), int(order.Uint16(m[14:]))})
		at += 24 + 4*int(order.Uint16(m[6:]))
	}
	return out, nil
}

// half reads a coordinate, which may be negative.
func half(b []byte) int { return int(int16(order.Uint16(b))) }

// place returns where a window lies on the screen.
func (l *listener) place(w uint32) (area, error) {
	size, err := l.call(reqGetGeometry, 0, words(w))
	if err != nil {
		return area{}, err
	}
	at, err := l.call(reqTranslateCoordinates, 0, words(w, l.root, 0))
	if err != nil {
		return area{}, err
	}
	return area{half(at[12:]), half(at[14:]), int(order.Uint16(size[16:])), int(order.Uint16(size[18:]))}, nil
}

// monitorsChanged says so, and lays the windows over their monitors again.
func (l *listener) monitorsChanged() error {
	if l.window.Changed != nil {
		l.window.Changed()
	}
	if !l.window.Cover {
		return nil
	}
	managed, err := l.managed()
	if managed || err != nil {
		return err
	}
	monitors, err := l.monitors()
	if err != nil || len(monitors) == 0 {
		return err
	}
	for _, w := range l.found {
		if err := l.cover(w, monitors); err != nil {
			return passOver(err)
		}
	}
	return nil
}

// managed reports whether a window manager runs, which places windows itself.
func (l *listener) managed() (bool, error) {
	check, err := l.atom("_NET_SUPPORTING_WM_CHECK")
	if err != nil {
		return false, err
	}
	manager, err := l.property(l.root, check)
	return manager != 0, err
}

// cover lays a window over the monitor that has its corner, or the first.
func (l *listener) cover(w uint32, monitors []area) error {
	now, err := l.place(w)
	if err != nil {
		return err
	}
	m := monitors[0]
	for _, other := range monitors {
		if other.holds(now.x, now.y) {
			m = other
			break
		}
	}
	if now == m {
		return nil
	}
	const xywh = 0xf
	return l.send(reqConfigureWindow, 0, words(w, xywh, uint32(int32(m.x)), uint32(int32(m.y)), uint32(m.w), uint32(m.h)))
}
