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
		_, b.Menu = m.view(t)
	case m.test < len(t.Tests):
		b.Test = t.Tests[m.test]
	}
	return m.keypad.keys
}

// Lines returns what the echo shows of the page.
func (m *Menu) Lines(t *Context) [2]string {
	echo, _ := m.view(t)
	return echo
}

// view shows the page, in part on the echo and whole on the screen.
func (m *Menu) view(t *Context) (echo [2]string, p *stats.Menu) {
	s, items := m.spec(), m.items()
	p = &stats.Menu{Title: s.title, At: -1}
	switch {
	case m.task != 0:
		p.Working, p.Hint = true, "CLEAR = BACK"
		p.Lines, echo = []string{"Please wait."}, [2]string{s.title, "WORKING"}
		if m.stage == cancelled {
			p.Lines[0], echo[1] = "Cancelling.", "CANCELLING"
		}
	case m.page == faultsPage:
		echo = m.showFaults(t, p)
	case m.page == screenPage:
		name := fmt.Sprintf("%d OF %d", m.test+1, len(t.Tests))
		if m.test < len(t.Tests) {
			name = fit(name+" "+strings.ToUpper(t.Tests[m.test]), name)
		}
		echo = [2]string{name, "OK=NEXT  CLEAR=BACK"}
	case m.page == keypadPage:
		echo = m.keypad.lines()
	case len(items) > 0:
		for i, item := range items {
			p.Lines = append(p.Lines, fmt.Sprintf("%d  %s", i+1, item.long))
		}
		p.Hint = "DIGIT = OPEN     CLEAR = BACK     FLOOR = LEAVE"
		echo = m.inView()
	case m.result != nil:
		m.showResult(p)
		echo = m.inView()
	case s.form != noForm:
		echo = m.showForm(t, p)
	default:
		p.Lines, p.Hint = []string{s.question}, "OK = YES     CLEAR = BACK"
		echo = [2]string{s.question, "OK=YES   CLEAR=BACK"}
	}
	return echo, p
}

// showResult shows the part in view of a result.
func (m *Menu) showResult(p *stats.Menu) {
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
	if m.result.Ready {
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
	case m.stage == done:
		p.Hint = "OK, CLEAR = BACK"
	default:
		p.Hint = "2 = DOWN   8 = UP   OK = AGAIN   CLEAR = BACK"
	}
}

// inView returns the rows of the page that the echo shows.
func (m *Menu) inView() [2]string {
	rows := append(m.rows(), "CLEAR=BACK FLOOR=OUT")
	return [2]string(rows[m.top : m.top+2])
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
	case m.result.Ready:
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
