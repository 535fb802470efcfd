package shoefile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
)

// maxLines bounds a file; five years of a table are far less in one shoe file.
const maxLines = 200_000

// File is a shoe file read.
type File struct{ steps []step }

// step is one thing to do.
type step struct {
	line int // in the file, from 1
	do   play
}

// play plays one step.
type play func(*Player) error

// Error is a fault of a shoe file.
type Error struct {
	Name string
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Text) }

// Parse reads a shoe file; name is used in errors.
func Parse(name, text string) (File, error) {
	var f File
	lines := strings.Split(text, "\n")
	if len(lines) > maxLines {
		return f, &Error{name, maxLines, fmt.Sprintf("more than %d lines", maxLines)}
	}
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		plays, err := parseLine(words)
		if err != nil {
			return f, &Error{name, i + 1, err.Error()}
		}
		for _, do := range plays {
			f.steps = append(f.steps, step{i + 1, do})
		}
	}
	return f, nil
}

// directives read the words after theirs. A line of hands has none.
var directives = map[string]func(words []string) (play, error){
	"game":      one(func(id string) play { return func(p *Player) error { return p.game(id) } }),
	"free":      one(func(token string) play { return func(p *Player) error { return p.deal(token, true) } }),
	"decks":     decks,
	"fix":       correction(tracker.HandFixed),
	"remove":    correction(tracker.HandRemoved),
	"insert":    correction(tracker.HandInserted),
	"floor":     floor,
	"void":      void,
	"shoe":      alone((*Player).newShoe),
	"bets":      alone((*Player).bets),
	"pause":     alone((*Player).pauseOrResume),
	"cut":       alone((*Player).cut),
	"power-cut": alone((*Player).boot),
	"review":    review,
	"key":       keys,
	"set":       setting,
	"wait": func(words []string) (play, error) {
		d, err := duration(words)
		return func(p *Player) error { return p.pass(d) }, err
	},
	"expect": func(words []string) (play, error) {
		if len(words) == 0 {
			return nil, errors.New("what is expected is missing")
		}
		return func(p *Player) error { return p.expect(words) }, nil
	},

	"shoe-card":  cardSeen,
	"shoe-hand":  handSeen,
	"shoe-doubt": doubtSeen,
	"shoe-cut":   alone(sees(hw.CutCard)),
	"shoe-new":   alone(sees(hw.NewShoe)),
	"shoe-void":  alone(sees(hw.HandVoid)),
	"shoe-lost":  alone(notices(hw.Went, "no word from it")),
	"shoe-back":  alone(notices(hw.Came, "")),
}

