package scene

import (
	"strings"
	"testing"

	"github.com/go-text/typesetting/shaping"
	"pgregory.net/rapid"
)

func TestLinesEndWhereAReaderExpects(t *testing.T) {
	fonts := testFonts(t)
	for _, c := range []struct {
		lang  Lang
		ems   float32
		text  string
		lines string
	}{
		{english, 4, "Use paper and call", "Use|paper|and call"},
		{english, 3.9, "E21 Use (paper)", "E21 Use|(paper)"},
		{english, 3.4, "two  words  apart", "two|words|apart"},
		{english, 2, "PLACE", "PLA|CE"},
		{traditional, 2, "沿用上一份正確設定。", "沿用|上一|份正|確設|定。"},
		{traditional, 3, "主管「裁定」後再派", "主管|「裁|定」後|再派"},
		{traditional, 3.6, "請下注PLACE", "請下注|PLACE"},
		{korean, 4.5, "두 번째 줄입니다", "두 번째|줄입니다"},
		{korean, 2, "두 번째", "두|번째"},
		{"vi", 5.2, "CON VÀ CÁI HOÀN CƯỢC", "CON VÀ|CÁI HOÀN|CƯỢC"},
		{"vi", 2.5, "Con va\u0300 Ca\u0301i", "Con|va\u0300|Ca\u0301i"},
		{english, 9, "", ""},
	} {
		if got := strings.Join(fonts.lines(fonts.Shape(Style{Size: 1, Lang: c.lang}, c.text), c.ems, shaping.WhenNecessary), "|"); got != c.lines {
			t.Errorf("%q in %g ems: %s, want %s", c.text, c.ems, got, c.lines)
		}
	}
}

// Whatever the text and the room, no line is too wide and nothing is lost.
func TestBrokenTextFitsAndIsWhole(t *testing.T) {
	v := reference(t)
	c := canvas{fonts: v.Fonts, theme: &v.Theme, scale: 1}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab WM.,()閒莊和。「」플 레"))).Draw(t, "text")
		width := float32(rapid.IntRange(60, 600).Draw(t, "width"))
		var got strings.Builder
		for _, run := range c.broken(set{cap: 20, weight: Medium}, text, english, width) {
			if run.Advance > width+0.01 {
				t.Fatalf("%q is %.0f wide, there are %.0f", run.Text, run.Advance, width)
			}
			got.WriteString(run.Text)
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(got.String()) != bare(text) {
			t.Fatalf("%q became %q", text, got.String())
		}
	})
}

func TestTextInTwoLinesIsEvenAndNoWordIsBroken(t *testing.T) {
	v := reference(t)
	c := canvas{fonts: v.Fonts, theme: &v.Theme, scale: 1}
	for text, want := range map[string]string{
		"BANKER BETS PUSH": "BANKER|BETS PUSH", "CON VÀ CÁI HOÀN CƯỢC": "CON VÀ CÁI|HOÀN CƯỢC", "以牌面為準": "以牌面|為準",
		"카드가 우선합니다": "카드가|우선합니다", "MISDEAL": "MISDEAL", "和": "和", "": "",
	} {
		var got []string
		for _, run := range c.inTwo(set{cap: 20}, text, english) {
			got = append(got, run.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}
