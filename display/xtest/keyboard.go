package xtest

import (
	"io"
	"testing"

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
	code, ok := k.codes[xproto.Keysym(symbol)]
	if !ok {
		k.t.Fatalf("no key of the server carries the symbol %#x", symbol)
	}
	kind := byte(xproto.KeyPress)
	if !down {
		kind = xproto.KeyRelease
	}
	if err := xtest.FakeInputChecked(k.x, kind, code, 0, xproto.WindowNone, 0, 0, 0).Check(); err != nil {
		k.t.Fatal(err)
	}
}
