package tracker

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func raised(code, text string) Command { return Command{Kind: FaultRaised, Code: code, Text: text} }
func ended(code string) Command        { return Command{Kind: FaultEnded, Code: code} }
func acknowledged(code, by string) Command {
	return Command{Kind: FaultAcknowledged, Code: code, By: by}
}

// A fault stands until it has ended and somebody has acknowledged it, whichever is
// first.
func TestFaultStandsUntilEndedAndAcknowledged(t *testing.T) {
	over, known := ended("keypad-missing"), acknowledged("keypad-missing", "tech")
	for name, order := range map[string][]Command{"ends first": {over, known}, "acknowledged first": {known, over}} {
		t.Run(name, func(t *testing.T) {
			s := do(t, table(t, ez), raised("keypad-missing", "Keypad missing: plug it in again"), order[0])
			f, stands := s.Fault("keypad-missing")
			if !stands || f.Ended == f.Acknowledged() || f.Text != "Keypad missing: plug it in again" || f.Times != 1 {
				t.Errorf("after %s: %+v", order[0].Kind, f)
			}
			if s = do(t, s, order[1]); s.Faults != nil {
				t.Errorf("after both there stand %+v", s.Faults)
			}
		})
	}
}

// What nobody has acknowledged is the same fault when it comes back, with the time at
// which it first came.
func TestFaultThatComesBackIsTheSame(t *testing.T) {
	s := do(t, table(t, ez), raised("heat", "Too hot"), ended("heat"), Command{Kind: FaultRaised, Code: "heat", Text: "Far too hot", Times: 9})
	f, _ := s.Fault("heat")
	if f.Times != 9 || f.Ended || f.Text != "Far too hot" || len(s.Faults) != 1 {
		t.Errorf("%+v", s.Faults)
	}
	first := do(t, table(t, ez), raised("heat", "Too hot")).Faults[0].Raised
	if f.Raised != first {
		t.Errorf("began %+v, expected %+v", f.Raised, first)
	}
}

// What could only be recorded later is told with the time at which it began.
func TestFaultRecordedLate(t *testing.T) {
	c := raised("not-recording", "E21")
	c.At, c.Seconds = Stamp{Boot: "boot", Mono: time.Hour, Wall: 1_790_000_000_000}, 90
	f, _ := do(t, table(t, ez), c).Fault("not-recording")
	if want := (Stamp{Boot: "boot", Mono: time.Hour - 90*time.Second, Wall: 1_790_000_000_000 - 90_000}); f.Raised != want {
		t.Errorf("began %+v, expected %+v", f.Raised, want)
	}
	c.Seconds = math.MaxInt
	if f, _ = do(t, table(t, ez), c).Fault("not-recording"); f.Raised.Mono != 0 {
		t.Errorf("began %v before its boot", f.Raised.Mono)
	}
}

func TestFaultsAreRefused(t *testing.T) {
	s := do(t, table(t, ez), raised("heat", "Too hot"), raised("space", "Card full"), acknowledged("space", "tech"), raised("volts", "Low"), ended("volts"))
	full := s
	for i := range MaxFaults - len(s.Faults) {
		full = do(t, full, raised(fmt.Sprint("f", i), "x"))
	}
	for name, c := range map[string]struct {
		state State
		wish  Command
		words string
		echo  string // for the dealer's echo; empty: it is not for the dealer
	}{
		"no code":         {s, raised("", "x"), "a code of 0 bytes", ""},
		"a long code":     {s, raised(strings.Repeat("c", 65), "x"), "a code of 65 bytes", ""},
		"there already":   {s, raised("heat", "Hotter"), "fault heat stands", ""},
		"too many":        {full, raised("one-more", "x"), "32 faults stand", ""},
		"ended twice":     {s, ended("volts"), "fault volts has ended", ""},
		"ended unraised":  {s, ended("nothing"), "fault nothing has ended", ""},
		"of no name":      {s, acknowledged("heat", " \t"), "expected the name", ""},
		"unknown":         {s, acknowledged("hat", "tech"), "to acknowledge: heat, volts", "NO SUCH FAULT"},
		"none to be had":  {table(t, ez), acknowledged("heat", "tech"), "there is nothing to acknowledge", "NO SUCH FAULT"},
		"known already":   {s, acknowledged("space", "floor"), "acknowledged by tech", "ACKNOWLEDGED ALREADY"},
		"an unknown kind": {s, Command{Kind: "fault-forgotten", Code: "heat"}, "unknown command", ""},
	} {
		events, _, err := Decide(c.state, c.wish)
		var r *Refusal
		if err == nil || events != nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, %v; expected words as %q", name, events, err, c.words)
		} else if errors.As(err, &r) != (c.echo != "") || r != nil && (r.Text != c.echo || len(r.Text) > 20 || len(r.Hint) > 20) {
			t.Errorf("%s: the echo says %+v, expected %q", name, r, c.echo)
		}
	}
}

// However long or strange the words are, what is kept is short and harmless.
func TestFaultWordsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(8, MaxFaultText).Draw(t, "size")
		text := Plain(rapid.String().Draw(t, "text"), size)
		if len(text) > size || !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\n\r\u202e\u2028") || text != strings.TrimSpace(text) {
			t.Fatalf("%q at most %d", text, size)
		}
		if Plain(text, size) != text {
			t.Fatalf("%q is not plain", text)
		}
	})
	s := do(t, table(t, ez), raised("heat", strings.Repeat("熱", 99)))
	if f := s.Faults[0]; len(f.Text) > MaxFaultText || !strings.HasSuffix(f.Text, "熱…") {
		t.Errorf("%d bytes: %q", len(f.Text), f.Text)
	}
}

// A fact of a fault that does not fit changes nothing: what is wrong with a fault must
// not keep a unit from its record.
func TestStrayFaultFactsChangeNothing(t *testing.T) {
	s := do(t, table(t, ez), raised("heat", "Too hot"))
	for _, e := range []Event{{Kind: FaultEnded, Code: "cold"}, {Kind: FaultAcknowledged, Code: "cold", By: "tech"}, {Kind: FaultAcknowledged, Code: "heat"},
		{Kind: FaultRaised}, {Kind: FaultRaised, Code: strings.Repeat("c", 999)}} {
		got, err := Apply(s, e)
		if err != nil || !reflect.DeepEqual(got.Faults, s.Faults) {
			t.Errorf("%+v: %+v, %v", e, got.Faults, err)
		}
	}
	for i := range 100 {
		s, _ = Apply(s, Event{Kind: FaultRaised, Code: fmt.Sprint("f", i)})
	}
	if len(s.Faults) != MaxFaults {
		t.Errorf("%d faults stand", len(s.Faults))
	}
	if _, err := UnmarshalCheckpoint(written(t, s)); err != nil {
		t.Error(err)
	}
}
