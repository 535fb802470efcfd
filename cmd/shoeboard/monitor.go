package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"shoeboard/cmd/shoeboard/inspect"
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
	all := inspect.Connectors(sys)
	for v.Wait && len(all) > 0 && !slices.ContainsFunc(all, inspect.Usable) {
		pause(ctx, lookEvery)
		if err := ctx.Err(); err != nil {
			return err
		}
		all = inspect.Connectors(sys)
	}
	if v.JSON {
		return writeJSON(p.out, append([]inspect.Connector{}, all...)) // none are a list too
	}
	for _, c := range all {
		fmt.Fprintf(p.out, "%s: %s\n", c.Name, c.Text())
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(p.out, "This machine names no connectors for monitors.")
	case !v.Wait && !slices.ContainsFunc(all, inspect.Usable):
		return errors.New("no monitor is connected")
	}
	return nil
}
