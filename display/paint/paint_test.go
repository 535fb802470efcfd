package paint

import (
	"image"
	"image/color"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/assets"
	"shoeboard/display/scene"
)

var (
	black = color.NRGBA{0, 0, 0, 255}
	white = color.NRGBA{255, 255, 255, 255}
	red   = color.NRGBA{217, 37, 53, 255}
	blue  = color.NRGBA{59, 142, 255, 255}
)

func fonts(t testing.TB) *scene.Fonts {
	t.Helper()
	f, err := scene.NewFonts(assets.Fonts())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// frame paints ops on 100 x 80 pixels.
func frame(ops ...scene.Op) *image.RGBA { return New().Frame(ops, 100, 80, Rotate0) }

func at(img *image.RGBA, x, y int) color.NRGBA {
	c := img.RGBAAt(x, y)
	return color.NRGBA(c)
}

type want struct {
	x, y int
	c    color.NRGBA
}

func check(t *testing.T, img *image.RGBA, wants ...want) {
	t.Helper()
	for _, w := range wants {
		if got := at(img, w.x, w.y); got != w.c {
			t.Errorf("pixel %d,%d is %v, want %v", w.x, w.y, got, w.c)
		}
	}
}

// ink counts the light in a box of a white-on-black picture, in whole pixels.
func ink(img *image.RGBA, r image.Rectangle) float64 {
	sum := 0
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			sum += int(img.RGBAAt(x, y).G)
		}
	}
	return float64(sum) / 255
}

func TestEmptyFrameIsOpaqueBlack(t *testing.T) {
	check(t, frame(), want{0, 0, black}, want{99, 79, black})
}

func TestRectanglesHaveSharpEdges(t *testing.T) {
	img := frame(scene.Op{Kind: scene.Rect, X: 10.3, Y: 20.4, W: 30, H: 10, Color: red})
	check(t, img, want{9, 25, black}, want{10, 25, red}, want{39, 25, red}, want{40, 25, black},
		want{20, 19, black}, want{20, 20, red}, want{20, 29, red}, want{20, 30, black})
}

func TestGridLineIsNeverLost(t *testing.T) {
	img := frame(scene.Op{Kind: scene.Rect, X: 10.1, Y: 5, W: 0.3, H: 20, Color: red},
		scene.Op{Kind: scene.Line, X: 30, Y: 5.6, X2: 50, Y2: 5.6, Stroke: 0.5, Color: red},
		scene.Op{Kind: scene.Line, X: 60, Y: 40, X2: 60, Y2: 20, Stroke: 2, Color: red})
	check(t, img, want{10, 10, red}, want{9, 10, black}, want{11, 10, black},
		want{30, 5, red}, want{49, 5, red}, want{50, 5, black}, want{40, 4, black}, want{40, 6, black},
		want{59, 20, red}, want{60, 39, red}, want{60, 40, black}, want{58, 30, black}, want{61, 30, black})
}

func TestRoundedRectangleLosesOnlyItsCorners(t *testing.T) {
	img := frame(scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 60, H: 40, Radius: 8, Color: white})
	check(t, img, want{10, 10, black}, want{69, 10, black}, want{10, 49, black}, want{69, 49, black},
		want{18, 10, white}, want{10, 18, white}, want{61, 49, white}, want{69, 41, white}, want{40, 30, white})
	area := 60*40 - 64*(4-3.14159)
	if got := ink(img, img.Rect); got < area-1 || got > area+1 {
		t.Errorf("the area is %.1f pixels, want %.1f", got, area)
	}
}

func TestOnlyTheCornersNamedAreRound(t *testing.T) {
	img := frame(scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 60, H: 40, Radius: 8, Corners: scene.TopLeft | scene.BottomLeft, Color: white})
	check(t, img, want{10, 10, black}, want{10, 49, black}, want{69, 10, white}, want{69, 49, white})
}

func TestOutlineStaysInsideItsBox(t *testing.T) {
	for _, radius := range []float32{0, 1, 2, 8, 18} {
		img := frame(scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 60, H: 40, Radius: radius, Stroke: 2, Color: white})
		check(t, img, want{40, 10, white}, want{40, 11, white}, want{40, 12, black}, want{40, 9, black}, want{40, 49, white}, want{40, 50, black},
			want{10, 30, white}, want{11, 30, white}, want{12, 30, black}, want{69, 30, white}, want{70, 30, black})
	}
	img := frame(scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 60, H: 40, Stroke: 2, Color: color.NRGBA{255, 255, 255, 128}})
	check(t, img, want{10, 10, color.NRGBA{128, 128, 128, 255}}, want{40, 10, color.NRGBA{128, 128, 128, 255}}, want{10, 48, color.NRGBA{128, 128, 128, 255}})
}

