package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/tracker/journal"
)

type takeoverVerb struct {
	dataFlag
	From  string `help:"Folder with what is on a stick, such as /media/stick; without it this unit's card and stick." type:"existingdir" placeholder:"DIR"`
	Table string `help:"Which table, when there are several." placeholder:"N"`
	Yes   bool   `help:"Take it over. Without it this is only a look."`
}

// Run says which tables this unit could take over, and takes one over: what the keypad
// asks at a start, over SSH.
func (v *takeoverVerb) Run(ctx context.Context, line *kong.Context, p *program, all *verbs) error {
	if err := checkTable(v.Table); err != nil {
		return err
	}
	l, data, done, err := v.owned(ctx, line, p, all)
	if done || err != nil {
		return err
	}
	slot := p.slot()
	if v.From != "" {
		slot = transfer.Slot{Dir: v.From, Plain: true}
	}
	questions, err := transfer.Begin(data, core.ID(), slot)
	if err != nil {
		return err
	}
	if v.Table != "" {
		of := slices.DeleteFunc(slices.Clone(questions), func(q transfer.Question) bool { return q.Table != v.Table })
		if len(of) == 0 && len(questions) > 0 {
			return fmt.Errorf("table %s is not there to take over: without --table stands what is", v.Table)
		}
		questions = of
	}
	for _, q := range questions {
		last := "no hand"
		if !q.LastHand.IsZero() {
			last = "last hand " + q.LastHand.In(l.File.Table(q.Table).Location()).Format("2006-01-02 15:04")
		}
		fmt.Fprintf(p.out, "table %s of unit %s, %s, on the %s\n", q.Table, q.Unit, last, q.From())
	}
	switch {
	case len(questions) == 0:
		return errors.New("there is nothing to take over: " + v.nothing(data))
	case len(questions) > 1:
		return errors.New("say which with --table")
	case !v.Yes:
		return errors.New("--yes takes it over")
	}
	if err := questions[0].Yes(core.ID()); errors.Is(err, journal.ErrInUse) {
		return errors.New("the core is running: sudo systemctl stop shoeboard, then again")
	} else if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Table %s is this unit's.\nsudo systemctl restart shoeboard\n", questions[0].Table)
	return nil
}

// nothing says why there is no table to take over.
func (v *takeoverVerb) nothing(data string) string {
	switch {
	case v.From == "":
		return "no other unit's record is on the card, and none on a stick that this unit, without a hand of its own, could take"
	case !transfer.Blank(data):
		return "this unit has hands of its own, and only one without takes a stick over"
	}
	return v.From + " has no folder shoeboard/UNIT with another unit's record, as a stick has; a card is taken over in its slot"
}
