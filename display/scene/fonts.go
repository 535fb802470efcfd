package scene

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"

	"shoeboard/assets"
)

// runsKept bounds each of the two generations of shaped runs. A board shows
// some 300 texts; layouts that try sizes ask for a few times as many.
const runsKept = 2048

// Fonts shapes text. Families are tried in the order in which NewFonts was
// given them: a character is set in the first family that has it. Fonts may be
// used by several goroutines at once.
type Fonts struct {
	families [][]*Face // each sorted by weight
	capital  float32   // height of a capital in units of the first face
	han      float32   // ink height of 國 at 100 pixels to the em, 0: no face has it

	mu         sync.Mutex // of the fields below and of every Face
	segmenter  shaping.Segmenter
	shaper     shaping.HarfbuzzShaper
	wrapper    shaping.LineWrapper
	young, old map[runKey]*Run // what has been shaped; old is dropped whole
}

type runKey struct {
	style Style
	text  string
}

// Face is one font file: one family at one weight. It may be used by several
// goroutines at once.
type Face struct {
	Family string
	Weight Weight

	mu   *sync.Mutex // that of its Fonts: font.Face fills its caches while it is read
	font *font.Face
	upem float32
}

// NewFonts parses the given font files, the Latin family first. It fails when
// there is none or one cannot be read.
func NewFonts(files []assets.Font) (*Fonts, error) {
	if len(files) == 0 {
		return nil, errors.New("no font given: no text can be shown")
	}
	f := &Fonts{young: map[runKey]*Run{}}
	for _, file := range files {
		parsed, err := font.ParseTTF(bytes.NewReader(file.Data))
		if err != nil {
			return nil, fmt.Errorf("font %s %d: %w", file.Family, file.Weight, err)
		}
		f.add(&Face{Family: file.Family, Weight: Weight(file.Weight), mu: &f.mu, font: parsed, upem: float32(parsed.Upem())})
	}
	f.shaper.SetFontCacheSize(len(files))
	f.capital = f.families[0][0].font.LineMetric(font.CapHeight)
	if f.Missing("國") == nil {
		f.han = f.Shape(Style{Size: 100, Weight: Bold}, "國").Ink.H()
	}
	return f, nil
}

func (f *Fonts) add(face *Face) {
	i := slices.IndexFunc(f.families, func(faces []*Face) bool { return faces[0].Family == face.Family })
	if i < 0 {
		f.families = append(f.families, []*Face{face})
		return
	}
	f.families[i] = append(f.families[i], face)
	slices.SortFunc(f.families[i], func(a, b *Face) int { return int(a.Weight - b.Weight) })
}

// chain is the faces that a text is set in, one of each family.
type chain []*Face

// chain returns the faces of the weight nearest to w; of two equally near the heavier,
// since thin strokes are lost across a room.
func (f *Fonts) chain(w Weight) chain {
	out := make(chain, len(f.families))
	for i, faces := range f.families {
		best := faces[0]
		for _, face := range faces[1:] {
			if max(face.Weight-w, w-face.Weight) <= max(best.Weight-w, w-best.Weight) {
				best = face
			}
		}
		out[i] = best
	}
	return out
}

// ResolveFace returns the first face that has r, or the first face of all, whose empty
// box then stands for it.
func (c chain) ResolveFace(r rune) *font.Face {
	for _, face := range c {
		if face.has(r) {
			return face.font
		}
	}
	return c[0].font
}

// CapSize returns the Style.Size at which a capital letter is capHeight
// pixels tall.
func (f *Fonts) CapSize(capHeight float32) float32 {
	return capHeight * f.families[0][0].upem / f.capital
}

// hanSize returns the Style.Size at which an ideograph that fills its square
// (國) is about height pixels tall in ink. Without a face for it, it returns
// CapSize.
func (f *Fonts) hanSize(height float32) float32 {
	if f.han == 0 {
		return f.CapSize(height)
	}
	return height * 100 / f.han
}

// Missing returns the characters of text that some weight cannot show, each
// once, in the order in which they stand. It returns nil when all is there.
func (f *Fonts) Missing(text string) []rune {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []rune
	for _, r := range text {
		if !slices.Contains(out, r) && !f.covers(r) {
			out = append(out, r)
		}
	}
	return out
}

// covers reports whether one family has r in all its weights. The caller holds mu.
func (f *Fonts) covers(r rune) bool {
	return slices.ContainsFunc(f.families, func(faces []*Face) bool {
		return !slices.ContainsFunc(faces, func(face *Face) bool { return !face.has(r) })
	})
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
