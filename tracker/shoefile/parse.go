package shoefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxLines bounds a file; five years of a table are far less in one shoe file.
const maxLines = 200_000

// Op is what a line asks for.
type Op string

// The directives. A hand token alone has the Op Hand.
const (
	Hand     Op = "hand"
	Game     Op = "game"
	Decks    Op = "decks"
	Shoe     Op = "shoe"
	Fix      Op = "fix"
	Remove   Op = "remove"
	Insert   Op = "insert"
	Floor    Op = "floor"
	Void     Op = "void"
	Free     Op = "free"
	Bets     Op = "bets"
	Pause    Op = "pause"
	Cut      Op = "cut"
	Review   Op = "review"
	KeyPress Op = "key"
	Set      Op = "set"
	Wait     Op = "wait"
	PowerCut Op = "power-cut"
	Expected Op = "expect"

	ShoeCard  Op = "shoe-card"
	ShoeHand  Op = "shoe-hand"
	ShoeDoubt Op = "shoe-doubt"
	ShoeCut   Op = "shoe-cut"
	ShoeNew   Op = "shoe-new"
	ShoeVoid  Op = "shoe-void"
	ShoeLost  Op = "shoe-lost"
	ShoeBack  Op = "shoe-back"
)

// Step is one thing to do.
type Step struct {
	Line  int // in the file, from 1
	Op    Op
	N     int           // hand number of fix, remove, insert, floor; decks; 0: not given
	Text  string        // the token, the game's id, the reason, "on" or "off"; of set what is set
	Keys  []Press       // of a key line
	Wait  time.Duration // of a wait, and of set pace
	Words []string      // of an expect line; of set the value; of floor what it does
}

// Press is one entry of a key line: keys pressed together, held for Hold.
type Press struct {
	Names []string
	Hold  time.Duration // 0: a tap
}

// File is a shoe file read.
type File struct{ Steps []Step }

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
		steps, err := parseLine(words)
		if err != nil {
			return f, &Error{name, i + 1, err.Error()}
		}
		for _, s := range steps {
			s.Line = i + 1
			f.Steps = append(f.Steps, s)
		}
	}
	return f, nil
}

