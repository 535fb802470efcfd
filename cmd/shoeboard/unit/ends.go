package unit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/tracker/journal"
)

// open opens the record, or looks at it while it is asked whose it is.
func (c *Core) open() (found journal.Found, err error) {
	dir := config.JournalDir(c.Set.Data)
	if c.asks() {
		if found, err = journal.Look(journal.Dir(dir)); err != nil {
			c.log.Warn("record", "err", err)
		}
		return found, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return found, fmt.Errorf("the data folder: %w", err)
	}
	c.journal, found, err = journal.Open(journal.Dir(dir), ID())
	return found, err
}

// asks says that this core only asks whether a table is to be taken over.
func (c *Core) asks() bool { return len(c.Set.TakeOver) > 0 }

// pending is what was being keyed when the core ended.
func (c *Core) pending() []byte {
	if c.journal == nil {
		return nil
	}
	scratch, _, err := c.journal.LoadPending()
	if err != nil {
		c.log.Warn("pending entry", "err", err)
	}
	return scratch
}

func (c *Core) close() error {
	if c.journal == nil {
		return nil
	}
	return c.journal.Close()
}

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
