package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/view"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// screenVerbs are the screen and its test. Without a word of its own the verb is the
// screen, as the unit starts it.
type screenVerbs struct {
	Show screenVerb     `cmd:"" default:"withargs" help:"Show the board of the core on this unit (the default)."`
	Test screenTestVerb `cmd:"" help:"Step through test pages: edges, rotation, colours, pixels, languages."`
}

type screenVerb struct {
	Name   string `help:"Name of the [[screen]]; the default is the first." placeholder:"NAME"`
	Window bool   `help:"Use a window instead of the whole screen."`
	Output string `help:"Use the monitor of this output, by its xrandr name." placeholder:"HDMI-2"`
	socketFlag
}

// Run shows the board of the core on this unit until it is told to stop. The core
// may come and go: the screen waits for it and says so. After three failed starts in a
// row it starts with the built-in look, and says that as well.
func (v *screenVerb) Run(ctx context.Context, p *program, all *verbs) error {
	count := watchdog.Starts(os.Getenv("RUNTIME_DIRECTORY"))
	failed, err := count.Begin()
	p.warn("safe start", err)
	cfg, err := p.ofTable(all.Config)
	presenter, s, err := v.presenter(cfg, err, failed)
	if err != nil {
		return err
	}
	if presenter.Fault != nil {
		p.log.Warn(presenter.Fault.Text)
	}
	healthy := func() { p.warn("starts", count.Healthy()) }
	data := p.dataFolder("", all.Config)
	client := localapi.Client{Path: cmp.Or(v.Socket, cfg.Socket, config.Default().Socket)}
	w := view.Window{Presenter: presenter, Screen: s, Full: !v.Window && s.Fullscreen,
		Healthy: healthy, Boards: client.Boards,
		HasMoved: func(b *stats.Board) bool { return hasMoved(b, cfg.Table, data) }, Drawn: client.Drawn}
	if err := w.Show(ctx, p.log); err != nil {
		return err
	}
	healthy()
	return nil
}

// hasMoved reports whether the unit stands at another table than number, at which this
// screen started: core and data folder both say so. Where only one of them does, a new
// start would change nothing yet. Without any configuration number is "".
func hasMoved(b *stats.Board, number, data string) bool {
	if number == "" || b.Table == number {
		return false
	}
	now, _ := datadir.TableOf(data)
	return now == b.Table
}

// presenter returns what this start shows boards with: the [[screen]] as the
// configuration has it, or its built-in look in a safe start. bad is what is wrong with
// the configuration.
func (v *screenVerb) presenter(cfg config.Config, bad error, failed int) (*view.Presenter, config.Screen, error) {
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
	return &view.Presenter{Setup: l, Clock: clock.New(1, false), Fault: fault}, s, nil
}

// safeScreen returns a screen with nothing in it that may keep it from starting: where it
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
	return config.Screen{}, wrongUse("--name %s: expected a [[screen]] of the configuration, one of %s",
		name, strings.Join(known, ", "))
}
