// Package termview writes the board as text for a terminal, for those who come over
// SSH and for a unit without a display: header, phase bar, counts and big road, with
// the dealer's echo, the technician's menu and the faults.
//
// A caller may assume that the same input gives the same text; that no line is wider
// than asked for and none ends in a space; that without colour every sign is told
// apart by its letter; and that texts of a venue cannot send commands to the terminal.
// It may not assume a number of lines.
//
// A terminal is for staff: the dealer's unconfirmed entry is on it.
package termview

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/stats"
)

// Now is the moment at which a Board is drawn.
type Now struct {
	Boot string        // boot id: a Deadline of another boot is not shown
	Mono time.Duration // boot-time clock
	Wall time.Time     // time of day in the table's time zone
}

// narrowest is the least width in columns at which every line fits.
const narrowest = 64

// Render returns the board as lines of at most width columns, or 64 if width is
// less. With colour it uses ANSI sequences. A nil Board has not arrived yet.
func Render(b *stats.Board, width int, colour bool, now Now) string {
	p := &page{width: max(width, narrowest), colour: colour}
	if b == nil {
		p.line(span{strong, "WAITING FOR THE TABLE UNIT"})
		return p.text.String()
	}
	addMenu(p, b.Menu)
	addHeader(p, b, now)
	addBigRoad(p, b)
	addCounts(p, b)
	addBar(p, b, now)
	addDealer(p, b)
	addNotes(p, b)
	addFaults(p, b)
	return p.text.String()
}

// addMenu writes the page of the technician's menu before the board.
func addMenu(p *page, m *stats.Menu) {
	if m == nil {
		return
	}
	state, more := "", ""
	switch {
	case m.Working:
		state = "WORKING"
	case m.Failed:
		state = "FAILED"
	}
	p.split([]span{{alarm, "[MENU] " + m.Title}}, span{strong, state})
	for i, line := range m.Lines {
		mark := "  "
		if i == m.At {
			mark = "> "
		}
		p.line(span{normal, mark + line})
	}
	if m.Above {
		more += "  more above"
	}
	if m.Below {
		more += "  more below"
	}
	p.optional(dim, more)
	p.optional(alarm, m.Refused)
	p.line(span{dim, m.Hint})
	p.line()
}

// addHeader writes the game and the hand, then the table, the clock and the shoe.
func addHeader(p *page, b *stats.Board, now Now) {
	name, isAccent := strings.CutSuffix(b.Game.Name, b.Game.Accent)
	title := []span{{strong, name}}
	if isAccent {
		title = append(title, span{gold, b.Game.Accent})
	}
	p.split(title, span{strong, fmt.Sprintf("HAND %d", b.Shoe.Hands)})
	clock, shoe := "clock not set", ""
	if b.ClockTrusted {
		clock = now.Wall.Format("15:04")
	}
	if b.ShoeToday > 0 {
		shoe = fmt.Sprintf("shoe %d today", b.ShoeToday)
	}
	p.split([]span{{normal, join("  ", "Table "+b.Table, b.Venue, clock)}}, span{normal, shoe})
	p.optional(alarm, flags(b))
}

// flags returns the states that nobody may overlook.
func flags(b *stats.Board) string {
	var on []string
	for _, f := range []struct {
		isOn bool
		text string
	}{
		{b.Demo, "DEMO"}, {b.LastHand, "LAST HAND"}, {b.ShoeOver, "SHOE OVER"}, {b.Review, "UNDER REVIEW"},
		{b.Saving, "SAVING"}, {b.Identify, "IDENTIFY: TABLE " + b.Table},
		{b.Test == stats.KeypadTest, "KEYPAD TEST"},
		{b.Test != "" && b.Test != stats.KeypadTest, "TEST PAGE " + b.Test},
	} {
		if f.isOn {
			on = append(on, "["+f.text+"]")
		}
	}
	return strings.Join(on, " ")
}

// addDealer writes the dealer's echo, with the kind of message it is.
func addDealer(p *page, b *stats.Board) {
	d := b.Dealer
	if d.Lines == [2]string{} {
		return
	}
	k, kind := dim, "DEALER"
	switch {
	case d.Told == stats.ToldWarning:
		k, kind = alarm, "DEALER, ATTENTION"
	case d.Refused:
		k, kind = alarm, "KEY REFUSED"
	case d.Told == stats.ToldSaved:
		k, kind = strong, "RECORDED"
	case d.Told != "":
		k, kind = strong, "MESSAGE TO THE DEALER"
	case d.Asking:
		k, kind = strong, "QUESTION TO THE DEALER"
	case d.Entering:
		k, kind = strong, "DEALER IS ENTERING"
	}
	if d.Blink {
		k, kind = blinking.over(k), kind+" (WAITING)"
	}
	lines := fmt.Sprintf("|%-20s|%-20s|", d.Lines[0], d.Lines[1])
	if len(kind)+2+len(lines) <= p.width {
		p.line(span{k, kind + "  " + lines})
		return
	}
	p.line(span{k, kind})
	p.line(span{k, lines})
}

// addNotes writes the corrected hands, the keypad test and the version line.
func addNotes(p *page, b *stats.Board) {
	if len(b.Marked) > 0 {
		p.wrap(normal, "CORRECTED  hand "+strings.Trim(fmt.Sprint(b.Marked), "[]"))
	}
	if b.Test == stats.KeypadTest {
		var keys []string
		for _, k := range b.Keypad {
			key := join(" ", k.Pos, k.Name, fmt.Sprintf("x%d", k.Seen))
			if k.Down {
				key += " down"
			}
			keys = append(keys, key)
		}
		p.wrap(normal, "KEYS  "+strings.Join(keys, ", "))
	}
	p.wrap(dim, b.StatusLine)
}

// addFaults writes the faults last, where a terminal's eye is.
func addFaults(p *page, b *stats.Board) {
	if c := b.ConfigFault; c != nil {
		place := ""
		if c.Line > 0 { // else the sentence names the file
			place = fmt.Sprintf("%s, line %d: ", c.File, c.Line)
		}
		p.wrap(alarm, fmt.Sprintf("! CONFIGURATION REFUSED: %s%s. The last good configuration stays in force.",
			place, strings.TrimSuffix(c.Sentence(), ".")))
	}
	for _, f := range b.Faults {
		k, text := alarm, "! "+f.Text
		switch {
		case f.Code == stats.ConfigCode && b.ConfigFault != nil:
			continue
		case f.Staff:
			k = dim
		}
		if f.By != "" {
			text += " (acknowledged by " + f.By + ")"
		}
		p.wrap(k, text)
	}
	for _, f := range b.EndedFaults {
		p.wrap(dim, "! Over, not acknowledged: "+f.Text)
	}
}
