package tracker

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Bounds of what the record keeps of faults, so that every checkpoint and record stays small.
const (
	MaxFaults    = 32  // in the record at once
	MaxFaultCode = 64  // bytes
	MaxFaultText = 160 // bytes
	maxFaultBy   = 32  // bytes
)

// Fault is something wrong with the unit, from when it was raised until it has ended
// and somebody has acknowledged it, in either order.
type Fault struct {
	Code   string `json:"code"`
	Text   string `json:"text"`   // one sentence with what to do
	Raised Stamp  `json:"raised"` // when it was first raised; Seq is that of the record that says so
	Times  int    `json:"times"`  // how often it has been raised since, as far as the record says

	Ended   bool  `json:"ended,omitempty"`
	EndedAt Stamp `json:"ended_at,omitzero"`

	By             string `json:"by,omitempty"` // who acknowledged it; empty: nobody has
	AcknowledgedAt Stamp  `json:"acknowledged_at,omitzero"`
}

// Acknowledged reports whether somebody has said that he knows of the fault.
func (f Fault) Acknowledged() bool { return f.By != "" }

// Fault returns the recorded fault of that code, and false when there is none.
func (s State) Fault(code string) (Fault, bool) {
	if i := s.faultAt(code); i >= 0 {
		return s.Faults[i], true
	}
	return Fault{}, false
}

func (s State) faultAt(code string) int {
	return slices.IndexFunc(s.Faults, func(f Fault) bool { return f.Code == code })
}

// decideFault allows raising a fault that is not recorded or that has ended, ending one
// that has not, and acknowledging one that nobody has acknowledged.
func decideFault(s State, e Event) ([]Event, error) {
	e.Aside = true
	f, known := s.Fault(e.Code)
	switch {
	case e.Code == "" || len(e.Code) > MaxFaultCode:
		return nil, fmt.Errorf("%s: a code of %d bytes: expected 1 to %d", e.Kind, len(e.Code), MaxFaultCode)
	case e.Kind == FaultAcknowledged:
		return decideAcknowledged(s, e)
	case e.Kind == FaultEnded && (!known || f.Ended):
		return nil, fmt.Errorf("fault %s has ended", e.Code)
	case e.Kind == FaultRaised && known && !f.Ended:
		return nil, fmt.Errorf("fault %s stands", e.Code)
	case e.Kind == FaultRaised && !known && len(s.Faults) >= MaxFaults:
		return nil, fmt.Errorf("fault %s: %d faults stand, which is the most", e.Code, len(s.Faults))
	}
	if e.Kind == FaultRaised {
		e.Text, e.Times = Plain(e.Text, MaxFaultText), f.timesWith(e)
	}
	return []Event{e}, nil
}

func decideAcknowledged(s State, e Event) ([]Event, error) {
	f, known := s.Fault(e.Code)
	e.By = Plain(e.By, maxFaultBy)
	switch {
	case e.By == "":
		return nil, fmt.Errorf("%s: expected the name of who acknowledges", e.Kind)
	case !known:
		return nil, &Refusal{Text: "NO SUCH FAULT", Hint: "LOOK AT FAULTS",
			Long: fmt.Sprintf("fault %q is not raised; %s", e.Code, s.toAcknowledge())}
	case f.Acknowledged():
		return nil, &Refusal{Text: "ACKNOWLEDGED ALREADY",
			Long: fmt.Sprintf("fault %s was acknowledged by %s", e.Code, f.By)}
	}
	return []Event{e}, nil
}

// toAcknowledge names the codes that can be acknowledged, for the refusal of another.
func (s State) toAcknowledge() string {
	var codes []string
	for _, f := range s.Faults {
		if !f.Acknowledged() {
			codes = append(codes, f.Code)
		}
	}
	if len(codes) == 0 {
		return "there is nothing to acknowledge"
	}
	return "to acknowledge: " + strings.Join(codes, ", ")
}

// applyFault folds a fact of a fault. One that does not fit changes nothing: no fault may
// keep a unit from reading its record.
func applyFault(s State, e Event) State {
	i := s.faultAt(e.Code)
	s.Faults = slices.Clone(s.Faults)
	by := Plain(e.By, maxFaultBy)
	switch {
	case e.Kind == FaultRaised && i < 0:
		return raise(s, e)
	case i < 0:
	case e.Kind == FaultRaised: // the same fault again, which began when it first did
		f := &s.Faults[i]
		f.Text, f.Times, f.Ended, f.EndedAt = Plain(e.Text, MaxFaultText), f.timesWith(e), false, Stamp{}
	case e.Kind == FaultEnded:
		s.Faults[i].Ended, s.Faults[i].EndedAt = true, e.At
	case by != "":
		s.Faults[i].By, s.Faults[i].AcknowledgedAt = by, e.At
	}
	if s.Faults = slices.DeleteFunc(s.Faults, Fault.over); len(s.Faults) == 0 {
		s.Faults = nil
	}
	return s
}

// raise adds a new fault, the newest last.
func raise(s State, e Event) State {
	f := Fault{Code: e.Code, Text: Plain(e.Text, MaxFaultText), Times: max(1, e.Times)}
	f.Raised = e.At.before(time.Duration(min(max(0, e.Seconds), 1<<30)) * time.Second)
	if len(s.Faults) < MaxFaults && e.Code != "" && len(e.Code) <= MaxFaultCode {
		s.Faults = append(s.Faults, f)
	}
	return s
}

// over reports whether nothing more is to be said of the fault.
func (f Fault) over() bool { return f.Ended && f.Acknowledged() }

// timesWith returns how often the fault has been raised, with e.
func (f Fault) timesWith(e Event) int { return max(e.Times, min(f.Times, math.MaxInt-1)+1) }

// bounded returns the faults of a checkpoint as far as this program keeps them. A newer
// one may have written more of them, or longer ones.
func bounded(faults []Fault) (kept []Fault) {
	for _, f := range faults {
		f.Text, f.By, f.Times = Plain(f.Text, MaxFaultText), Plain(f.By, maxFaultBy), max(1, f.Times)
		_, twice := State{Faults: kept}.Fault(f.Code)
		if f.Code == "" || len(f.Code) > MaxFaultCode || twice || f.over() || len(kept) >= MaxFaults {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}
