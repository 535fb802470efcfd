package scene

import (
	"image"
	"image/color"
	"testing"
)

func TestOpPrintsAsOneGoldenLine(t *testing.T) {
	white := color.NRGBA{255, 255, 255, 255}
	run := &Run{Text: `TIE "和"`, Style: Style{Size: 24.46, Weight: Bold, Tabular: true, Lang: traditional}, Advance: 61.04}
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Kind: Rect, Name: "bar", X: 24, Y: 840, W: 1872, H: 148, Radius: 12, Corners: TopLeft | BottomLeft, Color: color.NRGBA{0x25, 0x37, 0x4b, 0xff}},
			"rect bar 24,840 1872x148 radius 12 corners 1001 #25374b"},
		{Op{Kind: Ring, Name: "big.3", X: 1.04, Y: -0.01, W: 35, H: 35, Stroke: 5.25, Color: color.NRGBA{1, 2, 3, 4}},
			"ring big.3 1,0 35x35 stroke 5.2 #01020304"},
		{Op{Kind: Line, Name: "tie", X: 1, Y: 2, X2: 3, Y2: 4.25, Stroke: 2, Round: true, Color: white},
			"line tie 1,2 to 3,4.2 stroke 2 round #ffffff"},
		{Op{Kind: Text, Name: "limits.tie.label", X: 10, Y: 20, Run: run, Color: white},
			`text limits.tie.label 10,20 "TIE \"和\"" 24.5/700 tnum zh-Hant wide 61 #ffffff`},
		{Op{Kind: Image, Name: "house", W: 8, H: 9, Picture: image.NewNRGBA(image.Rect(0, 0, 4, 5)), Color: white},
			"image house 0,0 8x9 of 4x5 #ffffff"},
		{Op{Kind: Text, Name: "nothing"}, `text nothing 0,0 "" #00000000`},
		{Op{Kind: 99, Name: "x"}, "kind99 x 0,0 0x0 #00000000"},
	} {
		if got := c.op.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestOpsOfTheSamePictureAreEqual(t *testing.T) {
	fonts := testFonts(t)
	build := func() Op {
		return Op{Kind: Text, Name: "phase", X: 3, Run: fonts.Shape(Style{Size: 20}, "TIE")}
	}
	if build() != build() {
		t.Error("the same text shaped twice gives two different ops")
	}
}

func TestBoundsAreWhatTheShapeTouches(t *testing.T) {
	run := &Run{Ink: Box{1, -10, 30, 2}}
	for _, c := range []struct {
		op   Op
		want Box
	}{
		{Op{Kind: Disc, X: 5, Y: 6, W: 10, H: 20}, Box{5, 6, 15, 26}},
		{Op{Kind: Line, X: 10, Y: 0, X2: 0, Y2: 10, Stroke: 4}, Box{-2, -2, 12, 12}},
		{Op{Kind: Text, X: 100, Y: 50, Run: run}, Box{101, 40, 130, 52}},
		{Op{Kind: Text, X: 100, Y: 50}, Box{}},
	} {
		if got := c.op.Bounds(); got != c.want {
			t.Errorf("%s: got %v, want %v", c.op, got, c.want)
		}
	}
}

func TestBoxes(t *testing.T) {
	a, b := Box{0, 0, 10, 10}, Box{10, 0, 20, 10}
	if a.Overlaps(b) {
		t.Error("boxes that share an edge do not overlap")
	}
	if !a.Overlaps(Box{9, 9, 11, 11}) || !a.Contains(Box{0, 0, 10, 5}) || a.Contains(b) {
		t.Error("overlap or containment is wrong")
	}
	if got := (Box{}).Union(b); got != b {
		t.Errorf("an empty box must add nothing, got %v", got)
	}
	if got := a.Union(b); got != (Box{0, 0, 20, 10}) {
		t.Errorf("union: %v", got)
	}
}

func TestRoundsAllCornersUnlessTold(t *testing.T) {
	if !Corners(0).Has(BottomRight) || (TopLeft | BottomLeft).Has(TopRight) || !TopRight.Has(TopRight) {
		t.Error("corner sets are wrong")
	}
}
