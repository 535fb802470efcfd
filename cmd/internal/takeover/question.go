// Package takeover asks, before the core opens, whether this unit goes on with a table
// of another unit: with the record on its card, or with that on a USB stick.
//
// The question is shown on the dealer's echo and, whole, on the screen. OK takes the
// table over, CLEAR does not, and no other key counts. Nothing of the record is open
// meanwhile, and nothing is written before OK.
//
// A caller may assume that Ask ends everything it began before it returns, and that an
// answer stays readable for a moment before it does.
package takeover

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/cmd/internal/transfer"
	"shoeboard/stats"
	"shoeboard/tracker/console"
	"shoeboard/tracker/menu"
)

const (
	standsFor = 700 * time.Millisecond  // how long a question must be readable before OK counts
	noteFor   = 2500 * time.Millisecond // how long a refusal stays on the echo
	forEver   = time.Duration(1<<63 - 1)
)

// state says how far the question has come.
type state uint8

const (
	asking   state = iota
	working        // a table is being taken over
	closed         // the answer was no, and the card is another unit's
	declined       // the answer was no, and the unit goes on as itself
	taken          // the table is this unit's
)

// question asks about one table after another.
type question struct {
	unit  string // this one
	zone  *time.Location
	left  []transfer.Question // the first is asked now
	state state

	result []string // of the last answer
	failed bool
	shown  time.Duration // since when the question is readable
	note   [2]string     // a refusal, over the echo
	noted  time.Duration // when the note goes
}

// press takes a key and returns its tone. A question in state working has to be answered
// by finish.
func (q *question) press(now time.Duration, key console.Key) console.Tone {
	q.uncover(now)
	switch {
	case q.state == working:
		return q.refuse(now, "WORKING", "PLEASE WAIT")
	case q.state == closed && key == console.KeyFloor:
		q.ask(now)
	case q.state == closed:
		return q.refuse(now, "NOT TAKEN OVER", "FLOOR=ASK AGAIN")
	case q.state != asking:
		return console.Silent
	case key == console.KeyOK && now-q.shown < standsFor:
		q.shown = now
		return console.Refused
	case key == console.KeyOK:
		q.state, q.result, q.failed = working, nil, false
	case key == console.KeyClear && len(q.left) > 1:
		q.left = q.left[1:]
		q.ask(now)
	case key == console.KeyClear:
		q.decline()
	default:
		return q.refuse(now, "ANSWER FIRST", "OK=YES  CLEAR=NO")
	}
	return console.Ack
}

// ask asks about the first table that is left.
func (q *question) ask(now time.Duration) {
	q.state, q.result, q.failed, q.shown = asking, nil, false, now
}

// decline takes a no to the last table.
func (q *question) decline() {
	q.state, q.result = declined, []string{"NOT TAKEN OVER", "STARTS AS ITSELF"}
	if why := q.left[0].No(); why != "" {
		q.state, q.result = closed, []string{"NOT TAKEN OVER", "FLOOR=ASK AGAIN", why}
	}
}

// finish takes the outcome of a take-over. One that failed leaves the question.
func (q *question) finish(now time.Duration, err error) {
	q.uncover(now)
	if err != nil {
		q.state, q.result, q.failed, q.shown = asking, strings.Split(err.Error(), "\n"), true, now
		q.note, q.noted = firstTwo(q.result), forEver
		return
	}
	number := q.left[0].Table
	q.state = taken
	q.result = []string{"TABLE " + number + " TAKEN", "STARTS AGAIN", "This unit has table " + number + " from now on."}
}

// refuse covers the echo with a reason. A question that was not readable for long enough
// has to be so again afterwards.
func (q *question) refuse(now time.Duration, line1, line2 string) console.Tone {
	if now-q.shown < standsFor {
		q.shown = now + noteFor
	}
	q.note, q.noted = [2]string{line1, line2}, now+noteFor
	return console.Refused
}

// together refuses a key that goes down while another is down.
func (q *question) together(now time.Duration, other string) console.Tone {
	q.uncover(now)
	return q.refuse(now, "ONE KEY AT A TIME", other+" IS DOWN")
}

// uncover takes the note away.
func (q *question) uncover(now time.Duration) {
	q.note, q.noted = [2]string{}, 0
	q.shown = min(q.shown, now)
}

// lines returns the echo.
func (q *question) lines() [2]string {
	title := "TAKE OVER TABLE " + q.left[0].Table + "?"
	if len(title) > console.Width {
		title = "TAKE OVER " + q.left[0].Table + "?"
	}
	switch {
	case q.note[0] != "":
		return q.note
	case q.state == working:
		return [2]string{title, "WORKING"}
	case q.state == asking && len(q.left) > 1:
		return [2]string{title, "OK=YES  CLEAR=NEXT"}
	case q.state == asking:
		return [2]string{title, "OK=YES  CLEAR=NO"}
	}
	return firstTwo(q.result)
}

// page returns the page of the screen.
func (q *question) page() *stats.Menu {
	number := q.left[0].Table
	m := &stats.Menu{Title: "TAKE OVER TABLE " + number + "?", At: -1, Hint: "PLEASE WAIT", Failed: q.failed,
		Refused: strings.TrimSpace(q.note[0] + "  " + q.note[1])}
	lines := q.result
	if lines == nil {
		lines = q.facts()
	}
	switch q.state {
	case asking:
		m.Asking, m.Hint = true, "OK = YES     CLEAR = NO"
		if more := len(q.left) - 1; more > 0 {
			m.Hint = fmt.Sprintf("OK = YES     CLEAR = NEXT TABLE, %d MORE", more)
		}
	case working:
		m.Asking, m.Working = true, true
	case closed:
		m.Title, m.Hint = "TABLE "+number+" NOT TAKEN OVER", "FLOOR = ASK AGAIN"
	case declined:
		m.Title = "TABLE " + number + " NOT TAKEN OVER"
	case taken:
		m.Title = "TABLE " + number + " TAKEN OVER"
	}
	m.Lines = menu.Wrap(lines, menu.PageWidth)
	m.Lines = m.Lines[:min(len(m.Lines), menu.PageLines)]
	return m
}

// facts returns what is known of the table.
func (q *question) facts() []string {
	t := q.left[0]
	where := "The stick has the record of unit " + t.Unit + "."
	if t.Card {
		where = "The card in this unit is that of unit " + t.Unit + "."
	}
	last := "No hand is in it."
	if !t.LastHand.IsZero() {
		last = fmt.Sprintf("Last hand: %s, shoe %d, hand %d",
			t.LastHand.In(q.zone).Format("2006-01-02 15:04"), t.Shoe, t.Hands)
	}
	if t.House != "" {
		where = t.House + ". " + where
	}
	if t.Unsigned {
		where = "NOT SIGNED BY THE HOUSE. " + where
	}
	return []string{where, last, "This unit is " + q.unit + ".", "YES only if that unit is out of use."}
}

func firstTwo(lines []string) [2]string {
	return [2]string(append(menu.Wrap(lines, console.Width), "", ""))
}
