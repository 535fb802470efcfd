package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"shoeboard/cmd/internal/doctor"
)

type monitorVerb struct {
	Wait bool `help:"Wait until one is connected."`
	jsonFlag
}

// lookEvery is how often a waiting unit looks for a monitor.
const lookEvery = 2 * time.Second

// Run tells which monitors are connected. Without --wait it fails when none is.
func (v *monitorVerb) Run(ctx context.Context, p *program) error {
	sys := os.DirFS(p.root)
	all := doctor.Connectors(sys)
	for v.Wait && len(all) > 0 && !slices.ContainsFunc(all, doctor.Usable) {
		pause(ctx, lookEvery)
		if err := ctx.Err(); err != nil {
			return err
		}
		all = doctor.Connectors(sys)
	}
	if v.JSON {
		return writeJSON(p.out, append([]doctor.Connector{}, all...)) // none are a list too
	}
	for _, c := range all {
		fmt.Fprintf(p.out, "%s: %s\n", c.Name, c.Text())
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(p.out, "This machine names no connectors for monitors.")
	case !v.Wait && !slices.ContainsFunc(all, doctor.Usable):
		return errors.New("no monitor is connected")
	}
	return nil
}
