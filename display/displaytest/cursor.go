package displaytest

import (
	"testing"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// CursorHidden reports whether nothing is to be seen of the cursor in the middle of
// the screen.
func (s Server) CursorHidden(t testing.TB) bool {
	t.Helper()
	x := s.connect(t)
	if err := xfixes.Init(x); err != nil {
		t.Fatal(err)
	}
	if _, err := xfixes.QueryVersion(x, 4, 0).Reply(); err != nil {
		t.Fatal(err)
	}
	screen := xproto.Setup(x).DefaultScreen(x)
	xproto.WarpPointer(x, xproto.WindowNone, screen.Root, 0, 0, 0, 0, int16(screen.WidthInPixels/2), int16(screen.HeightInPixels/2))
	cursor, err := xfixes.GetCursorImage(x).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for _, argb := range cursor.CursorImage {
		if argb>>24 != 0 {
			return false
		}
	}
	return true
}
