package display

import (
	"image"
	"image/color"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// loop is the Screen as ebiten drives it: LayoutF, Update and Draw in turn, in
// one goroutine.
//
// ebiten would run them sixty times a second. Instead Update waits for news,
// so that a board at rest costs nothing, and Draw asks for a frame only when
// there is something new. The loop still turns once a second, since window events
// are read only then.
type loop Screen

// pace says how long Update may wait. A window that has just changed is looked
// at again soon, since opening it and going full screen take a few turns.
type pace struct {
	full bool
	w, h int
	wait time.Duration
}

const (
	shortestWait = 15 * time.Millisecond
	longestWait  = time.Second
)

// next returns how long to wait at this turn.
func (p *pace) next(full bool, w, h int) time.Duration {
	if now := (pace{full, w, h, p.wait}); now != *p || p.wait == 0 {
		*p = pace{full, w, h, shortestWait}
		return p.wait
	}
	p.wait = min(2*p.wait, longestWait)
	return p.wait
}

// LayoutF makes the picture as large as the window in real pixels.
func (l *loop) LayoutF(w, h float64) (float64, float64) {
	scale := 1.0
	if m := ebiten.Monitor(); m != nil {
		scale = m.DeviceScaleFactor()
	}
	w, h = max(1, w*scale), max(1, h*scale)
	if int(w) != l.w || int(h) != l.h {
		l.w, l.h, l.asked, l.stale = int(w), int(h), true, true
	}
	return float64(l.w), float64(l.h)
}

// Layout returns LayoutF in whole pixels, for an ebiten that does not know that.
func (l *loop) Layout(w, h int) (int, int) {
	fw, fh := l.LayoutF(float64(w), float64(h))
	return int(fw), int(fh)
}

// Update waits until there is something to do and does it.
func (l *loop) Update() error {
	full := ebiten.IsFullscreen()
	l.lookAtMonitors(full)
	if err := l.await(l.pace.next(full, l.w, l.h)); err != nil {
		return err
	}
	(*Screen)(l).ask(time.Now())
	return nil
}

// lookAtMonitors notes whether there is one for the window, and goes full screen on
// it again: a monitor that went away took that with it. Without any, to ask for it
// would end the process with an X error, and a picture would be painted for nobody.
func (l *loop) lookAtMonitors(full bool) {
	m := l.options.monitor()
	if m != nil && l.options.Fullscreen && !full {
		ebiten.SetFullscreen(true)
	}
	if l.dark && m != nil {
		l.asked, l.stale = true, true
	}
	if l.dark = m == nil; l.dark {
		l.shows.Store(false)
	}
}

// await returns on news, when the picture is due, or after wait. A picture that is
// not shown yet is not kept waiting, unless there is nothing to show it on.
func (l *loop) await(wait time.Duration) error {
	if !l.dark {
		if l.asked || l.stale {
			wait = 0
		}
		if !l.due.IsZero() {
			wait = min(wait, time.Until(l.due))
		}
	}
	timer := time.NewTimer(max(wait, 0))
	defer timer.Stop()
	select {
	case <-l.ctx.Done():
		return ebiten.Termination
	case <-l.news:
		l.asked = true
		l.gather()
	case <-l.exposed:
		l.asked, l.stale = true, true
	case <-timer.C:
	}
	return nil
}

// gatherFor is how long news waits for more. What a press changes and what its
// record on disk changes come a few milliseconds apart: to paint the first alone
// would keep the second waiting for a whole frame.
const gatherFor = 6 * time.Millisecond

// gather waits for a second announcement to come with the first.
func (l *loop) gather() {
	timer := time.NewTimer(gatherFor)
	defer timer.Stop()
	select {
	case <-l.ctx.Done():
	case <-l.news:
	case <-timer.C:
	}
}

// Draw prepares the picture when the window does not show it yet. That the
// offscreen image is touched makes ebiten show a frame.
func (l *loop) Draw(offscreen *ebiten.Image) {
	if !l.stale || l.dark {
		return
	}
	w, h := l.options.Rotation.Size(l.w, l.h)
	l.canvas.prepare(l.ops, placing{l.options.Rotation, w, h, l.shift})
	offscreen.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image).Fill(color.Black)
	l.stale = false
	l.frames.Add(1)
	l.shows.Store(true)
}

// DrawFinalScreen lays the picture straight into the window: the way through an
// image of the same size would cost as much again as an empty frame.
func (l *loop) DrawFinalScreen(screen ebiten.FinalScreen, _ *ebiten.Image, _ ebiten.GeoM) {
	l.canvas.lay(screen)
}
