package scene

import (
	"image"
	"image/color"
)

// Kind says what an Op paints, and with it which of its fields count.
type Kind uint8

// The shapes a picture is made of. Every shape is painted in Op.Color over
// what is already there.
const (
	Rect  Kind = iota // X Y W H, Radius, Corners; Stroke 0 fills, else outlines inside the box
	Disc              // fills the box X Y W H, a circle when W = H
	Ring              // as Disc, but only a band of width Stroke inside the box
	Line              // from X Y to X2 Y2, width Stroke, Round ends or cut square
	Text              // Run with its pen at X and its baseline at Y; W and H are not used
	Image             // Picture scaled into X Y W H; only the alpha of Color counts
)

// Corners is the set of corners that Op.Radius rounds. The zero value means
// all four, so that an ordinary rounded box need not name them.
type Corners uint8

// The corners of a box, as set members.
const (
	TopLeft Corners = 1 << iota
	TopRight
	BottomRight
	BottomLeft
)

// Has reports whether corner c is rounded.
func (s Corners) Has(c Corners) bool { return s == 0 || s&c != 0 }

// Op is one shape of a picture. A picture is a slice of them, painted in
// order. All lengths are pixels of the unrotated screen, x to the right and y
// down from the top left corner. Ops are comparable: two equal ops paint the
// same pixels.
type Op struct {
	Kind       Kind
	Name       string  // what it shows, dotted: "limits.tie.label"
	X, Y, W, H float32 // box, see Kind
	X2, Y2     float32 // Line: its other end
	Radius     float32 // Rect: corner radius
	Stroke     float32 // Ring, Line, outlined Rect: width of the band
	Corners    Corners // Rect: which corners are rounded, zero for all
	Round      bool    // Line: round ends
	Color      color.NRGBA
	Run        *Run         // Text: the shaped text
	Picture    *image.NRGBA // Image: the pixels, never changed after
}

// Box is an upright rectangle in pixels: left, top, right, bottom.
type Box struct{ X0, Y0, X1, Y1 float32 }

// Empty reports whether the box covers nothing.
func (b Box) Empty() bool { return b.X1 <= b.X0 || b.Y1 <= b.Y0 }

// W returns the width, H the height of the box in pixels.
func (b Box) W() float32 { return b.X1 - b.X0 }

// H returns the height of the box in pixels.
func (b Box) H() float32 { return b.Y1 - b.Y0 }

// Move returns the box moved by dx, dy.
func (b Box) Move(dx, dy float32) Box {
	return Box{b.X0 + dx, b.Y0 + dy, b.X1 + dx, b.Y1 + dy}
}

// Union returns the smallest box that holds both; an empty box adds nothing.
func (b Box) Union(o Box) Box {
	if b.Empty() {
		return o
	}
	if o.Empty() {
		return b
	}
	return Box{min(b.X0, o.X0), min(b.Y0, o.Y0), max(b.X1, o.X1), max(b.Y1, o.Y1)}
}

// Overlaps reports whether the boxes share more than an edge.
func (b Box) Overlaps(o Box) bool {
	return b.X0 < o.X1 && o.X0 < b.X1 && b.Y0 < o.Y1 && o.Y0 < b.Y1
}

// Bounds returns the box that the op can touch: for text the ink of its
// glyphs, so that a test of cut or overlapping text sees what a player sees.
func (o Op) Bounds() Box {
	switch o.Kind {
	case Text:
		if o.Run == nil {
			return Box{}
		}
		return o.Run.Ink.Move(o.X, o.Y)
	case Line:
		h := o.Stroke / 2
		return Box{min(o.X, o.X2) - h, min(o.Y, o.Y2) - h, max(o.X, o.X2) + h, max(o.Y, o.Y2) + h}
	}
	return Box{o.X, o.Y, o.X + o.W, o.Y + o.H}
}
