package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/export"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/tracker/localapi"
)

// folder reads the configuration and names the data folder: the flag's, or else the
// configuration's.
func (f dataFlag) folder(p *program, all *verbs) (l config.Loaded, data string, err error) {
	l, err = p.readConfig(all.Config, f.Data)
	if err != nil {
		return l, "", err
	}
	return l, cmp.Or(f.Data, l.File.Table("").Data), nil
}

// acted has the running core record what a verb did to the unit, and says when the record
// does not say so.
func (p *program) acted(ctx context.Context, l config.Loaded, act, was, is string) {
	core := localapi.Client{Path: l.File.Table("").Socket}
	p.tellUnrecorded(core.Acted(ctx, act, was, is, os.Getenv("SUDO_UID")))
}

// tellUnrecorded says when the record does not say what was done.
func (p *program) tellUnrecorded(err error) {
	if err != nil {
		fmt.Fprintf(p.err, "shoeboard: the record does not say who did this: %v\n", err)
	}
}

// owned returns what folder does, for a verb that changes the folder; done says that the
// owner of the folder has run the verb.
func (f dataFlag) owned(ctx context.Context, line *kong.Context, p *program, all *verbs) (
	l config.Loaded, data string, done bool, err error) {
	if l, data, err = f.folder(p, all); err != nil {
		return l, data, false, err
	}
	done, warned, err := datadir.RunAsOwner(ctx, data, line.Args, p.out)
	if warned != "" {
		p.refused = nil // the owner's process has told of it
	}
	if err == nil && done {
		_, err = p.err.Write([]byte(warned))
	}
	return l, data, done, err
}

type backupVerb struct {
	dataFlag
	Out string `arg:"" help:"File to write, such as /media/stick/table14.tar.gz." type:"path"`
}

// Run writes a backup.
func (v *backupVerb) Run(p *program, all *verbs) error {
	_, data, err := v.folder(p, all)
	if err != nil {
		return err
	}
	number, err := datadir.TableOf(data)
	p.warn("the backup is of table "+number, err)
	n, err := transfer.Backup(v.Out, data, transfer.Manifest{Made: time.Now().UTC().Truncate(time.Second),
		Program: version.Read().Line(), Table: number, Unit: core.ID()})
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Wrote and read back %s: table %s, %d files.\n", v.Out, number, n)
	return nil
}

type restoreVerb struct {
	dataFlag
	From  string `arg:"" help:"The backup file." type:"existingfile"`
	Table string `help:"Number of the table; the default is the backup's." placeholder:"N"`
	Yes   bool   `help:"Set an existing record aside."`
}

// Run restores a record, its configuration and its table from a backup.
func (v *restoreVerb) Run(ctx context.Context, line *kong.Context, p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	_, data, done, err := v.owned(ctx, line, p, all)
	if done || err != nil {
		return err
	}
	m, segments, put, err := transfer.Restore(v.From, data, core.ID(), v.Table, v.Yes)
	if err != nil {
		return err
	}
	aside := "There was no record here before."
	if put != "" {
		aside = "What was here is in " + put + "."
	}
	fmt.Fprintf(p.out, "Table %s as it was at %s. %s. %s\nsudo systemctl start shoeboard\n",
		m.Table, m.Made.Format(time.RFC3339), export.Count(segments, "segment"), aside)
	return nil
}

type takeoverVerb struct {
	dataFlag
	From  string `help:"Folder of a mounted stick; default: this unit." type:"existingdir" placeholder:"DIR"`
	Table string `help:"Number of the table, when there are several." placeholder:"N"`
	Yes   bool   `help:"Take the table over; without --yes it is only listed."`
}

// Run lists the tables that this unit could take over, and takes one over: the keypad's
// question at a start, over SSH.
func (v *takeoverVerb) Run(ctx context.Context, line *kong.Context, p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	l, data, done, err := v.owned(ctx, line, p, all)
	if done || err != nil {
		return err
	}
	questions, err := transfer.Begin(data, core.ID(), p.stick(v.From), p.venue())
	if err != nil {
		return err
	}
	some := len(questions) > 0
	if v.Table != "" {
		questions = slices.DeleteFunc(questions, func(q transfer.Question) bool { return q.Table != v.Table })
	}
	for _, q := range questions {
		last, from := "no hand", map[bool]string{true: "card", false: "stick"}[q.Card]
		if !q.LastHand.IsZero() {
			last = fmt.Sprintf("last hand %s, shoe %d, hand %d",
				q.LastHand.In(l.File.Table(q.Table).Location()).Format("2006-01-02 15:04"), q.Shoe, q.Hands)
		}
		signed, of := "", ""
		if q.Unsigned {
			signed = ", NOT SIGNED BY THE HOUSE"
		}
		if q.House != "" {
			of = " of " + q.House
		}
		fmt.Fprintf(p.out, "table %s%s of unit %s, %s, on the %s%s\n", q.Table, of, q.Unit, last, from, signed)
	}
	switch {
	case !some:
		return errors.New("there is nothing to take over: " + v.nothing(data))
	case len(questions) == 0:
		return fmt.Errorf("table %s is not there to take over: without --table the others are listed", v.Table)
	case len(questions) > 1:
		return errors.New("choose one with --table")
	case !v.Yes:
		return errors.New("--yes takes it over")
	}
	if err := questions[0].Yes(core.ID()); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Table %s is this unit's.\nsudo systemctl restart shoeboard\n", questions[0].Table)
	return nil
}

// nothing returns why there is no table to take over.
func (v *takeoverVerb) nothing(data string) string {
	switch {
	case v.From == "":
		return "no other unit's record is on the card, and none on a stick that this unit, " +
			"without a hand of its own, could take"
	case !transfer.Blank(data):
		return "this unit has hands of its own, and only one without takes a stick over"
	}
	return v.From + " has no folder shoeboard/UNIT with another unit's record, as a stick has; " +
		"a card is taken over in its slot"
}
