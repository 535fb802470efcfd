package core

import (
	"context"
	"time"

	"shoeboard/tracker/table"
)

// flash is how long the table's number is shown. It belongs to the table's loop, as the
// View does.
type flash struct {
	until time.Time
	asked chan struct{} // until has changed
}

// identify flashes the table's number for d: a wish for longer prolongs one that is on,
// one for less changes nothing, and none at all ends it. Where no screen shows the board
// nothing flashes, and that is the answer.
func (c *Core) identify(ctx context.Context, d time.Duration) error {
	if d > 0 {
		if err := c.shows(); err != nil {
			return err
		}
	}
	err := c.Table.Do(ctx, func(_ *table.Desk, v *table.View) {
		until := time.Now().Add(d)
		if d <= 0 || until.After(c.flash.until) {
			c.flash.until = until
		}
		v.Identify = d > 0
	})
	if err == nil {
		select {
		case c.flash.asked <- struct{}{}:
		default: // it is being looked at anyway
		}
	}
	return err
}

// endFlash takes the table's number away when its time is over, until ctx ends.
func (c *Core) endFlash(ctx context.Context) {
	over := time.NewTimer(0)
	defer over.Stop()
	for {
		select {
		case <-c.flash.asked:
		case <-over.C:
		case <-ctx.Done():
			return
		}
		var left time.Duration
		err := c.Table.Do(ctx, func(_ *table.Desk, v *table.View) {
			left = time.Until(c.flash.until)
			v.Identify = v.Identify && left > 0
		})
		if err != nil {
			return // ctx has ended
		}
		if left > 0 {
			over.Reset(left)
		}
	}
}
