package scene

import (
	"image"
	"image/color"
	"math"
)

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

// canvas collects the ops of one picture.
type canvas struct {
	ops   []Op
	fonts *Fonts
	theme *Theme
	words words
	scale float32 // pixels to one unit of the design
}

// u turns a length of the design into pixels.
func (c *canvas) u(n float32) float32 { return n * c.scale }

// px turns a length of the design into whole pixels, at least one.
func (c *canvas) px(n float32) float32 { return max(1, round(n*c.scale)) }

// cap turns a cap height of the design into whole pixels, never below it.
func (c *canvas) cap(n float32) float32 { return max(1, ceil(n*c.scale-0.01)) }

func (c *canvas) add(o Op) { c.ops = append(c.ops, o) }

func (c *canvas) fill(name string, b Box, radius float32, col color.NRGBA) {
	c.add(Op{Kind: Rect, Name: name, X: b.X0, Y: b.Y0, W: b.W(), H: b.H(), Radius: radius, Color: col})
}

func (c *canvas) outline(name string, b Box, radius, stroke float32, col color.NRGBA) {
	c.add(Op{Kind: Rect, Name: name, X: b.X0, Y: b.Y0, W: b.W(), H: b.H(), Radius: radius, Stroke: stroke, Color: col})
}

// disc paints a circle of diameter d about a point.
func (c *canvas) disc(name string, x, y, d float32, col color.NRGBA) {
	c.add(Op{Kind: Disc, Name: name, X: x - d/2, Y: y - d/2, W: d, H: d, Color: col})
}

// ring paints a circle line of outer diameter d about a point.
func (c *canvas) ring(name string, x, y, d, stroke float32, col color.NRGBA) {
	c.add(Op{Kind: Ring, Name: name, X: x - d/2, Y: y - d/2, W: d, H: d, Stroke: stroke, Color: col})
}

func (c *canvas) line(name string, x0, y0, x1, y1, stroke float32, roundEnds bool, col color.NRGBA) {
	c.add(Op{Kind: Line, Name: name, X: x0, Y: y0, X2: x1, Y2: y1, Stroke: stroke, Round: roundEnds, Color: col})
}

func (c *canvas) image(name string, p *image.NRGBA, b Box) {
	c.add(Op{Kind: Image, Name: name, X: b.X0, Y: b.Y0, W: b.W(), H: b.H(), Picture: p, Color: rgb(0xffffff)})
}

// panel paints a filled box with a thin edge, its corners round.
func (c *canvas) panel(name string, b Box, fill, edge color.NRGBA) {
	c.fill(name, b, c.px(10), fill)
	c.outline(name+".edge", b, c.px(10), c.px(2), edge)
}

// rule paints a thin level line through a panel.
func (c *canvas) rule(name string, x0, x1, y float32) {
	c.fill(name, Box{x0, y, x1, y + c.px(2)}, 0, c.theme.Border)
}

func (c *canvas) text(name string, run *Run, x, baseline float32, col color.NRGBA) {
	if run == nil || run.Text == "" {
		return
	}
	c.add(Op{Kind: Text, Name: name, X: round(x), Y: round(baseline), Run: run, Color: col})
}
