// Package maintenance does the tasks of the technician's menu: it looks at the unit, reads
// and writes a USB stick, and requests of root's helper what the core may not do.
//
// A caller may assume that Do accepts anything a person keys, never writes the record,
// and always returns a result, at the latest a moment after its context has ended, except
// that a stick which the kernel waits for may hold it longer. A result says in plain words
// what was done, or why not and what to do.
package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/helper"
	"shoeboard/cmd/internal/staff"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/tracker/menu"
)

// Unit does the tasks of a unit.
type Unit struct {
	Data    string // folder
	Socket  string // of the core
	Table   string // number
	ID      string // serial number
	Build   version.Build
	Slot    transfer.Slot
	Helper  string // the helper's socket
	Staff   *staff.Checker
	Collect func(ctx context.Context) (*doctor.Unit, error)
	Bundle  func(ctx context.Context, out io.Writer) error // writes a support bundle
}

// Do does one task.
func (u *Unit) Do(ctx context.Context, t menu.Task, env core.Env) menu.Result {
	switch t.Kind {
	case menu.Status:
		return u.status(ctx, env)
	case menu.Doctor:
		return u.doctor(ctx)
	case menu.Clock:
		return clockNow(env)
	case menu.SetTime:
		return u.setTime(ctx, t.Arg, env)
	case menu.SetTable:
		return u.setTable(t.Arg, env)
	case menu.Stick:
		return u.listStick(env)
	case menu.Bundle:
		return u.writeBundle(ctx, env)
	case menu.Export:
		return u.writeDay(ctx, t.Arg, env)
	case menu.FindUpdate:
		return u.findUpdate()
	case menu.SignIn:
		return u.signIn(t.Arg)
	case menu.Restart:
		env.End()
		return done("The program starts again.")
	case menu.Update, menu.Reboot, menu.PowerOff: // the helper calls them the same
		return u.request(ctx, helper.Request{Kind: string(t.Kind), Argument: t.Arg})
	}
	return failure(fmt.Errorf("this unit does not know task %q", t.Kind))
}

// The forms in which a local time and a day are keyed.
const (
	keyedTime = "200601021504"
	keyedDay  = "20060102"
)

func done(lines ...string) menu.Result { return menu.Result{Lines: lines} }

func refusal(lines ...string) menu.Result { return menu.Result{Failed: true, Lines: lines} }

func failure(err error) menu.Result { return refusal(strings.Split(err.Error(), "\n")...) }

// failureOf returns a failure of a task that changes nothing when it is cancelled.
func failureOf(ctx context.Context, err error) menu.Result {
	if ctx.Err() != nil {
		return refusal("Cancelled.", "Nothing was changed.")
	}
	return failure(err)
}

// request has root's helper do something.
func (u *Unit) request(ctx context.Context, r helper.Request) menu.Result {
	lines, err := helper.Do(ctx, u.Helper, r)
	switch {
	case ctx.Err() != nil && errors.Is(err, helper.ErrRunning):
		return refusal("Too late to cancel:", "it has begun. Check", "again in a minute.")
	case ctx.Err() == nil && errors.Is(err, helper.ErrNoReply):
		return refusal("The helper does not answer.", "systemctl status shoeboard-helper.socket")
	case err != nil:
		return failureOf(ctx, err)
	}
	return done(lines...)
}

// status names this unit.
func (u *Unit) status(ctx context.Context, env core.Env) menu.Result {
	lines := []string{fmt.Sprintf("Table %s, %s", u.Table, env.Game)}
	for _, a := range u.request(ctx, helper.Request{Kind: helper.Addresses}).Lines {
		lines = append(lines, "Address: "+a)
	}
	clock := map[bool]string{true: "set", false: "NOT SET"}[env.Trusted]
	return done(append(lines, "Serial "+u.ID, "Program "+u.Build.Line(), "Configuration "+env.Hash,
		fmt.Sprintf("Clock %s, %s", minute(time.Now(), env), clock))...)
}

