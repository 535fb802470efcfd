package menu

import (
	"fmt"
	"slices"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// faultsAtOnce says how many faults a page numbers.
const faultsAtOnce = 9

// listed is a fault of the page: its digit stays its own for as long as the page is
// open, so that no press means another fault than was read.
type listed struct {
	tracker.Fault
	gone bool // it is over and acknowledged
}

// faults lists those that the page began with and, behind them, those raised since.
func (m *Menu) faults(t *Context) []listed {
	list := make([]listed, 0, len(m.codes)+len(t.Faults))
	for _, code := range m.codes {
		f := listed{Fault: tracker.Fault{Code: code, Text: "It is over and acknowledged."}, gone: true}
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
func (m *Menu) keepFaults(t *Context) {
	list := m.faults(t)
	m.codes = make([]string, len(list))
	for i, f := range list {
		m.codes[i] = f.Code
	}
}

// nextFault goes to the next fault, and from the last to the first.
func (m *Menu) nextFault(t *Context) {
	m.keepFaults(t)
	if m.top++; m.top >= len(m.codes) {
		m.top = 0
	}
}

// faultsInView returns the faults that have the digits 1 to 9, and which is on the echo.
func (m *Menu) faultsInView(t *Context) (list []listed, at int) {
	list = m.faults(t)
	top := max(0, min(m.top, len(list)-1))
	first := top / faultsAtOnce * faultsAtOnce
	return list[first:min(len(list), first+faultsAtOnce)], top - first
}

// acknowledge records that somebody at the keypad knows of a fault. It stays on the
// board until it has ended as well.
func (m *Menu) acknowledge(t *Context, n int) Out {
	m.keepFaults(t)
	list, _ := m.faultsInView(t)
	switch {
	case n < 1 || n > len(list):
		return refuse(fmt.Sprintf("NO FAULT %d", n), "OK=NEXT  CLEAR=BACK")
	case list[n-1].gone:
		return refuse(fmt.Sprintf("FAULT %d IS DONE", n), "OK=NEXT  CLEAR=BACK")
	}
	return Out{Acknowledge: list[n-1].Code}
}

// faultLines show one fault on the echo: its digit, its code, and whether somebody has
// acknowledged it.
func (m *Menu) faultLines(t *Context) [2]string {
	list, at := m.faultsInView(t)
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
	return [2]string{line[:min(len(line), echoWidth)], second}
}

// faultPage lists the faults with their digits.
func (m *Menu) faultPage(t *Context, p *stats.Menu) {
	list, at := m.faultsInView(t)
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
	text := Wrap([]string{list[at].Text}, PageWidth)
	p.Lines = append(p.Lines, text[:min(len(text), PageLines-faultsAtOnce)]...)
}

// faultLine shows a fault in one line: its digit, its code and its state.
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
	return fmt.Sprintf("%d  %s%s", n, code[:min(len(code), PageWidth-3-len(how))], how)
}
