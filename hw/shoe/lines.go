package shoe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// linesLongest is how long a line of cards may be.
const linesLongest = 64

// lines decodes readers that send a line of text for each card ("7S"), in the order
// of dealing, or for each hand ("7S 2H / JD KC 5D", Player's cards first). Lines end
// with CR, LF or both. Nothing in them shows a card that was misread or lost, so no
// hand of theirs is certain.
type lines struct {
	line   []byte
	spoilt bool // the line has what no line has
	decoded
}

var _ decoder = (*lines)(nil)

func newLines() *lines { return &lines{} }

// Silence returns 0: such a reader is silent between cards.
func (d *lines) Silence() time.Duration { return 0 }

// Reopened forgets a line that was half read.
func (d *lines) Reopened(time.Duration) { d.line, d.spoilt = nil, false }

// Feed decodes bytes.
func (d *lines) Feed(b []byte, at time.Duration) []event {
	d.events, d.at = nil, at
	for _, c := range b {
		switch {
		case c == '\r' || c == '\n':
			d.end()
		case c < ' ' || c > '~' || len(d.line) >= linesLongest:
			d.spoilt = true
		default:
			d.line = append(d.line, c)
		}
	}
	return d.events
}

// end reads the line that has ended.
func (d *lines) end() {
	line, spoilt := strings.TrimSpace(string(d.line)), d.spoilt
	d.line, d.spoilt = d.line[:0], false
	if line == "" && !spoilt {
		return
	}
	events, err := readLine(line)
	if err != nil || spoilt {
		d.counts.Bad++
		d.doubt("a line of the reader could not be understood")
		return
	}
	d.counts.Frames++
	for _, e := range events {
		d.emit(e)
	}
}

func readLine(line string) ([]event, error) {
	player, banker, hand := strings.Cut(line, "/")
	if !hand {
		c, err := card.Parse(line)
		return []event{{Kind: kindDrawn, Card: c, Unchecked: true}}, err
	}
	var events []event
	for i, text := range []string{player, banker} {
		cards := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
		if len(cards) < 2 || len(cards) > 3 {
			return nil, fmt.Errorf("%q has %d cards of a side, expected two or three", line, len(cards))
		}
		for n, text := range cards {
			c, err := card.Parse(text)
			if err != nil {
				return nil, err
			}
			events = append(events,
				event{Kind: kindDrawn, Side: hw.Side(i + 1), Place: n + 1, Card: c, Unchecked: true})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.Place - b.Place }) // as they were dealt
	return append(events, event{Kind: kindEnded}), nil
}
