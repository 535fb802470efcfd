package scene

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"shoeboard/assets"
)

// Face is one font file: one family at one weight. It may be used by several
// goroutines at once.
type Face struct {
	Family string
	Weight Weight

	mu   sync.Mutex // font.Face fills its caches while it is read
	font *font.Face
	upem float32
}

func newFace(f assets.Font) (*Face, error) {
	parsed, err := font.ParseTTF(bytes.NewReader(f.Data))
	if err != nil {
		return nil, fmt.Errorf("font %s %d: %w", f.Family, f.Weight, err)
	}
	return &Face{Family: f.Family, Weight: Weight(f.Weight), font: parsed, upem: float32(parsed.Upem())}, nil
}

// Outline appends the contour of a glyph to dst and returns it: segments in
// font units with y up, Upem of them to the em. A blank glyph adds nothing.
func (f *Face) Outline(dst []opentype.Segment, gid uint32) []opentype.Segment {
	f.mu.Lock()
	defer f.mu.Unlock()
	if o, ok := f.font.GlyphDataOutline(font.GID(gid)); ok {
		return append(dst, o.Segments...)
	}
	return dst
}

// Upem returns the font units to the em.
func (f *Face) Upem() float32 { return f.upem }

// has reports whether the face has a glyph for r. The caller holds mu.
func (f *Face) has(r rune) bool {
	_, ok := f.font.NominalGlyph(r)
	return ok
}

// ink returns what a glyph covers in font units, y down. The caller holds mu.
func (f *Face) ink(gid font.GID) Box {
	e, ok := f.font.GlyphExtents(gid)
	if !ok || e.Width == 0 || e.Height == 0 {
		return Box{}
	}
	return Box{e.XBearing, -e.YBearing, e.XBearing + e.Width, -e.YBearing - e.Height}
}
