package scene

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"shoeboard/assets"
)

// Weight is the heaviness of type on the OpenType scale, 100 to 900.
type Weight int

// The weights the board uses.
const (
	Medium    Weight = 500
	SemiBold  Weight = 600
	Bold      Weight = 700
	ExtraBold Weight = 800
)

// Lang is the language a text is in, as a BCP 47 tag. It chooses between the
// national forms of an ideograph; all other scripts look the same in each.
type Lang string

// The languages that are set in a way of their own. The zero value shows ideographs in
// their Traditional form.
const (
	english     Lang = "en"
	traditional Lang = "zh-Hant"
	simplified  Lang = "zh-Hans"
	korean      Lang = "ko"
)

// square reports whether a language is written in characters that fill a square, which
// are set taller than capitals.
func (l Lang) square() bool { return l == traditional || l == simplified || l == korean }

// Style is how a text is set.
type Style struct {
	Size     float32 // pixels to the em; see Fonts.CapSize
	Weight   Weight  // the nearest weight at hand is taken; zero is SemiBold
	Tabular  bool    // digits all equally wide, for columns and counters
	Tracking float32 // room added between letters, in ems: 0.04 opens small capitals, -0.02 closes large ones
	Lang     Lang
}

func (s Style) weight() Weight {
	if s.Weight == 0 {
		return SemiBold
	}
	return s.Weight
}

// Glyph is one glyph of a Run, its origin relative to the run's pen start,
// in pixels with y down.
type Glyph struct {
	Face *Face
	GID  uint32
	X, Y float32
}

// Run is a text shaped into positioned glyphs, all measures in pixels. It is
// shared and never changed after Shape has returned it.
type Run struct {
	Text      string
	Style     Style
	Glyphs    []Glyph
	Advance   float32 // from the pen before to the pen after the text
	CapHeight float32 // of the Latin face at this size, whatever the text is
	Ink       Box     // what the glyphs really cover, relative to the pen, y down

	shaped []shaping.Output // for breaking the text into lines
}

// after returns the room between the ink of the run and the pen after it.
func (r *Run) after() float32 { return r.Advance - r.Ink.X1 }

// baseline returns the y of the baseline that puts the cap height of the run
// in the middle between top and bottom.
func (r *Run) baseline(top, bottom float32) float32 {
	return (top + bottom + r.CapHeight) / 2
}

// middle returns the y of the baseline that puts the run's ink in the middle
// between top and bottom, which suits ideographs and lone letters in beads.
func (r *Run) middle(top, bottom float32) float32 {
	return (top + bottom - r.Ink.Y0 - r.Ink.Y1) / 2
}

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
		face := &Face{Family: file.Family, Weight: Weight(file.Weight), mu: &f.mu, font: parsed}
		face.upem = float32(parsed.Upem())
		f.add(face)
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
