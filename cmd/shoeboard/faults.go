package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"shoeboard/stats"
)

type faultsVerb struct{ lookFlags }

// Run lists the faults that stand: those that are there, and those that are over and
// that nobody has acknowledged. It reads the record of a core that is down.
func (v *faultsVerb) Run(ctx context.Context, p *program, all *verbs) error {
	sick, err := v.meet(ctx, p, all)
	if err != nil {
		return err
	}
	if sick.Loaded.Fault != nil {
		p.refused = &sick.Loaded
	}
	s := sick.Standing
	if err := s.Err(); err != nil {
		return fmt.Errorf("the record of this unit: %w", err)
	}
	if v.JSON {
		return writeJSON(p.out, append([]stats.Fault{}, s.Faults...)) // no faults are a list too
	}
	for _, f := range s.Faults {
		fmt.Fprintf(p.out, "%s: %s\n    %s\n", f.Code, f.Text, s.History(f))
	}
	if len(s.Faults) == 0 {
		fmt.Fprintln(p.out, "No faults.")
	}
	return nil
}

type ackVerb struct {
	Codes []string `arg:"" name:"code" help:"Codes of faults, as the verb faults lists them."`
	socketFlag
}

// Run says in the caller's name that faults are known, and waits until that is recorded.
// Behind sudo the caller is who called sudo; the core asks the kernel for anybody else.
func (v *ackVerb) Run(ctx context.Context, p *program, all *verbs) error {
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	for _, code := range v.Codes {
		if e := client.Acknowledge(ctx, code, os.Getenv("SUDO_USER")); e != nil {
			err = errors.Join(err, e)
			continue
		}
		fmt.Fprintf(p.out, "%s is acknowledged\n", code)
	}
	return err
}
