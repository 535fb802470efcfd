package console

import "fmt"

// TakeOver is the question with which a unit starts whose record another unit wrote.
// Nothing else is accepted before it is answered, and it never expires.
type TakeOver struct {
	Table string   // number of the table
	Lines []string // what else is known of it, for the screen
}

// Ask puts the question of a take-over before anything else.
func (q TakeOver) Ask(t Table) Console {
	c := New()
	c.taking = &q
	c.set(askTakeOver, standsAfterQ, t.Now.Mono)
	return c
}

// TakingOver says whether the table may not be used, because the question of a
// take-over waits or was answered so.
func (c Console) TakingOver() bool { return c.mode == askTakeOver }

// takeKey is every word of the state table that concerns a take-over.
func (c *Console) takeKey(t Table, word string) Out {
	switch {
	case word == "takeagain" && c.locked:
		c.locked, c.menu.told = false, nil
		c.set(askTakeOver, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	case word == "takeagain" || c.locked || c.menu.out != 0:
		return c.takeRefused(t)
	case word == "takeyes" && c.tooSoon(t):
		return c.refuse(t, "", "")
	case word == "takeyes":
		return c.send(ErrandTakeOver, c.taking.Table)
	}
	return c.send(ErrandLeaveTable, c.taking.Table)
}

// takeRefused says why no other key counts.
func (c *Console) takeRefused(t Table) Out {
	switch {
	case c.menu.out != 0:
		return c.refuse(t, "WORKING", "PLEASE WAIT")
	case c.locked:
		return c.refuse(t, "NOT TAKEN OVER", "FLOOR=ASK AGAIN")
	}
	return c.refuse(t, "ANSWER FIRST", "OK=YES  CLEAR=NO")
}

// tookOver takes what came of the answer. One that failed leaves the question.
func (c *Console) tookOver(a Answer) {
	c.menu.told = &a
	first := c.tookLines()
	switch {
	case a.Failed:
		c.note = note{lines: first, until: forEver, refused: true}
	case a.Locked:
		c.locked = true
	default:
		c.clear()
		c.taking, c.locked = nil, false
		c.note = note{lines: first, until: forEver}
	}
}

// tookLines are the first two lines of what came of the answer.
func (c *Console) tookLines() [2]string {
	rows := append(wrapped(c.menu.told.Lines, Width), "", "")
	return [2]string(rows[:2])
}

// takeLines are the echo while a take-over is asked about.
func (c *Console) takeLines() [2]string {
	ask := fit("TAKE OVER TABLE "+c.taking.Table+"?", "TAKE OVER "+c.taking.Table+"?", "TAKE OVER TABLE?")
	switch {
	case c.menu.out != 0:
		return [2]string{ask, "WORKING"}
	case !c.locked:
		return [2]string{ask, "OK=YES  CLEAR=NO"}
	}
	lines := c.tookLines()
	if lines[0] == "" {
		lines[0] = "NOT TAKEN OVER"
	}
	if lines[1] == "" {
		lines[1] = "FLOOR=ASK AGAIN"
	}
	return lines
}

// takePage is the same, whole.
func (c *Console) takePage() Menu {
	p := Menu{Title: fmt.Sprintf("TAKE OVER TABLE %s?", c.taking.Table), Lines: wrapped(c.taking.Lines, MenuWidth), At: -1, Asking: true,
		Hint: "OK = YES     CLEAR = NO"}
	if c.menu.told != nil {
		p.Lines, p.Failed = wrapped(c.menu.told.Lines, MenuWidth), c.menu.told.Failed
	}
	switch {
	case c.menu.out != 0:
		p.Working, p.Hint = true, "PLEASE WAIT"
	case c.locked:
		p.Title, p.Asking, p.Hint = fmt.Sprintf("TABLE %s NOT TAKEN OVER", c.taking.Table), false, "FLOOR = ASK AGAIN"
	}
	p.Lines = p.Lines[:min(len(p.Lines), MenuLines)]
	return p
}
