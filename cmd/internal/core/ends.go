package core

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/index"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// open opens the record.
func (c *Core) open() (found journal.Found, err error) {
	dir := datadir.Journal(c.Set.Data)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return found, fmt.Errorf("the data folder: %w", err)
	}
	c.journal, found, err = journal.Open(journal.Dir(dir), ID())
	return found, err
}

// recordFaults tells what is wrong with the record that was found, and lets the next one
// begin behind it; unfit is what of it does not fold.
func (c *Core) recordFaults(desk *table.Desk, found journal.Found, unfit []error) {
	for _, problem := range found.Problems {
		desk.SetFault("record", table.Damage(desk.State(), problem))
	}
	for _, why := range unfit {
		c.log.Warn("record", "problem", why)
		desk.SetFault("record", table.Nonsense(why))
	}
	if len(unfit) > 0 {
		if err := c.journal.Seal(); err != nil {
			c.log.Warn("record", "err", err)
		}
	}
	if n := desk.State().Skipped; n > 0 {
		c.log.Info("record", "facts of a newer program passed over", n)
	}
	text := c.lost(desk.State(), found.Last)
	if f, stands := desk.State().Fault(index.FaultLost); stands && f.Text != text {
		desk.SetFault(index.FaultLost, "") // more is lost: of that nobody knows
	}
	desk.SetFault(index.FaultLost, text)
}

// lost compares the record, which ends with number last in state s, with what stands beside
// it. What only the index has is kept there, no number is given twice, and the sentence for
// the board stands for as long as this record is the unit's: "" for a record that never lost
// its end.
func (c *Core) lost(s tracker.State, last uint64) string {
	l := index.Ask(c.Set.Data).Lost(s, last)
	if !l.Any() {
		if f, stands := s.Fault(index.FaultLost); stands && !f.Ended {
			return f.Text
		}
		return ""
	}
	c.log.Error("record", "problem", l.String())
	if err := errors.Join(l.Keep(c.Set.Data), c.journal.Above(l.Last)); err != nil {
		c.log.Warn("record", "err", err)
	}
	return l.Sentence()
}

// pending is what was being keyed when the core ended.
func (c *Core) pending() []byte {
	scratch, _, err := c.journal.LoadPending()
	if err != nil {
		c.log.Warn("pending entry", "err", err)
	}
	return scratch
}

func (c *Core) close() error { return c.journal.Close() }

// endAfter is how long the page that asked for it is seen before the core ends.
const endAfter = 2 * time.Second

// errEnded ends everything that Run began.
var errEnded = errors.New("the core was asked to end")

// EndSoon lets Run end in a moment, as if its context had. It may be called from
// anywhere and more than once.
func (c *Core) EndSoon() {
	select {
	case c.ending <- struct{}{}:
	default: // it ends already
	}
}

// end waits for EndSoon.
func (c *Core) end(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-c.ending:
	}
	select {
	case <-ctx.Done():
	case <-time.After(endAfter):
	}
	return errEnded
}