// parseLine reads the words of a line: a directive, or the tokens of hands. What these
// mean is the game's to say, but each has to look like a hand.
func parseLine(words []string) (plays []play, err error) {
	if read, ok := directives[words[0]]; ok {
		do, err := read(words[1:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", words[0], err)
		}
		return []play{do}, nil
	}
	for _, w := range words {
		if !looksLikeHand(w) {
			return nil, fmt.Errorf("%q: expected a hand (P, B, T with +flags, 6.2-7.3, 2S,4H/KD,2C,5S)"+
				" or a directive", w)
		}
		plays = append(plays, func(p *Player) error { return p.deal(w, false) })
	}
	return plays, nil
}

func looksLikeHand(w string) bool {
	base, _, _ := strings.Cut(w, "+")
	return slices.Contains([]string{"P", "B", "T"}, base) || strings.Contains(base, "/") ||
		strings.Contains(base, ".") && strings.Contains(base, "-")
}

// alone returns the reader of a directive without words after it.
func alone(do play) func([]string) (play, error) {
	return func(words []string) (play, error) { return do, count(words, 0, "nothing after it") }
}

// one returns the reader of a directive with one word after it.
func one(of func(string) play) func([]string) (play, error) {
	return func(words []string) (play, error) {
		if err := count(words, 1, "one word after it"); err != nil {
			return nil, err
		}
		return of(words[0]), nil
	}
}

func count(words []string, n int, expected string) error {
	if len(words) != n {
		return fmt.Errorf("expected %s", expected)
	}
	return nil
}

func decks(words []string) (play, error) {
	if len(words) == 1 {
		if n, err := strconv.Atoi(words[0]); err == nil && n >= 1 && n <= 99 {
			return func(p *Player) error { return p.decks(n) }, nil
		}
	}
	return nil, errors.New("expected a number from 1 to 99")
}

func void(words []string) (play, error) {
	reason := strings.Join(words, " ")
	if reason == "" {
		reason = tracker.Reasons()[0]
	}
	return func(p *Player) error { return p.void(reason) }, nil
}

func review(words []string) (play, error) {
	if len(words) != 1 || words[0] != "on" && words[0] != "off" {
		return nil, errors.New("expected on or off")
	}
	set := tracker.Command{Kind: tracker.ReviewSet, On: words[0] == "on"}
	return func(p *Player) error { return p.decide(set) }, nil
}

// handAndToken reads "[HAND] TOKEN", "HAND TOKEN" where one is inserted, and "[HAND]"
// where it is removed.
func handAndToken(kind tracker.Kind, words []string) (n int, token string, err error) {
	if len(words) > 0 {
		if n, err = strconv.Atoi(words[0]); err == nil {
			if words = words[1:]; n < 1 || n > 9999 {
				return 0, "", fmt.Errorf("hand %d: expected a number from 1 to 9999", n)
			}
		}
	}
	switch {
	case kind == tracker.HandRemoved:
		return n, "", count(words, 0, "at most a hand's number")
	case kind == tracker.HandInserted && n == 0:
		return 0, "", errors.New("expected a hand's number and a hand")
	case len(words) != 1 || !looksLikeHand(words[0]):
		return 0, "", errors.New("expected one hand")
	}
	return n, words[0], nil
}

func correction(kind tracker.Kind) func([]string) (play, error) {
	return func(words []string) (play, error) {
		n, token, err := handAndToken(kind, words)
		return func(p *Player) error { return p.correct(kind, n, token) }, err
	}
}

// floor reads "fix HAND TOKEN", "insert HAND TOKEN" and "remove HAND", whose token may be
// several words, as the floor's verbs take it.
func floor(words []string) (play, error) {
	kinds := map[string]tracker.Kind{"fix": tracker.HandFixed, "insert": tracker.HandInserted,
		"remove": tracker.HandRemoved}
	if len(words) < 2 || kinds[words[0]] == "" {
		return nil, errors.New("expected fix, insert or remove, a hand's number, and a hand but after remove")
	}
	kind, rest := kinds[words[0]], words[1:2]
	if len(words) > 2 {
		rest = []string{words[1], strings.Join(words[2:], "+")}
	}
	n, token, err := handAndToken(kind, rest)
	if err == nil && n == 0 {
		err = errors.New("expected a hand's number")
	}
	return func(p *Player) error { return p.floor(kind, n, token) }, err
}

func duration(words []string) (time.Duration, error) {
	if len(words) == 1 {
		if d, err := time.ParseDuration(words[0]); err == nil && d >= 0 && d <= 100*time.Hour {
			return d, nil
		}
	}
	return 0, errors.New("expected a time as 18s, 300ms or 3m")
}

// tableSetting is a setting of the table that a file may change.
type tableSetting struct {
	values []string
	change func(s *tracker.Settings, value string)
}

var tableSettings = map[string]tableSetting{
	"bets": {[]string{"off", "close", "timer"},
		func(s *tracker.Settings, v string) { s.Bets = tracker.BetsMode(v) }},
	"confirm": {[]string{"on", "off"},
		func(s *tracker.Settings, v string) { s.Confirm = v == "on" }},
	"entry": {[]string{"results", "totals"},
		func(s *tracker.Settings, v string) { s.Entry = tracker.EntryMode(v) }},
	"dealer-fix": {[]string{"0", "1", "2", "3"},
		func(s *tracker.Settings, v string) { s.DealerFix = int(v[0] - '0') }},
}

// setting reads "bets close" and its like.
func setting(words []string) (play, error) {
	if len(words) != 2 {
		return nil, errors.New("expected bets, confirm, entry, dealer-fix or pace, and its value")
	}
	name, value := words[0], words[1]
	s, known := tableSettings[name]
	switch {
	case name == "pace":
		d, err := duration(words[1:])
		return func(p *Player) error { p.pace = d; return nil }, err
	case !known:
		return nil, fmt.Errorf("%q: expected bets, confirm, entry, dealer-fix or pace", name)
	case !slices.Contains(s.values, value):
		return nil, fmt.Errorf("%s %q: expected one of %q", name, value, s.values)
	}
	return func(p *Player) error {
		changed := p.State().Settings
		s.change(&changed, value)
		return p.decide(tracker.Command{Kind: tracker.SettingsApplied, Settings: &changed})
	}, nil
}

// keys reads the names of keys: those joined by "+" go down together, for as long as
// follows a colon.
func keys(words []string) (play, error) {
	if len(words) == 0 {
		return nil, errors.New("expected the names of keys")
	}
	var presses []play
	for _, w := range words {
		text, hold, isHeld := strings.Cut(w, ":")
		names, d := strings.Split(text, "+"), time.Duration(0)
		if slices.Contains(names, "") {
			return nil, fmt.Errorf("%q: expected the name of a key", w)
		}
		if isHeld {
			var err error
			if d, err = time.ParseDuration(hold); err != nil || d < 0 || d > time.Hour {
				return nil, fmt.Errorf("%q: expected a time as 1s or 300ms", w)
			}
		}
		presses = append(presses, func(p *Player) error { return p.press(names, d) })
	}
	return func(p *Player) error {
		for _, press := range presses {
			if err := press(p); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
