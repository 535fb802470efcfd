package paint

import (
	"image"
	"image/color"
	"math"

	"shoeboard/display/scene"
)

// rect adds a box: plain rectangles, and a small mask in each rounded corner.
// A panel as wide as the screen so needs no mask as wide as the screen.
func (p *Painter) rect(dst []Piece, o *scene.Op) []Piece {
	r := snap(o.X, o.Y, o.W, o.H)
	if r.Empty() {
		return dst
	}
	half := min(r.Dx(), r.Dy()) / 2
	radius := min(max(o.Radius, 0), float32(half))
	band := 0
	if o.Stroke > 0 {
		band = max(1, round(o.Stroke))
	}
	if band > half { // nothing is left free inside
		band = 0
	}
	corner := max(int(math.Ceil(float64(radius))), band)
	if radius > 0 {
		dst = p.corners(dst, r, corner, band, radius, o)
	} else {
		corner = band
	}
	return edges(dst, r, corner, band, radius > 0, o.Color)
}

// corners adds the four corner masks, each n pixels square.
func (p *Painter) corners(dst []Piece, r image.Rectangle, n, band int, radius float32, o *scene.Op) []Piece {
	for _, c := range []struct {
		corner scene.Corners
		x, y   int
	}{
		{scene.TopLeft, r.Min.X, r.Min.Y},
		{scene.TopRight, r.Max.X - n, r.Min.Y},
		{scene.BottomRight, r.Max.X - n, r.Max.Y - n},
		{scene.BottomLeft, r.Min.X, r.Max.Y - n},
	} {
		s := shape{kind: corner, corner: c.corner, w: float32(n), stroke: float32(band)}
		if o.Corners.Has(c.corner) {
			s.h = radius
		}
		dst = p.add(dst, s, c.x, c.y, o.Color)
	}
	return dst
}

// edges adds what lies between the corners of n pixels: three bands when the
// box is full, four bars when only a band of it is painted. Without rounding
// the upper and lower bars reach over the corners.
func edges(dst []Piece, r image.Rectangle, n, band int, rounded bool, c color.NRGBA) []Piece {
	left, right := r.Min.X, r.Max.X
	if rounded {
		left, right = left+n, right-n
	}
	if band == 0 {
		dst = fill(dst, image.Rect(left, r.Min.Y, right, r.Min.Y+n), c)
		dst = fill(dst, image.Rect(r.Min.X, r.Min.Y+n, r.Max.X, r.Max.Y-n), c)
		return fill(dst, image.Rect(left, r.Max.Y-n, right, r.Max.Y), c)
	}
	dst = fill(dst, image.Rect(left, r.Min.Y, right, r.Min.Y+band), c)
	dst = fill(dst, image.Rect(left, r.Max.Y-band, right, r.Max.Y), c)
	dst = fill(dst, image.Rect(r.Min.X, r.Min.Y+n, r.Min.X+band, r.Max.Y-n), c)
	return fill(dst, image.Rect(r.Max.X-band, r.Min.Y+n, r.Max.X, r.Max.Y-n), c)
}

func fill(dst []Piece, r image.Rectangle, c color.NRGBA) []Piece {
	if r.Empty() {
		return dst
	}
	return append(dst, Piece{Rect: r, Color: c})
}
