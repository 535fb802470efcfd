package maintenance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/update"
	"shoeboard/tracker/history"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/menu"
)

// stickFailure says what can be done about a stick.
func stickFailure(err error) menu.Result {
	if errors.Is(err, transfer.ErrNone) {
		return refusal("No stick is plugged in.", "Plug one in, then try again.")
	}
	return failure(err)
}

// checkStick says why nothing can be written to the stick, before anything is made for it.
func (u *Unit) checkStick() error {
	root, err := u.Slot.Open()
	if err != nil {
		return err
	}
	return root.Close()
}

// write writes a file to the stick: made before, so that the stick is open only for the
// time that it takes to write.
func (u *Unit) write(name string, text []byte) menu.Result {
	where, err := u.Slot.Write(name, text)
	if err != nil {
		return stickFailure(err)
	}
	return done("Written: "+where, "The stick may be pulled out.")
}

// writeBundle writes a support bundle to the stick.
func (u *Unit) writeBundle(ctx context.Context, env core.Env) menu.Result {
	if err := u.checkStick(); err != nil {
		return stickFailure(err)
	}
	var text bytes.Buffer
	if err := errors.Join(u.Bundle(ctx, &text), ctx.Err()); err != nil {
		return failureOf(ctx, err)
	}
	made := time.Now().In(env.Zone).Format("20060102-1504")
	return u.write(fmt.Sprintf("support-%s-%s.tar.gz", u.Table, made), text.Bytes())
}

// writeDay writes the hands of a day and its report to the stick. It names what could not
// be read of the record, as the verb does.
func (u *Unit) writeDay(ctx context.Context, text string, env core.Env) menu.Result {
	at, err := time.Parse(keyedDay, text)
	if err != nil {
		return failure(fmt.Errorf("%q is no day: key it again", text))
	}
	if err := u.checkStick(); err != nil {
		return stickFailure(err)
	}
	day := at.Format(time.DateOnly)
	var hands, report bytes.Buffer
	give, finish := export.CSV(&hands, env.Zone)
	sums := export.NewReport(day, env.Zone)
	e := export.Exporter{Data: u.Data, Core: localapi.Client{Path: u.Socket},
		Want: func(r history.Row) bool { return r.Day == day }, End: sums.End,
		Give: func(s *export.Shoe) error { return errors.Join(give(s), sums.Add(s)) }}
	if err := errors.Join(e.Run(ctx), finish(), sums.Write(&report, false)); err != nil {
		return failureOf(ctx, err)
	}
	var lost []string
	if err := e.Sum.Tell(io.Discard); err != nil {
		lost = strings.Split(err.Error(), "; ")
	}
	if e.Sum.Hands == 0 {
		return refusal(append([]string{"No hands on " + day + "."}, lost...)...)
	}
	name := fmt.Sprintf("table-%s-%s", u.Table, day)
	if r := u.write(name+"-report.txt", report.Bytes()); r.Failed {
		return r
	}
	r := u.write(name+".csv", hands.Bytes())
	r.Lines = slices.Concat([]string{export.Count(e.Sum.Hands, "hand") + " of " + day}, lost, r.Lines)
	return r
}

// listStick lists what the stick holds: the mirrors of units and packages.
func (u *Unit) listStick(env core.Env) menu.Result {
	root, err := u.Slot.Open()
	if err != nil {
		return stickFailure(err)
	}
	defer root.Close()
	lines := u.mirrors(root, env)
	packages, err := u.Slot.Packages()
	if err != nil {
		return failure(err)
	}
	for _, file := range slices.Sorted(maps.Keys(packages)) {
		lines = append(lines, "Program "+packages[file]+": "+file)
	}
	return done(lines...)
}

// mostMirrors bounds the mirrors that are listed.
const mostMirrors = 20

// mirrors lists the mirrors on a stick, this unit's first.
func (u *Unit) mirrors(root *os.Root, env core.Env) []string {
	own := "No mirror of this unit yet: wait a minute"
	var others []string
	names, err := transfer.Folders(root)
	if err != nil {
		others = append(others, err.Error())
	}
	for _, name := range names {
		m, err := transfer.ReadManifest(root, name)
		if errors.Is(err, fs.ErrNotExist) || len(others) > mostMirrors {
			continue
		}
		if err != nil {
			others = append(others, name+"/manifest.json cannot be read")
			continue
		}
		line := fmt.Sprintf("table %s, %s", m.Table, minute(m.Made, env))
		switch {
		case name == transfer.Home(u.ID):
			own = "Mirror of this unit: " + line
		case m.Unit == u.ID:
			others = append(others, "Earlier mirror of this unit: "+line)
		default:
			others = append(others, "Mirror of unit "+m.Unit+": "+line)
		}
	}
	return append([]string{own}, others...)
}

// findUpdate finds the newest package on the stick. Whether it may be installed is the
// helper's to say: it checks the signature.
func (u *Unit) findUpdate() menu.Result {
	all, err := u.Slot.Packages()
	switch {
	case err != nil:
		return stickFailure(err)
	case len(all) == 0:
		return refusal("No package for this unit on the stick.",
			"Its folder shoeboard takes shoeboard_VERSION_ARCH.deb and its .sig.")
	}
	best := ""
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if best == "" || isNewer(all[file], all[best]) {
			best = file
		}
	}
	if now := u.Build.Version; !isNewer(all[best], now) {
		return refusal("Version "+all[best]+" is on the stick.", "It is not newer than "+now+".")
	}
	return menu.Result{Ready: true, Value: best, Lines: []string{"Version " + all[best] + " is on the stick.",
		"Installed is " + u.Build.Line() + ".", "The board goes dark for about a minute."}}
}

// isNewer reports whether version a is newer than b. A program out of no package has a
// version that dpkg cannot compare: anything is newer.
func isNewer(a, b string) bool {
	b = strings.TrimPrefix(b, "v")
	if b == "" || b[0] < '0' || b[0] > '9' {
		return true
	}
	newer, err := update.Newer(a, b)
	return newer || err != nil
}
