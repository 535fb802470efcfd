package display

import (
	"image"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"shoeboard/display/paint"
	"shoeboard/display/scene"
)

// canvas lays the pieces of a picture with the GPU. Masks are kept in textures
// as white shapes and tinted when they are laid, so that a board of a thousand
// marks is a handful of draw calls over pictures drawn long ago.
//
// A picture is prepared once and laid whenever the window is shown: the content of a
// screen after it was shown is not reliable.
type canvas struct {
	painter  *paint.Painter
	pieces   []paint.Piece
	pages    []*page
	spots    map[*image.Alpha]spot
	pictures map[*image.RGBA]*ebiten.Image

	covers   bool // the picture begins with a background over all of it
	ground   [2][]image.Rectangle
	runs     []run
	vertices []ebiten.Vertex
	indices  []uint32
}

// spot is where a mask lies.
type spot struct {
	page *page
	at   image.Point
}

// run is a stretch of pieces that take their pixels from one texture, with its
// first vertex and index. It goes on to where the next run begins.
type run struct {
	source        *ebiten.Image
	vertex, index int
}

// surface is what a picture can be laid on: an image, or the window itself.
type surface interface {
	Fill(color.Color)
	DrawTriangles32([]ebiten.Vertex, []uint32, *ebiten.Image, *ebiten.DrawTrianglesOptions)
}

func newCanvas() canvas {
	return canvas{painter: paint.New(), spots: map[*image.Alpha]spot{}, pictures: map[*image.RGBA]*ebiten.Image{}}
}

// prepare makes ready to lay ops over a panel as p says.
func (c *canvas) prepare(ops []scene.Op, p placing) {
	c.pieces = c.painter.Pieces(c.pieces[:0], ops)
	c.makeRoom()
	c.runs, c.vertices, c.indices = c.runs[:0], c.vertices[:0], c.indices[:0]
	pieces := c.pieces
	if c.covers = covered(pieces, image.Rect(0, 0, p.w, p.h)); c.covers {
		for _, r := range c.uncovered() {
			c.solid(p, r, tint(pieces[0].Color))
		}
		pieces = pieces[1:]
	}
	for i := range pieces {
		switch piece := &pieces[i]; {
		case piece.Picture != nil:
			a := float32(piece.Color.A) / 255
			c.quad(p, c.picture(piece.Picture), piece.Rect, piece.Picture.Rect.Min, [4]float32{a, a, a, a})
		case piece.Mask != nil:
			s := c.spot(piece.Mask)
			c.quad(p, s.page.image, piece.Rect, s.at, tint(piece.Color))
		default:
			c.solid(p, piece.Rect, tint(piece.Color))
		}
	}
}

// lay lays what was prepared over the whole of dst.
func (c *canvas) lay(dst surface) {
	if !c.covers {
		dst.Fill(color.Black)
	}
	options := &ebiten.DrawTrianglesOptions{ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha}
	for i, r := range c.runs {
		end := run{vertex: len(c.vertices), index: len(c.indices)}
		if i+1 < len(c.runs) {
			end = c.runs[i+1]
		}
		dst.DrawTriangles32(c.vertices[r.vertex:end.vertex], c.indices[r.index:end.index], r.source, options)
	}
}

// covered reports whether a picture begins with a background over all of it,
// which is cheaper to paint than to clear and paint.
func covered(pieces []paint.Piece, all image.Rectangle) bool {
	return len(pieces) > 0 && opaque(&pieces[0]) && all.In(pieces[0].Rect)
}

// opaque reports whether nothing shows through a piece.
func opaque(p *paint.Piece) bool { return p.Mask == nil && p.Picture == nil && p.Color.A == 255 }

// worthwhile is how many pixels of background must lie under a panel to be spared.
const worthwhile = 10_000

// uncovered returns what of the background is to be seen: not what panels are laid
// over. A board is nearly all panels, and a pixel painted twice costs twice.
func (c *canvas) uncovered() []image.Rectangle {
	left, next := append(c.ground[0][:0], c.pieces[0].Rect), c.ground[1]
	for i := range c.pieces[1:] {
		p := &c.pieces[1+i]
		if !opaque(p) || p.Rect.Dx()*p.Rect.Dy() < worthwhile {
			continue
		}
		next = next[:0]
		for _, r := range left {
			next = without(next, r, p.Rect)
		}
		left, next = next, left
	}
	c.ground = [2][]image.Rectangle{left, next}
	return left
}

// without appends what is left of r when cut is taken out of it.
func without(dst []image.Rectangle, r, cut image.Rectangle) []image.Rectangle {
	cut = cut.Intersect(r)
	if cut.Empty() {
		return append(dst, r)
	}
	for _, part := range [...]image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, cut.Min.Y), image.Rect(r.Min.X, cut.Max.Y, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, cut.Min.Y, cut.Min.X, cut.Max.Y), image.Rect(cut.Max.X, cut.Min.Y, r.Max.X, cut.Max.Y),
	} {
		if !part.Empty() {
			dst = append(dst, part)
		}
	}
	return dst
}

// tint returns a colour as the GPU mixes it, multiplied by its own alpha.
func tint(c color.NRGBA) [4]float32 {
	a := float32(c.A) / 255
	return [4]float32{float32(c.R) / 255 * a, float32(c.G) / 255 * a, float32(c.B) / 255 * a, a}
}

// quad adds one piece whose pixels begin at src in the source.
func (c *canvas) quad(p placing, source *ebiten.Image, r image.Rectangle, src image.Point, tint [4]float32) {
	to := src.Add(r.Size())
	c.corners(p, source, r, [4]float32{float32(src.X), float32(src.Y), float32(to.X), float32(to.Y)}, tint)
}

// solid adds a full rectangle. It takes its white from whatever page is in use,
// so that it breaks no run of pieces.
func (c *canvas) solid(p placing, r image.Rectangle, tint [4]float32) {
	source := c.firstPage().image
	if n := len(c.runs); n > 0 && c.isPage(c.runs[n-1].source) {
		source = c.runs[n-1].source
	}
	const middle = whiteSize / 2.0
	c.corners(p, source, p.reach(r), [4]float32{middle, middle, middle, middle}, tint)
}

func (c *canvas) corners(p placing, source *ebiten.Image, r image.Rectangle, src [4]float32, tint [4]float32) {
	if n := len(c.runs); n == 0 || c.runs[n-1].source != source {
		c.runs = append(c.runs, run{source, len(c.vertices), len(c.indices)})
	}
	first := uint32(len(c.vertices) - c.runs[len(c.runs)-1].vertex)
	for i := range 4 {
		x, y, sx, sy := r.Min.X, r.Min.Y, src[0], src[1]
		if i&1 == 1 {
			x, sx = r.Max.X, src[2]
		}
		if i&2 == 2 {
			y, sy = r.Max.Y, src[3]
		}
		px, py := p.point(x, y)
		c.vertices = append(c.vertices, ebiten.Vertex{DstX: px, DstY: py, SrcX: sx, SrcY: sy,
			ColorR: tint[0], ColorG: tint[1], ColorB: tint[2], ColorA: tint[3]})
	}
	c.indices = append(c.indices, first, first+1, first+2, first+1, first+2, first+3)
}
