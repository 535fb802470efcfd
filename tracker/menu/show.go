package menu

import (
	"fmt"
	"strings"

	"shoeboard/stats"
)

// A screen shows so many lines of so many characters, an echo two of its width.
const (
	PageLines = 12
	PageWidth = 44
	echoWidth = 20
)

// indent is put before the second and later rows of a line on the screen.
const indent = "   "

// Fill shows the menu on a Board: a page, or a test in its place. It returns the keys that
// moved in the keypad test, in that order.
func (m *Menu) Fill(t *Context, b *stats.Board) (moved []Key) {
	switch {
	case m.page == keypadPage:
		b.Test = stats.KeypadTest
	case m.page != screenPage:
		b.Menu = m.screen(t)
	case m.test < len(t.Tests):
		b.Test = t.Tests[m.test]
	}
	return m.keypad.keys
}

// screen shows the page whole.
func (m *Menu) screen(t *Context) *stats.Menu {
	s := m.spec()
	p := &stats.Menu{Title: s.title, At: -1}
	switch {
	case m.cancelled:
		p.Working, p.Lines, p.Hint = true, []string{"Cancelling."}, "CLEAR = BACK"
	case m.task != 0:
		p.Working, p.Lines, p.Hint = true, []string{"Please wait."}, "CLEAR = BACK"
	case len(m.items()) > 0:
		for i, item := range m.items() {
			p.Lines = append(p.Lines, fmt.Sprintf("%d  %s", i+1, item.long))
		}
		p.Hint = "DIGIT = OPEN     CLEAR = BACK     FLOOR = LEAVE"
	case m.page == faultsPage:
		m.faultPage(t, p)
	case m.result != nil:
		m.resultPage(p)
	case s.form != noForm:
		p.Lines, p.Hint = m.formPage(), "DIGITS     OK = SET     CLEAR = BACK"
	default:
		p.Lines, p.Hint = []string{s.question}, "OK = YES     CLEAR = BACK"
	}
	return p
}

// resultPage shows the part in view of a result.
func (m *Menu) resultPage(p *stats.Menu) {
	var rows, head []string
	begins, echoRow := 0, 1
	for _, line := range m.result.Lines {
		if echoRow <= m.top {
			begins = len(rows) // of the line that the echo shows
		}
		echoRow += len(Wrap([]string{line}, echoWidth))
		for k, row := range Wrap([]string{line}, PageWidth-len(indent)) {
			if k > 0 {
				row = indent + row
			}
			rows = append(rows, row)
		}
	}
	if m.result.Ready && !m.done {
		head = []string{m.spec().question}
	}
	most := PageLines - len(head)
	first := max(0, min(begins, len(rows)-most))
	p.Lines, p.Failed = append(head, rows[first:min(len(rows), first+most)]...), m.result.Failed
	if p.Above, p.Below = first > 0, first+most < len(rows); p.Above || p.Below {
		p.At = len(head) + begins - first
	}
	switch {
	case head != nil:
		p.Hint = "OK = YES     CLEAR = BACK"
	case m.done:
		p.Hint = "OK, CLEAR = BACK"
	default:
		p.Hint = "2 = DOWN   8 = UP   OK = AGAIN   CLEAR = BACK"
	}
}

// Lines returns the two rows of the page that the echo shows.
func (m *Menu) Lines(t *Context) [2]string {
	s := m.spec()
	switch {
	case m.cancelled:
		return [2]string{s.title, "CANCELLING"}
	case m.task != 0:
		return [2]string{s.title, "WORKING"}
	case m.page == faultsPage:
		return m.faultLines(t)
	case m.page == screenPage:
		name := fmt.Sprintf("%d OF %d", m.test+1, len(t.Tests))
		if m.test < len(t.Tests) {
			name = fit(name+" "+strings.ToUpper(t.Tests[m.test]), name)
		}
		return [2]string{name, "OK=NEXT  CLEAR=BACK"}
	case m.page == keypadPage:
		return m.keypad.lines()
	}
	rows := m.rows()
	switch {
	case rows != nil:
		rows = append(rows, "CLEAR=BACK FLOOR=OUT")
		return [2]string(rows[m.top : m.top+2])
	case s.form != noForm:
		return [2]string{m.formLine(), "OK=SET   CLEAR=BACK"}
	}
	return [2]string{s.question, "OK=YES   CLEAR=BACK"}
}

// rows returns the page's rows on the echo, which are scrolled over; nil: it has none.
func (m *Menu) rows() (rows []string) {
	for i, item := range m.items() {
		if i%2 == 0 {
			rows = append(rows, "")
		}
		row := &rows[len(rows)-1]
		*row = strings.TrimSpace(fmt.Sprintf("%-9s %d %s", *row, i+1, item.short))
	}
	switch {
	case rows != nil:
		return append([]string{fmt.Sprintf("%-13sOK=MORE", m.spec().title)}, rows...)
	case m.result == nil:
		return nil
	}
	rows = Wrap(m.result.Lines, echoWidth)
	return append([]string{m.head(len(rows))}, rows...)
}

// head returns the row above a result.
func (m *Menu) head(rows int) string {
	title := m.spec().title
	switch {
	case m.result.Ready && !m.done:
		return fmt.Sprintf("%-13s OK=YES", m.spec().question)
	case m.result.Failed:
		title = "FAILED"
	}
	if rows < 2 {
		return title
	}
	return fit(fmt.Sprintf("%-9s8=UP 2=DOWN", title), fmt.Sprintf("%-13s 8, 2", title))
}

// fit returns long if a line of the echo has room for it, else short.
func fit(long, short string) string {
	if len(long) <= echoWidth {
		return long
	}
	return short
}

// Wrap breaks lines at their spaces, and a word that is too long where the row ends. It
// writes plain characters only, skips empty lines and cuts endless ones.
func Wrap(lines []string, width int) (rows []string) {
	for _, line := range lines {
		line = printable(line)
		row := ""
		for _, word := range strings.Fields(line[:min(len(line), mostText)]) {
			if row != "" && len(row)+1+len(word) > width {
				rows, row = append(rows, row), ""
			}
			row = strings.TrimLeft(row+" "+word, " ")
			for len(row) > width {
				rows, row = append(rows, row[:width]), row[width:]
			}
		}
		if row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// Bounds of a result: lines, and characters of one.
const (
	mostLines = 100
	mostText  = 400
)

// printable writes a text in plain characters.
func printable(text string) string {
	text = strings.NewReplacer("·", "-", "–", "-", "…", "...", "×", "x", "°", " ", "“", `"`, "”", `"`, "’", "'",
		"\n", " ", "\t", " ").Replace(text)
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}
