package main

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/view"
	"shoeboard/display/termview"
	"shoeboard/stats"
)

// pictureFlags are the flags of the verbs that draw into a file.
type pictureFlags struct {
	Languages []string `help:"One or two: ${enum}." default:"en,zh-Hant" enum:"en,zh-Hant,zh-Hans,vi,ko,es,tl"`
	Theme     string   `help:"Theme: ${enum}." default:"dark" enum:"dark,light,colour-blind,high-contrast"`
	Width     int      `help:"Pixels of the unrotated picture." default:"1920"`
	Height    int      `help:"Pixels of the unrotated picture." default:"1080"`
	Rotation  int      `help:"Degrees clockwise." enum:"0,90,180,270" default:"0"`
}

// check expects a picture that can be drawn and languages that fit on it.
func (f pictureFlags) check() error {
	if n := len(f.Languages); n > 2 || n == 2 && f.Languages[0] == f.Languages[1] {
		return wrongUse("--languages %s: expected one or two different ones, such as en,zh-Hant",
			strings.Join(f.Languages, ","))
	}
	var size config.Size
	if text := fmt.Sprintf("%dx%d", f.Width, f.Height); size.UnmarshalText([]byte(text)) != nil {
		return wrongUse("--width %d --height %d: expected a size from 800x480 to 8192x8192 such as 1920x1080",
			f.Width, f.Height)
	}
	return nil
}

func (f pictureFlags) screen() config.Screen {
	s := config.Default().Screens[0]
	s.Languages, s.Theme, s.Rotation = f.Languages, f.Theme, f.Rotation
	return s
}

// draw writes the picture of a board as a PNG, with a small word in its corner.
func (f pictureFlags) draw(path string, b *stats.Board, corner string) error {
	l, err := view.New(f.screen())
	if err != nil {
		return err
	}
	l.View.Corner, l.View.W, l.View.H = corner, f.Width, f.Height
	l.View.Wall = time.Now().In(config.Location(b.Zone, time.Local))
	return l.Write(path, b)
}

func termNow(b *stats.Board) termview.Now {
	c := clock.New(1, false)
	return termview.Now{Boot: c.Boot, Mono: c.Mono(), Wall: time.Now().In(config.Location(b.Zone, time.Local))}
}
