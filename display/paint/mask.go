package paint

import (
	"image"
	"image/draw"
	"math"

	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"

	"shoeboard/display/scene"
)

type shapeKind uint8

const (
	ellipse shapeKind = iota // w x h, or a band of width stroke inside it
	stroke                   // from the origin to w, h, as wide as stroke
	corner                   // of a box, w pixels square, rounded by h
	glyph                    // gid of face at w pixels to the em
)

// shape is everything that decides the pixels of a mask, and so its key.
type shape struct {
	kind   shapeKind
	fx, fy uint8 // offset from the whole pixel, in quarters
	corner scene.Corners
	round  bool
	gid    uint32
	face   *scene.Face
	w, h   float32
	stroke float32
}

// mask paints the shape. The rectangle of the result is relative to the whole
// pixel that the shape is placed at; it is empty for a shape without area.
func (s shape) mask() *image.Alpha {
	p := path{dx: float32(s.fx) / 4, dy: float32(s.fy) / 4}
	switch s.kind {
	case ellipse:
		p.ellipse(s.w/2, s.h/2, s.w/2, s.h/2, false)
		if s.stroke > 0 {
			p.ellipse(s.w/2, s.h/2, s.w/2-s.stroke, s.h/2-s.stroke, true)
		}
	case stroke:
		p.stroke(s.w, s.h, s.stroke/2, s.round)
	case corner:
		p.corner(s)
	case glyph:
		p.glyph(s.face.Outline(nil, s.gid), s.w/s.face.Upem())
	}
	return p.rasterise()
}

// path collects segments with y down, already moved by dx, dy.
type path struct {
	dx, dy   float32
	segments []opentype.Segment
}

func (p *path) add(op opentype.SegmentOp, xy ...float32) {
	s := opentype.Segment{Op: op}
	for i := 0; i < len(xy); i += 2 {
		s.Args[i/2] = opentype.SegmentPoint{X: xy[i] + p.dx, Y: xy[i+1] + p.dy}
	}
	p.segments = append(p.segments, s)
}

func (p *path) moveTo(x, y float32) { p.add(opentype.SegmentOpMoveTo, x, y) }
func (p *path) lineTo(x, y float32) { p.add(opentype.SegmentOpLineTo, x, y) }
func (p *path) cubeTo(a, b, c, d, x, y float32) {
	p.add(opentype.SegmentOpCubeTo, a, b, c, d, x, y)
}

// quarter is how far along its tangents a quarter circle of radius 1 has the
// control points of the cubic that follows it to 0.03 %.
const quarter = 0.5522847

// ellipse adds a contour around cx, cy, the other way round for a hole.
func (p *path) ellipse(cx, cy, rx, ry float32, hole bool) {
	if rx <= 0 || ry <= 0 {
		return
	}
	if hole {
		ry = -ry
	}
	kx, ky := rx*quarter, ry*quarter
	p.moveTo(cx+rx, cy)
	p.cubeTo(cx+rx, cy+ky, cx+kx, cy+ry, cx, cy+ry)
	p.cubeTo(cx-kx, cy+ry, cx-rx, cy+ky, cx-rx, cy)
	p.cubeTo(cx-rx, cy-ky, cx-kx, cy-ry, cx, cy-ry)
	p.cubeTo(cx+kx, cy-ry, cx+rx, cy-ky, cx+rx, cy)
}

// stroke adds a line from the origin to x, y, half as wide to each side as
// half says, with square-cut or round ends.
func (p *path) stroke(x, y, half float32, round bool) {
	length := float32(hypot(x, y))
	if length == 0 {
		if round {
			p.ellipse(0, 0, half, half, false)
		}
		return
	}
	ux, uy := x/length*half, y/length*half // along the line
	nx, ny := -uy, ux                      // to its side
	p.moveTo(nx, ny)
	if round {
		p.cap(0, 0, nx, ny, -ux, -uy)
	} else {
		p.lineTo(-nx, -ny)
	}
	p.lineTo(x-nx, y-ny)
	if round {
		p.cap(x, y, -nx, -ny, ux, uy)
	} else {
		p.lineTo(x+nx, y+ny)
	}
	p.lineTo(nx, ny)
}

// cap adds half a circle around cx, cy from the side n over the tip u.
func (p *path) cap(cx, cy, nx, ny, ux, uy float32) {
	const k = quarter
	p.cubeTo(cx+nx+k*ux, cy+ny+k*uy, cx+ux+k*nx, cy+uy+k*ny, cx+ux, cy+uy)
	p.cubeTo(cx+ux-k*nx, cy+uy-k*ny, cx-nx+k*ux, cy-ny+k*uy, cx-nx, cy-ny)
}

