// Package view is the screen process: it draws the newest board in the window of a
// [[screen]], and tells the service manager and the core whether that works.
//
// A caller may assume that a Presenter may be fed and shown by two goroutines
// at once, that it never waits, and that a picture says when it is no longer right. A
// monitor or a slide that is wrong is reported and stops nothing.
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
	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// Setup says how a screen shows boards.
type Setup struct {
	View     scene.View // fonts, languages, theme
	Rotation paint.Rotation
	Output   string // whose monitor is used; empty: any
	Slides   Slides // of the house
}

// New returns the Setup of a [[screen]].
func New(s config.Screen) (Setup, error) {
	fonts, err := scene.NewFonts(assets.Fonts())
	if err != nil {
		return Setup{}, err
	}
	words, err := scene.Catalogues()
	if err != nil {
		return Setup{}, err
	}
	theme, ok := scene.ThemeNamed(s.Theme)
	if !ok {
		return Setup{}, fmt.Errorf("theme %q is not known", s.Theme)
	}
	beads := scene.BeadStyle(s.BeadStyle)
	if s.BeadStyle == "chinese" {
		beads = scene.Characters
	}
	v := scene.View{Rotation: s.Rotation, Theme: theme, Fonts: fonts, Beads: beads, Naturals: s.NaturalMarks,
		BarTop: s.PhaseBar == "top"}
	for i, code := range s.Languages {
		c, ok := words[scene.Lang(code)]
		switch {
		case !ok:
			return Setup{}, fmt.Errorf("language %q is not known", code)
		case i == 0:
			v.First = c
		case i == 1:
			v.Second = c
		}
	}
	return Setup{v, paint.Rotation(s.Rotation / 90), s.Output, readSlides(s.Pictures)}, nil
}

// Write draws b into a PNG, whole or not at all.
func (s Setup) Write(path string, b *stats.Board) error {
	return WritePNG(path, paint.New().Frame(scene.Build(b, s.View), s.View.W, s.View.H, s.Rotation))
}

// WritePNG writes a picture, whole or not at all.
func WritePNG(path string, img image.Image) error {
	out, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil { // it names renameio's temporary file
		return fmt.Errorf("%s cannot be written: %w", path, cmp.Or(errors.Unwrap(err), err))
	}
	defer out.Cleanup()
	if err := png.Encode(out, img); err != nil {
		return err
	}
	return out.CloseAtomicallyReplace()
}

// Presenter keeps the newest board and makes the window's pictures of it.
type Presenter struct {
	Setup Setup
	Clock *clock.Clock
	Fault *stats.Fault // of the screen itself, shown beside the board's; nil: none

	mu     sync.Mutex
	board  *stats.Board
	lost   bool          // the core
	newest time.Duration // when the newest hand was first shown
	qr     qrCache
}

// IsCurrent reports whether the picture is the core's board as it is now, and not words
// about a core that is lost or whose boards this program cannot read.
func (p *Presenter) IsCurrent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.board != nil && !p.lost
}

// Update keeps what came from the core.
func (p *Presenter) Update(u localapi.Update) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = u.Err != nil
	if u.Board == nil {
		return
	}
	if p.board != nil && hasNewHand(p.board, u.Board) {
		p.newest = p.Clock.Mono()
	}
	p.board = u.Board
}

// hasNewHand reports whether b has a hand more than a.
func hasNewHand(a, b *stats.Board) bool {
	return b.Shoe.Hands > a.Shoe.Hands ||
		b.Shoe.Number != a.Shoe.Number && b.Shoe.Hands > 0 && a.Shoe.Hands != b.Shoe.Hands
}

// Picture returns the picture for w x h pixels and how long it stays right; 0: until the
// next Update.
func (p *Presenter) Picture(w, h int) ([]scene.Op, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.Setup.View
	v.W, v.H, v.Boot, v.Now, v.Newest = w, h, p.Clock.Boot, p.Clock.Mono(), p.newest
	b := p.board
	if b == nil {
		b, v.Waiting = &stats.Board{Phase: "table-closed"}, true
	}
	if p.Fault != nil {
		own := *b
		own.Faults = append(slices.Clone(b.Faults), *p.Fault)
		b = &own
	}
	v.Waiting = v.Waiting || p.lost
	v.Wall = time.Now().In(config.Location(b.Zone, time.Local))
	v.QR, v.House = p.qr.of(b.StatusLine), p.Setup.Slides.at(v.Now)
	ops := scene.Build(b, v)
	next, ok := scene.NextChange(b, v)
	if !ok {
		return ops, 0
	}
	return ops, max(time.Millisecond, time.Duration(float64(next)/p.Clock.Speed))
}
