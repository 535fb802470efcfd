package scene

import (
	"errors"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
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

	mu         sync.Mutex
	shaper     shaping.HarfbuzzShaper
	young, old map[runKey]*Run // what has been shaped; old is dropped whole
}

type runKey struct {
	style Style
	text  string
}

// NewFonts parses the given font files, the Latin family first. It fails when
// there is none or one cannot be read.
func NewFonts(files []assets.Font) (*Fonts, error) {
	f := &Fonts{young: map[runKey]*Run{}}
	for _, file := range files {
		face, err := newFace(file)
		if err != nil {
			return nil, err
		}
		f.add(face)
	}
	if len(f.families) == 0 {
		return nil, errors.New("no font given: no text can be shown")
	}
	f.shaper.SetFontCacheSize(len(files))
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

// chain returns one face of each family, of the weight nearest to w; of two
// equally near the heavier, since thin strokes are lost across a room.
func (f *Fonts) chain(w Weight) []*Face {
	out := make([]*Face, len(f.families))
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

// CapSize returns the Style.Size at which a capital letter is capHeight
// pixels tall.
func (f *Fonts) CapSize(capHeight float32) float32 {
	face := f.families[0][0]
	return capHeight * face.upem / face.capHeight()
}

// HanSize returns the Style.Size at which an ideograph that fills its square
// (國) is about height pixels tall in ink. Without a face for it, it returns
// CapSize.
func (f *Fonts) HanSize(height float32) float32 {
	const probe = 100
	run := f.Shape(Style{Size: probe, Weight: Bold}, "國")
	if f.Missing("國") != nil || run.Ink.Empty() {
		return f.CapSize(height)
	}
	return height * probe / run.Ink.H()
}

// Missing returns the characters of text that some weight cannot show, each
// once, in the order in which they stand. It returns nil when all is there.
func (f *Fonts) Missing(text string) []rune {
	var out []rune
	for _, r := range text {
		if !slices.Contains(out, r) && !f.covers(r) {
			out = append(out, r)
		}
	}
	return out
}

// covers reports whether one family has r in all its weights.
func (f *Fonts) covers(r rune) bool {
	return slices.ContainsFunc(f.families, func(faces []*Face) bool {
		return !slices.ContainsFunc(faces, func(face *Face) bool { return !face.covers(r) })
	})
}

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

// covers reports whether the face has a glyph for r.
func (f *Face) covers(r rune) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.has(r)
}

// capHeight returns the height of a capital in font units.
func (f *Face) capHeight() float32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.font.LineMetric(font.CapHeight)
}
