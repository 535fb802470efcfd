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
type canvas struct {
	painter  *paint.Painter
	pieces   []paint.Piece
	pages    []*page
	spots    map[*image.Alpha]spot
	pictures map[*image.RGBA]*ebiten.Image

	vertices []ebiten.Vertex
	indices  []uint32
	source   *ebiten.Image // which the vertices take their pixels from
}

// spot is where a mask lies.
type spot struct {
	page *page
	at   image.Point
}

func newCanvas() canvas {
	return canvas{painter: paint.New(), spots: map[*image.Alpha]spot{}, pictures: map[*image.RGBA]*ebiten.Image{}}
}

// paint lays ops over the whole of dst, turned by rotation.
func (c *canvas) paint(dst *ebiten.Image, ops []scene.Op, rotation paint.Rotation) {
	c.pieces = c.painter.Pieces(c.pieces[:0], ops)
	c.makeRoom()
	size := dst.Bounds().Size()
	w, h := rotation.Size(size.X, size.Y)
	lay := turned{rotation, float32(w), float32(h)}
	if !c.covered(image.Rect(0, 0, w, h)) {
		dst.Fill(color.Black)
	}
	for i := range c.pieces {
		p := &c.pieces[i]
		switch {
		case p.Picture != nil:
			a := float32(p.Color.A) / 255
			c.quad(dst, c.picture(p.Picture), lay, p.Rect, p.Picture.Rect.Min, [4]float32{a, a, a, a})
		case p.Mask != nil:
			s := c.spot(p.Mask)
			c.quad(dst, s.page.image, lay, p.Rect, s.at, tint(p.Color))
		default:
			c.solid(dst, lay, p.Rect, tint(p.Color))
		}
	}
	c.flush(dst)
}

// covered reports whether the picture begins with a background over all of it,
// which is cheaper to paint than to clear and paint.
func (c *canvas) covered(all image.Rectangle) bool {
	if len(c.pieces) == 0 {
		return false
	}
	p := &c.pieces[0]
	return p.Mask == nil && p.Picture == nil && p.Color.A == 255 && all.In(p.Rect)
}

// tint returns a colour as the GPU mixes it, multiplied by its own alpha.
func tint(c color.NRGBA) [4]float32 {
	a := float32(c.A) / 255
	return [4]float32{float32(c.R) / 255 * a, float32(c.G) / 255 * a, float32(c.B) / 255 * a, a}
}

// turned places points of the unrotated w x h picture on the panel.
type turned struct {
	rotation paint.Rotation
	w, h     float32
}

// quad adds one piece whose pixels begin at src in the source.
func (c *canvas) quad(dst, source *ebiten.Image, lay turned, r image.Rectangle, src image.Point, tint [4]float32) {
	c.corners(dst, source, lay, r, [4]float32{float32(src.X), float32(src.Y), float32(src.X + r.Dx()), float32(src.Y + r.Dy())}, tint)
}

// solid adds a full rectangle. It takes its white from whatever page is in use,
// so that it breaks no run of pieces.
func (c *canvas) solid(dst *ebiten.Image, lay turned, r image.Rectangle, tint [4]float32) {
	source := c.source
	if source == nil || !c.isPage(source) {
		source = c.firstPage().image
	}
	const middle = whiteSize / 2.0
	c.corners(dst, source, lay, r, [4]float32{middle, middle, middle, middle}, tint)
}

func (c *canvas) corners(dst, source *ebiten.Image, lay turned, r image.Rectangle, src [4]float32, tint [4]float32) {
	if source != c.source {
		c.flush(dst)
		c.source = source
	}
	first := uint32(len(c.vertices))
	for i := range 4 {
		x, y, sx, sy := r.Min.X, r.Min.Y, src[0], src[1]
		if i&1 == 1 {
			x, sx = r.Max.X, src[2]
		}
		if i&2 == 2 {
			y, sy = r.Max.Y, src[3]
		}
		px, py := lay.rotation.Point(float32(x), float32(y), lay.w, lay.h)
		c.vertices = append(c.vertices, ebiten.Vertex{DstX: px, DstY: py, SrcX: sx, SrcY: sy,
			ColorR: tint[0], ColorG: tint[1], ColorB: tint[2], ColorA: tint[3]})
	}
	c.indices = append(c.indices, first, first+1, first+2, first+1, first+2, first+3)
}

// flush lays what has been added.
func (c *canvas) flush(dst *ebiten.Image) {
	if len(c.indices) > 0 {
		dst.DrawTriangles32(c.vertices, c.indices, c.source, &ebiten.DrawTrianglesOptions{
			ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha,
		})
	}
	c.vertices, c.indices = c.vertices[:0], c.indices[:0]
}
