package scene

import "math"

// box makes a box from its corner and its size.
func box(x, y, w, h float32) Box { return Box{x, y, x + w, y + h} }

// inset returns the box less dx on the left and right and dy above and below.
func (b Box) inset(dx, dy float32) Box { return Box{b.X0 + dx, b.Y0 + dy, b.X1 - dx, b.Y1 - dy} }

// top cuts a strip of height h off the box and returns both.
func (b Box) top(h float32) (strip, rest Box) {
	return Box{b.X0, b.Y0, b.X1, b.Y0 + h}, Box{b.X0, b.Y0 + h, b.X1, b.Y1}
}

// left cuts a strip of width w off the box and returns both.
func (b Box) left(w float32) (strip, rest Box) {
	return Box{b.X0, b.Y0, b.X0 + w, b.Y1}, Box{b.X0 + w, b.Y0, b.X1, b.Y1}
}

// right cuts a strip of width w off the right of the box and returns both.
func (b Box) right(w float32) (strip, rest Box) {
	return Box{b.X1 - w, b.Y0, b.X1, b.Y1}, Box{b.X0, b.Y0, b.X1 - w, b.Y1}
}

// row returns row i of n equal rows, its edges on whole pixels.
func (b Box) row(i, n int) Box {
	at := func(k int) float32 { return round(b.Y0 + b.H()*float32(k)/float32(n)) }
	return Box{b.X0, at(i), b.X1, at(i + 1)}
}

// column returns column i of n equal columns, its edges on whole pixels.
func (b Box) column(i, n int) Box {
	at := func(k int) float32 { return round(b.X0 + b.W()*float32(k)/float32(n)) }
	return Box{at(i), b.Y0, at(i + 1), b.Y1}
}

// whole returns the box with its edges on whole pixels.
func (b Box) whole() Box { return Box{round(b.X0), round(b.Y0), round(b.X1), round(b.Y1)} }

// centre returns the middle of the box.
func (b Box) centre() (x, y float32) { return (b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2 }

func round(v float32) float32 { return float32(math.Round(float64(v))) }

func ceil(v float32) float32 { return float32(math.Ceil(float64(v))) }
