package view

import (
	"image/color"
	"strings"
	"testing"
)

func TestStatusLineAsQR(t *testing.T) {
	if qrOf("") != nil || qrOf(strings.Repeat("x", 9000)) != nil {
		t.Error("an empty or endless text has a QR")
	}
	img := qrOf("table 14 · ez-baccarat-panda-8 · 1.0.0 · 9f2c01aa · no faults")
	if img == nil {
		t.Fatal("no QR")
	}
	black, white := color.NRGBA{A: 255}, color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	// The finder pattern: a black ring of seven modules behind the quiet zone.
	for i, want := range []color.NRGBA{white, white, white, white, black, black, black, black, black, black, black, white} {
		if got := img.NRGBAAt(i, 4); got != want {
			t.Errorf("module %d of the first row is %v, want %v", i, got, want)
		}
	}
	var c qrCache
	if a := c.of("a"); a == nil || c.of("a") != a || c.of("b") == a {
		t.Error("the cache does not keep the last picture")
	}
}
