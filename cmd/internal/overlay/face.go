package overlay

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-text/typesetting/font"

	"shoeboard/assets"
)

// face measures text and gives its outlines, so that what is printed is the same on
// every printer, whatever fonts its computer has.
type face struct {
	font *font.Face
	unit float64 // of the font, in an em
	cap  float64 // height of a capital letter, in an em
}

// newFace loads the built-in Latin font of that weight.
func newFace(weight int) (*face, error) {
	for _, f := range assets.Fonts() {
		if f.Family != "Inter" || f.Weight != weight {
			continue
		}
		parsed, err := font.ParseTTF(bytes.NewReader(f.Data))
		if err != nil {
			return nil, fmt.Errorf("font %s %d: %w", f.Family, f.Weight, err)
		}
		unit := float64(parsed.Upem())
		return &face{parsed, unit, float64(parsed.LineMetric(font.CapHeight)) / unit}, nil
	}
	return nil, fmt.Errorf("there is no font of weight %d", weight)
}

// width returns how wide a text is, in an em, and an error if a letter is not in the font.
func (f *face) width(text string) (float64, error) {
	total := 0.0
	for _, r := range text {
		g, ok := f.font.NominalGlyph(r)
		if !ok {
			return 0, fmt.Errorf("the letter %q of %q is not in the font", r, text)
		}
		total += float64(f.font.HorizontalAdvance(g))
	}
	return total / f.unit, nil
}

// outline returns a text as an SVG path in units of the font, y down from its baseline.
func (f *face) outline(text string) (string, error) {
	var path strings.Builder
	x := float32(0)
	for _, r := range text {
		g, ok := f.font.NominalGlyph(r)
		shape, drawn := f.font.GlyphDataOutline(g)
		if !ok || !drawn {
			return "", fmt.Errorf("the letter %q of %q is not in the font", r, text)
		}
		for n, s := range shape.Segments {
			if s.Op == 0 && n > 0 { // a new contour
				path.WriteByte('Z')
			}
			path.WriteByte("MLQC"[s.Op])
			for _, p := range s.ArgsSlice() {
				fmt.Fprintf(&path, "%g %g ", p.X+x, -p.Y)
			}
		}
		if len(shape.Segments) > 0 {
			path.WriteByte('Z')
		}
		x += f.font.HorizontalAdvance(g)
	}
	return path.String(), nil
}
