// Package plain is the board as text for a terminal, for those who come over SSH
// and for a unit without a display.
//
// Words: a page is a grid of terminal columns and lines; an ink is how a text
// stands out where there is colour; a window is the part of a road that fits,
// always with the newest mark.
//
// A caller may assume that the same input gives the same text; that no line is
// wider than asked for and none ends in a space; that without colour every sign
// is told apart by its letter; that texts of a venue cannot send commands to the
// terminal; and that nothing is left out but old columns of roads. It may not
// assume a number of lines: that depends on the width and on what there is to say.
//
// What a terminal shows is for staff: the dealer's unconfirmed entry is on it.
package plain

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/stats"
)

// Now is the moment at which a Board is looked at.
type Now struct {
	Boot string        // the boot id, which says whether a Deadline can be compared
	Mono time.Duration // the boot-time clock
	Wall time.Time     // the time of day, in the table's own time zone
}

// narrowest is the least width at which everything has its place.
const narrowest = 64

// Render returns the board as lines of at most width columns, or 64 if width is
// less. With colour it uses ANSI sequences, else none. A nil Board is a board that
// has not come yet.
func Render(b *stats.Board, width int, colour bool, now Now) string {
	p := &page{width: max(width, narrowest)}
	if b == nil {
		p.text(0, p.line(), strong, "WAITING FOR THE TABLE UNIT")
		return p.String(colour)
	}
	menu(p, b.Menu)
	header(p, b, now)
	limits(p, b)
	bigRoad(p, b)
	middle(p, b)
	derived(p, b)
	previous(p, b)
	bar(p, b, now)
	collection(p, b)
	dealer(p, b)
	notes(p, b)
	faults(p, b)
	return p.String(colour)
}

// header is the game, the table and the clock on the left, the hand on the right.
func header(p *page, b *stats.Board, now Now) {
	y := p.line()
	name, accent, _ := cutLast(b.Game.Name, b.Game.Accent)
	x := p.text(0, y, strong, name)
	p.text(x, y, gold, accent)
	p.right(y, strong, fmt.Sprintf("HAND %d", b.Shoe.Hands))

	y = p.line()
	p.text(0, y, plainInk, strings.Join(filled("Table "+b.Table, b.Venue, clock(b, now)), "  "))
	right := ""
	if b.ShoeToday > 0 {
		right = fmt.Sprintf("shoe %d today", b.ShoeToday)
	}
	p.right(y, plainInk, right)
	if chips := chips(b); chips != "" {
		p.text(0, p.line(), alarm, chips)
	}
}

func clock(b *stats.Board, now Now) string {
	if !b.ClockTrusted {
		return "clock not set"
	}
	return now.Wall.Format("15:04")
}

// chips are the flags over the phase and the states that nobody may overlook.
func chips(b *stats.Board) string {
	var on []string
	for _, c := range []struct {
		is   bool
		text string
	}{
		{b.Demo, "DEMO"}, {b.LastHand, "LAST HAND"}, {b.ShoeOver, "SHOE OVER"}, {b.Review, "UNDER REVIEW"},
		{b.Saving, "SAVING"}, {b.Identify, "IDENTIFY: TABLE " + b.Table},
		{b.Test == stats.KeypadTest, "KEYPAD TEST"}, {b.Test != "" && b.Test != stats.KeypadTest, "TEST PAGE " + b.Test},
	} {
		if c.is {
			on = append(on, "["+c.text+"]")
		}
	}
	return strings.Join(on, " ")
}

// limits are on every page in every phase: posting them is a rule.
func limits(p *page, b *stats.Board) {
	var items []item
	for _, l := range b.Limits {
		names := make([]string, len(l.Bets))
		for i, id := range l.Bets {
			names[i] = betName(b, id)
		}
		items = append(items, item{ink: betInk(b, l.Bets), name: strings.Join(names, ", "),
			value: money(l.Min) + "-" + money(l.Max)})
	}
	p.items("LIMITS", items)
}

// collection is the one schedule in force.
func collection(p *page, b *stats.Board) {
	var items []item
	for _, r := range b.Collection {
		var names []string
		for _, id := range r.Bets {
			names = append(names, shortName(b, id))
		}
		switch {
		case r.PlayerDealer:
			names = append(names, "player-dealer")
		case r.To > 0:
			names = append(names, money(r.From)+"-"+strings.TrimPrefix(money(r.To), "$"))
		case r.From > 0:
			names = append(names, money(r.From)+" and over")
		}
		items = append(items, item{name: strings.Join(names, "/"), value: money(r.Fee)})
	}
	p.items("COLLECTION", items)
}

// dealer is the dealer's echo.
func dealer(p *page, b *stats.Board) {
	d := b.Dealer
	if d.Lines == [2]string{} {
		return
	}
	k, what := dim, "DEALER"
	switch {
	case d.Told == stats.ToldWarning:
		k, what = alarm, "DEALER, ATTENTION"
	case d.Refused:
		k, what = alarm, "KEY REFUSED"
	case d.Told == stats.ToldSaved:
		k, what = strong, "RECORDED"
	case d.Told != "":
		k, what = strong, "MESSAGE TO THE DEALER"
	case d.Asking:
		k, what = strong, "QUESTION TO THE DEALER"
	case d.Entering:
		k, what = strong, "DEALER IS ENTERING"
	}
	if d.Blink {
		k, what = blinking.over(k), what+" (WAITING)"
	}
	lines := fmt.Sprintf("|%-20s|%-20s|", d.Lines[0], d.Lines[1])
	if len(what)+2+len(lines) > p.width {
		p.text(0, p.line(), k, what)
	} else {
		lines = what + "  " + lines
	}
	p.text(0, p.line(), k, lines)
}

// notes are corrections, the technician's keypad page, the attract texts and the
// version line.
func notes(p *page, b *stats.Board) {
	if len(b.Marked) > 0 {
		p.wrap(plainInk, "CORRECTED  hand "+strings.Trim(fmt.Sprint(b.Marked), "[]"))
	}
	if b.Test == stats.KeypadTest {
		var keys []string
		for _, k := range b.Keypad {
			state := ""
			if k.Down {
				state = " down"
			}
			keys = append(keys, fmt.Sprintf("%s x%d%s", strings.Join(filled(k.Pos, k.Name), " "), k.Seen, state))
		}
		p.wrap(plainInk, "KEYS  "+strings.Join(keys, ", "))
	}
	if b.Attract.On {
		for _, text := range filled(b.Attract.Message, b.Attract.Info, b.Attract.Care) {
			p.wrap(plainInk, text)
		}
	}
	if b.StatusLine != "" {
		p.wrap(dim, b.StatusLine)
	}
}

// place is where a configuration is wrong; one that cannot be read names its file itself.
func place(c *stats.ConfigFault) string {
	if c.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s, line %d: ", c.File, c.Line)
}

// faults are last, where a terminal's eye is.
func faults(p *page, b *stats.Board) {
	if c := b.ConfigFault; c != nil {
		p.wrap(alarm, fmt.Sprintf("! CONFIGURATION REFUSED: %s%s. The last good configuration stays in force.",
			place(c), strings.TrimSuffix(c.Sentence(), ".")))
	}
	for _, f := range b.Faults {
		if f.Code == stats.ConfigCode && b.ConfigFault != nil {
			continue
		}
		k := alarm
		if f.Staff {
			k = dim
		}
		text := "! " + f.Text
		if f.By != "" {
			text += " (acknowledged by " + f.By + ")"
		}
		p.wrap(k, text)
	}
	for _, f := range b.EndedFaults {
		p.wrap(dim, "! Over, not acknowledged: "+f.Text)
	}
}