// corner adds one corner of a box in a square of s.w pixels, rounded by s.h:
// full, or a band of width s.stroke. It is drawn for the top left and mirrored
// for the others.
func (p *path) corner(s shape) {
	n, r, band := s.w, s.h, s.stroke
	p.moveTo(n, 0)
	p.lineTo(r, 0)
	p.cubeTo(r*(1-quarter), 0, 0, r*(1-quarter), 0, r)
	p.lineTo(0, n)
	if band > 0 {
		in := max(0, r-band)
		c := band + in*(1-quarter)
		p.lineTo(band, n)
		p.lineTo(band, band+in)
		p.cubeTo(band, c, c, band, band+in, band)
		p.lineTo(n, band)
	} else {
		p.lineTo(n, n)
	}
	p.mirror(n, s.corner == scene.TopRight || s.corner == scene.BottomRight,
		s.corner == scene.BottomLeft || s.corner == scene.BottomRight)
}

// mirror turns all points over within a square of n pixels.
func (p *path) mirror(n float32, across, down bool) {
	for i := range p.segments {
		args := p.segments[i].ArgsSlice()
		for j := range args {
			if across {
				args[j].X = n - args[j].X
			}
			if down {
				args[j].Y = n - args[j].Y
			}
		}
	}
}

// glyph adds an outline in font units, y up, at scale.
func (p *path) glyph(outline []opentype.Segment, scale float32) {
	for _, s := range outline {
		args := s.ArgsSlice()
		for j := range args {
			args[j].X = args[j].X*scale + p.dx
			args[j].Y = -args[j].Y*scale + p.dy
		}
		p.segments = append(p.segments, s)
	}
}

// bounds returns the whole pixels that hold every point of the path.
func (p *path) bounds() image.Rectangle {
	if len(p.segments) == 0 {
		return image.Rectangle{}
	}
	x0, y0 := float32(math.Inf(1)), float32(math.Inf(1))
	x1, y1 := -x0, -y0
	for i := range p.segments {
		for _, a := range p.segments[i].ArgsSlice() {
			x0, x1 = min(x0, a.X), max(x1, a.X)
			y0, y1 = min(y0, a.Y), max(y1, a.Y)
		}
	}
	floor := func(v float32) int { return int(math.Floor(float64(v))) }
	ceil := func(v float32) int { return int(math.Ceil(float64(v))) }
	return image.Rect(floor(x0), floor(y0), ceil(x1), ceil(y1))
}

// rasterise fills the path.
func (p *path) rasterise() *image.Alpha {
	box := p.bounds()
	out := image.NewAlpha(box)
	if box.Empty() {
		return out
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	z.DrawOp = draw.Src
	ox, oy := float32(box.Min.X), float32(box.Min.Y)
	for i, s := range p.segments {
		for j := range s.Args {
			s.Args[j].X -= ox
			s.Args[j].Y -= oy
		}
		a := s.Args
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				z.ClosePath()
			}
			z.MoveTo(a[0].X, a[0].Y)
		case opentype.SegmentOpLineTo:
			z.LineTo(a[0].X, a[0].Y)
		case opentype.SegmentOpQuadTo: // the same curve with two control points
			x, y := z.Pen()
			curve(z, opentype.SegmentPoint{X: (x + 2*a[0].X) / 3, Y: (y + 2*a[0].Y) / 3},
				opentype.SegmentPoint{X: (a[1].X + 2*a[0].X) / 3, Y: (a[1].Y + 2*a[0].Y) / 3}, a[1])
		case opentype.SegmentOpCubeTo:
			curve(z, a[0], a[1], a[2])
		}
	}
	z.ClosePath()
	z.Draw(out, box, image.Opaque, image.Point{})
	return out
}

// curve draws a cubic as lines that stray at most a fiftieth of a pixel from
// it. The rasteriser's own curves stray by half a pixel, which takes a
// hundredth of the area off a ring and shows as corners.
func curve(z *vector.Rasterizer, b, c, d opentype.SegmentPoint) {
	const tolerance = 0.02
	ax, ay := z.Pen()
	bend := max(hypot(ax-2*b.X+c.X, ay-2*b.Y+c.Y), hypot(b.X-2*c.X+d.X, b.Y-2*c.Y+d.Y))
	n := int(math.Sqrt(0.75*bend/tolerance)) + 1
	for i := 1; i < n; i++ {
		t := float32(i) / float32(n)
		u := 1 - t
		k0, k1, k2, k3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		z.LineTo(k0*ax+k1*b.X+k2*c.X+k3*d.X, k0*ay+k1*b.Y+k2*c.Y+k3*d.Y)
	}
	z.LineTo(d.X, d.Y)
}

func hypot(x, y float32) float64 { return math.Hypot(float64(x), float64(y)) }
