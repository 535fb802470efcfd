package export

import (
	"fmt"
	"io"
	"strings"

	"shoeboard/tracker"
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

// shoeCount follows the number of the shoe in play through the facts of a record.
type shoeCount struct{ now, before int }

func (n *shoeCount) follow(events []tracker.Event) {
	for _, e := range events {
		switch e.Kind {
		case tracker.TableOpened, tracker.ShoeStarted:
			n.now, n.before = e.Hand, n.now
		case tracker.ShoeTakenBack:
			n.now = n.before
		}
	}
}

// corrections takes the corrections among the facts of one decision in the day.
func (r *Report) corrections(at string, shoe int, events []tracker.Event) {
	for _, e := range events {
		switch e.Kind {
		case tracker.HandFixed, tracker.HandReplaced, tracker.HandRemoved, tracker.HandInserted:
			r.Corrections = append(r.Corrections, correctionReport{At: at, Shoe: shoe, Hand: e.Hand, What: strings.TrimPrefix(string(e.Kind), "hand-"),
				Was: e.Was, Now: e.Token, Free: e.Free, By: e.By, Why: e.Reason, Record: e.At.Seq})
		}
	}
}

// writeCorrections writes the corrections of the day, if there were any.
func (r *Report) writeCorrections(out io.Writer) error {
	if len(r.Corrections) == 0 {
		return nil
	}
	text := "\ncorrections\n"
	for _, c := range r.Corrections {
		text += c.At + "  " + c.words() + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
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
