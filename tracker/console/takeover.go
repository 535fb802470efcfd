package console

import (
	"fmt"

	"shoeboard/tracker/menu"
)

// TakeOver is a question with which a unit starts: whether it is to go on with a record
// that another unit wrote.
type TakeOver struct {
	ID    string   // what its errands carry
	Table string   // number of the table
	Lines []string // what else is known of it, for the screen
}

// AskTakeOver is a Console that asks these questions, at least one of them, before
// anything else is accepted; they never expire. A no goes to the next question, and
// only that to the last is sent.
func AskTakeOver(t *Context, questions []TakeOver) Console {
	c := New()
	c.taking = questions
	c.set(askTakeOver, standsAfterQ, t.Now.Mono)
	return c
}

// TakingOver says whether the table may not be used, because the question of a
// take-over waits or was answered so.
func (c Console) TakingOver() bool { return c.mode == askTakeOver }

// takeKey is every word of the state table that concerns a take-over.
func (c *Console) takeKey(t *Context, word string) Out {
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
		return c.send(ErrandTakeOver, c.taking[0].ID)
	case len(c.taking) > 1:
		c.taking, c.menu.told = c.taking[1:], nil
		c.set(askTakeOver, standsAfterQ, t.Now.Mono)
		return Out{Tone: Ack}
	}
	return c.send(ErrandLeaveTable, c.taking[0].ID)
}

// takeRefused says why no other key counts.
func (c *Console) takeRefused(t *Context) Out {
	switch {
	case c.menu.out != 0:
		return c.refuse(t, "WORKING", "PLEASE WAIT")
	case c.locked:
		return c.refuse(t, "NOT TAKEN OVER", "FLOOR=ASK AGAIN")
	}
	return c.refuse(t, "ANSWER FIRST", "OK=YES  CLEAR=NO")
}

// tookOver takes what came of the answer. One that failed leaves the question.
func (c *Console) tookOver(a menu.Result) {
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
		c.note = note{lines: first, until: forEver, told: ToldHint}
	}
}

// tookLines are the first two lines of what came of the answer.
func (c *Console) tookLines() [2]string {
	rows := append(wrapped(c.menu.told.Lines, Width), "", "")
	return [2]string(rows[:2])
}

// takeLines are the echo while a take-over is asked about.
func (c *Console) takeLines() [2]string {
	number := c.taking[0].Table
	ask := fit("TAKE OVER TABLE "+number+"?", "TAKE OVER "+number+"?", "TAKE OVER TABLE?")
	switch {
	case c.menu.out != 0:
		return [2]string{ask, "WORKING"}
	case !c.locked && len(c.taking) > 1:
		return [2]string{ask, "OK=YES  CLEAR=NEXT"}
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
	q := c.taking[0]
	p := Menu{Title: fmt.Sprintf("TAKE OVER TABLE %s?", q.Table), Lines: wrapped(bounded(menu.Result{Lines: q.Lines}).Lines, MenuWidth), At: -1, Asking: true,
		Hint: "OK = YES     CLEAR = NO"}
	if more := len(c.taking) - 1; more > 0 {
		p.Hint = fmt.Sprintf("OK = YES     CLEAR = NEXT TABLE, %d MORE", more)
	}
	if c.menu.told != nil {
		p.Lines, p.Failed = wrapped(c.menu.told.Lines, MenuWidth), c.menu.told.Failed
	}
	switch {
	case c.menu.out != 0:
		p.Working, p.Hint = true, "PLEASE WAIT"
	case c.locked:
		p.Title, p.Asking, p.Hint = fmt.Sprintf("TABLE %s NOT TAKEN OVER", q.Table), false, "FLOOR = ASK AGAIN"
	}
	p.Lines = p.Lines[:min(len(p.Lines), MenuLines)]
	return p
}

// The tasks of a take-over.
const (
	ErrandTakeOver   menu.Kind = "take-over"    // the answer was yes
	ErrandLeaveTable menu.Kind = "take-over-no" // the answer was no
)
