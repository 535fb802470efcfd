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
//	list TOKEN …       every hand of this shoe; a free hand has +free behind it
//	last TOKEN         the last hand
//	hand N TOKEN       one hand
//	shoe N             number of the shoe today
//	previous N         hands of the previous shoe, "none"
//	cut N              number of the last hand, 0 when the cut card has not shown
//	free on|off  review on|off  pending on|off  asking on|off  refused on|off
//	void REASON        what the bar says, "none"
//	seconds N          length of the countdown that runs, 0 untimed
//	echo TEXT          the echo's lines, joined by " | ", spaces as one
//	fault CODE on|off  what staff are told of
//	presses N          keys pressed since the last such line
func (p *Player) expect(words []string) error {
	name, got, known, values := words[0], "", true, words[1:]
	switch {
	case name == "hand" && len(words) == 3:
		name, got, values = "hand "+words[1], p.hand(words[1]), words[2:]
	case name == "fault" && len(words) == 3:
		name, got, values = "fault "+words[1], onOff(p.hasFault(words[1])), words[2:]
	default:
		got, known = p.value(name)
	}
	want := strings.Join(values, " ")
	switch {
	case !known:
		return unmet("expect %s: not a word that can be expected", name)
	case got != want:
		return unmet("expect %s: got %q, want %q", name, got, want)
	}
	return nil
}

// value returns what there is of a word of expect.
func (p *Player) value(name string) (string, bool) {
	s, echo := p.State(), p.engine.Echo()
	hands := s.Shoe.Hands
	switch name {
	case "phase":
		return s.Phase.String(), true
	case "hands":
		return strconv.Itoa(len(hands)), true
	case "list":
		return tokens(s, hands), true
	case "last":
		return tokens(s, hands[max(0, len(hands)-1):]), true
	case "shoe":
		return strconv.Itoa(s.Shoe.Number), true
	case "previous":
		if s.Previous == nil {
			return "none", true
		}
		return strconv.Itoa(len(s.Previous.Hands)), true
	case "cut":
		return strconv.Itoa(s.Shoe.Last), true
	case "free":
		return onOff(s.Free), true
	case "review":
		return onOff(s.Review != nil), true
	case "pending":
		return onOff(echo.Entering), true
	case "asking":
		return onOff(echo.Asking), true
	case "refused":
		return onOff(echo.Refused), true
	case "void":
		return cmp.Or(s.Void, "none"), true
	case "seconds":
		return strconv.Itoa(s.BetSeconds), true
	case "echo":
		return strings.Join(strings.Fields(strings.TrimSuffix(echo.Lines[0]+" | "+echo.Lines[1], " | ")), " "), true
	case "presses":
		n := p.presses
		p.presses = 0
		return strconv.Itoa(n), true
	}
	return "", false
}

// hand returns the token of a hand by its number, "none" when there is none.
func (p *Player) hand(number string) string {
	hands := p.State().Shoe.Hands
	if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= len(hands) {
		return tokens(p.State(), hands[n-1:n])
	}
	return "none"
}

func (p *Player) hasFault(code string) bool {
	return slices.ContainsFunc(p.Board().Faults, func(f stats.Fault) bool { return f.Code == code })
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
