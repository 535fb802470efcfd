package display

import (
	"image"
	"time"

	"shoeboard/display/paint"
)

// placing says where points of the unrotated picture lie on the panel.
type placing struct {
	rotation paint.Rotation
	w, h     int         // of the unrotated picture
	shift    image.Point // of the whole picture, on the picture
}

// point returns where a corner of a pixel lies on the panel.
func (p placing) point(x, y int) (px, py float32) {
	return p.rotation.Point(float32(x+p.shift.X), float32(y+p.shift.Y), float32(p.w), float32(p.h))
}

// reach lets a rectangle that goes to an edge of the picture go on beyond it, so
// that a shifted picture leaves no strip bare.
func (p placing) reach(r image.Rectangle) image.Rectangle {
	if r.Min.X <= 0 {
		r.Min.X -= max(p.shift.X, 0)
	}
	if r.Min.Y <= 0 {
		r.Min.Y -= max(p.shift.Y, 0)
	}
	if r.Max.X >= p.w {
		r.Max.X -= min(p.shift.X, 0)
	}
	if r.Max.Y >= p.h {
		r.Max.Y -= min(p.shift.Y, 0)
	}
	return r
}

// shiftEvery is how long a shifted picture stays where it is. It begins with a
// minute, so that the clock's new figure and the shift are one redraw.
const shiftEvery = 3 * time.Minute

// shiftAt returns where a picture that may shift by most pixels to each side stands at
// a time: it goes one pixel at a time, to and fro across, and after each round one
// up or down, so that nobody sees it move and it comes to stand everywhere.
func shiftAt(now time.Time, most int) image.Point {
	if most <= 0 {
		return image.Point{}
	}
	step := int(now.Unix() / int64(shiftEvery/time.Second))
	return image.Pt(swing(step, most), swing(step/(4*most), most))
}

// swing returns the step of a walk from 0 to most, to -most and back, for ever.
func swing(step, most int) int {
	switch step %= 4 * most; {
	case step <= most:
		return step
	case step <= 3*most:
		return 2*most - step
	}
	return step - 4*most
}
