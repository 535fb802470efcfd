package core

import (
	"context"
	"errors"
	"slices"
	"time"

	"shoeboard/cmd/internal/doctor"
	"shoeboard/stats"
	"shoeboard/tracker/table"
)

const (
	// lookEvery is how often the machine is looked at: space, storage, heat, clock,
	// monitors. A look takes less than a millisecond.
	lookEvery = time.Minute
	// voltsEvery is how often the supply is: the kernel remembers a drop for no longer.
	voltsEvery = 2 * time.Second
	// clockSetIn is how long a clock may take to be set after a start before that is a
	// fault.
	clockSetIn = 5 * time.Minute
	// recordedIn is how long an acknowledgement is waited for.
	recordedIn = 5 * time.Second
)

// watch is what the core knows of its machine.
type watch struct {
	machine *doctor.Patient
	up      map[string]bool // the faults raised, by code
}

// faults are those that came and, without a text, those that went since the look
// before. running is how long the core runs. A fault keeps the words that it came with.
func (w *watch) faults(running time.Duration) map[string]string {
	found := slices.DeleteFunc(w.machine.Watched(), func(f doctor.Finding) bool {
		return f.Code == doctor.ClockNotSet && running < clockSetIn
	})
	changes := map[string]string{}
	for _, f := range found {
		if !w.up[f.Code] {
			changes[f.Code] = f.Sentence()
		}
	}
	for code := range w.up {
		if !slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Code == code }) {
			changes[code] = ""
		}
	}
	return w.took(changes)
}

// voltage is faults of the supply alone.
func (w *watch) voltage() map[string]string {
	f, _ := w.machine.Voltage()
	changes := map[string]string{}
	if low := f.Verdict == doctor.Broken; low != w.up[f.Code] {
		changes[f.Code] = map[bool]string{true: f.Sentence()}[low]
	}
	return w.took(changes)
}

func (w *watch) took(changes map[string]string) map[string]string {
	for code, text := range changes {
		if w.up[code] = text != ""; text == "" {
			delete(w.up, code)
		}
	}
	return changes
}

// watchMachine looks after the machine from the first board on until ctx ends.
func (c *Core) watchMachine(ctx context.Context) {
	if !c.started(ctx) {
		return
	}
	w := watch{machine: c.Set.Machine, up: map[string]bool{}}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	volts := time.NewTicker(voltsEvery)
	defer volts.Stop()
	if _, some := w.machine.Voltage(); !some {
		volts.Stop()
	}
	began := time.Now()
	for changes := w.faults(0); ; {
		c.setFaults(ctx, changes)
		select {
		case <-look.C:
			changes = w.faults(time.Since(began))
		case <-volts.C:
			changes = w.voltage()
		case <-ctx.Done():
			return
		}
	}
}

// setFaults shows faults by their codes; without a text one is taken away.
func (c *Core) setFaults(ctx context.Context, texts map[string]string) {
	if len(texts) == 0 {
		return
	}
	err := c.Table.Do(ctx, func(d *table.Desk, _ *table.View) {
		for code, text := range texts {
			d.SetFault(code, text)
		}
	})
	if err != nil && ctx.Err() == nil {
		c.log.Warn("faults", "err", err)
	}
}

// started waits for the first board, which waits for nobody; false: ctx ended first.
func (c *Core) started(ctx context.Context) bool {
	for b, newer := c.Hub.Newest(); b == nil; b, newer = c.Hub.Newest() {
		select {
		case <-newer:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// acknowledge records in by's name that a fault is known, and returns when that is on
// disk.
func (c *Core) acknowledge(ctx context.Context, code, by string) error {
	var refused error
	err := c.Table.Do(ctx, func(d *table.Desk, _ *table.View) { refused = d.Acknowledge(c.Set.Clock.Now(), code, by) })
	if err = errors.Join(err, refused); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, recordedIn)
	defer cancel()
	for b, newer := c.Hub.Newest(); waits(b, code); b, newer = c.Hub.Newest() {
		select {
		case <-newer:
		case <-ctx.Done():
			return errors.New("it is not on disk yet and will be when the record can be written: look again with \"shoeboard faults\"")
		}
	}
	return nil
}

// waits says whether a fault waits to be acknowledged.
func waits(b *stats.Board, code string) bool {
	return slices.ContainsFunc(slices.Concat(b.Faults, b.EndedFaults), func(f stats.Fault) bool { return f.Code == code && f.By == "" })
}
