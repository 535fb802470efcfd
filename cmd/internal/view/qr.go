package view

import (
	"image"
	"image/color"

	"rsc.io/qr"
)

// qrOf returns a text as a QR picture with its quiet zone, one pixel a module; nil when
// the text is empty or too long for one.
func qrOf(text string) *image.NRGBA {
	if text == "" {
		return nil
	}
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil
	}
	const quiet = 4
	side := code.Size + 2*quiet
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			c := color.NRGBA{R: 255, G: 255, B: 255, A: 255}
			if code.Black(x-quiet, y-quiet) {
				c = color.NRGBA{A: 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// qrCache keeps the QR of the last text: one picture is drawn many times.
type qrCache struct {
	text string
	img  *image.NRGBA
}

func (c *qrCache) of(text string) *image.NRGBA {
	if text != c.text {
		c.text, c.img = text, qrOf(text)
	}
	return c.img
}
