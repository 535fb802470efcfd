package main

import (
	"context"
	"io"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/maintenance"
	"shoeboard/cmd/internal/takeover"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/stats"
	"shoeboard/tracker/table"
)

// bundleLines is how much of the logs a bundle on a stick has.
const bundleLines = 2000

// maintenance does what the technician's menu of a unit asks for.
func (p *program) maintenance(set core.Setup, path string) *maintenance.Unit {
	u := &maintenance.Unit{Data: set.Data, Socket: set.Socket, Table: set.Table, ID: core.ID(), Build: version.Read(),
		Slot: p.slot(), Helper: p.helperSocket()}
	u.Meet = func(ctx context.Context) (*doctor.Unit, error) {
		return doctor.Collect(ctx, p.root, path, set.Data, set.Socket)
	}
	u.Bundle = func(ctx context.Context, out io.Writer) error {
		met, err := u.Meet(ctx)
		if err != nil {
			return err
		}
		_, err = doctor.Bundle(ctx, met, u.ID, bundleLines, out)
		return err
	}
	return u
}

// mirror keeps the mirror of the record on a stick that is left in. A stick with
// another unit's mirror, put into a unit without a hand, ends the core: the next start
// asks whether to take its table over. Not when that was declined.
func (p *program) mirror(set core.Setup, declined bool) func(context.Context, *core.Core) {
	return func(ctx context.Context, c *core.Core) {
		m := transfer.Mirror{Slot: p.slot(), Data: set.Data, Unit: core.ID(), Program: version.Read().Line(),
			Fault: func(code, text string) {
				err := c.Table.Do(ctx, func(e *table.Engine, _ *stats.Board) { e.SetFault(c.Set.Clock.Now(), code, text) })
				if ctx.Err() == nil {
					p.warn(code, err)
				}
			}}
		if !declined {
			m.Found = c.EndSoon
		}
		m.Run(ctx)
	}
}

// askTakeOver asks whether this unit takes a table over, and reports whether it did.
func (p *program) askTakeOver(ctx context.Context, set core.Setup, questions []transfer.Question) (yes bool, err error) {
	pack, err := config.Pack(set.Config.Game)
	if err != nil {
		return false, err
	}
	if set.Panel, err = p.panel(set); err != nil {
		return false, err
	}
	return takeover.Ask(ctx, takeover.Setup{Setup: set, Keypads: p.keypads(set, pack), Questions: questions, Log: p.log})
}
