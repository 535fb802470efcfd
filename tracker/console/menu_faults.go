package console

import (
	"fmt"

	"shoeboard/tracker"
)

// byKeypad is who acknowledges a fault in the menu: whoever stands at the keypad.
const byKeypad = "keypad"

// faultsAtOnce is how many faults a page numbers.
const faultsAtOnce = 9

// nextFault goes to the next fault, and from the last to the first.
func (c *Console) nextFault(t Table) {
	c.menu.top++
	if c.menu.top >= len(t.State.Faults) {
		c.menu.top = 0
	}
}

// faultsInView are the faults that have the digits 1 to 9, and which is at the echo.
func (m *menu) faultsInView(t Table) (list []tracker.Fault, at int) {
	list = t.State.Faults
	top := max(0, min(m.top, len(list)-1))
	first := top / faultsAtOnce * faultsAtOnce
	return list[first:min(len(list), first+faultsAtOnce)], top - first
}

// acknowledge says that somebody at the keypad knows of a fault. It stays on the
// board until it has ended as well.
func (c *Console) acknowledge(t Table, n int) Out {
	list, _ := c.menu.faultsInView(t)
	if n < 1 || n > len(list) {
		return c.refuse(t, fmt.Sprintf("NO FAULT %d", n), "OK=NEXT  CLEAR=BACK")
	}
	return c.decide(t, tracker.Command{Kind: tracker.FaultAcknowledged, Code: list[n-1].Code, By: byKeypad})
}

// faultLines are one fault on the echo: its digit, its code and whether somebody has
// acknowledged it, and the beginning of its sentence.
func (c *Console) faultLines(t Table) [2]string {
	list, at := c.menu.faultsInView(t)
	if len(list) == 0 {
		return [2]string{"NO FAULTS", "CLEAR=BACK FLOOR=OUT"}
	}
	second := "DIGIT=SEEN  OK=NEXT"
	if list[at].Acknowledged() {
		second = "SEEN        OK=NEXT"
	}
	line := fmt.Sprintf("%d %s", at+1, printable(list[at].Code))
	return [2]string{line[:min(len(line), Width)], second}
}

// faultPage lists the faults with their digits.
func (c *Console) faultPage(t Table, p *Menu) {
	list, at := c.menu.faultsInView(t)
	if len(list) == 0 {
		p.Lines, p.Hint = []string{"No faults."}, "CLEAR = BACK"
		return
	}
	p.Hint = "DIGIT = ACKNOWLEDGE     OK = NEXT     CLEAR = BACK"
	p.Title = fmt.Sprintf("FAULTS: %d", len(t.State.Faults))
	p.At = at
	for i, f := range list {
		p.Lines = append(p.Lines, faultLine(i+1, f))
	}
	shown := wrap(printable(list[at].Text), MenuWidth)
	p.Lines = append(p.Lines, shown[:min(len(shown), MenuLines-faultsAtOnce)]...)
}

// faultLine is a fault in one line: its digit, its code and how it stands.
func faultLine(n int, f tracker.Fault) string {
	how := ""
	switch {
	case f.Ended:
		how = "  (over)"
	case f.Acknowledged():
		how = "  (seen)"
	}
	code := printable(f.Code)
	return fmt.Sprintf("%d  %s%s", n, code[:min(len(code), MenuWidth-3-len(how))], how)
}
