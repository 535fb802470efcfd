package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"strings"
	"sync"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/stamp"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/view"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/display"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// screenVerbs are the screen and its test. Without a word of its own the verb is the
// screen, as the unit starts it.
type screenVerbs struct {
	Show screenVerb     `cmd:"" default:"withargs" help:"Shows the board of the core on this unit (the default)."`
	Test screenTestVerb `cmd:"" help:"Steps through test pages on the unit's screens: edges, rotation, colours, pixels, every language."`
}

type screenVerb struct {
	Name   string `help:"Name of the [[screen]]; without it the first." placeholder:"NAME"`
	Window bool   `help:"In a window instead of the whole screen."`
	Output string `help:"The output whose monitor is used, as xrandr calls it; without it the configuration's." placeholder:"HDMI-2"`
	socketFlag
}

// Run shows the board of the core on this unit until it is told to stop. The core
// may come and go: the screen waits for it and says so. After three failed starts in a
// row it starts with the built-in look, and says that as well.
func (v *screenVerb) Run(ctx context.Context, p *program, all *verbs) error {
	count := watchdog.StartsIn(os.Getenv("RUNTIME_DIRECTORY"))
	failed, err := count.Begin()
	p.warn("safe start", err)
	cfg, err := p.ofTable(all.Config)
	g, s, err := v.gallery(cfg, err, failed)
	if err != nil {
		return err
	}
	if g.Fault != nil {
		p.log.Warn(g.Fault.Text)
	}
	well := func() { p.warn("starts", count.Well()) }
	data := p.dataFolder("", all.Config)
	client := localapi.Client{Path: cmp.Or(v.Socket, cfg.Socket, config.Default().Socket)}
	w := window{gallery: g, screen: s, full: !v.Window && s.Fullscreen, well: well, boards: client.Boards,
		moved: func(b *stats.Board) bool { return moved(b, cfg.Table, data) }, drawn: client.Drawn}
	if err := w.show(ctx, p.log); err != nil {
		return err
	}
	well()
	return nil
}

// moved says that the unit stands at another table than number, at which this screen
// started: core and data folder both say so. Where only one of them does, a new start
// would change nothing, or not yet. Without any configuration number is "".
func moved(b *stats.Board, number, data string) bool {
	if number == "" || b.Table == number {
		return false
	}
	now, _ := transfer.TableOf(data)
	return now == b.Table
}

// gallery is what this start shows the board with: the [[screen]] as the configuration
// has it, or its built-in look in a safe start. bad is what is wrong with the
// configuration.
func (v *screenVerb) gallery(cfg config.Config, bad error, failed int) (*view.Gallery, config.Screen, error) {
	s, err := screenNamed(cfg, v.Name)
	if bad != nil {
		err = bad
	}
	var fault *stats.Fault
	if failed >= watchdog.FailedStarts {
		s, err = safeScreen(cfg, s), nil
		fault = &stats.Fault{Code: "screen-safe", Staff: true,
			Text: fmt.Sprintf("The screen has its built-in look after %d failed starts. Call a technician", failed)}
	}
	if err != nil {
		return nil, s, err
	}
	l, err := view.New(s)
	if err != nil {
		return nil, s, err
	}
	l.Output = cmp.Or(v.Output, s.Output)
	return &view.Gallery{Look: l, Clock: stamp.NewClock(1, false), Fault: fault}, s, nil
}

// safeScreen is a screen with nothing in it that may keep it from starting: where it
// hangs and which languages it speaks, and the look that is built in. s is the
// configured one, empty if there is none of that name.
func safeScreen(cfg config.Config, s config.Screen) config.Screen {
	safe := config.Default().Screens[0]
	if s.Name == "" && len(cfg.Screens) > 0 {
		s = cfg.Screens[0]
	}
	if s.Name == "" { // no configuration at all
		return safe
	}
	safe.Name, safe.Languages, safe.Rotation = s.Name, s.Languages, s.Rotation
	safe.Output, safe.Inches, safe.Fullscreen = s.Output, s.Inches, s.Fullscreen
	return safe
}

func screenNamed(cfg config.Config, name string) (config.Screen, error) {
	var known []string
	for _, s := range cfg.Screens {
		if name == "" || s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return config.Screen{}, wrongUse("--name %s: expected a [[screen]] of the configuration, one of %s", name, strings.Join(known, ", "))
}

// window is a window with boards in it.
type window struct {
	gallery *view.Gallery
	screen  config.Screen
	full    bool              // over the whole monitor
	keys    func(display.Key) // nil: the keyboard is of no interest
	well    func()            // this start has come to something; nil: nobody counts
	boards  func(context.Context) iter.Seq[localapi.Update]
	moved   func(*stats.Board) bool     // the board is of another table; nil: none is
	drawn   func(context.Context) error // tells the core that the board is on the screen; nil: there is no core
}

// feed takes boards until ctx ends or one is of another table: what that table's screen
// looks like is found out by a new start.
func (w window) feed(ctx context.Context, log *slog.Logger, refresh func()) {
	for u := range w.boards(ctx) {
		if u.Board != nil && w.moved != nil && w.moved(u.Board) {
			log.Info("The unit stands at another table now. The screen ends, to start again as that table's.", "table", u.Board.Table)
			return
		}
		w.gallery.Take(u)
		refresh()
	}
}

// show opens the window and feeds it with boards until ctx ends or the unit stands at
// another table.
func (w window) show(ctx context.Context, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	seen := watchdog.NewWitness()
	for _, err := range w.gallery.Look.House.Troubles {
		log.Warn("picture passed over", "err", err)
	}
	screen := display.New(display.Options{
		Title: "Shoeboard", Fullscreen: w.full, Width: w.screen.Size.Width, Height: w.screen.Size.Height,
		Rotation: w.gallery.Look.Rotation, Picture: seen.Picture(view.WatchPanel(log, w.screen, w.full, w.gallery)), Keys: w.keys,
		Output: w.gallery.Look.Output, Shift: view.PixelShift(w.screen),
	})
	var beside sync.WaitGroup
	beside.Go(func() {
		w.feed(ctx, log, screen.Refresh)
		cancel()
	})
	beside.Go(func() { seen.Pulse(ctx, log, screen.Refresh, w.well) })
	if w.drawn != nil {
		shows := func() bool { return screen.Shows() && w.gallery.Current() }
		beside.Go(func() { seen.Tell(ctx, log, screen.Refresh, shows, w.drawn) })
	}
	err := screen.Run(ctx)
	cancel()
	beside.Wait()
	log.Info("window closed", "frames", screen.Frames())
	return err
}
