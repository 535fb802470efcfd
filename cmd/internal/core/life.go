package core

import (
	"context"

	"shoeboard/cmd/internal/watchdog"
	"shoeboard/stats"
	"shoeboard/tracker/table"
)

func (c *Core) heart() *watchdog.Heart {
	return &watchdog.Heart{
		Loop:    func(ctx context.Context) error { return c.Table.Do(ctx, func(*table.Desk, *table.View) {}) },
		Journal: func() { _ = c.journal.Err() }, // that it answers is the answer
		Board:   func() *stats.Board { b, _ := c.Hub.Newest(); return b },
		Clock:   c.Set.Clock.Mono,
	}
}

// pulse is the core's life for the service manager: READY with the first board.
func (c *Core) pulse(ctx context.Context) {
	ready := make(chan struct{})
	go func() {
		if c.started(ctx) {
			close(ready)
		}
	}()
	h := c.heart()
	watchdog.ServiceManager().Pulse(ctx, watchdog.Life{Ready: ready, Beat: h.Beat, Well: c.Set.Well, Log: c.log,
		Status: func() string { return h.Board().StatusLine }})
}
