package scene

import (
	"fmt"
	"image"
	"image/color"
	"strconv"
	"strings"
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

// String returns the word used in goldens.
func (k Kind) String() string {
	names := [...]string{"rect", "disc", "ring", "line", "text", "image"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind" + strconv.Itoa(int(k))
}

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

// Contains reports whether o lies wholly within b.
func (b Box) Contains(o Box) bool {
	return o.X0 >= b.X0 && o.Y0 >= b.Y0 && o.X1 <= b.X1 && o.Y1 <= b.Y1
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

// String returns the op as one line of a golden file. Lengths are rounded to
// a tenth of a pixel, so that the last bits of a float never fail a test.
func (o Op) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s,%s", o.Kind, o.Name, tenth(o.X), tenth(o.Y))
	switch o.Kind {
	case Text:
		o.writeText(&b)
	case Line:
		fmt.Fprintf(&b, " to %s,%s", tenth(o.X2), tenth(o.Y2))
	default:
		fmt.Fprintf(&b, " %sx%s", tenth(o.W), tenth(o.H))
	}
	o.writeStyle(&b)
	fmt.Fprintf(&b, " #%02x%02x%02x", o.Color.R, o.Color.G, o.Color.B)
	if o.Color.A != 255 {
		fmt.Fprintf(&b, "%02x", o.Color.A)
	}
	return b.String()
}

func (o Op) writeText(b *strings.Builder) {
	if o.Run == nil {
		b.WriteString(` ""`)
		return
	}
	fmt.Fprintf(b, " %q %s wide %s", o.Run.Text, o.Run.Style, tenth(o.Run.Advance))
}

func (o Op) writeStyle(b *strings.Builder) {
	if o.Radius != 0 {
		fmt.Fprintf(b, " radius %s", tenth(o.Radius))
	}
	if o.Corners != 0 {
		fmt.Fprintf(b, " corners %04b", o.Corners)
	}
	if o.Stroke != 0 {
		fmt.Fprintf(b, " stroke %s", tenth(o.Stroke))
	}
	if o.Round {
		b.WriteString(" round")
	}
	if o.Picture != nil {
		s := o.Picture.Bounds().Size()
		fmt.Fprintf(b, " of %dx%d", s.X, s.Y)
	}
}

// tenth writes v with at most one decimal, and never as "-0".
func tenth(v float32) string {
	s := strings.TrimSuffix(strconv.FormatFloat(float64(v), 'f', 1, 32), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}
