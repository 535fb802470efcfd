package display

import (
	"fmt"
	"image"
	"syscall"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/display/displaytest"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
)

func xrandr(t testing.TB, x displaytest.Server, args ...string) {
	t.Helper()
	x.Run(t, "xrandr", "x11-xserver-utils", args...)
}

func TestMonitorGoesAndComesBack(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1024, 600)
	win := open(t, x, "full")
	shows(t, x, "the picture", expect(t, "board 1", 1024, 600, paint.Rotate0))
	for i := range 2 {
		xrandr(t, x, off...)
		time.Sleep(time.Second)
		board := fmt.Sprint("board ", i+2) // a hand is keyed meanwhile
		win.send("show " + board)
		time.Sleep(time.Second)
		xrandr(t, x, "--output", "screen", "--auto")
		shows(t, x, "the board after the monitor came back", expect(t, board, 1024, 600, paint.Rotate0))
	}
}

// off turns the only monitor off; the screen keeps its size.
var off = []string{"--fb", "1024x600", "--output", "screen", "--off"}

func TestNoMonitorAtStartIsWaitedFor(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1024, 600)
	xrandr(t, x, off...)
	win := start(t, x, "full")
	time.Sleep(time.Second)
	if n := win.frames(); n != 0 {
		t.Errorf("%d frames painted for no monitor", n)
	}
	xrandr(t, x, "--output", "screen", "--auto")
	shows(t, x, "the board once the monitor is on", expect(t, "board 1", 1024, 600, paint.Rotate0))
}

func TestNoMonitorAtTheEnd(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1024, 600)
	xrandr(t, x, off...)
	win := start(t, x, "full")
	win.frames()
	if err := win.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	win.wait("closed")
}

func TestScreenChangesItsSize(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1280, 720)
	open(t, x, "full")
	shows(t, x, "the picture", expect(t, "board 1", 1280, 720, paint.Rotate0))
	xrandr(t, x, "--newmode", "small", "40", "800", "840", "968", "1056", "600", "601", "605", "628")
	xrandr(t, x, "--addmode", "screen", "small")
	xrandr(t, x, "--output", "screen", "--mode", "small")
	showsPart(t, x, "the board on the smaller screen", expect(t, "board 1", 800, 600, paint.Rotate0))
}

// showsPart waits until the upper left part of the screen shows want.
func showsPart(t *testing.T, x displaytest.Server, what string, want *image.RGBA) {
	t.Helper()
	w, h := want.Rect.Dx(), want.Rect.Dy()
	for end := time.Now().Add(patience); differ(crop(x.Pixels(t), w, h), want) != 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is not there after %v", what, patience)
		}
	}
}

// crop returns the upper left part: the server's memory keeps its first size.
func crop(img *image.RGBA, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range min(h, img.Rect.Dy()) {
		copy(out.Pix[y*out.Stride:][:out.Stride], img.Pix[y*img.Stride:])
	}
	return out
}

func TestWindowFollowsItsSize(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1280, 720)
	win := open(t, x, "640x360")
	x.Xdotool(t, "search", "--name", "^test$", "windowmove", "0", "0", "windowsize", "900", "500")
	for win.wait("picture") != "900 500" {
	}
	showsPart(t, x, "the board in the larger window", expect(t, "board 1", 900, 500, paint.Rotate0))
}

// A server that keeps no copy of what a window hides forgets it, and the loop would
// not paint again for that.
func TestUncoveredWindowShowsTheBoardAgain(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	open(t, x, "full")
	want := expect(t, "board 1", 800, 480, paint.Rotate0)
	shows(t, x, "the picture", want)
	uncover := x.Cover(t, image.Rect(100, 100, 500, 300))
	if differ(x.Pixels(t), want) == 0 {
		t.Fatal("the other window hides nothing")
	}
	uncover()
	shows(t, x, "the board once nothing hides it", want)
}

func TestNothingIsPaintedForNoMonitor(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 1024, 600)
	win := open(t, x, "full")
	xrandr(t, x, off...)
	win.turn(5) // the loop looks at the monitors at every turn
	before := win.frames()
	win.says("as soon as it has gone", false)
	for i := range 5 {
		win.send(fmt.Sprint("show board ", i+2))
		win.wait("picture") // a watchdog sees that the loop turns
	}
	if n := win.frames(); n != before {
		t.Errorf("%d frames were painted for nobody", n-before)
	}
	win.says("without a monitor", false)
	xrandr(t, x, "--output", "screen", "--auto")
	shows(t, x, "the last board", expect(t, "board 6", 1024, 600, paint.Rotate0))
	win.says("on its monitor again", true)
}

func TestShiftedPicture(t *testing.T) {
	t.Parallel()
	most := 4
	for shiftAt(time.Now(), most).X == 0 || shiftAt(time.Now(), most).Y == 0 {
		most++
	}
	for _, rotation := range []paint.Rotation{paint.Rotate0, paint.Rotate90} {
		x := displaytest.Start(t, 800, 480)
		open(t, x, fmt.Sprintf("full shift%d turn%d", most, rotation))
		fonts, err := scene.NewFonts(assets.Fonts())
		if err != nil {
			t.Fatal(err)
		}
		w, h := rotation.Size(800, 480)
		shifted := func(shift image.Point) *image.RGBA {
			ops, _ := testScene(fonts, "board 1", w, h)
			for i := range ops {
				o := &ops[i]
				o.X, o.Y, o.X2, o.Y2 = o.X+float32(shift.X), o.Y+float32(shift.Y), o.X2+float32(shift.X), o.Y2+float32(shift.Y)
			}
			ops[0] = scene.Op{Kind: scene.Rect, W: float32(w), H: float32(h), Color: ops[0].Color}
			return paint.New().Frame(ops, w, h, rotation)
		}
		shift := shiftAt(time.Now(), most)
		want := shifted(shift)
		showsNow(t, x, "the picture, shifted", func() *image.RGBA {
			if now := shiftAt(time.Now(), most); now != shift { // its time has come meanwhile
				shift, want = now, shifted(now)
			}
			return want
		})
	}
}

func TestTerminationClosesTheWindow(t *testing.T) {
	t.Parallel()
	x := displaytest.Start(t, 800, 480)
	win := open(t, x, "full keys")
	if err := win.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	win.wait("closed")
	if err := win.cmd.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

func TestNoDisplayIsAnErrorAndNoCrash(t *testing.T) {
	t.Parallel()
	x := displaytest.Server{}
	win := start(t, x, "full keys")
	if text := win.wait("error"); text == "" {
		t.Error("no reason given")
	}
}

func TestResizeIsSoonSeenAndRestIsLong(t *testing.T) {
	var p pace
	if got := p.next(true, 800, 480); got != shortestWait {
		t.Errorf("a new window is looked at after %v", got)
	}
	for range 20 {
		p.next(true, 800, 480)
	}
	if got := p.next(true, 800, 480); got != longestWait {
		t.Errorf("a window at rest is looked at after %v, want %v", got, longestWait)
	}
	if got := p.next(false, 800, 480); got != shortestWait {
		t.Errorf("a window that lost full screen is looked at after %v", got)
	}
}
