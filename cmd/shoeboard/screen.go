package main

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"iter"
	"log/slog"
	"math"
	"time"

	"shoeboard/cmd/shoeboard/alive"
	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/stamp"
	"shoeboard/display"
	"shoeboard/display/scene"
	"shoeboard/tracker/localapi"
)

type screenVerb struct {
	Name   string `help:"Name of the [[screen]]; without it the first." placeholder:"NAME"`
	Socket string `help:"Socket of the core; without it the configuration's." type:"path" placeholder:"PATH"`
	Window bool   `help:"In a window instead of the whole screen."`
	Output string `help:"The output whose monitor is used, as xrandr calls it; without it any." placeholder:"HDMI-2"`
}

// Run shows the board of the core on this unit until it is told to stop. The core
// may come and go: the screen waits for it and says so.
func (v *screenVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, _, err := p.loadConfig(all.Config, "")
	if err != nil {
		return err
	}
	s, err := screenNamed(cfg, v.Name)
	if err != nil {
		return err
	}
	l, err := newLook(s)
	if err != nil {
		return err
	}
	l.output = v.Output
	g := &gallery{look: l, clock: stamp.NewClock(1, false)}
	client := localapi.Client{Path: cmp.Or(v.Socket, cfg.Socket)}
	return show(ctx, p.log, g, s, !v.Window && s.Fullscreen, nil, client.Boards)
}

func screenNamed(cfg config.Config, name string) (config.Screen, error) {
	for _, s := range cfg.Screens {
		if name == "" || s.Name == name {
			return s, nil
		}
	}
	return config.Screen{}, fmt.Errorf("screen %q: the configuration has no such [[screen]]", name)
}

// show opens the window and feeds it with what boards gives until ctx ends.
func show(ctx context.Context, log *slog.Logger, g *gallery, s config.Screen, full bool, keys func(display.Key), boards func(context.Context) iter.Seq[localapi.Update]) error {
	ctx, cancel := context.WithCancel(ctx)
	seen := alive.NewWitness()
	for _, err := range g.look.house.troubles {
		log.Warn("picture passed over", "err", err)
	}
	screen := display.New(display.Options{
		Title: "Shoeboard", Fullscreen: full, Width: s.Size.Width, Height: s.Size.Height,
		Rotation: g.look.rotation, Picture: seen.Picture(watchPanel(log, s, full, g)), Keys: keys,
		Output: g.look.output, Shift: pixelShift(s),
	})
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		for u := range boards(ctx) {
			g.take(u)
			screen.Refresh()
		}
	}()
	go seen.Pulse(ctx, log, screen.Refresh)
	err := screen.Run(ctx)
	cancel()
	<-fed
	log.Info("window closed", "frames", screen.Frames())
	return err
}

// pixelShift is how many pixels to each side a picture moves that is to leave no
// marks on its panel: more than a thin line is wide, less than any margin.
func pixelShift(s config.Screen) int {
	if s.PixelShift {
		return 4
	}
	return 0
}

// settledIn is how long a panel must have had its size: a window that is opening
// and a monitor that wakes up change theirs a few times.
const settledIn = 3 * time.Second

// watchPanel is g's picture function; it logs what is wrong with the panel, once
// for each size.
func watchPanel(log *slog.Logger, s config.Screen, full bool, g *gallery) func(w, h int) ([]scene.Op, time.Duration) {
	var size image.Point
	var since time.Time
	told := false
	return func(w, h int) ([]scene.Op, time.Duration) {
		if pw, ph := g.look.rotation.Size(w, h); size != image.Pt(pw, ph) {
			size, since, told = image.Pt(pw, ph), time.Now(), false
		}
		if full && !told && time.Since(since) >= settledIn {
			told = true
			for _, fault := range panelFaults(s, size.X, size.Y) {
				log.Warn("screen", "name", s.Name, "fault", fault)
			}
		}
		return g.picture(w, h)
	}
}

// panelFaults are what a technician should know of a panel of w x h pixels that
// shows a [[screen]].
func panelFaults(s config.Screen, w, h int) (faults []string) {
	if want := s.Size; want != (config.Size{}) && (want.Width != w || want.Height != h) {
		faults = append(faults, fmt.Sprintf("the monitor shows %dx%d, the configuration wants %s: another cable or socket, or size = \"auto\"", w, h, want))
	}
	if far := readFrom(s.Inches, w, h); far < 0.98*readFrom(27, 1920, 1080) {
		faults = append(faults, fmt.Sprintf("the panel is too small (screen_inches = %d, %dx%d): the phase is to be read from %.1f m, not from 8 m: expected 27 inches or more", s.Inches, w, h, far))
	}
	return faults
}

// readFrom is from how many metres the phase can be read on a panel of so many
// inches: from 8 m on one of 27 inches, for which the board's measures are given.
func readFrom(inches, w, h int) float64 {
	base := min(float64(w)/1920, float64(h)/1080)
	if h > w {
		base = min(float64(w)/1080, float64(h)/1920)
	}
	const metres, reference = 8, 27 / 2202.9 // the diagonal of 1920x1080 in pixels
	return metres * base * float64(inches) / math.Hypot(float64(w), float64(h)) / reference
}
