package paint

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"

	"shoeboard/display/scene"
)

// Piece is a part of an op at whole pixels. Exactly one of three things is
// painted: Picture, or Color through Mask, or Color over all of Rect.
type Piece struct {
	Rect    image.Rectangle // on the unrotated screen, as large as Mask or Picture
	Mask    *image.Alpha    // coverage, nil for a full rectangle
	Picture *image.RGBA     // already scaled; the alpha of Color still counts
	Color   color.NRGBA
}

// Painter makes pieces and keeps their masks. Its zero value is not ready; see
// New.
type Painter struct {
	masks    cache[shape, *image.Alpha]
	pictures cache[scaled, *image.RGBA]
}

// What is kept of masks and of scaled pictures in each of two generations, in
// bytes. A board at 3840x2160 needs some 3 MB of masks.
const (
	maskBytes    = 16 << 20
	pictureBytes = 48 << 20
)

// New returns a Painter that has nothing painted yet.
func New() *Painter {
	return &Painter{
		masks:    newCache[shape](maskBytes, func(m *image.Alpha) int { return len(m.Pix) }),
		pictures: newCache[scaled](pictureBytes, func(m *image.RGBA) int { return len(m.Pix) }),
	}
}

// scaled is the key of a picture at a size in pixels.
type scaled struct {
	picture *image.NRGBA
	w, h    int
}

// Pieces appends the pieces of the ops to dst in painting order.
func (p *Painter) Pieces(dst []Piece, ops []scene.Op) []Piece {
	for i := range ops {
		dst = p.op(dst, &ops[i])
	}
	return dst
}

func (p *Painter) op(dst []Piece, o *scene.Op) []Piece {
	if o.Color.A == 0 {
		return dst
	}
	switch o.Kind {
	case scene.Rect:
		return p.rect(dst, o)
	case scene.Disc:
		return p.placed(dst, o, shape{kind: ellipse, w: o.W, h: o.H})
	case scene.Ring:
		return p.placed(dst, o, shape{kind: ellipse, w: o.W, h: o.H, stroke: o.Stroke})
	case scene.Line:
		return p.line(dst, o)
	case scene.Text:
		return p.text(dst, o)
	case scene.Image:
		return p.picture(dst, o)
	}
	return dst
}

// placed adds the mask of a shape whose place is the op's X, Y. What is left
// of a whole pixel goes into the mask in quarters, so that a road whose cells
// are not whole pixels stays even.
func (p *Painter) placed(dst []Piece, o *scene.Op, s shape) []Piece {
	x, y := 0, 0
	x, s.fx = quarters(o.X)
	y, s.fy = quarters(o.Y)
	return p.add(dst, s, x, y, o.Color)
}

// add appends the mask of s with its origin at x, y.
func (p *Painter) add(dst []Piece, s shape, x, y int, c color.NRGBA) []Piece {
	mask := p.masks.get(s, s.mask)
	if mask.Rect.Empty() {
		return dst
	}
	return append(dst, Piece{Rect: mask.Rect.Add(image.Pt(x, y)), Mask: mask, Color: c})
}

// quarters splits a length into whole pixels and quarters, 0 to 3.
func quarters(v float32) (whole int, fourths uint8) {
	q := int(math.Floor(float64(v)*4 + 0.5))
	return q >> 2, uint8(q & 3)
}

// snap returns the box of an op at whole pixels, never thinner than one when
// the op has any width: panels and grid lines have sharp edges at every size.
func snap(x, y, w, h float32) image.Rectangle {
	r := image.Rect(round(x), round(y), round(x+w), round(y+h))
	if w > 0 && r.Dx() == 0 {
		r.Max.X++
	}
	if h > 0 && r.Dy() == 0 {
		r.Max.Y++
	}
	return r
}

func round(v float32) int { return int(math.Floor(float64(v) + 0.5)) }

// line adds a level or upright line as a sharp rectangle, any other as a mask.
func (p *Painter) line(dst []Piece, o *scene.Op) []Piece {
	if !o.Round && (o.X == o.X2 || o.Y == o.Y2) {
		b := o.Bounds()
		if o.X == o.X2 {
			b.Y0, b.Y1 = min(o.Y, o.Y2), max(o.Y, o.Y2)
		} else {
			b.X0, b.X1 = min(o.X, o.X2), max(o.X, o.X2)
		}
		return fill(dst, snap(b.X0, b.Y0, b.W(), b.H()), o.Color)
	}
	return p.placed(dst, o, shape{kind: stroke, w: o.X2 - o.X, h: o.Y2 - o.Y, stroke: o.Stroke, round: o.Round})
}

// text adds one mask a glyph. The baseline stands on a whole pixel, so that
// the feet of all letters are equally sharp; sideways, quarters keep the
// spacing even.
func (p *Painter) text(dst []Piece, o *scene.Op) []Piece {
	if o.Run == nil {
		return dst
	}
	for _, g := range o.Run.Glyphs {
		x, fx := quarters(o.X + g.X)
		s := shape{kind: glyph, face: g.Face, gid: g.GID, w: o.Run.Style.Size, fx: fx}
		dst = p.add(dst, s, x, round(o.Y+g.Y), o.Color)
	}
	return dst
}

func (p *Painter) picture(dst []Piece, o *scene.Op) []Piece {
	r := snap(o.X, o.Y, o.W, o.H)
	if o.Picture == nil || r.Empty() {
		return dst
	}
	key := scaled{o.Picture, r.Dx(), r.Dy()}
	picture := p.pictures.get(key, key.scale)
	return append(dst, Piece{Rect: r, Picture: picture, Color: o.Color})
}

func (s scaled) scale() *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, s.w, s.h))
	b := s.picture.Bounds()
	if b.Dx() == s.w && b.Dy() == s.h {
		draw.Draw(out, out.Rect, s.picture, b.Min, draw.Src)
		return out
	}
	// A QR code or test pattern enlarged by whole steps keeps its hard edges.
	if b.Dx() > 0 && b.Dy() > 0 && s.w%b.Dx() == 0 && s.h%b.Dy() == 0 {
		draw.NearestNeighbor.Scale(out, out.Rect, s.picture, b, draw.Src, nil)
		return out
	}
	draw.CatmullRom.Scale(out, out.Rect, s.picture, b, draw.Src, nil)
	return out
}
