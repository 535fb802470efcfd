package export

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/history"
)

// correctionReport is one correction of a hand on the day.
type correctionReport struct {
	At     string `json:"at"`                   // local time
	Shoe   int    `json:"shoe_today,omitempty"` // 0: the record does not say
	Hand   int    `json:"hand"`                 // its number at that time
	What   string `json:"what"`                 // "fixed", "replaced", "removed", "inserted"
	Was    string `json:"was,omitempty"`
	Now    string `json:"now,omitempty"`
	Free   bool   `json:"free,omitempty"`
	By     string `json:"by,omitempty"` // of the floor, in whose name; empty: the dealer
	Why    string `json:"why,omitempty"`
	Record uint64 `json:"record"`
}

// faultReport is one change of a fault on the day. A fault that comes and goes often is
// reported the first, second, fourth time and so on.
type faultReport struct {
	At    string `json:"at"` // local time
	Code  string `json:"code"`
	What  string `json:"what"` // "raised", "ended", "acknowledged"
	Text  string `json:"text,omitempty"`
	Times int    `json:"times,omitempty"`
	By    string `json:"by,omitempty"`
}

// AddNote adds a correction or a change of a fault if it is of the day. A note whose time
// is not to be trusted is of no day: UnknownDay has the corrections among them, as far as
// they are of its shoes or later, and no faults.
func (r *Report) AddNote(n history.Note) {
	local, day := time.UnixMilli(n.Wall).In(r.zone), UnknownDay
	if n.Trusted {
		day = local.Format(time.DateOnly)
	}
	e, at := n.Event, local.Format("15:04")
	code, what, isFault := strings.Cut(string(e.Kind), "fault-")
	switch {
	case day != r.Day:
	case day == UnknownDay && (isFault || len(r.Shoes) == 0 || n.Seq < r.Shoes[0].Shoe):
	case isFault:
		r.Faults = append(r.Faults, faultReport{At: at, Code: e.Code, What: what, Text: e.Text,
			Times: e.Times, By: e.By})
	default:
		r.Corrections = append(r.Corrections, correctionReport{At: at, Shoe: n.Number, Hand: e.Hand,
			What: strings.TrimPrefix(code, "hand-"), Was: e.Was, Now: e.Token, Free: e.Free, By: e.By,
			Why: e.Reason, Record: n.Seq})
	}
}

// notes returns the corrections and faults of the day in words.
func (r *Report) notes() string {
	var text strings.Builder
	for i, c := range r.Corrections {
		if i == 0 {
			text.WriteString("\ncorrections\n")
		}
		text.WriteString(c.At + "  " + c.words() + "\n")
	}
	for i, f := range r.Faults {
		if i == 0 {
			text.WriteString("\nfaults\n")
		}
		text.WriteString(f.At + "  " + f.words() + "\n")
	}
	return text.String()
}

// words returns a correction in one line: "shoe 2 hand 43 fixed: was B, now P, by anna: camera".
func (c correctionReport) words() string {
	was, by, text := c.Was, c.By, ""
	if was == tracker.LostToken {
		was = "not known"
	}
	if by == "" {
		by = "the dealer"
	}
	if c.Shoe > 0 {
		text = fmt.Sprintf("shoe %d ", c.Shoe)
	}
	text += fmt.Sprintf("hand %d %s: ", c.Hand, c.What)
	switch {
	case was == "":
		text += c.Now
	case c.Now == "":
		text += "was " + was
	default:
		text += "was " + was + ", now " + c.Now
	}
	if c.Free {
		text += ", a free hand"
	}
	if text += ", by " + by; c.Why != "" {
		text += ": " + c.Why
	}
	return text
}

// words returns a change of a fault in one line.
func (f faultReport) words() string {
	text := f.Code + " " + f.What
	if f.Times > 1 {
		text += fmt.Sprintf(" (%d times)", f.Times)
	}
	if f.By != "" {
		text += " by " + f.By
	}
	if f.Text != "" {
		text += ": " + f.Text
	}
	return text
}
