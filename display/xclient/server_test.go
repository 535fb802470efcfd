package xclient

import (
	"bufio"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
)

// fake is an X server that knows just what this package asks. It serves one
// client at the other end of a pipe.
type fake struct {
	t        *testing.T
	conn     net.Conn
	seq      uint16
	windows  map[uint32][]uint32 // the children of each window
	owners   map[uint32]uint32   // the process of each window
	places   map[uint32]area
	screens  []area // of the monitors that are on
	managed  bool
	mu       sync.Mutex
	requests []byte   // all opcodes that came
	moves    []uint32 // what ConfigureWindow asked for
}

const (
	fakeRoot           = 100
	atomPID, atomCheck = 1, 2
	fakeXkb, fakeRandr = 200, 201
	fakeRandrEvent     = 90
)

// greeting is what a server says of itself, with a vendor of n letters.
func greeting(n int) []byte {
	body := make([]byte, 32)
	order.PutUint16(body[16:], uint16(n))
	body[21] = 1 // one pixmap format
	body = append(body, pad(make([]byte, n))...)
	body = append(body, make([]byte, 8)...)
	body = order.AppendUint32(body, fakeRoot)
	head := []byte{1, 0, 11, 0, 0, 0, 0, 0}
	order.PutUint16(head[6:], uint16(len(body)/4))
	return append(head, body...)
}

// serve answers requests until the client hangs up.
func (f *fake) serve() {
	in := bufio.NewReader(f.conn)
	head := make([]byte, 4)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		body := make([]byte, 4*int(order.Uint16(head[2:]))-4)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		f.seq++
		f.mu.Lock()
		f.requests = append(f.requests, head[0])
		f.mu.Unlock()
		if a := f.answer(head[0], head[1], body); a != nil {
			f.conn.Write(a)
		}
	}
}

// reply is a packet with a data byte and words from the eighth byte on.
func (f *fake) reply(data byte, body ...uint32) []byte {
	p := append([]byte{1, data, 0, 0, 0, 0, 0, 0}, words(body...)...)
	p = append(p, make([]byte, max(0, 32-len(p)))...)
	order.PutUint16(p[2:], f.seq)
	order.PutUint32(p[4:], uint32(len(p)-32)/4)
	return p
}

func (f *fake) fail() []byte {
	p := make([]byte, 32)
	p[1] = 3 // no such window
	order.PutUint16(p[2:], f.seq)
	return p
}

func (f *fake) answer(op, data byte, body []byte) []byte {
	window := uint32(0)
	if len(body) >= 4 {
		window = order.Uint32(body)
	}
	_, known := f.windows[window]
	switch op {
	case reqQueryExtension:
		if name := body[4]; name == 'X' {
			return f.reply(0, 1|fakeXkb<<8)
		}
		return f.reply(0, 1|fakeRandr<<8|fakeRandrEvent<<16)
	case fakeXkb:
		return f.reply(0)
	case fakeRandr:
		return f.randr(data)
	case reqKeyboardMapping:
		table := make([]uint32, 6+2*248)
		copy(table[6+2*(87-firstCode):], []uint32{0xff9c, 0xffb1}) // 1 of the pad
		return f.reply(2, table...)
	case reqInternAtom:
		if string(body[4:15]) == "_NET_WM_PID" {
			return f.reply(0, atomPID)
		}
		return f.reply(0, atomCheck)
	case reqQueryTree:
		if !known {
			return f.fail()
		}
		return f.reply(0, append([]uint32{fakeRoot, 0, uint32(len(f.windows[window])), 0, 0, 0}, f.windows[window]...)...)
	case reqGetProperty:
		return f.property(window, order.Uint32(body[4:]))
	case reqGetGeometry:
		a := f.places[window]
		return f.reply(0, fakeRoot, 0, uint32(a.w)|uint32(a.h)<<16)
	case reqTranslateCoordinates:
		a := f.places[window]
		return f.reply(1, 0, uint32(uint16(a.x))|uint32(uint16(a.y))<<16)
	case reqConfigureWindow:
		for i := 0; i < len(body); i += 4 {
			f.moves = append(f.moves, order.Uint32(body[i:]))
		}
	}
	return nil
}

func (f *fake) property(window, atom uint32) []byte {
	switch {
	case atom == atomPID && f.owners[window] != 0:
		return f.reply(32, 6, 0, 1, 0, 0, 0, f.owners[window])
	case atom == atomCheck && f.managed:
		return f.reply(32, 6, 0, 1, 0, 0, 0, 1234)
	}
	return f.reply(0)
}

func (f *fake) randr(minor byte) []byte {
	switch minor {
	case randrVersion:
		return f.reply(0, 1, 6)
	case randrActive:
		body := []uint32{0, uint32(len(f.screens)), 0, 0, 0, 0}
		for _, s := range f.screens {
			// A name, one output, the place, a size in millimetres, the output.
			body = append(body, 7, 1<<16, uint32(uint16(s.x))|uint32(uint16(s.y))<<16, uint32(s.w)|uint32(s.h)<<16, 0, 0, 99)
		}
		return f.reply(0, body...)
	}
	return nil
}

// event sends an event of a kind with a detail and a mode.
func (f *fake) event(kind, detail, mode byte) {
	e := make([]byte, 32)
	e[0], e[1], e[8] = kind, detail, mode
	f.conn.Write(e)
}

// plug returns a listener at the other end of a new fake's pipe.
func plug(t *testing.T, w Window) (*fake, *listener) {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { client.Close(); server.Close() })
	f := &fake{t: t, conn: server, windows: map[uint32][]uint32{fakeRoot: nil}, owners: map[uint32]uint32{}, places: map[uint32]area{}}
	c := &conn{Conn: client, in: bufio.NewReader(client), root: fakeRoot}
	return f, &listener{conn: c, window: w, down: map[byte]string{}}
}

// ready reports whether the client has sent a request of this kind.
func (f *fake) ready(op byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.requests, op)
}
