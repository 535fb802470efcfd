package displaytest

import (
	"io"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// Keyboard gives a server key events at moments that the test chooses, without a
// program in between.
type Keyboard struct {
	t     testing.TB
	x     *xgb.Conn
	codes map[xproto.Keysym]byte
}

// Keyboard is the server's keyboard until the test ends.
func (s Server) Keyboard(t testing.TB) *Keyboard {
	t.Helper()
	k := &Keyboard{t: t, x: s.connect(t), codes: map[xproto.Keysym]byte{}}
	if err := xtest.Init(k.x); err != nil {
		t.Fatal(err)
	}
	setup := xproto.Setup(k.x)
	first, n := setup.MinKeycode, setup.MaxKeycode-setup.MinKeycode+1
	r, err := xproto.GetKeyboardMapping(k.x, first, byte(n)).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for i, sym := range r.Keysyms {
		code := byte(first) + byte(i/int(r.KeysymsPerKeycode))
		if _, known := k.codes[sym]; !known {
			k.codes[sym] = code
		}
	}
	return k
}

// connect greets the server until the test ends.
func (s Server) connect(t testing.TB) *xgb.Conn {
	t.Helper()
	xgb.Logger.SetOutput(io.Discard) // it logs that the test is over
	x, err := xgb.NewConnDisplay(s.Display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// Edge presses or releases the key that carries a symbol, and returns when the
// server has taken it.
func (k *Keyboard) Edge(symbol uint32, down bool) {
	k.t.Helper()
	kind := byte(xproto.KeyPress)
	if !down {
		kind = xproto.KeyRelease
	}
	k.sent(k.fake(kind, symbol, 0))
}

// Hold presses a key for so long and lets it go, and returns when it is up. The server
// keeps the time: a test that gets no processor meanwhile holds it no longer.
func (k *Keyboard) Hold(symbol uint32, long time.Duration) {
	k.t.Helper()
	k.sent(k.fake(xproto.KeyPress, symbol, 0), k.fake(xproto.KeyRelease, symbol, uint32(long.Milliseconds())))
}

// Together presses keys as fingers do that come down at once. The server waits a
// moment before the first, so that it has them all and does one right after another,
// however busy the machine is.
func (k *Keyboard) Together(symbols ...uint32) {
	k.t.Helper()
	var sent []xtest.FakeInputCookie
	for i, symbol := range symbols {
		wait := uint32(0)
		if i == 0 {
			wait = 50 // milliseconds
		}
		sent = append(sent, k.fake(xproto.KeyPress, symbol, wait))
	}
	k.sent(sent...)
}

// sent waits for the server to have done what was sent.
func (k *Keyboard) sent(all ...xtest.FakeInputCookie) {
	k.t.Helper()
	for _, s := range all {
		if err := s.Check(); err != nil {
			k.t.Fatal(err)
		}
	}
}

// fake has the server make an event of the key that carries a symbol, in so many
// milliseconds; what comes after it waits as long.
func (k *Keyboard) fake(kind byte, symbol, wait uint32) xtest.FakeInputCookie {
	k.t.Helper()
	code, ok := k.codes[xproto.Keysym(symbol)]
	if !ok {
		k.t.Fatalf("no key of the server carries the symbol %#x", symbol)
	}
	return xtest.FakeInputChecked(k.x, kind, code, wait, xproto.WindowNone, 0, 0, 0)
}
