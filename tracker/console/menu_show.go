package console

import (
	"fmt"
	"strings"

	"shoeboard/tracker/menu"
)

// What a screen shows of a page: so many lines of so many characters.
const (
	MenuLines = 12
	MenuWidth = 44
)

// indent stands before the second and later rows of a line on the screen.
const indent = "   "

// Menu is a page of the technician's menu, whole, as a screen shows it.
type Menu struct {
	Title        string
	Lines        []string // at most MenuLines of MenuWidth characters
	At           int      // the line that the echo shows, -1 when all are shown
	Above, Below bool     // there are more lines
	Hint         string   // what the keys do
	Working      bool     // an errand is out
	Failed       bool     // the lines say why it came to nothing
	Refused      string   // why the last press was refused, for as long as the echo says it
}

// Menu is the page that the screen shows, and false when it shows none.
func (c Console) Menu(t *Context) (Menu, bool) {
	var p Menu
	switch {
	case c.mode == inMenu && !c.menu.looking():
		p = c.menuPage(t)
	default:
		return p, false
	}
	if c.note.refused {
		p.Refused = strings.TrimSpace(c.note.lines[0] + "  " + c.note.lines[1])
	}
	return p, true
}

// menuPage is the page of the menu.
func (c *Console) menuPage(t *Context) Menu {
	m, s := &c.menu, c.menu.spec()
	p := Menu{Title: s.title, At: -1}
	switch {
	case m.back:
		p.Working, p.Lines, p.Hint = true, []string{"Calling it back."}, "CLEAR = BACK"
	case m.out != 0:
		p.Working, p.Lines, p.Hint = true, []string{"Please wait."}, "CLEAR = BACK"
	case s.items != nil:
		for i, it := range s.items {
			p.Lines = append(p.Lines, fmt.Sprintf("%d  %s", i+1, it.long))
		}
		p.Hint = "DIGIT = OPEN     CLEAR = BACK     FLOOR = LEAVE"
	case m.page == pageFaults:
		c.faultPage(t, &p)
	case m.told != nil:
		m.toldPage(&p)
	case s.form != noForm:
		p.Lines, p.Hint = m.formPage(), "DIGITS     OK = SET     CLEAR = BACK"
	default:
		p.Lines, p.Hint = []string{s.question}, "OK = YES     CLEAR = BACK"
	}
	return p
}

