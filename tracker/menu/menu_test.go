package menu

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every page is reached from the first, digit by digit, and its words fit.
func TestPagesHold(t *testing.T) {
	for path, s := range pages {
		if path != "" && path != signInPage {
			if _, ok := pages[path[:len(path)-1]]; !ok || len(s.short) > 8 || s.short == "" || len(s.long) > PageWidth-3 || s.long == "" {
				t.Errorf("%s: nothing leads to it, or %q, %q do not fit", path, s.short, s.long)
			}
			if last := path[len(path)-1]; last > '1' && pages[path[:len(path)-1]+string(last-1)].title == "" {
				t.Errorf("%s: no page has the digit before", path)
			}
		}
		if len(s.title) > 13 || len(s.question) > 13 || s.title == "" {
			t.Errorf("%+v does not fit", s)
		}
		if asks := s.does != "" && s.form == noForm; asks != (s.question != "") {
			t.Errorf("%s does %q and asks %q", s.title, s.does, s.question)
		}
	}
}

// A wrapped line has every letter of the text, and no row is too long.
func TestWrapKeepsEveryLetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := printable(rapid.StringN(0, 100, 300).Draw(t, "text")), rapid.IntRange(1, 50).Draw(t, "width")
		rows := Wrap([]string{text}, width)
		for _, row := range rows {
			if len(row) > width || row != strings.TrimSpace(row) || row == "" {
				t.Fatalf("%q of %q at %d", row, text, width)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := bare(strings.Join(rows, "")); got != bare(text) {
			t.Fatalf("%q becomes %q", text, rows)
		}
	})
}

// Whatever a task answers, the page and the echo are of plain characters and fit.
func TestAnyResultFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Menu
		at := &Context{NextTask: 1}
		m.show(at, rapid.SampledFrom([]string{"1", "6", "83", "84"}).Draw(t, "page"))
		m.Finish(at, 1, Result{Lines: rapid.SliceOfN(rapid.String(), 0, 120).Draw(t, "lines"), Failed: rapid.Bool().Draw(t, "failed"),
			Ready: rapid.Bool().Draw(t, "ready"), Value: rapid.String().Draw(t, "value")})
		for range 40 {
			echo, page := m.view(at)
			if len(page.Lines) > PageLines || page.At >= len(page.Lines) {
				t.Fatalf("%d lines, at %d", len(page.Lines), page.At)
			}
			for _, line := range append(page.Lines, echo[:]...) {
				if len(line) > PageWidth || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
					t.Fatalf("%q", line)
				}
			}
			if len(echo[0]) > echoWidth || len(echo[1]) > echoWidth {
				t.Fatalf("the echo shows %q", echo)
			}
			if !m.scroll(2) {
				break
			}
		}
	})
}