func TestRoundedOutlineIsEvenlyWide(t *testing.T) {
	img := frame(scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 60, H: 40, Radius: 10, Stroke: 3, Color: white})
	want := 60*40 - 100*(4-3.14159) - (54*34 - 49*(4-3.14159))
	if got := ink(img, img.Rect); got < want-1.5 || got > want+1.5 {
		t.Errorf("the band covers %.1f pixels, want %.1f", got, want)
	}
}

func TestDiscAndRingFillTheirBox(t *testing.T) {
	disc := frame(scene.Op{Kind: scene.Disc, X: 20, Y: 20, W: 40, H: 40, Color: white})
	if got := ink(disc, disc.Rect); got < 1255 || got > 1258.5 {
		t.Errorf("a disc of 40 px covers %.1f pixels, want 1256.6", got)
	}
	check(t, disc, want{40, 40, white}, want{20, 20, black}, want{19, 40, black}, want{60, 40, black})
	ring := frame(scene.Op{Kind: scene.Ring, X: 20, Y: 20, W: 40, H: 40, Stroke: 5, Color: white})
	if got := ink(ring, ring.Rect); got < 548 || got > 551.5 {
		t.Errorf("its ring of 5 px covers %.1f pixels, want 549.8", got)
	}
	check(t, ring, want{40, 40, black}, want{22, 40, white}, want{40, 57, white})
}

func TestSlashes(t *testing.T) {
	cut := frame(scene.Op{Kind: scene.Line, X: 20, Y: 60, X2: 60, Y2: 20, Stroke: 4, Color: white})
	if got := ink(cut, cut.Rect); got < 225 || got > 227.5 {
		t.Errorf("a cut slash covers %.1f pixels, want 226.3", got)
	}
	round := frame(scene.Op{Kind: scene.Line, X: 20, Y: 60, X2: 60, Y2: 20, Stroke: 4, Round: true, Color: white})
	if got := ink(round, round.Rect); got < 237 || got > 240.5 {
		t.Errorf("a slash with round ends covers %.1f pixels, want 238.8", got)
	}
	check(t, cut, want{40, 40, white}, want{30, 50, white}, want{40, 50, black})
	dot := frame(scene.Op{Kind: scene.Line, X: 20, Y: 20, X2: 20, Y2: 20, Stroke: 8, Round: true, Color: white})
	check(t, dot, want{20, 20, white}, want{17, 20, white}, want{25, 20, black})
}

func TestColoursMixByAlpha(t *testing.T) {
	half := color.NRGBA{255, 255, 255, 128}
	img := frame(scene.Op{Kind: scene.Rect, W: 100, H: 80, Color: blue},
		scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 10, H: 10, Color: half},
		scene.Op{Kind: scene.Disc, X: 40, Y: 40, W: 20, H: 20, Color: half},
		scene.Op{Kind: scene.Rect, X: 70, Y: 10, W: 10, H: 10})
	mixed := color.NRGBA{157, 199, 255, 255}
	check(t, img, want{5, 5, blue}, want{15, 15, mixed}, want{50, 50, mixed}, want{75, 15, blue})
}

func TestWhatLiesOutsideIsCutNotWrapped(t *testing.T) {
	run := fonts(t).Shape(scene.Style{Size: 40, Weight: scene.Bold}, "BANKER")
	img := frame(scene.Op{Kind: scene.Rect, X: -10, Y: -10, W: 20, H: 20, Color: red},
		scene.Op{Kind: scene.Disc, X: 90, Y: 70, W: 40, H: 40, Color: red},
		scene.Op{Kind: scene.Text, X: 60, Y: 40, Color: white, Run: run},
		scene.Op{Kind: scene.Text, X: -900, Y: -40, Color: white, Run: run},
		scene.Op{Kind: scene.Rect, X: 400, Y: 400, W: 20, H: 20, Radius: 4, Color: red})
	check(t, img, want{0, 0, red}, want{9, 9, red}, want{10, 10, black}, want{0, 30, black}, want{0, 79, black})
}

