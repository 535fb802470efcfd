package display

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/display/paint"
	"shoeboard/display/scene"
)

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
	if covered(nil, all) {
		t.Error("nothing covers the screen")
	}
	ops, _ := testScene(nil, "blank 1", 800, 480)
	pieces := paint.New().Pieces(nil, ops)
	if !covered(pieces, all) {
		t.Error("the background covers the screen")
	}
	pieces[0].Color.A = 200
	if covered(pieces, all) {
		t.Error("a background that is seen through does not")
	}
}

// Every pixel of the background that no panel hides is painted, once.
func TestBackgroundUnderPanelsIsLeftOut(t *testing.T) {
	const w, h = 300, 200
	rapid.Check(t, func(t *rapid.T) {
		c := newCanvas()
		piece := func(r image.Rectangle, alpha uint8) {
			c.pieces = append(c.pieces, paint.Piece{Rect: r, Color: color.NRGBA{A: alpha}})
		}
		piece(image.Rect(0, 0, w, h), 255)
		for range rapid.IntRange(0, 6).Draw(t, "panels") {
			x, y := rapid.IntRange(-50, w).Draw(t, "x"), rapid.IntRange(-50, h).Draw(t, "y")
			r := image.Rect(x, y, x+rapid.IntRange(1, 250).Draw(t, "w"), y+rapid.IntRange(1, 250).Draw(t, "h"))
			piece(r, rapid.SampledFrom([]uint8{255, 254}).Draw(t, "alpha"))
		}
		var painted [h][w]int
		for range 2 { // the second time in the room of the first
			painted = [h][w]int{}
			for _, r := range c.uncovered() {
				for y := r.Min.Y; y < r.Max.Y; y++ {
					for x := r.Min.X; x < r.Max.X; x++ {
						painted[y][x]++
					}
				}
			}
		}
		for y := range h {
			for x := range w {
				want := 1
				for _, p := range c.pieces[1:] {
					if p.Color.A == 255 && p.Rect.Dx()*p.Rect.Dy() >= worthwhile && image.Pt(x, y).In(p.Rect) {
						want = 0
					}
				}
				if painted[y][x] != want {
					t.Fatalf("the background at %d,%d is painted %d times, want %d; %v", x, y, painted[y][x], want, c.pieces)
				}
			}
		}
	})
}

func TestShiftGoesOnePixelAtATimeAndEverywhere(t *testing.T) {
	const most = 4
	seen := map[image.Point]int{}
	last := shiftAt(time.Unix(0, 0), most)
	for minute := range 60 * 24 * 7 {
		at := shiftAt(time.Unix(int64(60*minute), 0), most)
		if at != last && minute%3 != 0 {
			t.Fatalf("minute %d: shifted from %v to %v between its times", minute, last, at)
		}
		if d := at.Sub(last); max(d.X, -d.X, d.Y, -d.Y) > 1 {
			t.Fatalf("minute %d: from %v to %v at once", minute, last, at)
		}
		if max(at.X, -at.X, at.Y, -at.Y) > most {
			t.Fatalf("minute %d: shifted by %v", minute, at)
		}
		seen[at]++
		last = at
	}
	if want := (2*most + 1) * (2*most + 1); len(seen) != want {
		t.Errorf("the picture stood in %d places in a week, want %d", len(seen), want)
	}
	if got := shiftAt(time.Now(), 0); got != (image.Point{}) {
		t.Errorf("a picture that may not shift stands at %v", got)
	}
}

func TestShiftedPictureLeavesNoStripBare(t *testing.T) {
	all := image.Rect(0, 0, 800, 480)
	for _, shift := range []image.Point{{}, {4, 0}, {-4, 0}, {0, 4}, {0, -4}, {3, -2}, {-3, 2}} {
		p := placing{w: 800, h: 480, shift: shift}
		if r := p.reach(all).Add(shift); !all.In(r) {
			t.Errorf("shifted by %v the background lies at %v", shift, r)
		}
		inner := image.Rect(10, 10, 790, 470)
		if r := p.reach(inner); r != inner {
			t.Errorf("shifted by %v a panel at %v becomes %v", shift, inner, r)
		}
	}
}

// A picture that shifts is painted no more often than one whose clock alone changes:
// both change as a minute begins.
func TestShiftComesWithTheMinute(t *testing.T) {
	for _, shift := range []int{0, 4} {
		now := time.Unix(1_000_000_000, 0)
		s := New(Options{Shift: shift, Picture: func(int, int) ([]scene.Op, time.Duration) {
			minute := now.Truncate(time.Minute)
			return []scene.Op{{X: float32(minute.Minute())}}, minute.Add(time.Minute).Sub(now)
		}})
		s.w, s.h = 800, 480
		painted := 0
		stood := map[image.Point]bool{}
		for range 3600 {
			s.ask(now)
			if s.stale {
				painted++
				s.stale = false
			}
			stood[s.shift] = true
			now = now.Add(time.Second)
		}
		if painted > 61 {
			t.Errorf("shift %d: %d pictures in an hour of a clock", shift, painted)
		}
		if (len(stood) > 1) != (shift > 0) {
			t.Errorf("shift %d: the picture stood in %d places", shift, len(stood))
		}
	}
}

// Who has no display is told so; of one that he named, what is wrong with it.
func TestNoWindowIsToldWithItsDisplay(t *testing.T) {
	why := errors.New("no window system")
	if err := nowhere("", why); !errors.Is(err, why) || !strings.Contains(err.Error(), "DISPLAY is not set") {
		t.Errorf("without a display: %v", err)
	}
	if a, b := nowhere(":0", why), nowhere("", nil); a != why || b != nil {
		t.Errorf("of a display that is named %v, of a window that was there %v", a, b)
	}
}
