package display

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/display/displaytest"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
)

// expect is what paint makes of a test scene on a panel of w x h pixels.
func expect(t testing.TB, name string, w, h int, rotation paint.Rotation) *image.RGBA {
	t.Helper()
	fonts, err := scene.NewFonts(assets.Fonts())
	if err != nil {
		t.Fatal(err)
	}
	pw, ph := rotation.Size(w, h)
	ops, _ := testScene(fonts, name, pw, ph)
	return paint.New().Frame(ops, pw, ph, rotation)
}

// differ counts the channel values that are not the same, as far as a GPU may
// round in each of a few layers. Millions are looked at, by nobody else.
//
//go:norace
func differ(a, b *image.RGBA) (n int) {
	const tolerance = 3
	if a.Rect != b.Rect {
		return len(b.Pix)
	}
	for i, v := range a.Pix {
		if max(int(v)-int(b.Pix[i]), int(b.Pix[i])-int(v)) > tolerance {
			n++
		}
	}
	return n
}

// shows waits until the screen shows want: a frame is counted a little before
// the server has it.
func shows(t testing.TB, x displaytest.Server, what string, want *image.RGBA) {
	t.Helper()
	showsNow(t, x, what, func() *image.RGBA { return want })
}

// showsNow waits until the screen shows what it should at that moment.
func showsNow(t testing.TB, x displaytest.Server, what string, now func() *image.RGBA) {
	t.Helper()
	var got, want *image.RGBA
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got, want = x.Pixels(t), now(); differ(got, want) == 0 {
			return
		}
	}
	f, err := os.CreateTemp("", "screen-*.png")
	if err == nil {
		err = png.Encode(f, got)
		f.Close()
	}
	t.Errorf("%s: after %v %d of %d channel values differ from paint; see %s (%v)", what, patience, differ(got, want), len(want.Pix), f.Name(), err)
}

func TestWindowShowsWhatPaintShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		w, h     int
		rotation paint.Rotation
	}{{1280, 720, paint.Rotate0}, {800, 480, paint.Rotate180}, {1024, 600, paint.Rotate90}, {800, 480, paint.Rotate270}} {
		t.Run(fmt.Sprintf("%dx%d turned %d", c.w, c.h, c.rotation), func(t *testing.T) {
			x := displaytest.Start(t, c.w, c.h)
			win := open(t, x, fmt.Sprintf("full turn%d", c.rotation))
			shows(t, x, "the first picture", expect(t, "board 1", c.w, c.h, c.rotation))
			win.send("show board 2")
			shows(t, x, "the next picture", expect(t, "board 2", c.w, c.h, c.rotation))
		})
	}
}

func TestNothingNewPaintsNothing(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "keys")
	x.Xdotool(t, "mousemove", "400", "240") // it has the keyboard
	win.hears(x)                            // after all that the server had to tell of its opening
	win.turn(10)
	before := win.frames()
	x.Xdotool(t, "key", "KP_5", "mousemove", "430", "240", "mousemove", "460", "240")
	for len(win.keys) < 2 {
		win.wait("key")
	}
	win.turn(10) // announced, but the same picture
	if n := win.frames(); n != before {
		t.Errorf("%d frames were painted though the picture is the same", n-before)
	}
	win.send("show board 7")
	win.wait("picture")
	win.turn(10)
	if n := win.frames(); n != before+1 {
		t.Errorf("one new picture painted %d frames", n-before)
	}
}

func TestCountdownPaintsOnceAStep(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "full")
	win.send("show count")
	win.wait("picture")
	const steps, each = 15, 200 * time.Millisecond
	began := time.Now()
	before := win.frames()
	for range steps {
		win.wait("picture")
	}
	n := win.frames() - before
	if most := int(time.Since(began)/each) + 2; n < steps-1 || n > most {
		t.Errorf("%d new numbers, at most %d, painted %d frames", steps, most, n)
	}
}