func TestTextLiesWhereItWasMeasured(t *testing.T) {
	f := fonts(t)
	for _, text := range []string{"HAND 70", "龍7 莊注退回", "Mời đặt cược", "베팅하세요", "$10–$1,000"} {
		run := f.Shape(scene.Style{Size: 33, Weight: scene.ExtraBold, Lang: "zh-Hant"}, text)
		op := scene.Op{Kind: scene.Text, X: 20.4, Y: 60, Color: white, Run: run}
		img := New().Frame([]scene.Op{op}, 400, 100, Rotate0)
		b := op.Bounds()
		box := image.Rect(int(b.X0)-1, int(b.Y0)-1, int(b.X1)+2, int(b.Y1)+2)
		all, inside := ink(img, img.Rect), ink(img, box)
		if all == 0 || all != inside {
			t.Errorf("%q: %.0f of %.0f pixels of ink lie in the measured box %v", text, inside, all, b)
		}
		for _, edge := range []image.Rectangle{
			image.Rect(box.Min.X, box.Min.Y, box.Min.X+4, box.Max.Y), image.Rect(box.Max.X-4, box.Min.Y, box.Max.X, box.Max.Y),
			image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+4), image.Rect(box.Min.X, box.Max.Y-4, box.Max.X, box.Max.Y)} {
			if ink(img, edge) == 0 {
				t.Errorf("%q: no ink along the edge %v of its measured box", text, edge)
			}
		}
	}
}

func TestCapitalsOfWholePixelsAreSharp(t *testing.T) {
	f := fonts(t)
	run := f.Shape(scene.Style{Size: f.CapSize(20), Weight: scene.Bold}, "E")
	img := frame(scene.Op{Kind: scene.Text, X: 10, Y: 50.4, Color: white, Run: run})
	for _, w := range []struct {
		y   int
		lit bool
	}{{29, false}, {30, true}, {49, true}, {50, false}} {
		if got := at(img, 18, w.y); (w.lit && got.G < 250) || (!w.lit && got.G > 5) {
			t.Errorf("row %d of an E that stands on 50 is %v", w.y, got)
		}
	}
}

func TestPicturesAreScaledAndShowThrough(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	src.SetNRGBA(0, 0, red)
	src.SetNRGBA(1, 0, color.NRGBA{0, 0, 255, 0})
	img := frame(scene.Op{Kind: scene.Rect, W: 100, H: 80, Color: white},
		scene.Op{Kind: scene.Image, X: 10, Y: 10, W: 20, H: 10, Picture: src, Color: white},
		scene.Op{Kind: scene.Image, X: 50, Y: 10, W: 20, H: 10, Picture: src, Color: color.NRGBA{A: 128}},
		scene.Op{Kind: scene.Image, X: 50, Y: 50, W: 31, H: 17, Picture: src, Color: white},
		scene.Op{Kind: scene.Image, Color: white, Picture: src}, scene.Op{Kind: scene.Image, W: 9, H: 9, Color: white})
	check(t, img, want{10, 10, red}, want{19, 19, red}, want{20, 10, white}, want{29, 19, white},
		want{55, 15, color.NRGBA{236, 146, 154, 255}}, want{74, 60, white}, want{79, 60, white})
}

func TestRotationTurnsClockwise(t *testing.T) {
	ops := []scene.Op{{Kind: scene.Rect, W: 10, H: 5, Color: red}, {Kind: scene.Rect, X: 90, Y: 75, W: 10, H: 5, Color: blue}}
	for _, c := range []struct {
		rotation  Rotation
		w, h      int
		red, blue image.Point
	}{
		{Rotate0, 100, 80, image.Pt(9, 4), image.Pt(90, 75)},
		{Rotate90, 80, 100, image.Pt(75, 9), image.Pt(4, 90)},
		{Rotate180, 100, 80, image.Pt(90, 75), image.Pt(9, 4)},
		{Rotate270, 80, 100, image.Pt(4, 90), image.Pt(75, 9)},
	} {
		img := New().Frame(ops, 100, 80, c.rotation)
		if img.Rect.Dx() != c.w || img.Rect.Dy() != c.h {
			t.Errorf("%d quarter turns: %v", c.rotation, img.Rect)
		}
		check(t, img, want{c.red.X, c.red.Y, red}, want{c.blue.X, c.blue.Y, blue})
	}
}

func TestSamePictureEachTimeFromKeptMasks(t *testing.T) {
	f, p := fonts(t), New()
	ops := board(f)
	first := p.Frame(ops, 1920, 1080, Rotate0)
	made := len(p.masks.young)
	second := p.Frame(ops, 1920, 1080, Rotate0)
	if string(first.Pix) != string(second.Pix) {
		t.Error("the second frame differs from the first")
	}
	if len(p.masks.young) != made {
		t.Errorf("%d masks became %d though nothing is new", made, len(p.masks.young))
	}
}

