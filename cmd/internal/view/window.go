package view

import (
	"context"
	"iter"
	"log/slog"
	"sync"

	"shoeboard/cmd/internal/config"
	"shoeboard/display"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// Window shows boards until it is told to stop.
type Window struct {
	Presenter *Presenter
	Screen    config.Screen
	Full      bool              // over the whole monitor
	Keys      func(display.Key) // nil: no keys are heard
	Healthy   func()            // called once this start counts as healthy; nil: nobody counts
	Boards    func(context.Context) iter.Seq[localapi.Update]
	HasMoved  func(*stats.Board) bool     // the board is of another table; nil: none is
	Drawn     func(context.Context) error // tells the core that its board is shown; nil: there is no core
}

// Show opens the window and feeds it with boards until ctx ends or the unit stands at
// another table.
func (w Window) Show(ctx context.Context, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	for _, err := range w.Presenter.Setup.Slides.Errors {
		log.Warn("picture ignored", "err", err)
	}
	probe := newProbe()
	screen := display.New(display.Options{
		Title: "Shoeboard", Fullscreen: w.Full, Width: w.Screen.Size.Width, Height: w.Screen.Size.Height,
		Rotation: w.Presenter.Setup.Rotation, Output: w.Presenter.Setup.Output,
		Shift: pixelShift(w.Screen), Keys: w.Keys,
		Picture: probe.picture(checkMonitor(log, w.Screen, w.Full, w.Presenter)),
	})
	var beside sync.WaitGroup
	beside.Go(func() {
		w.Feed(ctx, log, screen.Refresh)
		cancel()
	})
	beside.Go(func() { probe.pulse(ctx, log, screen.Refresh, w.Healthy) })
	if w.Drawn != nil {
		isShown := func() bool { return screen.Shows() && w.Presenter.IsCurrent() }
		beside.Go(func() { probe.tellCore(ctx, log, screen.Refresh, isShown, w.Drawn) })
	}
	err := screen.Run(ctx)
	cancel()
	beside.Wait()
	log.Info("window closed", "frames", screen.Frames())
	return err
}

// Feed passes boards on until ctx ends or one is of another table: a new start finds out
// how that table's screen looks.
func (w Window) Feed(ctx context.Context, log *slog.Logger, refresh func()) {
	for u := range w.Boards(ctx) {
		if u.Board != nil && w.HasMoved != nil && w.HasMoved(u.Board) {
			log.Info("The unit is at another table now. The screen restarts as that table's.", "table", u.Board.Table)
			return
		}
		w.Presenter.Update(u)
		refresh()
	}
}
