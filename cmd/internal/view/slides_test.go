package view

import (
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/display/scene"
	"shoeboard/stats"
)

// A house's pictures take turns; one that is no picture is passed over and named.
func TestHousePicturesTakeTurns(t *testing.T) {
	dir := t.TempDir()
	save := func(name string, w, h int, encode func(*os.File, image.Image) error) {
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		img.SetNRGBA(0, 0, color.NRGBA{R: 200, A: 255})
		f, err := os.Create(filepath.Join(dir, name))
		if err == nil {
			err = encode(f, img)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	save("1.png", 40, 30, func(f *os.File, i image.Image) error { return png.Encode(f, i) })
	save("2.jpg", 4000, 100, func(f *os.File, i image.Image) error { return jpeg.Encode(f, i, nil) })
	if err := os.WriteFile(filepath.Join(dir, "3.png"), []byte("not a picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	h := readSlides(dir)
	if len(h.pictures) != 2 || len(h.Errors) != 1 || !strings.Contains(h.Errors[0].Error(), "3.png: expected a PNG or a JPEG") {
		t.Fatalf("%d pictures, troubles %v", len(h.pictures), h.Errors)
	}
	if size := h.pictures[1].Bounds().Size(); size != image.Pt(1920, 48) {
		t.Errorf("a large picture is kept as %v", size)
	}
	if h.at(0) != h.pictures[0] || h.at(slideTurn) != h.pictures[1] || h.at(2*slideTurn) != h.pictures[0] {
		t.Error("the pictures do not take turns")
	}
	if h := readSlides(filepath.Join(dir, "nowhere")); len(h.pictures) != 0 || len(h.Errors) != 1 || h.at(0) != nil {
		t.Errorf("a folder that is not there: %v", h.Errors)
	}
}

// The picture of a [[screen]] is on the house's page of the attract pages.
func TestHousePictureIsShown(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "a.png"))
	if err == nil {
		err = png.Encode(f, image.NewNRGBA(image.Rect(0, 0, 16, 9)))
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	s := config.Default().Screens[0]
	s.Pictures = dir
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	b := &stats.Board{Phase: "shuffling", Bar: stats.Bar{Kind: stats.BarShuffling}, Attract: stats.Attract{On: true}}
	l.View.W, l.View.H = 1920, 1080
	for second := range 600 {
		l.View.Now = time.Duration(second) * time.Second
		l.View.House = l.Slides.at(l.View.Now)
		for _, op := range scene.Build(b, l.View) {
			if op.Name == "attract.house" && op.Picture == l.Slides.pictures[0] {
				return
			}
		}
	}
	t.Error("in ten minutes of attract pages the picture was not shown")
}
