package view

import (
	"fmt"
	"image"
	_ "image/jpeg" // what a house has its pictures in
	_ "image/png"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/image/draw"
)

// Bounds of a house's pictures: more are passed over, larger ones are made smaller.
const (
	houseMost  = 20
	houseSide  = 1920
	housePixel = 50_000_000
	houseTurn  = 30 * time.Second // each stays for one round of the attract pages
)

// Folder holds the house's own pictures for the pages between shoes.
type Folder struct {
	pictures []*image.NRGBA
	Troubles []error // pictures that cannot be shown; they are passed over
}

// readHouse reads the pictures of a folder in the order of their names; "" has none.
func readHouse(dir string) Folder {
	var h Folder
	if dir == "" {
		return h
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		h.Troubles = append(h.Troubles, fmt.Errorf("the house's pictures: %w", err))
	}
	for _, e := range entries {
		if e.IsDir() || len(h.pictures) == houseMost {
			continue
		}
		p, err := readPicture(filepath.Join(dir, e.Name()))
		if err != nil {
			h.Troubles = append(h.Troubles, fmt.Errorf("the house's picture %s: %w", e.Name(), err))
			continue
		}
		h.pictures = append(h.pictures, p)
	}
	return h
}

// readPicture reads one picture, no larger than a board can use.
func readPicture(path string) (*image.NRGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, _, err := image.DecodeConfig(f)
	if err != nil {
		return nil, fmt.Errorf("expected a PNG or a JPEG: %w", err)
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width*size.Height > housePixel {
		return nil, fmt.Errorf("it has %d x %d pixels, expected at most %d in all", size.Width, size.Height, housePixel)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(f)
	if err != nil {
		return nil, err
	}
	w, h := size.Width, size.Height
	if larger := max(w, h); larger > houseSide {
		w, h = max(1, w*houseSide/larger), max(1, h*houseSide/larger)
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out, nil
}

// at is the picture of a moment, nil when there is none.
func (h Folder) at(now time.Duration) *image.NRGBA {
	if len(h.pictures) == 0 {
		return nil
	}
	return h.pictures[int(now/houseTurn)%len(h.pictures)]
}
