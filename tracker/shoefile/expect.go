package shoefile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker"
)

// unmetError says that an expectation does not hold. Play goes on.
type unmetError struct{ text string }

func (e *unmetError) Error() string { return e.text }

func unmet(format string, args ...any) error { return &unmetError{fmt.Sprintf(format, args...)} }

// expect checks one expectation. The words:
//
//	phase PHASE        table-closed, shuffling, betting, bets-closed, result, paused
//	hands N            saved hands of this shoe
//	list TOKEN …       every hand of this shoe; a free hand ends with +free
//	last TOKEN         the last hand
//	hand N TOKEN       one hand
//	shoe N             number of the shoe today
//	previous N         hands of the previous shoe, "none"
//	cut N              number of the last hand, 0 when the cut card has not shown
//	free on|off  review on|off  pending on|off  asking on|off  refused on|off
//	void REASON        what the bar says, "none"
//	seconds N          length of the countdown that runs, 0 untimed
//	echo TEXT          the echo's lines, joined by " | ", spaces as one
//	fault CODE on|off  of the board
//	presses N          keys pressed since the last such line
func (p *Player) expect(words []string) error {
	values := p.values()
	name, rest := words[0], words[1:]
	switch {
	case name == "hand" && len(rest) == 2:
		name, rest = "hand "+rest[0], rest[1:]
		values[name] = p.hand(words[1])
	case name == "fault" && len(rest) == 2:
		name, rest = "fault "+rest[0], rest[1:]
		isRaised := func(f stats.Fault) bool { return f.Code == words[1] }
		values[name] = onOff(slices.ContainsFunc(p.Board().Faults, isRaised))
	case name == "presses":
		p.presses = 0
	}
	got, known := values[name]
	switch want := strings.Join(rest, " "); {
	case !known:
		return unmet("expect %s: not a word that can be expected", name)
	case got != want:
		return unmet("expect %s: got %q, want %q", name, got, want)
	}
	return nil
}

// values returns what there is of each word of expect.
func (p *Player) values() map[string]string {
	s, echo := p.State(), p.engine.Echo()
	hands, previous := s.Shoe.Hands, "none"
	if s.Previous != nil {
		previous = strconv.Itoa(len(s.Previous.Hands))
	}
	lines := strings.TrimSuffix(echo.Lines[0]+" | "+echo.Lines[1], " | ")
	return map[string]string{
		"phase": s.Phase.String(), "hands": strconv.Itoa(len(hands)),
		"list": tokens(s, hands), "last": tokens(s, hands[max(0, len(hands)-1):]),
		"shoe": strconv.Itoa(s.Shoe.Number), "previous": previous, "cut": strconv.Itoa(s.Shoe.Last),
		"free": onOff(s.Free), "review": onOff(s.Review != nil),
		"pending": onOff(echo.Entering), "asking": onOff(echo.Asking), "refused": onOff(echo.Refused),
		"void": cmp.Or(s.Void, "none"), "seconds": strconv.Itoa(s.BetSeconds),
		"echo": strings.Join(strings.Fields(lines), " "), "presses": strconv.Itoa(p.presses),
	}
}

// hand returns the token of a hand by its number, "none" when there is none.
func (p *Player) hand(number string) string {
	hands := p.State().Shoe.Hands
	if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= len(hands) {
		return tokens(p.State(), hands[n-1:n])
	}
	return "none"
}

func tokens(s tracker.State, hands []tracker.Hand) string {
	words := make([]string, len(hands))
	for i, h := range hands {
		words[i] = tracker.FormatToken(s.Shoe.Pack, h)
		if h.Free {
			words[i] += "+free"
		}
	}
	return strings.Join(words, " ")
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}
