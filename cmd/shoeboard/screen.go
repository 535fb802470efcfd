package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"log/slog"

	"shoeboard/cmd/shoeboard/alive"
	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/look"
	"shoeboard/cmd/shoeboard/stamp"
	"shoeboard/display"
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
	l, err := look.New(s)
	if err != nil {
		return err
	}
	l.Output = v.Output
	g := &look.Gallery{Look: l, Clock: stamp.NewClock(1, false)}
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
func show(ctx context.Context, log *slog.Logger, g *look.Gallery, s config.Screen, full bool, keys func(display.Key), boards func(context.Context) iter.Seq[localapi.Update]) error {
	ctx, cancel := context.WithCancel(ctx)
	seen := alive.NewWitness()
	for _, err := range g.Look.House.Troubles {
		log.Warn("picture passed over", "err", err)
	}
	screen := display.New(display.Options{
		Title: "Shoeboard", Fullscreen: full, Width: s.Size.Width, Height: s.Size.Height,
		Rotation: g.Look.Rotation, Picture: seen.Picture(look.WatchPanel(log, s, full, g)), Keys: keys,
		Output: g.Look.Output, Shift: look.PixelShift(s),
	})
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		for u := range boards(ctx) {
			g.Take(u)
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
