package core

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/watchdog"
	"shoeboard/stats"
	"shoeboard/tracker/table"
)

const (
	// beatIn is how soon a token must be through the table's loop and the journal.
	beatIn = 2 * time.Second
	// hungMost is how long the medium may take for one record. A kill cannot end the wait
	// and costs a start, and the board says NOT RECORDING meanwhile.
	hungMost = time.Minute
)

// heart beats when a token has gone through the table's loop and the journal.
type heart struct {
	loop    func(context.Context) error
	journal func() // returns when the journal's lock has been had
	board   func() *stats.Board
	clock   func() time.Duration

	token  chan struct{} // in the journal; nil: none
	since  time.Duration // when it went there
	saving time.Duration // since when a record has been in flight; 0: none
}

// beat says what did not answer within 2 s, or that the medium has hung for a minute.
func (h *heart) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, beatIn)
	defer cancel()
	if err := h.loop(ctx); err != nil {
		return fmt.Errorf("the table's loop does not answer: %w", err)
	}
	if h.token == nil {
		token := make(chan struct{})
		h.token, h.since = token, h.clock()
		go func() {
			h.journal()
			close(token)
		}()
	}
	select {
	case <-h.token:
		h.token = nil
	case <-ctx.Done():
		if on := h.clock() - h.since; on > hungMost {
			return fmt.Errorf("the journal has not answered for %v", on.Round(time.Second))
		}
		return nil
	}
	return h.checkWriter()
}

// checkWriter says whether the journal's writer makes progress. One that has failed and
// tries again does, and the board says NOT RECORDING.
func (h *heart) checkWriter() error {
	b := h.board()
	failed := func(f stats.Fault) bool { return f.Code == "not-recording" }
	if b == nil || !b.Saving || slices.ContainsFunc(b.Faults, failed) {
		h.saving = 0
		return nil
	}
	if h.saving == 0 {
		h.saving = h.clock()
	}
	if on := h.clock() - h.saving; on > hungMost {
		return fmt.Errorf("a record has been in flight to the disk for %v", on.Round(time.Second))
	}
	return nil
}

// pulse tells the service manager that the core works: READY with the first board.
func (c *Core) pulse(ctx context.Context) {
	board := func() *stats.Board { b, _ := c.Hub.Newest(); return b }
	h := heart{board: board, clock: c.Set.Clock.Mono,
		loop:    func(ctx context.Context) error { return c.Table.Do(ctx, func(*table.Engine, *stats.Board) {}) },
		journal: func() { _ = c.journal.Err() }} // that it answers is the answer
	ready := make(chan struct{})
	close(ready)
	watchdog.Service{Ready: ready, Beat: h.beat, Healthy: c.Set.Healthy, Log: c.log,
		Status: func() string { return board().StatusLine }}.Pulse(ctx)
}

// waitForBoard waits for the first board, which waits for nobody; false: ctx ended first.
func (c *Core) waitForBoard(ctx context.Context) bool {
	for b, newer := c.Hub.Newest(); b == nil; b, newer = c.Hub.Newest() {
		select {
		case <-newer:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// SetFaults shows faults by their codes; without a text one is removed.
func (c *Core) SetFaults(ctx context.Context, texts map[string]string) {
	if len(texts) == 0 {
		return
	}
	err := c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) {
		now := c.Set.Clock.Now()
		for code, text := range texts {
			d.SetFault(now, code, text)
		}
	})
	if err != nil && ctx.Err() == nil {
		c.log.Warn("faults", "err", err)
	}
}

const (
	// checkEvery is how often the machine is checked: space, storage, heat, clock,
	// monitors. That takes less than a millisecond.
	checkEvery = time.Minute
	// voltageEvery is how often the supply is: the kernel remembers a drop for no longer.
	voltageEvery = 2 * time.Second
	// clockSetIn is how long a clock may take to be set after a start before that is a
	// fault.
	clockSetIn = 5 * time.Minute
)

// watch compares the faults of a machine with those that were raised.
type watch struct {
	machine *doctor.Unit
	up      map[string]bool // the faults raised, by code
}

// faults returns those that came and, without a text, those that went since the last
// check. running is how long the core runs. A fault keeps the words that it came with.
func (w *watch) faults(running time.Duration) map[string]string {
	found := map[string]string{}
	for _, f := range w.machine.BoardFaults() {
		if f.Code != doctor.ClockNotSet || running >= clockSetIn {
			found[f.Code] = f.Sentence()
		}
	}
	return w.changes(found, func(string) bool { return true })
}

// voltage returns the same of the supply alone.
func (w *watch) voltage() map[string]string {
	f, _ := w.machine.Voltage()
	found := map[string]string{}
	if f.Verdict == doctor.Broken {
		found[f.Code] = f.Sentence()
	}
	return w.changes(found, func(code string) bool { return code == f.Code })
}

// changes compares the faults found with those raised, as far as they were checked.
func (w *watch) changes(found map[string]string, checked func(code string) bool) map[string]string {
	changes := map[string]string{}
	for code, text := range found {
		if !w.up[code] {
			changes[code], w.up[code] = text, true
		}
	}
	for code := range w.up {
		if _, still := found[code]; !still && checked(code) {
			changes[code] = ""
			delete(w.up, code)
		}
	}
	return changes
}

// watchMachine raises and clears the faults of the machine until ctx ends.
func (c *Core) watchMachine(ctx context.Context) {
	w := watch{machine: c.Set.Machine, up: map[string]bool{}}
	check := time.NewTicker(checkEvery)
	defer check.Stop()
	volts := time.NewTicker(voltageEvery)
	defer volts.Stop()
	if _, some := w.machine.Voltage(); !some {
		volts.Stop()
	}
	began := time.Now()
	for changes := w.faults(0); ; {
		c.SetFaults(ctx, changes)
		select {
		case <-check.C:
			changes = w.faults(time.Since(began))
			if err := datadir.KeepBallast(c.Set.Data); err != nil {
				c.log.Warn("no room kept for a full card", "err", err)
			}
		case <-volts.C:
			changes = w.voltage()
		case <-ctx.Done():
			return
		}
	}
}

// staffEvery is how often the list of the staff is read again.
const staffEvery = 5 * time.Second

// watchStaff tells the table whether the unit has staff, and raises a fault while the list or
// its key cannot be read, until ctx ends.
func (c *Core) watchStaff(ctx context.Context) {
	tick := time.NewTicker(staffEvery)
	defer tick.Stop()
	had, said, first := false, "", true
	for {
		has, why := c.Set.Staff()
		text := ""
		if why != nil {
			text = "Nobody can sign in: " + why.Error()
		}
		if first || has != had || text != said {
			had, said, first = has, text, false
			err := c.Table.Do(ctx, func(e *table.Engine, _ *stats.Board) {
				e.SetStaff(c.Set.Clock.Now(), has)
				e.SetFault(c.Set.Clock.Now(), "staff", text)
			})
			if err != nil {
				return
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
