// Package view makes the pictures of a screen from the boards that come in.
//
// Words: a look is how a screen shows boards (fonts, languages, theme, which way up, on
// which monitor, the house's own pictures); a gallery keeps the newest board and is
// what the window asks for a picture.
//
// A caller may assume that a Gallery may be used by whoever feeds it and by the window
// at once, that it never waits, and that a picture says when it is no longer right.
// What is wrong with a panel or with a house's picture is told and stops nothing.
package view

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/png"
	"slices"
	"sync"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/assets"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/stamp"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// Look is how a screen shows boards: fonts, languages, theme, and which way up on
// which monitor.
type Look struct {
	View     scene.View
	Rotation paint.Rotation
	Output   string // of the monitor, empty for any
	House    Folder
}

// New is the look of a [[screen]].
func New(s config.Screen) (Look, error) {
	fonts, err := scene.NewFonts(assets.Fonts())
	if err != nil {
		return Look{}, err
	}
	words, err := scene.Catalogues()
	if err != nil {
		return Look{}, err
	}
	theme, ok := scene.ThemeNamed(s.Theme)
	if !ok {
		return Look{}, fmt.Errorf("theme %q is not known", s.Theme)
	}
	v := scene.View{Rotation: s.Rotation, Theme: theme, Fonts: fonts, Beads: beadStyle(s.BeadStyle), Naturals: s.NaturalMarks, BarTop: s.PhaseBar == "top"}
	for i, code := range s.Languages {
		c, ok := words[scene.Lang(code)]
		switch {
		case !ok:
			return Look{}, fmt.Errorf("language %q is not known", code)
		case i == 0:
			v.First = c
		case i == 1:
			v.Second = c
		}
	}
	return Look{View: v, Rotation: paint.Rotation(s.Rotation / 90), Output: s.Output, House: readHouse(s.Pictures)}, nil
}

func beadStyle(name string) scene.BeadStyle {
	if name == "chinese" {
		return scene.Characters
	}
	return scene.BeadStyle(name)
}

// Write draws b as l shows it into a PNG, whole or not at all.
func (l Look) Write(path string, b *stats.Board) error {
	return WritePNG(path, paint.New().Frame(scene.Build(b, l.View), l.View.W, l.View.H, l.Rotation))
}

// WritePNG writes a picture, whole or not at all.
func WritePNG(path string, img image.Image) error {
	out, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil { // it names a file that only renameio knows
		return fmt.Errorf("%s cannot be written: %w", path, cmp.Or(errors.Unwrap(err), err))
	}
	defer out.Cleanup()
	if err := png.Encode(out, img); err != nil {
		return err
	}
	return out.CloseAtomicallyReplace()
}

// Gallery makes the pictures of a screen from the boards that come in.
type Gallery struct {
	Look  Look
	Clock *stamp.Clock
	Fault *stats.Fault // of the screen itself, shown beside the board's; nil: none

	mu     sync.Mutex
	board  *stats.Board
	lost   bool
	newest time.Duration // when the newest hand was first shown
	qr     qrCache
}

// Current reports whether the picture is the core's board as it is now, and not words on
// a core that is lost or whose boards this program cannot read.
func (g *Gallery) Current() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.board != nil && !g.lost
}

// Take keeps what came from the core.
func (g *Gallery) Take(u localapi.Update) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lost = u.Err != nil
	if u.Board == nil {
		return
	}
	if g.board != nil && newHand(g.board, u.Board) {
		g.newest = g.Clock.Mono()
	}
	g.board = u.Board
}

// newHand says whether b has a hand more than a.
func newHand(a, b *stats.Board) bool {
	return b.Shoe.Hands > a.Shoe.Hands || b.Shoe.Number != a.Shoe.Number && b.Shoe.Hands > 0 && a.Shoe.Hands != b.Shoe.Hands
}

// Picture is what display asks for.
func (g *Gallery) Picture(w, h int) ([]scene.Op, time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.Look.View
	v.W, v.H, v.Boot, v.Now, v.Newest = w, h, g.Clock.Boot, g.Clock.Mono(), g.newest
	b := g.board
	if b == nil {
		b, v.Waiting = &stats.Board{Phase: "table-closed"}, true
	}
	if g.Fault != nil {
		own := *b
		own.Faults = append(slices.Clone(b.Faults), *g.Fault)
		b = &own
	}
	v.Waiting = v.Waiting || g.lost
	v.Wall = time.Now().In(config.Location(b.Zone, time.Local))
	v.QR, v.House = g.qr.of(b.StatusLine), g.Look.House.at(v.Now)
	ops := scene.Build(b, v)
	next, ok := scene.NextChange(b, v)
	if !ok {
		return ops, 0
	}
	return ops, max(time.Millisecond, time.Duration(float64(next)/g.Clock.Speed))
}
