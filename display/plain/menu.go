package plain

import "shoeboard/stats"

// menu is the page of the technician's menu, which stands before the board: whoever
// looks on from a terminal sees both.
func menu(p *page, m *stats.Menu) {
	if m == nil {
		return
	}
	y := p.line()
	state := ""
	switch {
	case m.Working:
		state = "WORKING"
	case m.Failed:
		state = "FAILED"
	}
	p.text(0, y, alarm, "[MENU] "+m.Title)
	p.right(y, strong, state)
	for i, line := range m.Lines {
		mark := "  "
		if i == m.At {
			mark = "> "
		}
		p.text(0, p.line(), plainInk, mark+line)
	}
	if m.Above || m.Below {
		p.text(2, p.line(), dim, map[[2]bool]string{{true, false}: "more above", {false, true}: "more below", {true, true}: "more above and below"}[[2]bool{m.Above, m.Below}])
	}
	if m.Refused != "" {
		p.text(0, p.line(), alarm, m.Refused)
	}
	p.text(0, p.line(), dim, m.Hint)
	p.line()
}
