package shoefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shoeboard/stats"
	"shoeboard/tracker"
)

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
//	fault CODE on|off  what staff are told of (Board.Faults)
//	presses N          keys pressed since the last such line
func (p *Player) expect(words []string) error {
	word, want := words[0], strings.Join(words[1:], " ")
	if word == "hand" && len(words) == 3 {
		word, want = "hand "+words[1], words[2]
	}
	if word == "fault" && len(words) == 3 {
		word, want = "fault "+words[1], words[2]
	}
	got, err := p.look(word)
	if err != nil {
		return err
	}
	if word == "echo" {
		got = strings.Join(strings.Fields(got), " ")
	}
	if got != want {
		return fmt.Errorf("expect %s: got %q, want %q", word, got, want)
	}
	return nil
}

// look is what there is of a word of expect.
func (p *Player) look(word string) (string, error) {
	s := p.State()
	hands := s.Shoe.Hands
	echo := p.engine.Echo()
	switch word {
	case "phase":
		return s.Phase.String(), nil
	case "hands":
		return strconv.Itoa(len(hands)), nil
	case "list":
		return tokens(s, hands), nil
	case "last":
		return tokens(s, hands[max(0, len(hands)-1):]), nil
	case "shoe":
		return strconv.Itoa(s.Shoe.Number), nil
	case "previous":
		if s.Previous == nil {
			return "none", nil
		}
		return strconv.Itoa(len(s.Previous.Hands)), nil
	case "cut":
		return strconv.Itoa(s.Shoe.Last), nil
	case "free":
		return onOff(s.Free), nil
	case "review":
		return onOff(s.Review != nil), nil
	case "pending":
		return onOff(echo.Entering), nil
	case "asking":
		return onOff(echo.Asking), nil
	case "refused":
		return onOff(echo.Refused), nil
	case "void":
		if s.Void == "" {
			return "none", nil
		}
		return s.Void, nil
	case "seconds":
		return strconv.Itoa(s.BetSeconds), nil
	case "echo":
		return strings.TrimSuffix(echo.Lines[0]+" | "+echo.Lines[1], " | "), nil
	case "presses":
		n := p.presses
		p.presses = 0
		return strconv.Itoa(n), nil
	}
	return p.lookHand(word)
}

func (p *Player) lookHand(word string) (string, error) {
	hands := p.State().Shoe.Hands
	if no, ok := strings.CutPrefix(word, "hand "); ok {
		if n, err := strconv.Atoi(no); err == nil && n >= 1 && n <= len(hands) {
			return tokens(p.State(), hands[n-1:n]), nil
		}
		return "none", nil
	}
	if code, ok := strings.CutPrefix(word, "fault "); ok {
		faults := p.Board().Faults
		return onOff(slices.ContainsFunc(faults, func(f stats.Fault) bool { return f.Code == code })), nil
	}
	return "", fmt.Errorf("expect %s: not a word that can be expected", word)
}

func tokens(s tracker.State, hands []tracker.Hand) string {
	words := make([]string, len(hands))
	for i, h := range hands {
		words[i] = tracker.FormatToken(s.Pack(), h)
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
