package scene

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLinesEndWhereAReaderExpects(t *testing.T) {
	for text, want := range map[string]string{
		"Use paper and call":        "Use |paper |and |call",
		"沿用上一份正確設定。":                "沿|用|上|一|份|正|確|設|定。",
		"E21 Use (paper)":           "E21 |Use |(paper)",
		"limits.tie.max = 5":        "limits.tie.max |= |5",
		"主管「裁定」後再派":                 "主|管|「裁|定」|後|再|派",
		"두 번째 줄":                    "두 |번째 |줄",
		"":                          "",
		"two  spaces stay together": "two  |spaces |stay |together",
	} {
		if got := strings.Join(breakable(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Whatever the text and the room, no line is too wide and nothing is lost.
func TestBrokenTextFitsAndIsWhole(t *testing.T) {
	v := reference(t)
	d := &drawing{canvas: canvas{fonts: v.Fonts, theme: &v.Theme, words: words{v.First, v.Second}, scale: 1}}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab WM.,()閒莊和。「」플 레"))).Draw(t, "text")
		width := float32(rapid.IntRange(60, 600).Draw(t, "width"))
		var got strings.Builder
		for _, run := range d.broken(set{cap: 20, weight: Medium}, text, width) {
			if run.Advance > width {
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

func TestHalvesCutAtTheMiddleSpace(t *testing.T) {
	for text, want := range map[string]string{
		"BANKER BETS PUSH": "BANKER|BETS PUSH", "CON VÀ CÁI HOÀN CƯỢC": "CON VÀ CÁI|HOÀN CƯỢC", "和": "和", "": "",
	} {
		if got := strings.Join(halves(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
