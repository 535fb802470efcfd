package displaytest

import (
	"image"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// Cover lays an empty window over r, above all others, until uncover is called:
// what it hides is forgotten by the server.
func (s Server) Cover(t testing.TB, r image.Rectangle) (uncover func()) {
	t.Helper()
	x := s.connect(t)
	screen := xproto.Setup(x).DefaultScreen(x)
	w, err := xproto.NewWindowId(x)
	if err != nil {
		t.Fatal(err)
	}
	const mask = xproto.CwBackPixel | xproto.CwOverrideRedirect // no window manager places it
	err = xproto.CreateWindowChecked(x, screen.RootDepth, w, screen.Root, int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()),
		0, xproto.WindowClassInputOutput, screen.RootVisual, mask, []uint32{0x00ff00ff, 1}).Check()
	if err == nil {
		err = xproto.MapWindowChecked(x, w).Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := xproto.DestroyWindowChecked(x, w).Check(); err != nil {
			t.Fatal(err)
		}
	}
}
