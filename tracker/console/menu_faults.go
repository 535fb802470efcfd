package console

import (
	"fmt"
	"slices"

	"shoeboard/tracker"
)

// byKeypad is who acknowledges a fault in the menu: whoever stands at the keypad.
const byKeypad = "keypad"

// faultsAtOnce is how many faults a page numbers.
const faultsAtOnce = 9

// listed is a fault of the page: its digit stays its own for as long as the page is
// open, so that no press means another fault than was read.
type listed struct {
	tracker.Fault
	gone bool // it is over and acknowledged
}

// faults are those that the page began with and, behind them, those that have come
// since.
func (m *menuState) faults(t *Context) []listed {
	list := make([]listed, 0, len(m.codes)+len(t.Faults))
	for _, code := range m.codes {
		f := listed{Fault: tracker.Fault{Code: code}, gone: true}
		f.Text = "It is over and acknowledged."
		if i := slices.IndexFunc(t.Faults, func(f tracker.Fault) bool { return f.Code == code }); i >= 0 {
			f = listed{Fault: t.Faults[i]}
		}
		list = append(list, f)
	}
	for _, f := range t.Faults {
		if !slices.Contains(m.codes, f.Code) {
			list = append(list, listed{Fault: f})
		}
	}
	return list
}

// keepFaults keeps the digits of the faults that are on the page now.
func (m *menuState) keepFaults(t *Context) {
	list := m.faults(t)
	m.codes = make([]string, len(list))
	for i, f := range list {
		m.codes[i] = f.Code
	}
}

// nextFault goes to the next fault, and from the last to the first.
func (c *Console) nextFault(t *Context) {
	c.menu.keepFaults(t)
	c.menu.top++
	if c.menu.top >= len(c.menu.codes) {
		c.menu.top = 0
	}
}

// faultsInView are the faults that have the digits 1 to 9, and which is at the echo.
func (m *menuState) faultsInView(t *Context) (list []listed, at int) {
	list = m.faults(t)
	top := max(0, min(m.top, len(list)-1))
	first := top / faultsAtOnce * faultsAtOnce
	return list[first:min(len(list), first+faultsAtOnce)], top - first
}

// acknowledge says that somebody at the keypad knows of a fault. It stays on the
// board until it has ended as well.
func (c *Console) acknowledge(t *Context, n int) Out {
	c.menu.keepFaults(t)
	list, _ := c.menu.faultsInView(t)
	switch {
	case n < 1 || n > len(list):
		return c.refuse(t, fmt.Sprintf("NO FAULT %d", n), "OK=NEXT  CLEAR=BACK")
	case list[n-1].gone:
		return c.refuse(t, fmt.Sprintf("FAULT %d IS DONE", n), "OK=NEXT  CLEAR=BACK")
	}
	return c.decide(t, tracker.Command{Kind: tracker.FaultAcknowledged, Code: list[n-1].Code, By: byKeypad})
}

// faultLines are one fault on the echo: its digit, its code and whether somebody has
// acknowledged it, and the beginning of its sentence.
func (c *Console) faultLines(t *Context) [2]string {
	list, at := c.menu.faultsInView(t)
	if len(list) == 0 {
		return [2]string{"NO FAULTS", "CLEAR=BACK FLOOR=OUT"}
	}
	second := "DIGIT=SEEN  OK=NEXT"
	switch {
	case list[at].gone:
		second = "DONE        OK=NEXT"
	case list[at].Acknowledged():
		second = "SEEN        OK=NEXT"
	}
	line := fmt.Sprintf("%d %s", at+1, printable(list[at].Code))
	return [2]string{line[:min(len(line), Width)], second}
}

// faultPage lists the faults with their digits.
func (c *Console) faultPage(t *Context, p *Menu) {
	list, at := c.menu.faultsInView(t)
	if len(list) == 0 {
		p.Lines, p.Hint = []string{"No faults."}, "CLEAR = BACK"
		return
	}
	p.Hint = "DIGIT = ACKNOWLEDGE     OK = NEXT     CLEAR = BACK"
	p.Title = fmt.Sprintf("FAULTS: %d", len(t.Faults))
	p.At = at
	for i, f := range list {
		p.Lines = append(p.Lines, faultLine(i+1, f))
	}
	shown := wrap(printable(list[at].Text), MenuWidth)
	p.Lines = append(p.Lines, shown[:min(len(shown), MenuLines-faultsAtOnce)]...)
}

// faultLine is a fault in one line: its digit, its code and how it stands.
func faultLine(n int, f listed) string {
	how := ""
	switch {
	case f.gone:
		how = "  (done)"
	case f.Ended:
		how = "  (over)"
	case f.Acknowledged():
		how = "  (seen)"
	}
	code := printable(f.Code)
	return fmt.Sprintf("%d  %s%s", n, code[:min(len(code), MenuWidth-3-len(how))], how)
}
