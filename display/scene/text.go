package scene

import "github.com/go-text/typesetting/shaping"

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
