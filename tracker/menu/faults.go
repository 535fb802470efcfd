package menu

import (
	"cmp"
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

// number gives the faults raised since the page opened their digits: a digit stays its
// fault's own, so that no press means another fault than was read.
func (m *Menu) number(t *Context) {
	m.codes = slices.Clip(m.codes)
	for _, f := range t.Faults {
		if !slices.Contains(m.codes, f.Code) {
			m.codes = append(m.codes, f.Code)
		}
	}
}

// faultsInView returns the faults that have the digits 1 to 9, and which is on the echo.
func (m *Menu) faultsInView(t *Context) (list []listed, at int) {
	m.number(t)
	first := m.top / faultsAtOnce * faultsAtOnce
	for _, code := range m.codes[first:min(len(m.codes), first+faultsAtOnce)] {
		f := listed{tracker.Fault{Code: code, Text: "It is over and acknowledged."}, "done"}
		if i := slices.IndexFunc(t.Faults, func(f tracker.Fault) bool { return f.Code == code }); i >= 0 {
			f = listed{Fault: t.Faults[i]}
			switch {
			case f.Ended:
				f.is = "over"
			case f.Acknowledged():
				f.is = "seen"
			}
		}
		list = append(list, f)
	}
	return list, m.top - first
}

// nextFault goes to the next fault, and from the last to the first.
func (m *Menu) nextFault(t *Context) {
	m.number(t)
	if m.top++; m.top >= len(m.codes) {
		m.top = 0
	}
}

// acknowledge records that somebody at the keypad knows of a fault. It stays on the
// board until it has ended as well.
func (m *Menu) acknowledge(t *Context, n int) Out {
	list, _ := m.faultsInView(t)
	switch {
	case n < 1 || n > len(list):
		return refuse(fmt.Sprintf("NO FAULT %d", n), "OK=NEXT  CLEAR=BACK")
	case list[n-1].is == "done":
		return refuse(fmt.Sprintf("FAULT %d IS DONE", n), "OK=NEXT  CLEAR=BACK")
	}
	return Out{Acknowledge: list[n-1].Code, By: cmp.Or(m.who, "keypad")}
}

// showFaults lists the faults with their digits, and shows one of them on the echo.
func (m *Menu) showFaults(t *Context, p *stats.Menu) (echo [2]string) {
	list, at := m.faultsInView(t)
	if len(list) == 0 {
		p.Lines, p.Hint = []string{"No faults."}, "CLEAR = BACK"
		return [2]string{"NO FAULTS", "CLEAR=BACK FLOOR=OUT"}
	}
	p.Hint = "DIGIT = ACKNOWLEDGE     OK = NEXT     CLEAR = BACK"
	p.Title, p.At = fmt.Sprintf("FAULTS: %d", len(t.Faults)), at
	for i, f := range list {
		if f.is != "" {
			f.is = "  (" + f.is + ")"
		}
		p.Lines = append(p.Lines, fmt.Sprintf("%d  %.*s%s", i+1, PageWidth-3-len(f.is), printable(f.Code), f.is))
	}
	text := Wrap([]string{list[at].Text}, PageWidth)
	p.Lines = append(p.Lines, text[:min(len(text), PageLines-faultsAtOnce)]...)
	echo = [2]string{fmt.Sprintf("%d %.*s", at+1, echoWidth-2, printable(list[at].Code)), "DIGIT=SEEN  OK=NEXT"}
	switch {
	case list[at].is == "done":
		echo[1] = "DONE        OK=NEXT"
	case list[at].Acknowledged():
		echo[1] = "SEEN        OK=NEXT"
	}
	return echo
}
