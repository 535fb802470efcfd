package main

import (
	"context"
	"fmt"
	"time"

	"shoeboard/cmd/internal/helper"
)

// askVerb asks root as the keypad's menu does; only the core's user may.
type askVerb struct {
	Kind     string `arg:"" help:"set-time, update, addresses, reboot, power-off."`
	Argument string `arg:"" optional:"" help:"The time (2026-11-30T19:05:00Z), or the name of a package on the stick."`
}

// Run asks and prints the answer.
func (v *askVerb) Run(ctx context.Context, p *program) error {
	r := helper.Request{Kind: helper.Kind(v.Kind)}
	switch r.Kind {
	case helper.Update:
		r.File = v.Argument
	case helper.SetTime:
		var err error
		if r.Time, err = time.Parse(time.RFC3339, v.Argument); err != nil {
			return err
		}
	}
	lines, err := p.spool().Ask(ctx, r)
	for _, line := range lines {
		fmt.Fprintln(p.out, line)
	}
	return err
}
