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

	"shoeboard/cmd/shoeboard/export"
	"shoeboard/tracker/history"
)

type exportVerb struct {
	Format string `help:"csv (one line a hand) or json (one object a shoe, one a line)." enum:"csv,json" default:"csv"`
	Shoe   uint64 `help:"Only this shoe, by the number in column shoe." placeholder:"ID"`
	Date   string `help:"Only shoes begun on this local date." placeholder:"YYYY-MM-DD"`
	From   string `help:"Only shoes begun on this date or later." placeholder:"YYYY-MM-DD"`
	To     string `help:"Only shoes begun on this date or earlier." placeholder:"YYYY-MM-DD"`
	Report string `help:"The report of this day in place of its hands: shoes, hands an hour, bonuses, fixes, voids, faults; as text, or with --format json." placeholder:"YYYY-MM-DD"`
	Record bool   `help:"Read the record itself, not the index of it."`
	Out    string `help:"File to write; without it the hands are printed." type:"path" placeholder:"FILE"`
	Data   string `help:"Data folder; without it the configuration's." type:"path" placeholder:"DIR"`
}

// Run writes hands, while the core runs or not. Ended shoes come out of the index,
// what that does not have out of the record; how many of each is told. What is damaged
// in the record is passed over and told, and then the verb fails after writing the
// rest.
func (v *exportVerb) Run(ctx context.Context, p *program, all *verbs) (err error) {
	var before uint64 // the last shoe before the day of a report
	want, err := v.wanted(&before)
	if err != nil {
		return err
	}
	l, err := p.readConfig(all.Config, v.Data)
	if err != nil {
		return err
	}
	cfg := l.File.Table("")
	out := p.out
	if v.Out != "" {
		f, err := os.Create(v.Out)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		out = f
	}
	buffer := bufio.NewWriterSize(out, 256<<10)
	data := cmp.Or(v.Data, cfg.Data)
	give, finish := v.form(buffer, cfg.Location(), func(r *export.Report) error { return r.AddFaults(data, before) })
	e := export.Exporter{Data: data, Record: v.Record, Want: want, Give: give}
	err = e.Run(ctx)
	if err == nil {
		err = finish()
	}
	if err := errors.Join(err, buffer.Flush()); err != nil {
		return err
	}
	return e.Sum.Tell(p.err)
}

// form is how shoes are written, and what comes after the last; faults completes a report.
func (v *exportVerb) form(out io.Writer, zone *time.Location, faults func(*export.Report) error) (give func(*export.Shoe) error, finish func() error) {
	switch {
	case v.Report != "":
		r := export.NewReport(v.Report, zone)
		return r.Add, func() error { return errors.Join(faults(r), r.Write(out, v.Format == "json")) }
	case v.Format == "json":
		return export.JSON(out, zone), func() error { return nil }
	default:
		return export.CSV(out, zone)
	}
}

// wanted is which shoes are meant; before becomes the last one before them.
func (v *exportVerb) wanted(before *uint64) (func(history.Row) bool, error) {
	from, to := v.From, v.To
	for _, date := range []string{v.Date, v.Report} {
		if date == "" {
			continue
		}
		if from != "" || to != "" || v.Shoe != 0 {
			return nil, errors.New("expected one of --shoe, --date, --report, or --from and --to")
		}
		from, to = date, date
	}
	for _, date := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil {
			return nil, fmt.Errorf("date %q: expected a day such as 2026-11-30", date)
		}
	}
	return func(r history.Row) bool {
		if v.Shoe != 0 && r.Shoe != v.Shoe {
			return false
		}
		if r.Day != "" && r.Day < from {
			*before = r.Shoe
		}
		// a shoe begun before the clock was set has no day, and is in no range
		return from == "" && to == "" || r.Day != "" && r.Day >= from && (to == "" || r.Day <= to)
	}, nil
}
