package maintenance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/history"
	"shoeboard/tracker/menu"
)

// noStick says what can be done about a stick.
func noStick(err error) menu.Result {
	if errors.Is(err, transfer.ErrNone) {
		return refusal("No stick is plugged in.", "Plug one in, then try again.")
	}
	return failed(err)
}

// there says why nothing can be written to the stick, before anything is made for it.
func (w *World) there() error {
	root, err := w.Slot.Open()
	if err != nil {
		return err
	}
	return root.Close()
}

// put writes a file to the stick: made before, so that the stick is open only for the
// time that it takes to write.
func (w *World) put(name string, text []byte) menu.Result {
	where, err := w.Slot.Write(name, func(out io.Writer) error { _, err := out.Write(text); return err })
	if err != nil {
		return noStick(err)
	}
	return told("Written: "+where, "The stick may be pulled out.")
}

// bundle writes a support bundle to the stick.
func (w *World) bundle(ctx context.Context) menu.Result {
	if err := w.there(); err != nil {
		return noStick(err)
	}
	var text bytes.Buffer
	if err := errors.Join(w.Bundle(ctx, &text), ctx.Err()); err != nil {
		return stopped(ctx, err)
	}
	return w.put(fmt.Sprintf("support-%s-%s.tar.gz", w.Table, time.Now().In(w.Zone).Format("20060102-1504")), text.Bytes())
}

// export writes the hands of a day and its report to the stick. What could not be read of
// the record is told, as the verb does.
func (w *World) export(ctx context.Context, text string) menu.Result {
	at, err := time.Parse(keyedDay, text)
	if err != nil {
		return failed(fmt.Errorf("%q is no day: key it again", text))
	}
	if err := w.there(); err != nil {
		return noStick(err)
	}
	day := at.Format(time.DateOnly)
	var hands, report bytes.Buffer
	give, finish := export.CSV(&hands, w.Zone)
	sums := export.NewReport(day, w.Zone)
	e := export.Exporter{Data: w.Data, Want: func(r history.Row) bool { return r.Day == day },
		Give: func(s *export.Shoe) error { return errors.Join(give(s), sums.Add(s)) }}
	if err := errors.Join(e.Run(ctx), finish(), sums.Write(&report, false)); err != nil {
		return stopped(ctx, err)
	}
	var lost []string
	if err := e.Sum.Tell(io.Discard); err != nil {
		lost = strings.Split(err.Error(), "; ")
	}
	if e.Sum.Hands == 0 {
		return refusal(append([]string{"No hands on " + day + "."}, lost...)...)
	}
	name := fmt.Sprintf("table-%s-%s", w.Table, day)
	if a := w.put(name+"-report.txt", report.Bytes()); a.Failed {
		return a
	}
	a := w.put(name+".csv", hands.Bytes())
	a.Lines = slices.Concat([]string{export.Count(e.Sum.Hands, "hand") + " of " + day}, lost, a.Lines)
	return a
}

// stick is what is on the stick: the mirrors of units and packages.
func (w *World) stick() menu.Result {
	root, err := w.Slot.Open()
	if err != nil {
		return noStick(err)
	}
	defer root.Close()
	lines := w.mirrors(root)
	packages, err := w.Slot.Packages()
	if err != nil {
		return failed(err)
	}
	for _, p := range packages {
		lines = append(lines, "Program "+p.Version+": "+p.File)
	}
	return told(lines...)
}

// mirrors are the mirrors on a stick, this unit's first.
func (w *World) mirrors(root *os.Root) []string {
	own := "No mirror of this unit yet: wait a minute"
	var others []string
	names, _ := fs.Glob(root.FS(), transfer.Folder+"/*/manifest.json") // of a good pattern: never fails
	for _, name := range names {
		m, err := transfer.ReadManifest(root, path.Dir(name))
		if err != nil {
			others = append(others, name+" cannot be read")
			continue
		}
		line := fmt.Sprintf("table %s, %s", m.Table, m.Made.In(w.Zone).Format("2006-01-02 15:04"))
		switch {
		case transfer.Home(w.Unit, path.Base(path.Dir(name))):
			own = "Mirror of this unit: " + line
		case m.Unit == w.Unit:
			others = append(others, "Earlier mirror of this unit: "+line)
		default:
			others = append(others, "Mirror of unit "+m.Unit+": "+line)
		}
	}
	return append([]string{own}, others...)
}

// findUpdate finds the newest package on the stick. Whether it may be installed is the
// helper's to say: it knows the signature and what dpkg calls newer.
func (w *World) findUpdate() menu.Result {
	all, err := w.Slot.Packages()
	switch {
	case err != nil:
		return noStick(err)
	case len(all) == 0:
		return refusal("No package for this unit on the stick.", "Put shoeboard_VERSION_ARCH.deb and its .sig there.")
	}
	best := all[0]
	for _, p := range all[1:] {
		if newer(p.Version, best.Version) {
			best = p
		}
	}
	if w.Version != "" && !newer(best.Version, w.Version) {
		return refusal("Version "+best.Version+" is on the stick.", "It is not newer than "+w.Version+".")
	}
	return menu.Result{Ready: true, Value: best.File, Lines: []string{"Version " + best.Version + " is on the stick.", "Installed is " + w.Program + ".",
		"The board goes dark for about a minute."}}
}

// newer says whether version a is newer than b, both as 1.2.3 with what may follow.
func newer(a, b string) bool {
	x, y := numbers(a), numbers(b)
	for i := range max(len(x), len(y)) {
		var m, n int
		if i < len(x) {
			m = x[i]
		}
		if i < len(y) {
			n = y[i]
		}
		if m != n {
			return m > n
		}
	}
	return false
}

// numbers are the figures of a version up to the first thing that is none.
func numbers(version string) []int {
	var list []int
	for _, word := range strings.Split(strings.TrimPrefix(version, "v"), ".") {
		n := 0
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		value, err := strconv.Atoi(word[:n])
		if err != nil {
			return list
		}
		if list = append(list, value); n < len(word) {
			return list
		}
	}
	return list
}
