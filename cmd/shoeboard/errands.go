package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/maintenance"
	"shoeboard/cmd/internal/takeover"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/cmd/internal/version"
	"shoeboard/tracker/menu"
	"shoeboard/tracker/table"
)

// bundleLines is how much of the logs a bundle on a stick has.
const bundleLines = 2000

// errands does what the technician's menu of a unit asks for.
func (p *program) errands(set core.Setup, path string) func(*core.Core) func(context.Context, menu.Task) menu.Result {
	return func(c *core.Core) func(context.Context, menu.Task) menu.Result {
		w := maintenance.World{Data: set.Data, Table: set.Table, Program: version.Read().Line(), Version: version.Read().Version, Unit: core.ID(),
			Zone: set.Config.Location(), Slot: p.slot(), Helper: p.helperSocket(), Trusted: func() bool { return set.Clock.Now().Trusted }, End: c.EndSoon}
		w.Meet = func(ctx context.Context) (*doctor.Patient, error) {
			return doctor.Meet(ctx, p.root, path, set.Data, set.Socket)
		}
		w.Bundle = func(ctx context.Context, out io.Writer) error {
			sick, err := w.Meet(ctx)
			if err != nil {
				return err
			}
			_, err = p.bundle(ctx, sick, bundleLines, out)
			return err
		}
		return func(ctx context.Context, e menu.Task) menu.Result {
			now := w // of the configuration as it is in force now
			err := c.Table.Do(ctx, func(*table.Desk, *table.View) {
				now.Game, now.Hash, now.Zone = c.Pack.ID, c.Set.Hash, c.Set.Config.Location()
			})
			if err != nil {
				return menu.Result{Failed: true, Lines: []string{err.Error()}}
			}
			return now.Do(ctx, e)
		}
	}
}

// mirror keeps the mirror of the record on a stick that is left in. A stick with
// another unit's mirror, put into a unit without a hand, ends the core: the next start
// asks whether to take its table over. Not when that was declined.
func (p *program) mirror(set core.Setup, declined bool) func(context.Context, *core.Core) {
	return func(ctx context.Context, c *core.Core) {
		m := transfer.Mirror{Slot: p.slot(), Data: set.Data, Unit: core.ID(), Program: version.Read().Line(),
			Fault: func(code, text string) {
				err := c.Table.Do(ctx, func(d *table.Desk, _ *table.View) { d.SetFault(code, text) })
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

// demoErrands are the errands of a demo, which is no unit: it knows the time and itself.
func demoErrands(set core.Setup) func(*core.Core) func(context.Context, menu.Task) menu.Result {
	return func(*core.Core) func(context.Context, menu.Task) menu.Result {
		return func(_ context.Context, e menu.Task) menu.Result {
			switch e.Kind {
			case menu.Status:
				return menu.Result{Lines: []string{fmt.Sprintf("Demo, table %s, %s", set.Table, set.Config.Game), "Program " + version.Read().Line(), "Data in " + set.Data}}
			case menu.Clock:
				return menu.Result{Value: time.Now().In(set.Config.Location()).Format("200601021504")}
			}
			return menu.Result{Failed: true, Lines: []string{"This is a demo.", "Only a unit can do that."}}
		}
	}
}
