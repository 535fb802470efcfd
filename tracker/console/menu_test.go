package console

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shoeboard/tracker"
	"shoeboard/tracker/menu"
)

// Every page leads back to the first, is reached from it, and its words fit.
func TestPagesHold(t *testing.T) {
	reached := map[page]bool{pageMain: true}
	for _, s := range specs {
		for _, it := range s.items {
			reached[it.page] = true
			if len(it.short) > 8 || len(it.long) > MenuWidth-3 || it.long == "" {
				t.Errorf("%q, %q do not fit", it.short, it.long)
			}
			if s.title != specs[specs[it.page].up].title {
				t.Errorf("%s is an item of %s and leads back to %s", it.short, s.title, specs[specs[it.page].up].title)
			}
		}
		if len(s.title) > 13 || len(s.question) > 13 || s.title == "" || len(s.items) > 9 {
			t.Errorf("%+v does not fit", s)
		}
		if asks := s.does != "" && s.form == noForm; asks != (s.question != "") {
			t.Errorf("%s does %q and asks %q", s.title, s.does, s.question)
		}
	}
	if len(reached) != len(specs) {
		t.Errorf("%d of %d pages are reached", len(reached), len(specs))
	}
}

// A wrapped line has every letter of the text, and no row is too long.
func TestWrapKeepsEveryLetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := printable(rapid.String().Draw(t, "text")), rapid.IntRange(1, 50).Draw(t, "width")
		rows := wrap(text, width)
		for _, row := range rows {
			if len(row) > width || row != strings.TrimSpace(row) {
				t.Fatalf("%q of %q at %d", row, text, width)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := bare(strings.Join(rows, "")); got != bare(text) || len(rows) == 0 {
			t.Fatalf("%q becomes %q", text, rows)
		}
	})
}

// Whatever the world answers, the page and the echo are of plain characters and fit.
func TestAnyAnswerFits(t *testing.T) {
	p := packOf(t, "dai-bacc")
	table := seat(p, 1, tracker.Hand{})
	table.State.Phase = tracker.TableClosed
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		c.show(table, rapid.SampledFrom([]page{pageStatus, pageTime, pageUpdate, pageExport}).Draw(t, "page"))
		c, _ = c.Answered(table, c.Waits(), menu.Result{Lines: rapid.SliceOfN(rapid.String(), 0, 120).Draw(t, "lines"), Failed: rapid.Bool().Draw(t, "failed"),
			Ready: rapid.Bool().Draw(t, "ready"), Value: rapid.String().Draw(t, "value")})
		for range 40 {
			page, _ := c.Menu(table)
			if len(page.Lines) > MenuLines || page.At >= len(page.Lines) {
				t.Fatalf("%d lines, at %d", len(page.Lines), page.At)
			}
			echo := c.lines(table)
			for _, line := range append(page.Lines, echo[:]...) {
				if len(line) > MenuWidth || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
					t.Fatalf("%q", line)
				}
			}
			for _, line := range echo {
				if len(line) > Width {
					t.Fatalf("the echo shows %q", line)
				}
			}
			if !c.menu.scroll(2, false) {
				break
			}
		}
	})
}
