package display

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"
)

const (
	pageSize  = 2048 // every GPU of the last fifteen years takes textures of this size
	pagesKept = 4    // a 3840x2160 board fills about half of one
	whiteSize = 3    // each page begins with a white square for plain rectangles
	gap       = 1    // between masks, so that none touches its neighbour
	kept      = 16   // scaled pictures
)

// page is a texture that is filled with masks from left to right in shelves.
type page struct {
	image   *ebiten.Image
	size    int
	x, y    int // where the next mask goes
	shelf   int // height of the shelf that is being filled
	scratch []byte
}

func newPage(size int) *page {
	p := &page{size: size, x: whiteSize + gap, shelf: whiteSize}
	p.image = ebiten.NewImageWithOptions(image.Rect(0, 0, size, size), &ebiten.NewImageOptions{Unmanaged: true})
	white := make([]byte, 4*whiteSize*whiteSize)
	for i := range white {
		white[i] = 255
	}
	p.write(image.Rect(0, 0, whiteSize, whiteSize), white)
	return p
}

func (p *page) write(r image.Rectangle, pixels []byte) {
	p.image.SubImage(r).(*ebiten.Image).WritePixels(pixels)
}

// place returns where a mask of this size fits, if it does.
func (p *page) place(size image.Point) (image.Point, bool) {
	x, y, shelf := p.x, p.y, p.shelf
	if x+size.X > p.size {
		x, y, shelf = 0, y+shelf+gap, 0
	}
	if x+size.X > p.size || y+size.Y > p.size {
		return image.Point{}, false
	}
	p.x, p.y, p.shelf = x+size.X+gap, y, max(shelf, size.Y)
	return image.Pt(x, y), true
}

// put uploads a mask as a white shape.
func (p *page) put(mask *image.Alpha, at image.Point) {
	w, h := mask.Rect.Dx(), mask.Rect.Dy()
	p.scratch = p.scratch[:0]
	for y := range h {
		for _, a := range mask.Pix[y*mask.Stride : y*mask.Stride+w] {
			p.scratch = append(p.scratch, a, a, a, a)
		}
	}
	p.write(image.Rectangle{at, at.Add(image.Pt(w, h))}, p.scratch)
}

// spot returns where a mask lies, uploading it when it is new.
func (c *canvas) spot(mask *image.Alpha) spot {
	if s, ok := c.spots[mask]; ok {
		return s
	}
	size := mask.Rect.Size()
	last := c.firstPage()
	if len(c.pages) > 1 {
		last = c.pages[len(c.pages)-1]
	}
	at, ok := last.place(size)
	if !ok {
		last = newPage(max(pageSize, max(size.X, size.Y)+whiteSize+2*gap))
		c.pages = append(c.pages, last)
		at, _ = last.place(size)
	}
	last.put(mask, at)
	s := spot{last, at}
	c.spots[mask] = s
	return s
}

func (c *canvas) firstPage() *page {
	if len(c.pages) == 0 {
		c.pages = append(c.pages, newPage(pageSize))
	}
	return c.pages[0]
}

func (c *canvas) isPage(source *ebiten.Image) bool {
	for _, p := range c.pages {
		if p.image == source {
			return true
		}
	}
	return false
}

// picture returns the texture of a scaled picture.
func (c *canvas) picture(src *image.RGBA) *ebiten.Image {
	if img, ok := c.pictures[src]; ok {
		return img
	}
	img := ebiten.NewImageWithOptions(src.Rect, &ebiten.NewImageOptions{Unmanaged: true})
	img.WritePixels(src.Pix)
	c.pictures[src] = img
	return img
}

// makeRoom drops all textures when there are too many, between two pictures:
// what is still in use is uploaded again from the painter's masks, which takes
// a few milliseconds and happens once in days.
func (c *canvas) makeRoom() {
	if len(c.pages) > pagesKept {
		for _, p := range c.pages {
			p.image.Deallocate()
		}
		clear(c.spots)
		c.pages = nil
	}
	if len(c.pictures) > kept {
		for _, img := range c.pictures {
			img.Deallocate()
		}
		clear(c.pictures)
	}
}
