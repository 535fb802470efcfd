package shoefile

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

// Every kind of line is read, and a line of hands is as many steps.
func TestParse(t *testing.T) {
	f, err := Parse("a.shoe", `# a comment
game dai-bacc   # and one behind a line
decks 8

B+tiger-7 6.2-7.3	9S,4H/KD,2C,5S
fix 12 T
key CLEAR:1s 3+OK BETS
set pace 150ms
expect list B P
`)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, s := range f.steps {
		lines = append(lines, s.line)
	}
	if want := []int{2, 3, 5, 5, 5, 6, 7, 8, 9}; !slices.Equal(lines, want) {
		t.Errorf("steps of lines %v, want %v", lines, want)
	}
}

// A fault names the file, the line and what was expected.
func TestParseRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"Q":                "expected a hand",
		"b p":              "expected a hand",
		"P juggle":         "expected a hand",
		"game":             "game: expected one word",
		"decks many":       "decks: expected a number from 1 to 99",
		"decks 0":          "decks: expected a number",
		"shoe 2":           "shoe: expected nothing",
		"fix":              "fix: expected one hand",
		"fix 12":           "fix: expected one hand",
		"fix 0 P":          "hand 0: expected a number from 1",
		"fix P B":          "fix: expected one hand",
		"insert P":         "insert: expected a hand's number",
		"remove P":         "remove: expected at most",
		"floor":            "floor: expected fix, insert or remove",
		"floor void 1":     "floor: expected fix, insert or remove",
		"floor fix":        "floor: expected fix, insert or remove",
		"floor fix P":      "floor: expected a hand's number",
		"floor fix 3":      "floor: expected one hand",
		"floor remove 3 P": "floor: expected at most a hand's number",
		"free":             "free: expected one word",
		"review":           "review: expected on or off",
		"review maybe":     "review: expected on or off",
		"key":              "key: expected the names",
		"key CLEAR:long":   "expected a time",
		"key CLEAR:-1s":    "expected a time",
		"key 3++OK":        "expected the name of a key",
		"wait":             "wait: expected a time",
		"wait -3s":         "wait: expected a time",
		"wait 200h":        "wait: expected a time",
		"set":              "set: expected bets, confirm",
		"set bets":         "set: expected bets, confirm",
		"set bets open":    `expected one of ["off" "close" "timer"]`,
		"set dealer-fix 4": "expected one of",
		"set colour red":   `"colour": expected bets`,
		"set pace fast":    "expected a time",
		"expect":           "expect: what is expected is missing",
		"power-cut now":    "power-cut: expected nothing",
	} {
		_, err := Parse("a.shoe", "P\n"+line+"\n")
		var fault *Error
		if !errors.As(err, &fault) || fault.Line != 2 || fault.Name != "a.shoe" || !strings.Contains(fault.Text, want) ||
			!strings.HasPrefix(err.Error(), "a.shoe:2: ") {
			t.Errorf("%q: got %v, want %q", line, err, want)
		}
	}
	if _, err := Parse("a.shoe", strings.Repeat("\n", maxLines+1)); err == nil {
		t.Error("a file without an end is read")
	}
}

// What is impossible at the table stops the play with its line.
func TestPlayRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"game whist":                     `game "whist" is not known`,
		"P\ngame dai-bacc":               "SHOE IS IN PLAY",
		"decks 12":                       "is played with",
		"P+tiger-7":                      "tiger-7",
		"P+dragon-7":                     "Dragon 7",
		"fix P":                          "NO HAND TO FIX",
		"P\nfix 3 B":                     "hands 1 to 1",
		"P\nfix P":                       "UNCHANGED",
		"remove":                         "NO HAND TO FIX",
		"insert 3 P":                     "the next hand is 1",
		"floor fix 1 P":                  "this shoe has no hand yet",
		"P\nfloor fix 1 P D7":            "cannot be in one hand",
		"P\nkey TIE\nfloor remove 1":     "the dealer is keying hand 2",
		"void sneeze":                    "expected one of",
		"review off":                     "REVIEW IS AS ASKED",
		"key SUPER_6":                    `no key "SUPER_6"`,
		"game dai-bacc\nP\nkey dragon-7": `no key "dragon-7"`,
	} {
		f, err := Parse("a.shoe", text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		err = player(t, "numpad-17", tracker.DefaultSettings()).Play("a.shoe", f)
		var fault *Error
		if !errors.As(err, &fault) || fault.Line != strings.Count(text, "\n")+1 || !strings.Contains(fault.Text, want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := NewPlayer(Setup{Pack: pack, Layout: "abacus", Settings: tracker.DefaultSettings()}); err == nil || !strings.Contains(err.Error(), "numpad-17") {
		t.Errorf("an unknown keypad: %v", err)
	}
}

// An expectation that does not hold is told with its line, and play goes on.
func TestExpectationsThatFail(t *testing.T) {
	f, err := Parse("a.shoe", "P B\nexpect hands 3\nexpect phase betting\nexpect luck good\nexpect hand 2 T\nT\nexpect list P B T\n")
	if err != nil {
		t.Fatal(err)
	}
	p := player(t, "numpad-17", tracker.DefaultSettings())
	if err := p.Play("a.shoe", f); err != nil {
		t.Fatal(err)
	}
	want := []string{`a.shoe:2: expect hands: got "2", want "3"`, `a.shoe:3: expect phase: got "result", want "betting"`,
		`a.shoe:4: expect luck: not a word that can be expected`, `a.shoe:5: expect hand 2: got "B", want "T"`}
	if len(p.Failures) != len(want) {
		t.Fatalf("got %v", p.Failures)
	}
	for i, err := range p.Failures {
		if err.Error() != want[i] {
			t.Errorf("got %v, want %v", err, want[i])
		}
	}
}

// Any text is a file or an error with its line; any file can be played or stops with
// its line, and leaves a table that is sound.
func FuzzFile(f *testing.F) {
	for _, text := range []string{"B P T", "game dai-bacc\nT+kill\nfix P", "key 3 OK\nwait 5s\nkey 0+1 FIX:1s", "power-cut\nvoid floor",
		"set bets close\nbets\nwait 1m", "P\nshoe\nB\ncut\nkey NEW_SHOE OK FIX OK", "free P\nreview on\nexpect list P", "6.2-7.3 9S,4H/KD,2C,5S",
		"key CLEAR\x00\n", "insert 1 P\nremove"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("f", text)
		var fault *Error
		if err != nil {
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if len(text) > 400 {
			return // a longer evening says nothing new
		}
		p := player(t, console.Layouts()[len(text)%2], tracker.DefaultSettings())
		if err := p.Play("f", file); err != nil && !errors.As(err, &fault) {
			t.Fatalf("%q: %v", text, err)
		}
		if data, err := tracker.MarshalCheckpoint(p.State()); err != nil {
			t.Fatal(err)
		} else if _, err := tracker.UnmarshalCheckpoint(data); err != nil {
			t.Fatalf("%q leaves no sound table: %v", text, err)
		}
	})
}
