package view

import (
	"fmt"
	"image"
	_ "image/jpeg" // the formats of slides
	_ "image/png"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/image/draw"

	"shoeboard/tracker/regular"
)

// Bounds of a house's slides: more are ignored, larger ones are scaled down.
const (
	mostSlides  = 20
	slideSide   = 1920
	slidePixels = 50_000_000
	slideBytes  = 64 << 20
	slideTurn   = 30 * time.Second // each stays for one round of the attract pages
)

// Slides are the house's own pictures for the pages between shoes.
type Slides struct {
	pictures []*image.NRGBA
	Errors   []error // pictures that cannot be shown
}

// readSlides reads the pictures of a folder in the order of their names; "" has none.
func readSlides(dir string) Slides {
	var s Slides
	if dir == "" {
		return s
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.Errors = append(s.Errors, fmt.Errorf("the house's pictures: %w", err))
	}
	for _, e := range entries {
		if e.IsDir() || len(s.pictures) == mostSlides {
			continue
		}
		p, err := readPicture(filepath.Join(dir, e.Name()))
		if err != nil {
			s.Errors = append(s.Errors, fmt.Errorf("the house's picture %s: %w", e.Name(), err))
			continue
		}
		s.pictures = append(s.pictures, p)
	}
	return s
}

// readPicture reads one picture, no larger than a board can use.
func readPicture(path string) (*image.NRGBA, error) {
	f, err := regular.OpenLinked(path, slideBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, _, err := image.DecodeConfig(f)
	if err != nil {
		return nil, fmt.Errorf("expected a PNG or a JPEG: %w", err)
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width*size.Height > slidePixels {
		return nil, fmt.Errorf("%d x %d pixels, expected at most %d in all", size.Width, size.Height, slidePixels)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(f)
	if err != nil {
		return nil, err
	}
	w, h := size.Width, size.Height
	if larger := max(w, h); larger > slideSide {
		w, h = max(1, w*slideSide/larger), max(1, h*slideSide/larger)
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(out, out.Bounds(), img, img.Bounds(), draw.Src, nil)
	return out, nil
}

// at returns the picture of a moment, nil when there is none.
func (s Slides) at(now time.Duration) *image.NRGBA {
	if len(s.pictures) == 0 {
		return nil
	}
	return s.pictures[int(now/slideTurn)%len(s.pictures)]
}