// minute returns a time as a person reads it.
func minute(t time.Time, env core.Env) string { return t.In(env.Zone).Format("2006-01-02 15:04") }

// doctor returns the doctor's findings, the worst first.
func (u *Unit) doctor(ctx context.Context) menu.Result {
	unit, err := u.Collect(ctx)
	if err != nil {
		return failure(err)
	}
	return done(findings(doctor.Check(unit))...)
}

// findings returns lines for the page, the worst first; those that do not apply to this
// machine are left out.
func findings(found []doctor.Finding) []string {
	lines := []string{fmt.Sprintf("Faults %d, warnings %d, fine %d", doctor.Count(found, doctor.Broken),
		doctor.Count(found, doctor.Warning), doctor.Count(found, doctor.Fine))}
	for _, verdict := range []doctor.Verdict{doctor.Broken, doctor.Warning, doctor.Fine} {
		for _, f := range found {
			if f.Verdict == verdict {
				lines = append(lines, lineOf(f))
			}
		}
	}
	return lines
}

func lineOf(f doctor.Finding) string {
	line := fmt.Sprintf("%s %s: %s", strings.ToUpper(string(f.Verdict)), f.Name, f.Text)
	if f.Do != "" {
		line = strings.TrimSuffix(line, ".") + ". " + strings.ToUpper(f.Do[:1]) + f.Do[1:]
	}
	return line
}

// clockNow returns the local time, for the page that sets it.
func clockNow(env core.Env) menu.Result {
	return menu.Result{Value: time.Now().In(env.Zone).Format(keyedTime)}
}

// setTime sets the clock to a local time.
func (u *Unit) setTime(ctx context.Context, text string, env core.Env) menu.Result {
	at, err := time.ParseInLocation(keyedTime, text, env.Zone)
	if err != nil {
		return failure(fmt.Errorf("%q is no time: key it again", text))
	}
	return u.request(ctx, helper.Request{Kind: helper.SetTime, Argument: at.UTC().Format(time.RFC3339)})
}

// setTable writes the number of this unit's table and ends the core, which reads it
// when it starts again.
func (u *Unit) setTable(number string, env core.Env) menu.Result {
	if n, err := strconv.Atoi(number); err != nil || n < 1 || n > 9999 {
		return failure(fmt.Errorf("table %q: expected 1 to 9999", number))
	}
	stored, unknown := datadir.ReadTable(u.Data)
	if stored != number {
		if err := datadir.WriteTable(u.Data, number); err != nil {
			return failure(err)
		}
	}
	if number == u.Table && unknown == nil {
		return done("This unit is at table " + number + " already.")
	}
	env.End()
	return done("Table "+number+".", "The program starts again.")
}

// Demo does the tasks of a demo, which is no unit: it knows the time and itself.
type Demo struct {
	Data, Table string
	Build       version.Build
}

// Do does one task.
func (d Demo) Do(_ context.Context, t menu.Task, env core.Env) menu.Result {
	switch t.Kind {
	case menu.Status:
		return done(fmt.Sprintf("Demo, table %s, %s", d.Table, env.Game), "Program "+d.Build.Line(), "Data in "+d.Data)
	case menu.Clock:
		return clockNow(env)
	}
	return refusal("This is a demo.", "Only a unit can do that.")
}

// signIn checks a staff number and a PIN, eight digits in all.
func (u *Unit) signIn(keyed string) menu.Result {
	if len(keyed) != 8 {
		return failure(errors.New("expected a staff number of two digits and a PIN of six"))
	}
	p, err := u.Staff.Check(keyed[:2], keyed[2:])
	if err != nil {
		return failure(err)
	}
	r := done("Signed in: "+p.Number+", "+string(p.Role)+".", "OK goes on.")
	r.Value = p.Number + " " + string(p.Role)
	return r
}
