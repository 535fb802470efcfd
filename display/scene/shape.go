package scene

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// em is the size at which all text is shaped, in units of the Latin face. It is scaled
// afterwards, so that its
// proportions are the same at every size.
const em = 2816

// Shape returns text set in style. The result is shared between callers and
// kept for a while, so that a text that comes again costs one map look-up. A
// character that no font has is shown as a box; see Missing.
func (f *Fonts) Shape(style Style, text string) *Run {
	style.Weight = style.weight()
	key := runKey{style, text}
	f.mu.Lock()
	defer f.mu.Unlock()
	if run, ok := f.young[key]; ok {
		return run
	}
	run, ok := f.old[key]
	if !ok {
		run = f.shape(style, text)
	}
	if len(f.young) >= runsKept {
		f.young, f.old = make(map[runKey]*Run, runsKept), f.young
	}
	f.young[key] = run
	return run
}

// lines returns the text of a run broken into lines no wider than width, where the rules
// of Unicode allow it; inside tells whether a word that is too wide for a line of its own
// is broken too. Korean is broken between its words.
func (f *Fonts) lines(run *Run, width float32, inside shaping.LineBreakPolicy) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	runes, words := []rune(run.Text), []rune(strings.Map(asLetter, run.Text))
	room := fixed.Int26_6(width / run.Style.Size * em * 64)
	keep := shaping.WrapConfig{BreakPolicy: inside, DisableTrailingWhitespaceTrim: true} // which would change the run
	wrapped, _ := f.wrapper.WrapParagraphF(keep, room, words, shaping.NewSliceIterator(run.shaped))
	var out []string
	for _, line := range wrapped {
		from, last := line[0].Runes.Offset, line[len(line)-1].Runes
		if part := strings.TrimSpace(string(runes[from : last.Offset+last.Count])); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// asLetter returns a Latin letter for a Korean syllable, between two of which no line ends.
func asLetter(r rune) rune {
	if unicode.Is(unicode.Hangul, r) {
		return 'x'
	}
	return r
}

// shape sets a text. The caller holds f.mu.
func (f *Fonts) shape(style Style, text string) *Run {
	faces := f.chain(style.weight())
	run := &Run{Text: text, Style: style}
	run.CapHeight = faces[0].font.LineMetric(font.CapHeight) * style.Size / faces[0].upem
	run.shaped = f.outputs(faces, style, []rune(text))
	for _, out := range run.shaped {
		run.add(out, faces[slices.IndexFunc(faces, func(face *Face) bool { return face.font == out.Face })])
	}
	if text != "" {
		run.Advance -= style.Tracking * style.Size // none after the last letter
	}
	return run
}

// outputs shapes text at the size of em, in pieces of one face and one script each. The
// caller holds f.mu.
func (f *Fonts) outputs(faces chain, style Style, text []rune) []shaping.Output {
	if len(text) == 0 {
		return nil
	}
	lang := style.Lang
	if lang == "" { // for which the shaper would look at the environment of the process
		lang = traditional
	}
	in := shaping.Input{Text: spaced(text), RunEnd: len(text), Direction: di.DirectionLTR, Size: fixed.I(em)}
	if style.Tabular {
		in.FontFeatures = []shaping.FontFeature{{Tag: opentype.NewTag('t', 'n', 'u', 'm'), Value: 1}}
	}
	parts := f.segmenter.Split(in, faces)
	out := make([]shaping.Output, len(parts))
	for i, part := range parts {
		part.Text, part.Language = text, language.NewLanguage(string(lang))
		out[i] = f.shaper.Shape(part)
	}
	return out
}

// spaced returns text with a Latin letter for each space, so that spaces are set in the
// Latin face: that of other scripts has none.
func spaced(text []rune) []rune {
	out := slices.Clone(text)
	for i, r := range out {
		if unicode.IsSpace(r) {
			out[i] = 'x'
		}
	}
	return out
}

// add appends the glyphs of one piece of the text.
func (r *Run) add(out shaping.Output, face *Face) {
	scale, tracking := r.Style.Size/em, r.Style.Tracking*r.Style.Size
	r.Glyphs = slices.Grow(r.Glyphs, len(out.Glyphs))
	for i, g := range out.Glyphs {
		glyph := Glyph{Face: face, GID: uint32(g.GlyphID),
			X: r.Advance + units(g.XOffset)*scale, Y: -units(g.YOffset) * scale}
		r.Advance += units(g.Advance) * scale
		if i+1 == len(out.Glyphs) || out.Glyphs[i+1].TextIndex() != g.TextIndex() {
			r.Advance += tracking // after a letter, not between it and its mark
		}
		if g.Width == 0 || g.Height == 0 {
			continue // a space: nothing to paint
		}
		x, y := units(g.XBearing)*scale, -units(g.YBearing)*scale
		r.Ink = r.Ink.Union(box(x, y, units(g.Width)*scale, -units(g.Height)*scale).Move(glyph.X, glyph.Y))
		r.Glyphs = append(r.Glyphs, glyph)
	}
}

// units turns the shaper's fixed-point font units into a number.
func units(v fixed.Int26_6) float32 { return float32(v) / 64 }
