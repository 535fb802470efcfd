package scene

import (
	"slices"
	"strings"
	"testing"

	"shoeboard/assets"
	"shoeboard/stats"
)

// testPicture is the picture of a technician's page.
func testPicture(t testing.TB, page string, change func(*View)) []Op {
	v := reference(t)
	if change != nil {
		change(&v)
	}
	b := panda8("")
	b.Test = page
	return Build(&b, v)
}

// A keypad and a verb step through stats.TestPages: each of them is a page of its own
// here, and each says its name, where it stands, the panel's mode and how to go on.
func TestEveryTestPageIsItsOwnAndSaysWhatItIs(t *testing.T) {
	seen := map[string]string{}
	for i, page := range stats.TestPages() {
		ops := testPicture(t, page, nil)
		text := said(ops, "test.")
		for _, want := range []string{page, "1920 × 1080, rotation 0°", "Next page: OK or Enter"} {
			if !strings.Contains(text, want) {
				t.Errorf("page %d, %s, does not say %q", i+1, page, want)
			}
		}
		var lines []string
		for _, o := range ops {
			if o.Name != "test.caption" && o.Name != "test.title" && o.Name != "test.plate" { // where pages differ in any case
				lines = append(lines, o.String())
			}
		}
		all := strings.Join(lines, "\n")
		if other, ok := seen[all]; ok {
			t.Errorf("%s is drawn as %s", page, other)
		}
		seen[all] = page
	}
}

// Every language that the program carries has its two pages, and no other.
func TestEveryLanguageHasItsPages(t *testing.T) {
	var want []string
	for _, l := range assets.Langs() {
		want = append(want, "phases-"+l.Code, "labels-"+l.Code)
	}
	var got []string
	for _, page := range stats.TestPages() {
		if strings.Contains(page, "-") {
			got = append(got, page)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages %v, want %v", got, want)
	}
	for _, page := range []string{"phases-xx", "labels-", "what", ""} {
		b := panda8("")
		b.Test = page
		if ops := Build(&b, reference(t)); page != "" && len(named(ops, "pattern.")) == 0 {
			t.Errorf("page %q: a name that nobody knows is not the pattern", page)
		}
	}
}

// The two pages of a language show every text of its catalogue but those of the
// technician's own pages, and the names of the game's bets.
func TestLanguagePagesShowEveryText(t *testing.T) {
	cats := catalogues(t)
	for code, c := range cats {
		shown := said(testPicture(t, "phases-"+string(code), nil), "test.word") + "|" + said(testPicture(t, "labels-"+string(code), nil), "test.word")
		texts := strings.Split(shown, "|")
		for _, key := range c.keys {
			if !isTechnicians(key) && !slices.Contains(texts, c.get(key, examples...)) {
				t.Errorf("%s: %s = %q is on neither page", code, key, c.get(key, examples...))
			}
		}
		for _, bet := range packOf(t, "ez-baccarat-panda-8").Bets {
			if name := labelIn(bet.Labels, code); !slices.Contains(texts, name) {
				t.Errorf("%s: bet %q is not on the page of labels", code, name)
			}
		}
	}
}

// The phase bar's words stand there as large as in the bar itself where the room
// allows: at least the measure for it in landscape and portrait.
func TestPhasesStandAtTheirOwnSize(t *testing.T) {
	for _, size := range [][2]int{{1920, 1080}, {1080, 1920}, {1280, 720}} {
		ops := testPicture(t, "phases-en", func(v *View) { v.W, v.H = size[0], size[1] })
		p := planFor(float32(size[0]), float32(size[1]), false)
		for _, o := range named(ops, "test.word") {
			if slices.Contains([]string{"SHUFFLING", "NO MORE BETS", "UNDER REVIEW"}, o.Run.Text) && o.Run.CapHeight < 70*p.base-0.05 {
				t.Errorf("%v: %s has capitals of %.1f px, the bar %.1f", size, o.Run.Text, o.Run.CapHeight, 70*p.base)
			}
		}
	}
}

// The panel's mode is the panel's, not the picture's: a picture that is turned by a
// quarter stands on a panel of the other shape.
func TestPanelModeIsThatOfThePanel(t *testing.T) {
	for rotation, want := range map[int]string{0: "1080 × 1920, rotation 0°", 90: "1920 × 1080, rotation 90°", 180: "1080 × 1920, rotation 180°", 270: "1920 × 1080, rotation 270°"} {
		ops := testPicture(t, "rotation", func(v *View) { v.W, v.H, v.Rotation = 1080, 1920, rotation })
		if got := said(ops, "test.caption"); !strings.Contains(got, want) {
			t.Errorf("rotation %d: %s", rotation, got)
		}
	}
}

// A technician who sees another edge of the picture up reads there what to write.
// Clockwise by r, the picture's right edge is up when it should have been turned by
// 90 degrees more, its foot by 180, its left edge by 270.
func TestRotationPageNamesEachRotation(t *testing.T) {
	ops := testPicture(t, "rotation", func(v *View) { v.Rotation = 90 })
	texts := named(ops, "test.rotation")
	for i, want := range []string{"rotation = 90", "rotation = 180", "rotation = 270", "rotation = 0"} {
		if texts[i].Run.Text != want {
			t.Errorf("edge %d clockwise from the top says %q, want %q", i, texts[i].Run.Text, want)
		}
	}
	x := func(i int) float32 { return texts[i].Bounds().X0 }
	if !(x(1) > x(0) && x(3) < x(0) && texts[2].Y > texts[0].Y) {
		t.Error("the rotations do not stand at their edges")
	}
}

// A pixel of the stripes is a pixel of the panel, from one edge to the other.
func TestStripesAreWholePixels(t *testing.T) {
	ops := testPicture(t, "grid", func(v *View) { v.W, v.H = 1366, 768 })
	stripes := named(ops, "test.stripe")
	for _, o := range stripes {
		if o.X != round(o.X) || o.Y != round(o.Y) || min(o.W, o.H) != 1 && min(o.W, o.H) != 2 {
			t.Fatalf("stripe %v", o)
		}
	}
	if last := stripes[len(stripes)-1]; len(stripes) < 500 || last.Y < 764 {
		t.Errorf("%d stripes, the last at %g", len(stripes), last.Y)
	}
}

// A character that no font has is named on the page, not left to be found.
func TestMissingGlyphsAreNamed(t *testing.T) {
	s := state(t, "test-labels-en")
	s.Board.Game.Bets = append(slices.Clone(s.Board.Game.Bets), stats.Bet{ID: "x", Labels: map[string]string{"en": "Smile 😀"}})
	if got := said(Build(&s.Board, look(s, reference(t))), "test.look"); got != "No glyph for 😀" {
		t.Errorf("the page says %q", got)
	}
}
