package scene

import (
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// span is a stretch of a text in one face and one script.
type span struct {
	face       *Face
	script     language.Script
	start, end int // in runes
}

// shape sets a text anew. The caller holds f.mu.
func (f *Fonts) shape(style Style, text string) *Run {
	chain := f.chain(style.Weight)
	run := &Run{Text: text, Style: style}
	run.CapHeight = chain[0].capHeight() * style.Size / chain[0].upem
	runes := []rune(text)
	for _, s := range spans(chain, runes) {
		f.shapeSpan(run, s, runes)
	}
	if len(runes) > 0 {
		run.Advance -= style.Tracking * style.Size // none after the last letter
	}
	return run
}

// spans cuts a text where the face or the script changes. A mark stays with
// the letter it stands on, whichever face that is in.
func spans(chain []*Face, runes []rune) []span {
	var out []span
	for i, r := range runes {
		last := len(out) - 1
		if last >= 0 && unicode.Is(unicode.M, r) {
			out[last].end = i + 1
			continue
		}
		face, script := faceFor(chain, r), scriptOf(r)
		if last >= 0 && out[last].face == face && out[last].script == script {
			out[last].end = i + 1
			continue
		}
		out = append(out, span{face, script, i, i + 1})
	}
	return out
}

// faceFor returns the first face that has r, or the first face of all, whose
// empty box then stands for it.
func faceFor(chain []*Face, r rune) *Face {
	for _, face := range chain {
		if face.covers(r) {
			return face
		}
	}
	return chain[0]
}

// scriptOf returns the script a character is shaped as. Digits, signs and
// spaces belong to Latin here: the fallback face is only asked for the rest.
func scriptOf(r rune) language.Script {
	switch s := language.LookupScript(r); s {
	case language.Common, language.Inherited:
		if r >= 0x2E80 { // CJK punctuation and full-width forms
			return language.Han
		}
		return language.Latin
	default:
		return s
	}
}

// shapeSpan appends the glyphs of one span to run. Text is shaped at one unit
// of size per font unit and then scaled, so that its proportions are the same
// at every size. The caller holds f.mu.
func (f *Fonts) shapeSpan(run *Run, s span, runes []rune) {
	s.face.mu.Lock()
	defer s.face.mu.Unlock()
	out := f.shaper.ShapeNoExtents(shaping.Input{
		Text: runes, RunStart: s.start, RunEnd: s.end,
		Direction:    di.DirectionLTR,
		Face:         s.face.font,
		FontFeatures: features(run.Style),
		Size:         fixed.I(int(s.face.upem)),
		Script:       s.script,
		Language:     lang(run.Style.Lang),
	})
	scale, tracking := run.Style.Size/s.face.upem, run.Style.Tracking*run.Style.Size
	for i, g := range out.Glyphs {
		glyph := Glyph{Face: s.face, GID: uint32(g.GlyphID),
			X: run.Advance + units(g.XOffset)*scale, Y: -units(g.YOffset) * scale}
		run.Advance += units(g.Advance) * scale
		if i+1 == len(out.Glyphs) || out.Glyphs[i+1].TextIndex() != g.TextIndex() {
			run.Advance += tracking // after a letter, not between it and its mark
		}
		ink := s.face.ink(g.GlyphID)
		if ink.Empty() {
			continue // a space: nothing to paint
		}
		box := Box{ink.X0 * scale, ink.Y0 * scale, ink.X1 * scale, ink.Y1 * scale}
		run.Ink = run.Ink.Union(box.Move(glyph.X, glyph.Y))
		run.Glyphs = append(run.Glyphs, glyph)
	}
	if e, ok := s.face.font.FontHExtents(); ok {
		run.Ascent = max(run.Ascent, e.Ascender*scale)
		run.Descent = max(run.Descent, -e.Descender*scale)
	}
}

func features(style Style) []shaping.FontFeature {
	if !style.Tabular {
		return nil
	}
	return []shaping.FontFeature{{Tag: opentype.NewTag('t', 'n', 'u', 'm'), Value: 1}}
}

// lang never returns the empty language, for which the shaper would look at
// the environment of the process.
func lang(l Lang) language.Language {
	if l == "" {
		return language.NewLanguage(string(Traditional))
	}
	return language.NewLanguage(string(l))
}

// units turns the shaper's fixed-point font units into a number.
func units(v fixed.Int26_6) float32 { return float32(v) / 64 }
