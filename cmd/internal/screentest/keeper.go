// Package screentest shows the pages of the screen's test on a running unit and takes
// them away again.
//
// Words: a page is one of stats.TestPages; the keeper is the core's half, which holds
// the page that is shown; a walk is the technician's half, which steps through pages.
//
// A caller may assume that a page never stands before players for long by accident:
// the keeper refuses one while hands are dealt unless it is forced, takes one away
// that is not forced as soon as the table leaves shuffling or opens, and takes every
// page away when the menu opens at the keypad, and ten minutes after the last step,
// whoever has died meanwhile; and that a walk puts the board back however it ends. Two walks at once share the one page: the
// last step wins, and the first that ends ends the page.
package screentest

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"shoeboard/cmd/internal/view"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// errDealt is the refusal of a page while hands are dealt.
var errDealt = errors.New("hands are dealt: close the table, wait for the shuffle, or use --force")

// Keeper holds the page that a core shows. Use NewKeeper.
type Keeper struct {
	do     func(context.Context, func(*table.Desk, *table.View)) error
	boards *localapi.Hub
	log    *slog.Logger
	steps  chan step
}

// step is one wish for a page; what came of it goes back once.
type step struct {
	page   string
	forced bool
	done   chan error
}

// NewKeeper is a keeper that shows pages through do, the way into the table's loop,
// and watches the boards that come out of it.
func NewKeeper(do func(context.Context, func(*table.Desk, *table.View)) error, boards *localapi.Hub, log *slog.Logger) *Keeper {
	return &Keeper{do: do, boards: boards, log: log, steps: make(chan step)}
}

// Show puts a page on the screen, "" the board again. It is refused while hands are
// dealt, unless forced. It may be called from anywhere while Run runs.
func (k *Keeper) Show(ctx context.Context, page string, forced bool) error {
	s := step{page, forced, make(chan error, 1)}
	select {
	case k.steps <- s:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-s.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run takes steps, and takes pages away that have stood too long or are in the way,
// until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	var shown step
	idle := time.NewTimer(view.PageIdle)
	defer idle.Stop()
	for {
		b, newer := k.boards.Newest()
		if why := inTheWay(shown, b); why != "" {
			k.log.Info("screen test ended: "+why, "page", shown.page)
			shown = k.away(ctx)
		}
		select {
		case s := <-k.steps:
			err := k.set(ctx, s)
			if err == nil {
				shown = s
				idle.Reset(view.PageIdle)
			}
			s.done <- err
		case <-newer:
		case <-idle.C:
			if shown.page != "" {
				k.log.Info("screen test ended: nobody stepped on", "page", shown.page)
				shown = k.away(ctx)
			}
		case <-ctx.Done():
			return
		}
	}
}

// inTheWay says why a page that is shown may not stay before this board; empty: it may.
func inTheWay(shown step, b *stats.Board) string {
	switch {
	case shown.page == "" || b == nil:
	case b.Menu != nil:
		return "the menu is open at the keypad"
	case !shown.forced && !free(b.Phase):
		return "hands are dealt"
	}
	return ""
}

// set shows a page in the table's loop, where the phase is looked at in the same turn.
func (k *Keeper) set(ctx context.Context, s step) error {
	var refused error
	err := k.do(ctx, func(d *table.Desk, v *table.View) {
		if s.page != "" && !s.forced && !free(d.State().Phase.String()) {
			refused = errDealt
			return
		}
		v.Test = s.page
	})
	return errors.Join(err, refused)
}

// away puts the board back.
func (k *Keeper) away(ctx context.Context) step {
	if err := k.set(ctx, step{}); err != nil && ctx.Err() == nil {
		k.log.Warn("screen test", "err", err)
	}
	return step{}
}

// free says that players need no board: nobody is dealt a hand.
func free(phase string) bool {
	return slices.Contains([]string{tracker.TableClosed.String(), tracker.Shuffling.String()}, phase)
}
