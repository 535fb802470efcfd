package main

import (
	"fmt"
	"image/png"
	"sync"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/assets"
	"shoeboard/cmd/shoeboard/config"
	"shoeboard/cmd/shoeboard/stamp"
	"shoeboard/display/paint"
	"shoeboard/display/plain"
	"shoeboard/display/scene"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// look is how a screen shows boards: fonts, languages, theme, and which way up on
// which monitor.
type look struct {
	view     scene.View
	rotation paint.Rotation
	output   string // of the monitor, empty for any
	house    pictureFolder
}

// newLook is the look of a [[screen]].
func newLook(s config.Screen) (look, error) {
	fonts, err := scene.NewFonts(assets.Fonts())
	if err != nil {
		return look{}, err
	}
	words, err := scene.Catalogues()
	if err != nil {
		return look{}, err
	}
	theme, ok := scene.ThemeNamed(s.Theme)
	if !ok {
		return look{}, fmt.Errorf("theme %q is not known", s.Theme)
	}
	v := scene.View{Theme: theme, Fonts: fonts, Beads: beadStyle(s.BeadStyle), Naturals: s.NaturalMarks, BarTop: s.PhaseBar == "top"}
	for i, code := range s.Languages {
		c, ok := words[scene.Lang(code)]
		switch {
		case !ok:
			return look{}, fmt.Errorf("language %q is not known", code)
		case i == 0:
			v.First = c
		case i == 1:
			v.Second = c
		}
	}
	return look{view: v, rotation: paint.Rotation(s.Rotation / 90), house: readHouse(s.Pictures)}, nil
}

func beadStyle(name string) scene.BeadStyle {
	if name == "chinese" {
		return scene.Characters
	}
	return scene.BeadStyle(name)
}

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
	l, err := newLook(f.screen())
	if err != nil {
		return err
	}
	l.view.Corner, l.view.W, l.view.H = corner, f.Width, f.Height
	l.view.Wall = time.Now().In(zone(b.Zone))
	return l.write(path, b)
}

// write draws b as l shows it into a PNG, whole or not at all.
func (l look) write(path string, b *stats.Board) error {
	img := paint.New().Frame(scene.Build(b, l.view), l.view.W, l.view.H, l.rotation)
	out, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer out.Cleanup()
	if err := png.Encode(out, img); err != nil {
		return err
	}
	return out.CloseAtomicallyReplace()
}

func zone(name string) *time.Location {
	if name == "" {
		return time.Local
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return time.Local
	}
	return l
}

func plainNow(b *stats.Board) plain.Now {
	c := stamp.NewClock(1, false)
	return plain.Now{Boot: c.Boot, Mono: c.Mono(), Wall: time.Now().In(zone(b.Zone))}
}

// gallery makes the pictures of a screen from the boards that come in.
type gallery struct {
	look  look
	clock *stamp.Clock

	mu     sync.Mutex
	board  *stats.Board
	lost   bool
	newest time.Duration // when the newest hand was first shown
	qr     qrCache
}

// take keeps what came from the core.
func (g *gallery) take(u localapi.Update) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lost = u.Err != nil
	if u.Board == nil {
		return
	}
	if g.board != nil && newHand(g.board, u.Board) {
		g.newest = g.clock.Mono()
	}
	g.board = u.Board
}

// newHand says whether b has a hand more than a.
func newHand(a, b *stats.Board) bool {
	return b.Shoe.Hands > a.Shoe.Hands || b.Shoe.Number != a.Shoe.Number && b.Shoe.Hands > 0 && a.Shoe.Hands != b.Shoe.Hands
}

// picture is what display asks for.
func (g *gallery) picture(w, h int) ([]scene.Op, time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.look.view
	v.W, v.H, v.Boot, v.Now, v.Newest = w, h, g.clock.Boot, g.clock.Mono(), g.newest
	b := g.board
	if b == nil {
		b, v.Waiting = &stats.Board{Phase: "table-closed"}, true
	}
	v.Waiting = v.Waiting || g.lost
	v.Wall = time.Now().In(zone(b.Zone))
	v.QR, v.House = g.qr.of(b.StatusLine), g.look.house.at(v.Now)
	ops := scene.Build(b, v)
	next, ok := scene.NextChange(b, v)
	if !ok {
		return ops, 0
	}
	return ops, max(time.Millisecond, time.Duration(float64(next)/g.clock.Speed))
}
