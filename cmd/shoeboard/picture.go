package main

import (
	"time"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/look"
	"shoeboard/cmd/shoeboard/stamp"
	"shoeboard/display/plain"
	"shoeboard/stats"
)

// pictureFlags are the flags of the verbs that draw into a file.
type pictureFlags struct {
	Languages []string `help:"One or two languages." default:"en,zh-Hant"`
	Theme     string   `help:"Theme: dark, light, colour-blind, high-contrast." default:"dark"`
	Width     int      `help:"Pixels of the unrotated picture." default:"1920"`
	Height    int      `help:"Pixels of the unrotated picture." default:"1080"`
	Rotation  int      `help:"Degrees clockwise." enum:"0,90,180,270" default:"0"`
}

func (f pictureFlags) screen() config.Screen {
	s := config.Default().Screens[0]
	s.Languages, s.Theme, s.Rotation = f.Languages, f.Theme, f.Rotation
	return s
}

// draw writes the picture of a board as a PNG, with a small word in its corner.
func (f pictureFlags) draw(path string, b *stats.Board, corner string) error {
	l, err := look.New(f.screen())
	if err != nil {
		return err
	}
	l.View.Corner, l.View.W, l.View.H = corner, f.Width, f.Height
	l.View.Wall = time.Now().In(config.Location(b.Zone, time.Local))
	return l.Write(path, b)
}

func plainNow(b *stats.Board) plain.Now {
	c := stamp.NewClock(1, false)
	return plain.Now{Boot: c.Boot, Mono: c.Mono(), Wall: time.Now().In(config.Location(b.Zone, time.Local))}
}