// toldPage is the part in view of what came back.
func (m *menuState) toldPage(p *Menu) {
	rows, begins := []string{}, 0
	for i, line := range m.told.Lines {
		if i == lineOf(m.told, m.top-1) {
			begins = len(rows)
		}
		for k, row := range wrap(line, MenuWidth-len(indent)) {
			if k > 0 {
				row = indent + row
			}
			rows = append(rows, row)
		}
	}
	var head []string
	if m.told.Ready && !m.done {
		head = []string{m.spec().question}
	}
	most := MenuLines - len(head)
	first := max(0, min(begins, len(rows)-most))
	p.Lines, p.Failed = append(head, rows[first:min(len(rows), first+most)]...), m.told.Failed
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

// lineOf is which of its lines stands on a row of the echo.
func lineOf(a *menu.Result, row int) int {
	for i, line := range a.Lines {
		if row -= len(wrap(line, Width)); row < 0 {
			return i
		}
	}
	return max(0, len(a.Lines)-1)
}

// formPage says what is being keyed.
func (m *menuState) formPage() []string {
	if m.spec().form == tableForm {
		return []string{"This unit stands at table " + m.value + ".", "New number: " + m.keyed + "_"}
	}
	what := "Year, month, day, hour, minute"
	if m.spec().form == dayForm {
		what = "Year, month, day"
	}
	return []string{m.formLine(), what}
}

// formLine is the form on the echo: "2026-11-30 [0]6:58", the next digit marked.
func (m *menuState) formLine() string {
	if m.spec().form == tableForm {
		return fit(fmt.Sprintf("TABLE %s > %s_", m.value, m.keyed), "TABLE > "+m.keyed+"_")
	}
	var line strings.Builder
	for i, digit := range m.entry() {
		line.WriteString(map[int]string{4: "-", 6: "-", 8: " ", 10: ":"}[i])
		if i == len(m.keyed) {
			fmt.Fprintf(&line, "[%c]", digit)
			continue
		}
		line.WriteRune(digit)
	}
	return line.String()
}

// menuLines are the two rows of the page that the echo shows.
func (c *Console) menuLines(t *Context) [2]string {
	m, s := &c.menu, c.menu.spec()
	switch {
	case m.back:
		return [2]string{s.title, "CALLING IT BACK"}
	case m.out != 0:
		return [2]string{s.title, "WORKING"}
	case m.page == pageFaults:
		return c.faultLines(t)
	case m.page == pageScreen:
		name := fmt.Sprintf("%d OF %d", m.test+1, len(t.Tests))
		if m.test < len(t.Tests) {
			name = fit(fmt.Sprintf("%s %s", name, strings.ToUpper(t.Tests[m.test])), name)
		}
		return [2]string{name, "OK=NEXT  CLEAR=BACK"}
	case m.page == pageKeypad:
		return m.pad.lines()
	}
	if rows := m.rows(); rows != nil {
		rows = append(rows, "CLEAR=BACK FLOOR=OUT")
		return [2]string(rows[m.top : m.top+2])
	}
	if s.form != noForm {
		return [2]string{m.formLine(), "OK=SET   CLEAR=BACK"}
	}
	return [2]string{s.question, "OK=YES   CLEAR=BACK"}
}

// rows are the page's rows on the echo, which are scrolled over; nil: it has none.
func (m *menuState) rows() []string {
	s := m.spec()
	switch {
	case s.items != nil:
		rows := []string{fmt.Sprintf("%-13sOK=MORE", s.title)}
		for i := 0; i < len(s.items); i += 2 {
			row := fmt.Sprintf("%d %-8s", i+1, s.items[i].short)
			if i+1 < len(s.items) {
				row += fmt.Sprintf("%d %s", i+2, s.items[i+1].short)
			}
			rows = append(rows, strings.TrimRight(row, " "))
		}
		return rows
	case m.told != nil:
		rows := wrapped(m.told.Lines, Width)
		return append([]string{m.head(len(rows))}, rows...)
	}
	return nil
}

// head is the row over what came back.
func (m *menuState) head(rows int) string {
	title := m.spec().title
	switch {
	case m.told.Ready && !m.done:
		return fmt.Sprintf("%-13s OK=YES", m.spec().question)
	case m.told.Failed:
		title = "FAILED"
	}
	if rows < 2 {
		return title
	}
	return fit(fmt.Sprintf("%-9s8=UP 2=DOWN", title), fmt.Sprintf("%-13s 8, 2", title))
}

// wrapped wraps every one of the lines.
func wrapped(lines []string, width int) []string {
	var rows []string
	for _, line := range lines {
		rows = append(rows, wrap(line, width)...)
	}
	return rows
}

// wrap breaks a line at its spaces, and a word that is too long where the row ends.
func wrap(line string, width int) []string {
	var rows []string
	row := ""
	for _, word := range strings.Fields(line) {
		if row != "" && len(row)+1+len(word) > width {
			rows, row = append(rows, row), ""
		}
		if row != "" {
			row += " "
		}
		row += word
		for len(row) > width {
			rows, row = append(rows, row[:width]), row[width:]
		}
	}
	return append(rows, row)
}

// bounded is an answer as a page can take it: not too long, without empty lines, and
// of characters that every echo has.
func bounded(a menu.Result) menu.Result {
	lines := make([]string, 0, len(a.Lines))
	for _, line := range a.Lines[:min(len(a.Lines), mostLines)] {
		if line = strings.TrimSpace(printable(line)); line != "" {
			lines = append(lines, line[:min(len(line), mostText)])
		}
	}
	a.Lines = lines
	return a
}

// printable writes a text in plain characters.
func printable(text string) string {
	text = strings.NewReplacer("·", "-", "–", "-", "…", "...", "×", "x", "°", " ", "“", `"`, "”", `"`, "’", "'", "\n", " ", "\t", " ").Replace(text)
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}
