package console

import (
	"fmt"
	"strconv"
	"time"
)

// menuKey is every word of the state table that concerns the menu.
func (c *Console) menuKey(t *Context, word string, b Binding) Out {
	if word == "menu" {
		return c.openMenu(t)
	}
	c.menu.since = t.Now.Mono
	switch leaves := word == "up" || word == "menuout"; {
	case leaves && c.menu.callBack():
		return Out{Tone: Ack}
	case word == "menuout":
		c.clear()
		return Out{Tone: Ack}
	case word == "up":
		return c.menuUp(t)
	case word == "enter":
		return c.menuOK(t)
	}
	return c.menuDigit(t, b.Digit)
}

// callBack calls back, once, what an OK has sent out. The page stays until it is known
// what came of it: it may be done already. The next CLEAR or FLOOR leaves.
func (m *menuState) callBack() bool {
	called := m.doing && m.out != 0 && !m.back
	m.back = m.back || called
	return called
}

// menuUp takes a digit back, else goes one page back, and from the first page out.
func (c *Console) menuUp(t *Context) Out {
	m := &c.menu
	switch {
	case m.keying() && m.keyed != "":
		m.keyed = m.keyed[:len(m.keyed)-1]
		c.set(inMenu, standsFor, t.Now.Mono)
		return Out{Tone: Ack}
	case m.page == pageMain:
		c.clear()
		return Out{Tone: Ack}
	}
	return c.show(t, m.spec().up)
}

// menuOK does what the page says.
func (c *Console) menuOK(t *Context) Out {
	m, s := &c.menu, c.menu.spec()
	switch {
	case m.out != 0:
		return c.refuse(t, "WORKING", "CLEAR=BACK")
	case s.items != nil:
		m.scroll(2, true)
	case m.page == pageFaults:
		c.nextFault(t)
	case m.page == pageScreen:
		m.test = (m.test + 1) % max(1, len(t.Tests))
	case m.done:
		return c.show(t, s.up)
	case s.does == "", s.asks != "" && s.form == noForm && (m.told == nil || !m.told.Ready):
		return c.show(t, m.page) // asks again
	default:
		return c.menuDo(t)
	}
	return Out{Tone: Ack}
}

// menuDo sends the errand of a page that an OK confirms.
func (c *Console) menuDo(t *Context) Out {
	if c.tooSoon(t) {
		return c.refuse(t, "", tooSoonLine)
	}
	m, s := &c.menu, c.menu.spec()
	arg := ""
	if s.form != noForm {
		if why := m.wrong(); why != "" {
			return c.refuse(t, why, "")
		}
		arg = m.entry()
	} else if m.told != nil {
		arg = m.told.Value
	}
	m.doing = true
	return c.send(s.does, arg)
}

// menuDigit is a digit: an item, a fault, a digit of a form, or a step down or up.
func (c *Console) menuDigit(t *Context, digit string) Out {
	m, s := &c.menu, c.menu.spec()
	n, err := strconv.Atoi(digit)
	switch {
	case err != nil:
		return c.refuse(t, "NO KEY OF THE MENU", "CLEAR=BACK FLOOR=OUT")
	case s.items != nil && (n < 1 || n > len(s.items)):
		return c.refuse(t, fmt.Sprintf("NO ITEM %d", n), "CLEAR=BACK FLOOR=OUT")
	case s.items != nil:
		return c.show(t, s.items[n-1].page)
	case m.out != 0:
		return c.refuse(t, "WORKING", "CLEAR=BACK")
	case m.page == pageFaults:
		return c.acknowledge(t, n)
	case m.page == pageScreen:
		return c.refuse(t, "OK=NEXT  CLEAR=BACK", "")
	case m.keying():
		return c.menuForm(t, digit)
	}
	step := map[int]int{2: 2, 8: -2}[n]
	if step == 0 || !m.scroll(step, false) {
		return c.refuse(t, "2=DOWN  8=UP", "CLEAR=BACK")
	}
	return Out{Tone: Ack}
}

// scroll moves the echo over the page's rows and says whether it moved. Round goes
// from the end to the beginning.
func (m *menuState) scroll(by int, round bool) bool {
	rows := len(m.rows())
	switch next := m.top + by; {
	case next >= 0 && next < rows:
		m.top = next
	case round:
		m.top = 0
	default:
		return false
	}
	return true
}

// menuForm keys a digit over what stands in the form.
func (c *Console) menuForm(t *Context, digit string) Out {
	if len(c.menu.keyed) >= c.menu.spec().form.digits() {
		return c.refuse(t, "ALL DIGITS KEYED", "OK=SET   CLEAR=BACK")
	}
	c.menu.keyed += digit
	c.set(inMenu, standsFor, t.Now.Mono)
	return Out{Tone: Ack}
}

// keying says whether the page takes digits now.
func (m *menuState) keying() bool { return m.spec().form != noForm && m.out == 0 && !m.done }

// digits is how many a form takes at most.
func (f form) digits() int { return [...]int{timeForm: 12, dayForm: 8, tableForm: 4}[f] }

// layout is how a form's digits are read.
func (f form) layout() string { return [...]string{timeForm: "200601021504", dayForm: "20060102"}[f] }

// begin takes the value that a form begins with, and says whether it is one.
func (m *menuState) begin(value string) bool {
	if n := m.spec().form.digits(); len(value) >= n {
		value = value[:n]
	}
	m.value = value
	_, err := time.Parse(m.spec().form.layout(), value)
	return err == nil
}

// entry is what the form says: the digits keyed, and behind them those it began with.
// A table's number is keyed whole.
func (m *menuState) entry() string {
	if m.spec().form == tableForm {
		return m.keyed
	}
	return m.keyed + m.value[len(m.keyed):]
}

// firstYear and lastYear bound the time that may be set: this program is not older, and
// the clock of a 32-bit unit ends in January 2038.
const (
	firstYear = 2026
	lastYear  = 2037
)

// wrong is why the form cannot be taken, in at most 20 characters; "" when it can.
func (m *menuState) wrong() string {
	if m.spec().form == tableForm {
		switch {
		case m.keyed == "":
			return "KEY THE TABLE NUMBER"
		case m.keyed[0] == '0':
			return "NO TABLE BEGINS 0"
		}
		return ""
	}
	at, err := time.Parse(m.spec().form.layout(), m.entry())
	switch {
	case err != nil && m.spec().form == dayForm:
		return "THERE IS NO SUCH DAY"
	case err != nil:
		return "NO SUCH TIME"
	case at.Year() < firstYear || at.Year() > lastYear:
		return fmt.Sprintf("YEAR %d TO %d", firstYear, lastYear)
	case m.spec().form == timeForm && len(m.keyed) < timeForm.digits():
		return "KEY ALL 12 DIGITS" // the minute that the page began with is over
	}
	return ""
}