func TestMasksAreBounded(t *testing.T) {
	p := New()
	for i := range 4000 {
		p.Pieces(nil, []scene.Op{{Kind: scene.Disc, W: 200 + float32(i)/16, H: 200, Color: red}})
	}
	kept := 0
	for _, generation := range []map[shape]*image.Alpha{p.masks.young, p.masks.old} {
		for _, m := range generation {
			kept += len(m.Pix)
		}
	}
	if kept > 2*maskBytes || kept < maskBytes/2 {
		t.Errorf("%d bytes of masks kept, the bound is %d", kept, 2*maskBytes)
	}
}

func TestAnyShapePaintsWithinItsBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := func(name string, from, to float32) float32 { return rapid.Float32Range(from, to).Draw(t, name) }
		op := scene.Op{Kind: rapid.SampledFrom([]scene.Kind{scene.Rect, scene.Disc, scene.Ring, scene.Line}).Draw(t, "kind"),
			X: length("x", -20, 90), Y: length("y", -20, 70), W: length("w", 0, 60), H: length("h", 0, 60),
			Radius: length("radius", -1, 40), Stroke: length("stroke", 0.01, 30), Round: rapid.Bool().Draw(t, "round"),
			Corners: scene.Corners(rapid.IntRange(0, 15).Draw(t, "corners")), Color: white}
		op.X2, op.Y2 = length("x2", -20, 110), length("y2", -20, 90)
		if op.Kind == scene.Rect && rapid.Bool().Draw(t, "filled") {
			op.Stroke = 0
		}
		b := op.Bounds()
		box := image.Rect(int(b.X0)-2, int(b.Y0)-2, int(b.X1)+2, int(b.Y1)+2)
		img := frame(op)
		if all, inside := ink(img, img.Rect), ink(img, box); all != inside {
			t.Fatalf("%v: %.1f pixels lie outside its box", op, all-inside)
		}
	})
}

func TestNoPieceIsPaintedTwice(t *testing.T) {
	// A see-through box shows where two of its pieces overlap or leave a gap.
	half := color.NRGBA{255, 255, 255, 128}
	for _, stroke := range []float32{0, 1, 3, 9, 30} {
		for _, radius := range []float32{0, 0.5, 3, 7.5, 50} {
			img := frame(scene.Op{Kind: scene.Rect, X: 10, Y: 10, W: 41, H: 33, Radius: radius, Stroke: stroke, Color: half})
			for y := range 80 {
				for x := range 100 {
					if c := at(img, x, y); c.G > 128 {
						t.Fatalf("stroke %v, radius %v: pixel %d,%d is painted twice", stroke, radius, x, y)
					}
				}
			}
		}
	}
}

// board is about as much as a full board in play holds: some 900 marks and
// 120 texts.
func board(f *scene.Fonts) []scene.Op {
	ops := []scene.Op{{Kind: scene.Rect, W: 1920, H: 1080, Color: color.NRGBA{9, 12, 17, 255}}}
	for i := range 900 {
		x, y := float32(24+i%48*39), float32(104+i/48*44)
		kind := []scene.Kind{scene.Ring, scene.Disc}[i%2]
		ops = append(ops, scene.Op{Kind: kind, X: x, Y: y, W: 33, H: 33, Stroke: 5, Color: red})
	}
	for i := range 120 {
		size := []float32{16, 20, 28, 40}[i%4]
		run := f.Shape(scene.Style{Size: f.CapSize(size), Weight: scene.Bold, Lang: "zh-Hant"}, []string{"PLAYER 閒", "$10–$1,000", "45.7", "DRAGON 7 龍7"}[i%4])
		ops = append(ops, scene.Op{Kind: scene.Text, X: float32(20 + i%8*230), Y: float32(60 + i/8*60), Run: run, Color: white})
	}
	return append(ops, scene.Op{Kind: scene.Rect, X: 24, Y: 840, W: 1872, H: 148, Radius: 12, Color: color.NRGBA{37, 55, 75, 255}})
}

// The first picture of a program, as in replay --png: nothing is kept yet.
func BenchmarkFirstFrame(b *testing.B) {
	ops := board(fonts(b))
	for b.Loop() {
		New().Frame(ops, 1920, 1080, Rotate0)
	}
}

func BenchmarkNextFrame(b *testing.B) {
	ops, p := board(fonts(b)), New()
	for b.Loop() {
		p.Frame(ops, 1920, 1080, Rotate90)
	}
}
