package display

import (
	"image"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
	"pgregory.net/rapid"
)

func TestPolledKeysHaveLinuxNames(t *testing.T) {
	for key, want := range map[ebiten.Key]string{
		ebiten.KeyNumpad1: "KP1", ebiten.KeyNumpadEnter: "KPENTER", ebiten.KeyNumpadDecimal: "KPDOT", ebiten.KeyNumpadAdd: "KPPLUS",
		ebiten.KeyNumpadSubtract: "KPMINUS", ebiten.KeyNumpadMultiply: "KPASTERISK", ebiten.KeyNumpadDivide: "KPSLASH",
		ebiten.KeyNumLock: "NUMLOCK", ebiten.KeyEscape: "ESC", ebiten.KeyTab: "TAB", ebiten.KeyBackspace: "BACKSPACE", ebiten.KeyEnter: "ENTER",
		ebiten.KeyP: "P", ebiten.KeyDigit7: "7", ebiten.KeyF12: "F12", ebiten.KeyArrowLeft: "LEFT", ebiten.KeySpace: "SPACE",
		ebiten.KeyPageUp: "PAGEUP", ebiten.KeyShiftLeft: "LEFTSHIFT",
	} {
		if got := ebitenName(key); got != want {
			t.Errorf("%v is called %q, want %q", key, got, want)
		}
	}
}

// Masks on a page must not touch each other: a neighbour's edge would show.
func TestPlacesOnAPageNeverTouch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &page{size: 128, x: whiteSize + gap, shelf: whiteSize}
		taken := []image.Rectangle{image.Rect(0, 0, whiteSize, whiteSize)}
		for range 40 {
			size := image.Pt(rapid.IntRange(1, 140).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h"))
			at, ok := p.place(size)
			if !ok {
				continue
			}
			r := image.Rectangle{at, at.Add(size)}
			if !r.In(image.Rect(0, 0, p.size, p.size)) {
				t.Fatalf("%v lies outside the page", r)
			}
			for _, other := range taken {
				if r.Inset(-gap).Overlaps(other) {
					t.Fatalf("%v touches %v", r, other)
				}
			}
			taken = append(taken, r)
		}
	})
}

func TestBackgroundIsPaintedOnce(t *testing.T) {
	all := image.Rect(0, 0, 800, 480)
	c := newCanvas()
	if c.covered(all) {
		t.Error("nothing covers the screen")
	}
	ops, _ := testScene(nil, "blank 1", 800, 480)
	if c.pieces = c.painter.Pieces(nil, ops); !c.covered(all) {
		t.Error("the background covers the screen")
	}
	c.pieces[0].Color.A = 200
	if c.covered(all) {
		t.Error("a background that is seen through does not")
	}
}
