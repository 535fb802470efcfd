package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/internal/export"
	"shoeboard/tracker/history"
	"shoeboard/tracker/localapi"
)

type exportVerb struct {
	Format string `help:"csv (one line a hand) or json (one line a shoe)." enum:"csv,json" default:"csv"`
	Shoe   uint64 `help:"Export only this shoe, by the number in column shoe." placeholder:"ID"`
	Date   string `help:"Export only shoes begun on this date, or unknown." placeholder:"YYYY-MM-DD"`
	From   string `help:"Export only shoes begun on this date or later." placeholder:"YYYY-MM-DD"`
	To     string `help:"Export only shoes begun on this date or earlier." placeholder:"YYYY-MM-DD"`
	Report string `help:"Write the report of this day instead of hands." placeholder:"YYYY-MM-DD"`
	Record bool   `help:"Read the record itself, not the finished shoes."`
	Out    string `help:"File to write; the default is standard output." type:"path" placeholder:"FILE"`
	dataFlag
}

// Run writes hands, while the core runs or not. Finished shoes come from the index, through
// the core when it runs, and those that it does not have from the record; the verb prints how
// many of each. It leaves out damaged parts of the record, names them, and then fails after
// it has written the rest.
func (v *exportVerb) Run(ctx context.Context, p *program, all *verbs) error {
	days, err := v.days()
	if err != nil {
		return err
	}
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	cfg := l.File.Table("")
	out, keep, drop, err := outFile(v.Out, p.out)
	if err != nil {
		return err
	}
	defer drop()
	buffer := bufio.NewWriterSize(out, 256<<10)
	data := cmp.Or(v.Data, cfg.Data)
	e := export.Exporter{Data: data, Core: localapi.Client{Path: cfg.Socket}, Record: v.Record,
		Want: func(r history.Row) bool { return (v.Shoe == 0 || r.Shoe == v.Shoe) && days.has(r) }}
	finish := v.form(&e, buffer, cfg.Location())
	if err := e.Run(ctx); err != nil {
		return err
	}
	if err := errors.Join(finish(), buffer.Flush()); err != nil {
		return err
	}
	if err := keep(); err != nil {
		return err
	}
	days.tell(p.err)
	return e.Sum.Tell(p.err)
}

// outFile returns where a verb writes to: the file at path, which is replaced when keep is
// called, or out for "". drop is called at the end.
func outFile(path string, out io.Writer) (w io.Writer, keep func() error, drop func(), err error) {
	nothing := func() {}
	if path == "" {
		return out, func() error { return nil }, nothing, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a pipe, or what has no room
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, nil, nil, err
		}
		return f, f.Close, nothing, nil
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil { // it names a file that only renameio knows
		return nil, nil, nil, fmt.Errorf("%s cannot be written: %w", path, cmp.Or(errors.Unwrap(err), err))
	}
	return f, f.CloseAtomicallyReplace, func() { _ = f.Cleanup() }, nil
}

// form sets how shoes are written, and returns how the last is finished.
func (v *exportVerb) form(e *export.Exporter, out io.Writer, zone *time.Location) (finish func() error) {
	switch {
	case v.Report != "":
		r := export.NewReport(v.Report, zone)
		e.Give, e.Note, e.End = r.Add, r.AddNote, r.End
		return func() error { return r.Write(out, v.Format == "json") }
	case v.Format == "json":
		e.Give = export.JSON(out, zone)
		return func() error { return nil }
	default:
		e.Give, finish = export.CSV(out, zone)
		return finish
	}
}

// days returns the days that the flags name.
func (v *exportVerb) days() (*days, error) {
	d := &days{from: v.From, to: v.To}
	for _, date := range []string{v.Date, v.Report} {
		if date == "" {
			continue
		}
		if d.from != "" || d.to != "" || v.Shoe != 0 {
			return nil, wrongUse("expected one of --shoe, --date, --report, or --from and --to")
		}
		d.from, d.to = date, date
	}
	if d.from == export.UnknownDay && v.From == "" {
		return d, nil
	}
	for _, date := range []string{d.from, d.to} {
		if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil {
			return nil, wrongUse("date %q: expected a day such as 2026-11-30", date)
		}
	}
	if d.to != "" && d.to < d.from {
		return nil, wrongUse("--from %s --to %s: expected the earlier day first", d.from, d.to)
	}
	return d, nil
}

// days are the days of the shoes that are wanted, from the first to the last. A shoe that
// was begun before the clock was set is of no day: no range has it.
type days struct {
	from, to string // "": no bound; both export.UnknownDay: the shoes that are of no day
	undated  int    // shoes seen that are of no day, and left out
}

func (d *days) has(r history.Row) bool {
	switch {
	case d.from == export.UnknownDay:
		return r.Day == ""
	case d.from == "" && d.to == "":
		return true
	case r.Day == "":
		if r.Hands > 0 {
			d.undated++
		}
		return false
	}
	return r.Day >= d.from && (d.to == "" || r.Day <= d.to)
}

// tell says which shoes no day has, and how they are had.
func (d *days) tell(out io.Writer) {
	if d.undated > 0 {
		fmt.Fprintf(out, "begun before the clock was set, and of no day: %s; --date %s gives the hands, "+
			"--report %[2]s a report of them\n", export.Count(d.undated, "shoe"), export.UnknownDay)
	}
}