func parseLine(words []string) ([]Step, error) {
	op, rest := Op(words[0]), words[1:]
	s := Step{Op: op}
	var err error
	switch op {
	case ShoeCard, ShoeHand, ShoeDoubt:
		err = s.read(rest)
	case Shoe, Bets, Pause, Cut, PowerCut, ShoeCut, ShoeNew, ShoeVoid, ShoeLost, ShoeBack:
		err = count(rest, 0, "nothing after it")
	case Game, Free:
		if err = count(rest, 1, "one word after it"); err == nil {
			s.Text = rest[0]
		}
	case Review:
		if len(rest) != 1 || rest[0] != "on" && rest[0] != "off" {
			return nil, fmt.Errorf("review: expected on or off")
		}
		s.Text = rest[0]
	case Decks:
		err = s.number(rest, 1, 99)
	case Fix, Insert, Remove:
		err = s.correction(rest)
	case Floor:
		err = s.floor(rest)
	case Void:
		s.Text = strings.Join(rest, " ")
	case Wait:
		err = s.wait(rest)
	case KeyPress:
		s.Keys, err = parseKeys(rest)
	case Set:
		err = s.setting(rest)
	case Expected:
		if len(rest) == 0 {
			err = fmt.Errorf("what is expected is missing")
		}
		s.Words = rest
	default:
		return hands(words)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return []Step{s}, nil
}

// hands are the tokens of a line; what they mean is the game's to say, but each
// has to look like a hand.
func hands(words []string) ([]Step, error) {
	var steps []Step
	for _, w := range words {
		if !looksLikeHand(w) {
			return nil, fmt.Errorf("%q: expected a hand (P, B, T with +flags, 6.2-7.3, 2S,4H/KD,2C,5S) or a directive", w)
		}
		steps = append(steps, Step{Op: Hand, Text: w})
	}
	return steps, nil
}

func looksLikeHand(w string) bool {
	base, _, _ := strings.Cut(w, "+")
	return slices.Contains([]string{"P", "B", "T"}, base) || strings.Contains(base, "/") ||
		strings.Contains(base, ".") && strings.Contains(base, "-")
}

func count(words []string, n int, expected string) error {
	if len(words) != n {
		return fmt.Errorf("expected %s", expected)
	}
	return nil
}

func (s *Step) number(words []string, from, to int) error {
	if len(words) == 1 {
		if n, err := strconv.Atoi(words[0]); err == nil && n >= from && n <= to {
			s.N = n
			return nil
		}
	}
	return fmt.Errorf("expected a number from %d to %d", from, to)
}

// correction reads "fix [HAND] TOKEN", "insert HAND TOKEN" and "remove [HAND]".
func (s *Step) correction(words []string) error {
	if len(words) > 0 {
		if n, err := strconv.Atoi(words[0]); err == nil {
			if n < 1 || n > 9999 {
				return fmt.Errorf("hand %d: expected a number from 1 to 9999", n)
			}
			s.N, words = n, words[1:]
		}
	}
	if s.Op == Remove {
		return count(words, 0, "at most a hand's number")
	}
	if s.Op == Insert && s.N == 0 {
		return fmt.Errorf("expected a hand's number and a hand")
	}
	if len(words) != 1 || !looksLikeHand(words[0]) {
		return fmt.Errorf("expected one hand")
	}
	s.Text = words[0]
	return nil
}

// floor reads "floor fix HAND TOKEN", "floor insert HAND TOKEN" and "floor remove HAND",
// whose token may be several words, as the floor's verbs take it.
func (s *Step) floor(words []string) error {
	if len(words) < 2 || !slices.Contains([]Op{Fix, Insert, Remove}, Op(words[0])) {
		return fmt.Errorf("expected fix, insert or remove, a hand's number, and a hand but after remove")
	}
	does := words[1:2]
	if len(words) > 2 {
		does = append(slices.Clone(does), strings.Join(words[2:], "+"))
	}
	s.Op, s.Words = Op(words[0]), words[:1]
	err := s.correction(does)
	if err == nil && s.N == 0 {
		err = fmt.Errorf("expected a hand's number")
	}
	s.Op = Floor
	return err
}

func (s *Step) wait(words []string) error {
	if len(words) == 1 {
		if d, err := time.ParseDuration(words[0]); err == nil && d >= 0 && d <= 100*time.Hour {
			s.Wait = d
			return nil
		}
	}
	return fmt.Errorf("expected a time as 18s, 300ms or 3m")
}

// setting reads "set bets close" and its like.
func (s *Step) setting(words []string) error {
	values := map[string][]string{"bets": {"off", "close", "timer"}, "confirm": {"on", "off"}, "entry": {"results", "totals"}, "dealer-fix": {"0", "1", "2", "3"}}
	if len(words) != 2 {
		return fmt.Errorf("expected bets, confirm, entry, dealer-fix or pace, and its value")
	}
	s.Text, s.Words = words[0], words[1:]
	if s.Text == "pace" {
		return s.wait(s.Words)
	}
	allowed, known := values[s.Text]
	switch {
	case !known:
		return fmt.Errorf("%q: expected bets, confirm, entry, dealer-fix or pace", s.Text)
	case !slices.Contains(allowed, words[1]):
		return fmt.Errorf("%s %q: expected one of %q", s.Text, words[1], allowed)
	}
	return nil
}

func parseKeys(words []string) ([]Press, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("expected the names of keys")
	}
	var presses []Press
	for _, w := range words {
		names, hold, held := strings.Cut(w, ":")
		p := Press{Names: strings.Split(names, "+")}
		if slices.Contains(p.Names, "") {
			return nil, fmt.Errorf("%q: expected the name of a key", w)
		}
		if held {
			d, err := time.ParseDuration(hold)
			if err != nil || d < 0 || d > time.Hour {
				return nil, fmt.Errorf("%q: expected a time as 1s or 300ms", w)
			}
			p.Hold = d
		}
		presses = append(presses, p)
	}
	return presses, nil
}
