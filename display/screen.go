package display

import (
	"context"
	"fmt"
	"image"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"shoeboard/display/paint"
	"shoeboard/display/scene"
)

// Options say what a Screen shows and where.
type Options struct {
	Title         string
	Fullscreen    bool // else a window of Width x Height device-independent pixels
	Width, Height int  // 1280 x 720 when zero
	Rotation      paint.Rotation
	Output        string // whose monitor is to be used, as xrandr calls it: "HDMI-2"; empty: any
	Shift         int    // pixels that the picture may move to each side in the course of hours

	// Picture returns the picture for an unrotated screen of w x h pixels, and
	// how long it stays right by itself: until the countdown's next second, the
	// clock's next minute. Zero or less is for ever. It is called after Refresh,
	// after that time, and when the size has changed, always from one goroutine.
	// The ops must not be changed afterwards.
	Picture func(w, h int) (ops []scene.Op, next time.Duration)

	// Keys is called for every edge of a key while the window has the keyboard,
	// from one goroutine; it must not wait for the picture. Nil when the
	// keyboard is of no interest.
	Keys func(Key)
}

// Screen is a window with a picture in it.
type Screen struct {
	options Options
	news    chan struct{} // there may be a new picture
	exposed chan struct{} // the window may have lost what it shows
	frames  atomic.Uint64
	shows   atomic.Bool // the last picture was laid into a window on a monitor
	canvas  canvas

	ctx  context.Context
	pace pace

	w, h  int // of the panel, in pixels
	ops   []scene.Op
	shift image.Point
	due   time.Time // when the picture is to be asked for again, zero for never
	asked bool      // the picture is to be asked for now
	stale bool      // the window does not show ops yet
	dark  bool      // there is no monitor
}

// New returns a Screen that Run will open.
func New(o Options) *Screen {
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = 1280, 720
	}
	return &Screen{
		options: o,
		news:    make(chan struct{}, 1),
		exposed: make(chan struct{}, 1),
		canvas:  newCanvas(),
		asked:   true,
	}
}

// Refresh says that there is a new picture. It never waits and may be called
// from anywhere, before Run as well.
func (s *Screen) Refresh() { announce(s.news) }

// announce never waits: one announcement that is waiting already says it as well.
func announce(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Frames returns how many pictures have been painted so far. It may be called
// from anywhere.
func (s *Screen) Frames() uint64 { return s.frames.Load() }

// Shows reports whether the window has been given a picture and stands on a monitor.
// It may be called from anywhere.
func (s *Screen) Shows() bool { return s.shows.Load() }

// Run opens the window, as soon as there is a monitor for it, and keeps it
// until ctx ends or somebody closes it (both nil). It returns an error when
// there is no display to show it on. It must be called on the main goroutine.
func (s *Screen) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	x, err := s.awaitMonitor()
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	go s.followWindow(x)
	ebiten.SetWindowTitle(s.options.Title)
	ebiten.SetWindowSize(s.options.Width, s.options.Height)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetFullscreen(s.options.Fullscreen)
	ebiten.SetCursorMode(ebiten.CursorModeHidden)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	name := &ebiten.RunGameOptions{X11ClassName: "shoeboard", X11InstanceName: "shoeboard"}
	err = ebiten.RunGameWithOptions((*loop)(s), name)
	return nowhere(os.Getenv("DISPLAY"), err)
}

// nowhere adds to why there is no window that nobody has said where.
func nowhere(display string, err error) error {
	if err == nil || display != "" {
		return err
	}
	return fmt.Errorf("there is no display here for a window (DISPLAY is not set): %w", err)
}

// awaitMonitor returns when there is a monitor for the window: without one ebiten
// would give up; the table screen waits. Without an X server there is no client.
func (s *Screen) awaitMonitor() (*xClient, error) {
	display := os.Getenv("DISPLAY")
	if display == "" {
		return nil, nil
	}
	x, err := openX(s.ctx, display)
	if err != nil {
		return nil, err
	}
	return x, x.awaitMonitor(s.ctx, s.options.Output)
}

// monitor returns the monitor that the window is to be on, nil when there is none.
func (o *Options) monitor() *ebiten.MonitorType {
	for _, m := range ebiten.AppendMonitors(nil) {
		if o.Output == "" || m.Name() == o.Output {
			return m
		}
	}
	return nil
}

// followWindow has the X server tell of keys and monitors until the screen ends or the
// server is gone.
func (s *Screen) followWindow(x *xClient) {
	if x == nil {
		return
	}
	_ = x.follow(s.ctx, watch{pid: os.Getpid(), key: s.options.Keys, changed: func() { announce(s.exposed) },
		cover: s.options.Fullscreen, output: s.options.Output}) // the window ends with the server, and says why
}

// ask fetches the picture when it is time, and notes whether it is a new one or
// stands elsewhere.
func (s *Screen) ask(now time.Time) {
	if s.w == 0 {
		return
	}
	if shift := shiftAt(now, s.options.Shift); shift != s.shift {
		s.shift, s.stale = shift, true
	}
	if !s.asked && (s.due.IsZero() || now.Before(s.due)) {
		return
	}
	s.asked, s.due = false, time.Time{}
	w, h := s.options.Rotation.Size(s.w, s.h)
	ops, next := s.options.Picture(w, h)
	if next > 0 {
		s.due = now.Add(next)
	}
	if !slices.Equal(ops, s.ops) {
		s.ops, s.stale = ops, true
	}
}
