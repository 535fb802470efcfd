package tracker

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of what the record keeps of faults, so that no fault can fill it: with them
// every checkpoint and every record stays small.
const (
	MaxFaults    = 32  // that stand at once
	MaxFaultCode = 64  // bytes
	MaxFaultText = 160 // bytes
	MaxFaultBy   = 32  // bytes
)

// MaxFaultShown bounds a fault's text on the board, in bytes. Much of it comes from
// outside: from a stick, a device, a file.
const MaxFaultShown = 400

// Fault is something wrong with the unit, from when it was raised until it has ended
// and somebody has acknowledged it, in either order.
type Fault struct {
	Code   string `json:"code"`
	Text   string `json:"text"`   // one sentence with what to do
	Raised Stamp  `json:"raised"` // when it was first raised; Seq is that of the record that says so
	Times  int    `json:"times"`  // how often it has been raised since, as far as the record tells

	Ended   bool  `json:"ended,omitempty"`
	EndedAt Stamp `json:"ended_at,omitzero"`

	By             string `json:"by,omitempty"` // who acknowledged it; empty: nobody has
	AcknowledgedAt Stamp  `json:"acknowledged_at,omitzero"`
}

// Acknowledged says that somebody has said that he knows.
func (f Fault) Acknowledged() bool { return f.By != "" }

// Fault is the standing fault of that code, and false when none stands.
func (s State) Fault(code string) (Fault, bool) {
	if i := s.faultAt(code); i >= 0 {
		return s.Faults[i], true
	}
	return Fault{}, false
}

func (s State) faultAt(code string) int {
	return slices.IndexFunc(s.Faults, func(f Fault) bool { return f.Code == code })
}

// decideFault allows a fault to be raised that does not stand or that has ended,
// since raising one that is there says nothing new.
func decideFault(s State, e Event) ([]Event, error) {
	e.Aside = true
	f, stands := s.Fault(e.Code)
	switch {
	case e.Code == "" || len(e.Code) > MaxFaultCode:
		return nil, fmt.Errorf("%s: a code of %d bytes: expected 1 to %d", e.Kind, len(e.Code), MaxFaultCode)
	case e.Kind == FaultAcknowledged:
		return decideAcknowledged(s, e)
	case e.Kind == FaultEnded && (!stands || f.Ended):
		return nil, fmt.Errorf("fault %s has ended", e.Code)
	case e.Kind == FaultRaised && stands && !f.Ended:
		return nil, fmt.Errorf("fault %s stands", e.Code)
	case e.Kind == FaultRaised && !stands && len(s.Faults) >= MaxFaults:
		return nil, fmt.Errorf("fault %s: %d faults stand, which is the most", e.Code, len(s.Faults))
	}
	if e.Kind == FaultRaised {
		e.Text, e.Times = Plain(e.Text, MaxFaultText), max(e.Times, f.oftener())
	}
	return []Event{e}, nil
}

func decideAcknowledged(s State, e Event) ([]Event, error) {
	f, stands := s.Fault(e.Code)
	e.By = Plain(e.By, MaxFaultBy)
	switch {
	case e.By == "":
		return nil, fmt.Errorf("%s: expected the name of who acknowledges", e.Kind)
	case !stands:
		return nil, &Refusal{Text: "NO SUCH FAULT", Hint: "LOOK AT FAULTS", Long: fmt.Sprintf("fault %q does not stand: %s", e.Code, s.standing())}
	case f.Acknowledged():
		return nil, &Refusal{Text: "ACKNOWLEDGED ALREADY", Long: fmt.Sprintf("fault %s was acknowledged by %s", e.Code, f.By)}
	}
	return []Event{e}, nil
}

// standing names the codes that could be acknowledged, for the refusal of one that
// could not.
func (s State) standing() string {
	var codes []string
	for _, f := range s.Faults {
		if !f.Acknowledged() {
			codes = append(codes, f.Code)
		}
	}
	if len(codes) == 0 {
		return "there is none to acknowledge"
	}
	return "to acknowledge are " + strings.Join(codes, ", ")
}

// applyFault folds a fact of a fault. One that speaks of a fault which does not stand
// changes nothing: no fault may keep a unit from reading its record.
func applyFault(s State, e Event) State {
	i := s.faultAt(e.Code)
	s.Faults = slices.Clone(s.Faults)
	if e.Kind == FaultRaised {
		return raise(s, i, e)
	}
	by := Plain(e.By, MaxFaultBy)
	if i < 0 || e.Kind == FaultAcknowledged && by == "" {
		return s
	}
	f := &s.Faults[i]
	if e.Kind == FaultEnded {
		f.Ended, f.EndedAt = true, e.At
	} else {
		f.By, f.AcknowledgedAt = by, e.At
	}
	if f.Ended && f.Acknowledged() {
		if s.Faults = slices.Delete(s.Faults, i, i+1); len(s.Faults) == 0 {
			s.Faults = nil
		}
	}
	return s
}

// raise puts a fault into its place, the newest last. One that has ended and is raised
// again is the same fault and began when it first did.
func raise(s State, i int, e Event) State {
	text := Plain(e.Text, MaxFaultText)
	if i >= 0 {
		f := &s.Faults[i]
		f.Text, f.Times, f.Ended, f.EndedAt = text, max(e.Times, f.oftener()), false, Stamp{}
		return s
	}
	if len(s.Faults) >= MaxFaults || e.Code == "" || len(e.Code) > MaxFaultCode {
		return s
	}
	ago := time.Duration(min(max(0, e.Seconds), 1<<30)) * time.Second
	s.Faults = append(s.Faults, Fault{Code: e.Code, Text: text, Raised: e.At.Before(ago), Times: max(1, e.Times)})
	return s
}

// oftener is Times of a fault that is raised once more.
func (f Fault) oftener() int { return min(f.Times, math.MaxInt-1) + 1 }

// Before is the moment d before s, within its boot.
func (s Stamp) Before(d time.Duration) Stamp {
	d = max(0, min(d, s.Mono))
	s.Mono -= d
	if s.Wall > 0 {
		s.Wall -= d.Milliseconds()
	}
	return s
}

// Most letters of what people say of a correction: longer texts are refused, not cut.
const (
	MaxName   = 40
	MaxReason = 120
)

// Printable reports whether a text of at most so many letters can stand on a line as it
// is: there is nothing in it that is not seen, or that turns what is.
func Printable(text string, most int) bool {
	unseen := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	return utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, unseen) && text == strings.TrimSpace(text)
}

// Plain returns a text for one line: at most size bytes, cut between letters, with
// nothing in it that a terminal would act on.
func Plain(text string, size int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Cf, r):
			return ' '
		}
		return r
	}, text))
	if len(text) <= size {
		return text
	}
	size -= len("…")
	for !utf8.RuneStart(text[size]) {
		size--
	}
	return strings.TrimSpace(text[:size]) + "…"
}

// bounded are the faults of a checkpoint as far as this program keeps them. A newer one
// may have written more of them, or longer ones; as with the facts of a record, no fault
// may keep a unit from what it has recorded.
func bounded(faults []Fault) (kept []Fault) {
	for _, f := range faults {
		f.Text, f.By, f.Times = Plain(f.Text, MaxFaultText), Plain(f.By, MaxFaultBy), max(1, f.Times)
		_, twice := State{Faults: kept}.Fault(f.Code)
		if f.Code == "" || len(f.Code) > MaxFaultCode || twice || f.Ended && f.Acknowledged() || len(kept) >= MaxFaults {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}
