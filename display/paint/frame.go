package paint

import (
	"image"
	"image/color"

	"shoeboard/display/scene"
)

// Rotation is by how many quarter turns clockwise the picture is turned, for
// a panel that hangs the other way. Ops are always in the unrotated picture.
type Rotation uint8

// The rotations a panel can need.
const (
	Rotate0 Rotation = iota
	Rotate90
	Rotate180
	Rotate270
)

// Size returns the size of the unrotated picture on a panel of w x h pixels;
// it is as well the size of the panel for a picture of w x h.
func (r Rotation) Size(w, h int) (int, int) {
	if r&1 == 1 {
		return h, w
	}
	return w, h
}

// Point returns where the point x, y of a w x h picture lies on the panel.
func (r Rotation) Point(x, y, w, h float32) (float32, float32) {
	switch r & 3 {
	case Rotate90:
		return h - y, x
	case Rotate180:
		return w - x, h - y
	case Rotate270:
		return y, w - x
	}
	return x, y
}

// Frame paints ops on black as a picture of w x h pixels and turns it. The
// result is opaque, and h x w when it was turned by 90 or 270 degrees.
func (p *Painter) Frame(ops []scene.Op, w, h int, rotation Rotation) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	paintSolid(out, out.Rect, color.NRGBA{A: 255})
	for _, piece := range p.Pieces(nil, ops) {
		Draw(out, piece)
	}
	return turn(out, rotation)
}

// Draw lays one piece over an opaque image, cut at its edges.
func Draw(dst *image.RGBA, piece Piece) {
	switch {
	case piece.Picture != nil:
		paintPicture(dst, piece)
	case piece.Mask != nil:
		paintMask(dst, piece)
	default:
		paintSolid(dst, piece.Rect, piece.Color)
	}
}

// over mixes a colour channel into what is there by a of 255.
func over(dst *uint8, src uint8, a uint32) {
	v := uint32(src)*a + uint32(*dst)*(255-a)
	*dst = uint8((v + 127) / 255)
}

func paintSolid(dst *image.RGBA, r image.Rectangle, c color.NRGBA) {
	r = r.Intersect(dst.Rect)
	if r.Empty() {
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(r.Min.X, y) : dst.PixOffset(r.Max.X-1, y)+4]
		if c.A == 255 {
			solidRow(row, c)
			continue
		}
		for ; len(row) >= 4; row = row[4:] {
			blend(row[:4:4], c, uint32(c.A))
		}
	}
}

// solidRow fills a row by doubling what is already filled.
func solidRow(row []uint8, c color.NRGBA) {
	row[0], row[1], row[2], row[3] = c.R, c.G, c.B, 255
	for done := 4; done < len(row); done *= 2 {
		copy(row[done:], row[:done])
	}
}

func blend(px []uint8, c color.NRGBA, a uint32) {
	over(&px[0], c.R, a)
	over(&px[1], c.G, a)
	over(&px[2], c.B, a)
	px[3] = 255
}

func paintMask(dst *image.RGBA, piece Piece) {
	r := piece.Rect.Intersect(dst.Rect)
	shift := piece.Mask.Rect.Min.Sub(piece.Rect.Min)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := dst.PixOffset(r.Min.X, y)
		from := piece.Mask.PixOffset(r.Min.X+shift.X, y+shift.Y)
		for _, m := range piece.Mask.Pix[from : from+r.Dx()] {
			if m != 0 {
				blend(dst.Pix[at:at+4:at+4], piece.Color, (uint32(m)*uint32(piece.Color.A)+127)/255)
			}
			at += 4
		}
	}
}

// paintPicture lays a picture whose colours are already multiplied by their
// own alpha.
func paintPicture(dst *image.RGBA, piece Piece) {
	r := piece.Rect.Intersect(dst.Rect)
	alpha := uint32(piece.Color.A)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := dst.PixOffset(r.Min.X, y)
		from := piece.Picture.PixOffset(r.Min.X-piece.Rect.Min.X, y-piece.Rect.Min.Y)
		for range r.Dx() {
			px, src := dst.Pix[at:at+4:at+4], piece.Picture.Pix[from:from+4:from+4]
			keep := 255*255 - uint32(src[3])*alpha
			for i := range 3 {
				px[i] = uint8((uint32(src[i])*alpha*255 + uint32(px[i])*keep + 32512) / 65025)
			}
			px[3] = 255
			at, from = at+4, from+4
		}
	}
}

// turn returns the picture turned by quarter turns clockwise.
func turn(src *image.RGBA, rotation Rotation) *image.RGBA {
	if rotation&3 == Rotate0 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	tw, th := rotation.Size(w, h)
	out := image.NewRGBA(image.Rect(0, 0, tw, th))
	for y := range h {
		row := src.Pix[y*src.Stride:]
		for x := range w {
			cx, cy := rotation.Point(float32(x)+0.5, float32(y)+0.5, float32(w), float32(h))
			copy(out.Pix[int(cy)*out.Stride+int(cx)*4:][:4], row[x*4:][:4])
		}
	}
	return out
}
