package main

import (
	"context"
	"fmt"
	"iter"
	"log/slog"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/display"
	"shoeboard/tracker/localapi"
)

type screenVerb struct {
	Name   string `help:"Name of the [[screen]]; without it the first." placeholder:"NAME"`
	Socket string `help:"Socket of the core; without it the configuration's." type:"path" placeholder:"PATH"`
	Window bool   `help:"In a window instead of the whole screen."`
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
	g := &gallery{look: l, clock: newClock(1, false)}
	client := localapi.Client{Path: or(v.Socket, cfg.Socket)}
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
	seen := newWitness()
	screen := display.New(display.Options{
		Title: "Shoeboard", Fullscreen: full, Width: s.Size.Width, Height: s.Size.Height,
		Rotation: g.look.rotation, Picture: seen.picture(g.picture), Keys: keys,
	})
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		for u := range boards(ctx) {
			g.take(u)
			screen.Refresh()
		}
	}()
	go seen.pulse(ctx, log, screen.Refresh)
	err := screen.Run(ctx)
	cancel()
	<-fed
	log.Info("window closed", "frames", screen.Frames())
	return err
}
