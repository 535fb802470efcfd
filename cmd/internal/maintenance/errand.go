// Package maintenance does for the technician's menu what it asks of the world: it looks at
// the unit, reads and writes a USB stick, and asks root's helper for what the core may
// not do itself.
//
// Words: an errand is one thing asked by the menu's page, an answer is what the page
// shows then. The world is everything that an errand touches.
//
// A caller may assume: Do never panics for what a person keyed, never writes the
// record, and always comes back with an answer, at the latest a moment after its context
// has ended, except that a stick which the kernel waits for may hold it longer. An
// answer says in plain words what was done, or why not and what to do. What needs root
// is asked of the helper, which judges all of it again.
package maintenance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/menu"
)

// World is what the errands of one unit touch.
type World struct {
	Data    string // folder
	Table   string // number
	Game    string // id
	Hash    string // of the configuration
	Program string // version, in words
	Version string // as packages have it; "" when it has none
	Unit    string // serial number
	Zone    *time.Location
	Slot    transfer.Slot
	Helper  string      // the helper's socket
	Trusted func() bool // the wall clock has been set
	// Meet is what the doctor looks at.
	Meet func(ctx context.Context) (*doctor.Patient, error)
	// Bundle writes a support bundle.
	Bundle func(ctx context.Context, out io.Writer) error
	// End ends the core soon, in order: its supervisor starts it anew.
	End func()
}

// Do does one errand.
func (w *World) Do(ctx context.Context, e menu.Task) menu.Result {
	switch e.Kind {
	case menu.Status:
		return w.status(ctx)
	case menu.Doctor:
		return w.doctor(ctx)
	case menu.Clock:
		return menu.Result{Value: time.Now().In(w.Zone).Format(keyed)}
	case menu.SetTime:
		return w.setTime(ctx, e.Arg)
	case menu.SetTable:
		return w.setTable(e.Arg)
	case menu.Stick:
		return w.stick()
	case menu.Bundle:
		return w.bundle(ctx)
	case menu.Export:
		return w.export(ctx, e.Arg)
	case menu.FindUpdate:
		return w.findUpdate()
	case menu.Update:
		return w.asked(ctx, helper.Request{Kind: helper.Update, Argument: e.Arg})
	case menu.Restart:
		w.End()
		return told("The program starts again.")
	case menu.Reboot:
		return w.asked(ctx, helper.Request{Kind: helper.Reboot})
	case menu.PowerOff:
		return w.asked(ctx, helper.Request{Kind: helper.PowerOff})
	}
	return failed(fmt.Errorf("this unit does not know %q", e.Kind))
}

// keyed is how a local time is keyed, and keyedDay a day.
const (
	keyed    = "200601021504"
	keyedDay = "20060102"
)

func told(lines ...string) menu.Result { return menu.Result{Lines: lines} }

func refusal(lines ...string) menu.Result { return menu.Result{Failed: true, Lines: lines} }

func failed(err error) menu.Result { return refusal(strings.Split(err.Error(), "\n")...) }

// stopped is failed for what ends, with nothing written, when it is called back.
func stopped(ctx context.Context, err error) menu.Result {
	if ctx.Err() != nil {
		return refusal("Cancelled.", "Nothing was changed.")
	}
	return failed(err)
}

// asked asks root's helper.
func (w *World) asked(ctx context.Context, r helper.Request) menu.Result {
	lines, err := helper.Do(ctx, w.Helper, r)
	switch {
	case ctx.Err() != nil && errors.Is(err, helper.ErrRunning):
		return refusal("Too late to cancel:", "it has begun. Check", "again in a minute.")
	case ctx.Err() != nil && err != nil:
		return stopped(ctx, err)
	case errors.Is(err, helper.ErrNoReply):
		return refusal("The helper does not answer.", "systemctl status shoeboard-helper.socket")
	case err != nil:
		return failed(err)
	}
	return told(lines...)
}

// status is who this unit is.
func (w *World) status(ctx context.Context) menu.Result {
	addresses := w.asked(ctx, helper.Request{Kind: helper.Addresses}).Lines
	clock := "set"
	if !w.Trusted() {
		clock = "NOT SET"
	}
	lines := []string{fmt.Sprintf("Table %s, %s", w.Table, w.Game)}
	for _, a := range addresses {
		lines = append(lines, "Address: "+a)
	}
	return told(append(lines, "Serial "+w.Unit, "Program "+w.Program, "Configuration "+w.Hash,
		fmt.Sprintf("Clock %s, %s", time.Now().In(w.Zone).Format("2006-01-02 15:04"), clock))...)
}

// doctor is what the doctor finds, the worst first.
func (w *World) doctor(ctx context.Context) menu.Result {
	sick, err := w.Meet(ctx)
	if err != nil {
		return failed(err)
	}
	return told(findings(doctor.Examine(sick))...)
}

// findings are lines for the page, the worst first; what this machine does not have is
// left out.
func findings(found []doctor.Finding) []string {
	worst := map[doctor.Verdict]int{doctor.Broken: 0, doctor.Warning: 1, doctor.Fine: 2}
	lines := []string{fmt.Sprintf("Faults %d, warnings %d, fine %d",
		doctor.Count(found, doctor.Broken), doctor.Count(found, doctor.Warning), doctor.Count(found, doctor.Fine))}
	found = slices.DeleteFunc(slices.Clone(found), func(f doctor.Finding) bool { return f.Verdict == doctor.Unknown })
	slices.SortStableFunc(found, func(a, b doctor.Finding) int { return cmp.Compare(worst[a.Verdict], worst[b.Verdict]) })
	for _, f := range found {
		line := fmt.Sprintf("%s %s: %s", strings.ToUpper(string(f.Verdict)), f.Name, f.Text)
		if f.Do != "" {
			line = strings.TrimSuffix(line, ".") + ". " + strings.ToUpper(f.Do[:1]) + f.Do[1:]
		}
		lines = append(lines, line)
	}
	return lines
}

// setTime asks for the clock to be set to a local time.
func (w *World) setTime(ctx context.Context, text string) menu.Result {
	at, err := time.ParseInLocation(keyed, text, w.Zone)
	if err != nil {
		return failed(fmt.Errorf("%q is no time: key it again", text))
	}
	return w.asked(ctx, helper.Request{Kind: helper.SetTime, Argument: at.UTC().Format(time.RFC3339)})
}

// setTable writes the number of this unit's table and ends the core, which reads it
// when it starts again.
func (w *World) setTable(number string) menu.Result {
	if n, err := strconv.Atoi(number); err != nil || n < 1 || n > 9999 {
		return failed(fmt.Errorf("table %q: expected 1 to 9999", number))
	}
	stored, unknown := datadir.ReadTable(w.Data)
	if stored != number {
		if err := datadir.WriteTable(w.Data, number); err != nil {
			return failed(err)
		}
	}
	if number == w.Table && unknown == nil {
		return told("This unit stands at table " + number + " already.")
	}
	w.End()
	return told("Table "+number+".", "The program starts again.")
}
