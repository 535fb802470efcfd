package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/assets"
)

// parsed holds the built-in fonts and catalogues for all tests: they are large, and
// shaping gives the same in whatever order it is asked.
var parsed = struct {
	fonts func() (*Fonts, error)
	words func() (map[Lang]*Catalogue, error)
}{
	sync.OnceValues(func() (*Fonts, error) { return NewFonts(assets.Fonts()) }),
	sync.OnceValues(Catalogues),
}

func testFonts(t testing.TB) *Fonts {
	t.Helper()
	fonts, err := parsed.fonts()
	if err != nil {
		t.Fatal(err)
	}
	return fonts
}

// catalogues are those of every language, for reading only.
func catalogues(t testing.TB) map[Lang]*Catalogue {
	t.Helper()
	words, err := parsed.words()
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func near(a, b, tolerance float32) bool { return math.Abs(float64(a-b)) <= float64(tolerance) }

func TestNoFontIsAnError(t *testing.T) {
	if _, err := NewFonts(nil); err == nil {
		t.Error("no font at all must be an error")
	}
	if _, err := NewFonts([]assets.Font{{Family: "Inter", Weight: 700, Data: []byte("not a font")}}); err == nil || !strings.Contains(err.Error(), "Inter 700") {
		t.Errorf("a broken file must be named, got %v", err)
	}
}

func TestCapSizeGivesCapitalsOfThatHeight(t *testing.T) {
	fonts := testFonts(t)
	for _, want := range []float32{12, 20, 70, 85} {
		run := fonts.Shape(Style{Size: fonts.CapSize(want), Weight: ExtraBold}, "HE")
		if !near(run.CapHeight, want, 0.01) || !near(-run.Ink.Y0, want, 0.3) || !near(run.Ink.Y1, 0, 0.1) {
			t.Errorf("asked for capitals of %v px, cap height %v, ink %v", want, run.CapHeight, run.Ink)
		}
	}
}

func TestHanSizeGivesIdeographsOfThatHeight(t *testing.T) {
	fonts := testFonts(t)
	run := fonts.Shape(Style{Size: fonts.hanSize(60), Weight: Bold, Lang: traditional}, "請下注")
	if !near(run.Ink.H(), 60, 5) {
		t.Errorf("asked for 60 px, the ink is %v tall", run.Ink.H())
	}
}

func TestTabularDigitsAreEquallyWide(t *testing.T) {
	fonts := testFonts(t)
	for _, weight := range []Weight{Medium, SemiBold, Bold, ExtraBold} {
		style := Style{Size: 40, Weight: weight, Tabular: true}
		for _, digits := range []string{"0", "2", "7", "8"} {
			if one, d := fonts.Shape(style, "1").Advance, fonts.Shape(style, digits).Advance; !near(one, d, 0.001) {
				t.Errorf("weight %d: 1 is %v wide, %s is %v", weight, one, digits, d)
			}
		}
	}
	plain := Style{Size: 40, Weight: Bold}
	if fonts.Shape(plain, "11").Advance >= fonts.Shape(plain, "00").Advance {
		t.Error("without Tabular, 1 must be narrower than 0: the test above would prove nothing")
	}
}

func TestVietnameseMarksComeComposedOrNot(t *testing.T) {
	fonts := testFonts(t)
	style := Style{Size: 32, Weight: SemiBold, Lang: "vi"}
	composed := fonts.Shape(style, "Cái Hòa Mời đặt cược Ngưng Rồng Gấu Tự")
	apart := fonts.Shape(style, decompose("Cái Hòa Mời đặt cược Ngưng Rồng Gấu Tự"))
	if !near(composed.Advance, apart.Advance, 0.01) || len(composed.Glyphs) != len(apart.Glyphs) {
		t.Errorf("letters with marks apart: %v wide, %d glyphs; composed: %v, %d", apart.Advance, len(apart.Glyphs), composed.Advance, len(composed.Glyphs))
	}
	if e := fonts.Shape(style, "ế"); e.Ink.Y0 >= fonts.Shape(style, "e").Ink.Y0-3 {
		t.Error("the marks of ế do not stand above the e")
	}
}

// decompose takes the letters of the test apart into base and marks.
func decompose(s string) string {
	return strings.NewReplacer("á", "a\u0301", "ò", "o\u0300", "ờ", "o\u031b\u0300", "ặ", "a\u0323\u0306",
		"ợ", "o\u031b\u0323", "ư", "u\u031b", "ồ", "o\u0302\u0300", "ấ", "a\u0302\u0301", "ự", "u\u031b\u0323").Replace(s)
}

func TestOneIdeographHasItsNationalForm(t *testing.T) {
	fonts := testFonts(t)
	form := func(l Lang) uint32 { return fonts.Shape(Style{Size: 20, Weight: Bold, Lang: l}, "骨").Glyphs[0].GID }
	inTaiwan, inChina := form(traditional), form(simplified)
	if inTaiwan == inChina {
		t.Error("骨 looks the same in Traditional and Simplified Chinese")
	}
	if form("") != inTaiwan || form(english) != inTaiwan {
		t.Error("with no Chinese or Korean language the Traditional form is shown")
	}
	if k := fonts.Shape(Style{Size: 20, Weight: Bold, Lang: korean}, "令").Glyphs[0].GID; k == fonts.Shape(Style{Size: 20, Weight: Bold, Lang: traditional}, "令").Glyphs[0].GID {
		t.Error("令 looks the same in Korea and Taiwan")
	}
}

func TestMixedTextTakesEachFaceInTurn(t *testing.T) {
	fonts := testFonts(t)
	run := fonts.Shape(Style{Size: 50, Weight: ExtraBold, Lang: traditional}, "龍7 플레이어")
	var got []string
	for _, g := range run.Glyphs {
		got = append(got, fmt.Sprint(g.Face.Family, " ", int(g.Face.Weight)))
	}
	want := []string{"Noto Sans CJK 700", "Inter 800", "Noto Sans CJK 700", "Noto Sans CJK 700", "Noto Sans CJK 700", "Noto Sans CJK 700"}
	if !slices.Equal(got, want) {
		t.Errorf("faces: %v", got)
	}
	for i := 1; i < len(run.Glyphs); i++ {
		if run.Glyphs[i].X <= run.Glyphs[i-1].X {
			t.Errorf("glyph %d does not stand to the right of the one before", i)
		}
	}
}

func TestEveryTermOfTheBoardCanBeShown(t *testing.T) {
	fonts := testFonts(t)
	for _, text := range []string{
		"閒 莊 和 闲 庄 Con Cái Hòa 플레이어 뱅커 타이 例牌 Tự nhiên 내추럴 請下注 停止下注 请下注 베팅하세요 베팅 마감",
		"珠盤路 大路 珠盘路 육매 본매 大眼仔 小路 曱甴路 大眼路 小强路 중국점 1군 2군 3군 飛牌 飞牌 프리 핸드",
		"洗牌中 最後一局 最后一局 Đang xào bài Ván chót 셔플 중 마지막 핸드 覆核中 · 以牌面為準 复核中 以牌面为准 확인 중",
		"龍7 熊貓8 龙7 熊猫8 Rồng 7 Gấu 8 드래곤 7 판다 8 牛6 虎7 Trâu 6 Cọp 7 옥스 6 타이거 7 做莊 làm cái",
		"本靴完 作廢 暫停 莊注退回 抽水 上一靴 本靴 ¡Hagan sus apuestas! niño Ñ — – … ’ “x” $1–$1,000 5 ¢ № ✓ ← →",
	} {
		if m := fonts.Missing(text); m != nil {
			t.Errorf("no glyph for %q of %q", m, text)
		}
	}
}

func TestMissingNamesEachCharacterOnce(t *testing.T) {
	got := testFonts(t).Missing("A\U0001F600B\u0E01\U0001F600")
	if want := []rune{'\U0001F600', '\u0E01'}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTrackingOpensLettersButNotTheEnd(t *testing.T) {
	fonts := testFonts(t)
	plain, open := Style{Size: 50}, Style{Size: 50, Tracking: 0.1}
	if got := fonts.Shape(open, "TIE 和").Advance - fonts.Shape(plain, "TIE 和").Advance; !near(got, 4*5, 0.01) {
		t.Errorf("four gaps of 5 px add %v px", got)
	}
	if fonts.Shape(open, "T").Advance != fonts.Shape(plain, "T").Advance || fonts.Shape(open, "").Advance != 0 {
		t.Error("one letter and no letter have no gap")
	}
}

func TestSpacesTakeRoomAndLeaveNoInk(t *testing.T) {
	run := testFonts(t).Shape(Style{Size: 30}, "  ")
	if run.Advance <= 0 || len(run.Glyphs) != 0 || !run.Ink.Empty() {
		t.Errorf("two spaces: %+v", run)
	}
}

func TestLinesStandWhereAsked(t *testing.T) {
	fonts := testFonts(t)
	run := fonts.Shape(Style{Size: fonts.CapSize(20), Weight: Bold}, "TIE")
	if got := run.baseline(100, 140); !near(got, 130, 0.01) {
		t.Errorf("capitals of 20 px between 100 and 140 stand on %v", got)
	}
	han := fonts.Shape(Style{Size: 40, Weight: Bold}, "莊")
	ink := han.Ink.Move(0, han.middle(100, 160))
	if !near(ink.Y0-100, 160-ink.Y1, 0.01) {
		t.Errorf("ink %v is not in the middle of 100 to 160", ink)
	}
}

func TestShapesAreKeptAndBounded(t *testing.T) {
	fonts, err := NewFonts(assets.Fonts()) // of its own: it looks at what is kept
	if err != nil {
		t.Fatal(err)
	}
	first := fonts.Shape(Style{Size: 20}, "TIE")
	for i := range 3 * runsKept {
		fonts.Shape(Style{Size: 20}, fmt.Sprint(i))
		if i%100 == 0 && fonts.Shape(Style{Size: 20}, "TIE") != first {
			t.Fatal("a text that is shown again and again was shaped anew")
		}
	}
	if n := len(fonts.young) + len(fonts.old); n > 2*runsKept {
		t.Errorf("%d shapes kept, more than %d", n, 2*runsKept)
	}
}

func TestAnyTextShapesInProportion(t *testing.T) {
	fonts := testFonts(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("AVTo 1079$–.,莊閒和骨플뱅đặcượ\u0301\u0323\U0001F600"))).Draw(t, "text")
		style := Style{Size: float32(rapid.IntRange(6, 200).Draw(t, "size")), Tabular: rapid.Bool().Draw(t, "tabular"),
			Weight: rapid.SampledFrom([]Weight{0, 100, 500, 650, 900}).Draw(t, "weight"),
			Lang:   rapid.SampledFrom([]Lang{"", traditional, simplified, korean, "vi", "xx"}).Draw(t, "lang")}
		run := fonts.Shape(style, text)
		style.Size *= 2
		double := fonts.Shape(style, text)
		if !near(double.Advance, 2*run.Advance, 0.01*run.Advance+0.01) || len(double.Glyphs) != len(run.Glyphs) {
			t.Fatalf("at twice the size: %v wide, %d glyphs; before %v, %d", double.Advance, len(double.Glyphs), run.Advance, len(run.Glyphs))
		}
		for _, g := range run.Glyphs {
			if g.Face == nil || math.IsNaN(float64(g.X)) {
				t.Fatalf("glyph %+v", g)
			}
		}
	})
}

// What a redraw pays for a text it has shown before.
func BenchmarkShapeAgain(b *testing.B) {
	fonts := testFonts(b)
	style := Style{Size: 24, Weight: Bold, Lang: traditional}
	b.ReportAllocs()
	for b.Loop() {
		fonts.Shape(style, "PLAYER · BANKER 閒 莊")
	}
}

// What it pays for one it has not.
func BenchmarkShapeAnew(b *testing.B) {
	fonts := testFonts(b)
	style := Style{Size: 24, Weight: Bold, Lang: traditional}
	b.ReportAllocs()
	for b.Loop() {
		fonts.shape(style, "PLAYER · BANKER 閒 莊")
	}
}
