package core

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"shoeboard/cmd/internal/view"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// errDealt refuses a page while hands are dealt.
var errDealt = errors.New("hands are dealt: close the table, wait for the shuffle, or use --force")

// overlay shows the table's number, or a page of the screen test, before the board, and
// removes them again. No page stands before players for long by accident: one that is not
// forced goes as soon as hands are dealt, each goes when the menu opens at the keypad, and
// ten minutes after the last step.
type overlay struct {
	do     func(context.Context, func(*table.Engine, *stats.Board)) error // something in the table's loop
	check  func() error                                                   // nil: a screen shows the board
	boards *localapi.Hub
	log    *slog.Logger

	mu         sync.Mutex // of the following
	page       string     // that is shown; "": none
	forced     bool
	pageEnds   time.Time
	numberEnds time.Time // zero: the number is not shown
}

// showPage shows a page, "" the board again. It refuses one that nobody would see.
func (o *overlay) showPage(ctx context.Context, page string, forced bool) error {
	if page != "" {
		if err := o.check(); err != nil {
			return err
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var refused error
	err := o.do(ctx, func(e *table.Engine, unit *stats.Board) {
		if page != "" && !forced && !isFree(e.State().Phase.String()) {
			refused = errDealt
			return
		}
		unit.Test = page
	})
	if err = errors.Join(err, refused); err == nil {
		o.page, o.forced, o.pageEnds = page, forced, time.Now().Add(view.PageIdle)
	}
	return err
}

// showNumber shows the table's number for d: a longer time prolongs one that is shown, a
// shorter one changes nothing, and none at all ends it. It refuses one that nobody would
// see.
func (o *overlay) showNumber(ctx context.Context, d time.Duration) error {
	if d > 0 {
		if err := o.check(); err != nil {
			return err
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	ends := time.Now().Add(d)
	if d <= 0 {
		ends = time.Time{}
	} else if ends.Before(o.numberEnds) {
		return nil
	}
	err := o.do(ctx, func(_ *table.Engine, unit *stats.Board) { unit.Identify = d > 0 })
	if err == nil {
		o.numberEnds = ends
	}
	return err
}

// run removes what is over or in the way, until ctx ends. Whatever is shown changes the
// board, and so wakes it.
func (o *overlay) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		b, newer := o.boards.Newest()
		if next := o.remove(ctx, b); !next.IsZero() {
			timer.Reset(time.Until(next))
		}
		select {
		case <-newer:
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
}

// remove removes what is over or in the way of a board, and returns when the next is over.
func (o *overlay) remove(ctx context.Context, b *stats.Board) (next time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	why := o.whyNoPage(b, now)
	numberOver := !o.numberEnds.IsZero() && !now.Before(o.numberEnds)
	if why != "" || numberOver {
		err := o.do(ctx, func(_ *table.Engine, unit *stats.Board) {
			if why != "" {
				unit.Test = ""
			}
			unit.Identify = unit.Identify && !numberOver
		})
		if err != nil {
			return time.Time{} // ctx has ended
		}
	}
	if why != "" {
		o.log.Info("screen test ended: "+why, "page", o.page)
		o.page = ""
	}
	if numberOver {
		o.numberEnds = time.Time{}
	}
	next = o.numberEnds
	if o.page != "" && (next.IsZero() || o.pageEnds.Before(next)) {
		next = o.pageEnds
	}
	return next
}

// whyNoPage says why the page that is shown may not stay before a board; "": it may.
func (o *overlay) whyNoPage(b *stats.Board, now time.Time) string {
	switch {
	case o.page == "":
	case !now.Before(o.pageEnds):
		return "nobody stepped on"
	case b == nil:
	case b.Menu != nil:
		return "the menu is open at the keypad"
	case !o.forced && !isFree(b.Phase):
		return "hands are dealt"
	}
	return ""
}

// isFree reports whether players need no board: nobody is dealt a hand.
func isFree(phase string) bool {
	return slices.Contains([]string{tracker.TableClosed.String(), tracker.Shuffling.String()}, phase)
}
