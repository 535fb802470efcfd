package export

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// faultReport is one fact of a fault of the day. What comes and goes often is told the
// first, second, fourth time and so on.
type faultReport struct {
	At    string `json:"at"` // local time
	Code  string `json:"code"`
	What  string `json:"what"` // "raised", "ended", "acknowledged"
	Text  string `json:"text,omitempty"`
	Times int    `json:"times,omitempty"`
	By    string `json:"by,omitempty"`
}

// AddFaults reads the day's faults and corrections out of the record in the data folder,
// from record from on, which is before the day. What has no time that is to be trusted is
// of no day: UnknownDay has the corrections among it, and no faults.
func (r *Report) AddFaults(data string, from uint64) error {
	if r.Day == UnknownDay {
		if len(r.Shoes) == 0 {
			return nil
		}
		from = r.Shoes[0].Shoe
	}
	var shoe shoeCount
	for rec, err := range journal.Records(journal.Dir(datadir.Journal(data)), from) {
		var gap *journal.Problem
		switch {
		case errors.As(err, &gap): // the shoes have told of it
			shoe = shoeCount{}
			continue
		case err != nil:
			return err
		case rec.Kind != journal.Event:
			continue
		}
		at := table.StampOf(rec)
		local, day := time.UnixMilli(at.Wall).In(r.zone), UnknownDay
		if rec.Trusted {
			day = local.Format(time.DateOnly)
		}
		if day != UnknownDay && r.Day != UnknownDay && day > r.Day {
			return nil
		}
		decision, err := tracker.UnmarshalRecord(rec.Payload, at)
		shoe.follow(decision.Events)
		switch {
		case day != r.Day:
		case err != nil:
			return err
		default:
			r.corrections(local.Format("15:04"), shoe.now, decision.Events)
			if day != UnknownDay {
				r.faults(local.Format("15:04"), decision.Events)
			}
		}
	}
	return nil
}

func (r *Report) faults(at string, events []tracker.Event) {
	for _, e := range events {
		switch e.Kind {
		case tracker.FaultRaised, tracker.FaultEnded, tracker.FaultAcknowledged:
			r.Faults = append(r.Faults, faultReport{At: at, Code: e.Code, What: strings.TrimPrefix(string(e.Kind), "fault-"),
				Text: e.Text, Times: e.Times, By: e.By})
		}
	}
}

// writeFaults writes the faults of the day, if there were any.
func (r *Report) writeFaults(out io.Writer) error {
	if len(r.Faults) == 0 {
		return nil
	}
	text := "\nfaults\n"
	for _, f := range r.Faults {
		text += fmt.Sprintf("%s  %s %s", f.At, f.Code, f.What)
		if f.Times > 1 {
			text += fmt.Sprintf(" (%d times)", f.Times)
		}
		if f.By != "" {
			text += " by " + f.By
		}
		if f.Text != "" {
			text += ": " + f.Text
		}
		text += "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}
