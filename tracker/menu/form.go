package menu

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/stats"
)

// form says which digits a page takes; none where it takes none.
type form struct {
	digits int    // at most
	layout string // how a time is read of them; empty: they are the table's number
	fields string // what they are, for the screen
	wrong  string // said of digits that make no time, at most 20 characters
}

var (
	noForm     = form{}
	timeForm   = form{12, "200601021504", "Year, month, day, hour, minute", "NO SUCH TIME"}
	dayForm    = form{8, "20060102", "Year, month, day", "THERE IS NO SUCH DAY"}
	tableForm  = form{digits: 4}
	signInForm = form{digits: numberDigits + pinDigits}
)

// What somebody signs in with.
const numberDigits, pinDigits = 2, 6

// takesDigits reports whether the page is a form that waits for digits.
func (m *Menu) takesDigits() bool { return m.spec().form != noForm && m.task == 0 && m.stage != done }

// key writes a digit over the form.
func (m *Menu) key(digit string) Out {
	if len(m.keyed) >= m.spec().form.digits {
		return refuse("ALL DIGITS KEYED", "OK=SET   CLEAR=BACK")
	}
	m.keyed += digit
	return Out{Keyed: true}
}

// begin takes the time that a form begins with, and reports whether it is one.
func (m *Menu) begin(value string) bool {
	form := m.spec().form
	m.value = value[:min(len(value), form.digits)]
	_, err := time.Parse(form.layout, m.value)
	return err == nil
}

// entry returns what the form says: the digits keyed, and after them those it began with.
func (m *Menu) entry() string { return m.keyed + m.value[min(len(m.keyed), len(m.value)):] }

// Bounds of the time that may be set: this program is not older, and the clock of a
// 32-bit unit ends in January 2038.
const firstYear, lastYear = 2026, 2037

// formError says in at most 20 characters why the form is refused, "" when it is not.
func (m *Menu) formError() string {
	form := m.spec().form
	if form == signInForm {
		if len(m.keyed) < form.digits {
			return "KEY ALL 8 DIGITS"
		}
		return ""
	}
	if form == tableForm {
		switch {
		case m.keyed == "":
			return "KEY THE TABLE NUMBER"
		case m.keyed[0] == '0':
			return "NO TABLE BEGINS 0"
		}
		return ""
	}
	at, err := time.Parse(form.layout, m.entry())
	switch {
	case err != nil:
		return form.wrong
	case at.Year() < firstYear || at.Year() > lastYear:
		return fmt.Sprintf("YEAR %d TO %d", firstYear, lastYear)
	case form == timeForm && len(m.keyed) < form.digits:
		return "KEY ALL 12 DIGITS" // the minute that the page began with is over
	}
	return ""
}

// showForm says what is being keyed: "2026-11-30 [0]6:58", the next digit marked.
func (m *Menu) showForm(t *Context, p *stats.Menu) (echo [2]string) {
	p.Hint = "DIGITS     OK = SET     CLEAR = BACK"
	echo[1] = "OK=SET   CLEAR=BACK"
	form := m.spec().form
	if form == signInForm {
		return m.showSignIn(p)
	}
	if form == tableForm {
		p.Lines = []string{"This unit is at table " + t.Number + ".", "New number: " + m.keyed + "_"}
		echo[0] = fit(fmt.Sprintf("TABLE %s > %s_", t.Number, m.keyed), "TABLE > "+m.keyed+"_")
		return echo
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
	echo[0] = line.String()
	p.Lines = []string{echo[0], form.fields}
	return echo
}

// showSignIn shows the staff number and that a PIN is keyed, not which.
func (m *Menu) showSignIn(p *stats.Menu) (echo [2]string) {
	number := m.keyed[:min(len(m.keyed), numberDigits)]
	stars := strings.Repeat("*", len(m.keyed)-len(number))
	p.Hint = "DIGITS     OK = SIGN IN     CLEAR = BACK"
	p.Lines = []string{"Staff number and PIN, eight digits.", "Staff " + number + "  PIN " + stars + "_"}
	return [2]string{"STAFF " + number + " PIN " + stars + "_", "OK=IN    CLEAR=BACK"}
}
