package menu

import (
	"fmt"
	"slices"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// faultsAtOnce says how many faults a page numbers.
const faultsAtOnce = 9

// listed is a fault of the page.
type listed struct {
	tracker.Fault
	is string // "done": over and acknowledged; "over"; "seen": acknowledged; empty: none of these
}

// codesOf returns the codes of the faults that the page began with and, after them, of
// those raised since: a digit stays its fault's own for as long as the page is open, so
// that no press means another fault than was read.
func (m *Menu) codesOf(t *Context) []string {
	codes := slices.Clip(m.codes)
	for _, f := range t.Faults {
		if !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// faultsInView returns the faults that have the digits 1 to 9, and which is on the echo.
func (m *Menu) faultsInView(t *Context) (list []listed, at int) {
	codes := m.codesOf(t)
	top := max(0, min(m.top, len(codes)-1))
	first := top / faultsAtOnce * faultsAtOnce
	for _, code := range codes[first:min(len(codes), first+faultsAtOnce)] {
		f := listed{tracker.Fault{Code: code, Text: "It is over and acknowledged."}, "done"}
		if i := slices.IndexFunc(t.Faults, func(f tracker.Fault) bool { return f.Code == code }); i >= 0 {
			f = listed{Fault: t.Faults[i]}
		}
		switch {
		case f.is != "":
		case f.Ended:
			f.is = "over"
		case f.Acknowledged():
			f.is = "seen"
		}
		list = append(list, f)
	}
	return list, top - first
}

// nextFault goes to the next fault, and from the last to the first.
func (m *Menu) nextFault(t *Context) {
	m.codes = m.codesOf(t)
	if m.top++; m.top >= len(m.codes) {
		m.top = 0
	}
}

// acknowledge records that somebody at the keypad knows of a fault. It stays on the
// board until it has ended as well.
func (m *Menu) acknowledge(t *Context, n int) Out {
	m.codes = m.codesOf(t)
	list, _ := m.faultsInView(t)
	switch {
	case n < 1 || n > len(list):
		return refuse(fmt.Sprintf("NO FAULT %d", n), "OK=NEXT  CLEAR=BACK")
	case list[n-1].is == "done":
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
	case list[at].is == "done":
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
		if f.is != "" {
			f.is = "  (" + f.is + ")"
		}
		code := printable(f.Code)
		p.Lines = append(p.Lines, fmt.Sprintf("%d  %s%s", i+1, code[:min(len(code), PageWidth-3-len(f.is))], f.is))
	}
	text := Wrap([]string{list[at].Text}, PageWidth)
	p.Lines = append(p.Lines, text[:min(len(text), PageLines-faultsAtOnce)]...)
}
