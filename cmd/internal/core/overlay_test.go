package core

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/view"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// unit is a core's loop as the overlay knows it: a phase and the page that is shown.
type unit struct {
	phase tracker.Phase
	view  stats.Board
	hub   *localapi.Hub
	turn  chan struct{}
}

func newUnit(phase tracker.Phase) *unit {
	u := &unit{phase: phase, hub: localapi.NewHub(), turn: make(chan struct{}, 1)}
	u.publish()
	return u
}

// do is the way into the loop; a new board comes out after each turn.
func (u *unit) do(_ context.Context, f func(*table.Engine, *stats.Board)) error {
	u.turn <- struct{}{}
	defer func() { <-u.turn }()
	none := func(*game.Pack) (map[string]console.Map, console.Map) { return nil, console.Map{} }
	f(table.NewEngine(table.Setup{State: tracker.State{Phase: u.phase}, Keys: none, Log: slog.New(slog.DiscardHandler)}), &u.view)
	u.publish()
	return nil
}

func (u *unit) publish() {
	u.hub.Publish(&stats.Board{Phase: u.phase.String(), Test: u.view.Test, Identify: u.view.Identify})
}

// becomes is the table going over to another phase.
func (u *unit) becomes(p tracker.Phase) {
	u.turn <- struct{}{}
	u.phase = p
	u.publish()
	<-u.turn
}

func (u *unit) page() string {
	b, _ := u.hub.Newest()
	return b.Test
}

// kept runs a test with an overlay over a unit, on a clock that goes as fast as it can.
func kept(t *testing.T, phase tracker.Phase, story func(*testing.T, *unit, *overlay)) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(phase)
		k := &overlay{do: u.do, check: func() error { return nil }, boards: u.hub, log: slog.New(slog.DiscardHandler)}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); k.run(ctx) }()
		story(t, u, k)
		cancel()
		<-ended
	})
}

func TestAPageIsShownAndTakenAway(t *testing.T) {
	for _, phase := range []tracker.Phase{tracker.TableClosed, tracker.Shuffling} {
		kept(t, phase, func(t *testing.T, u *unit, k *overlay) {
			for _, page := range []string{"grid", "labels-ko", ""} {
				if err := k.showPage(t.Context(), page, false); err != nil || u.page() != page {
					t.Errorf("%v: shown %q, %v, want %q", phase, u.page(), err, page)
				}
			}
		})
	}
}

func TestHandsThatAreDealtKeepTheBoard(t *testing.T) {
	for _, phase := range []tracker.Phase{tracker.Betting, tracker.BetsClosed, tracker.Result, tracker.Paused} {
		kept(t, phase, func(t *testing.T, u *unit, k *overlay) {
			if err := k.showPage(t.Context(), "grid", false); !errors.Is(err, errDealt) || u.page() != "" {
				t.Errorf("%v: %v, shown %q", phase, err, u.page())
			}
			if err := k.showPage(t.Context(), "grid", true); err != nil || u.page() != "grid" {
				t.Errorf("%v, forced: %v, shown %q", phase, err, u.page())
			}
			u.becomes(tracker.BetsClosed)
			if synctest.Wait(); u.page() != "grid" {
				t.Errorf("%v: a forced page went away", phase)
			}
			if err := k.showPage(t.Context(), "", false); err != nil || u.page() != "" {
				t.Errorf("%v: the board is not back: %v", phase, err)
			}
		})
	}
}

// A technician has forgotten a page on a shuffling table, and the dealer begins.
func TestTheFirstHandTakesAPageAway(t *testing.T) {
	kept(t, tracker.Shuffling, func(t *testing.T, u *unit, k *overlay) {
		if err := k.showPage(t.Context(), "white", false); err != nil {
			t.Fatal(err)
		}
		u.becomes(tracker.Betting)
		if synctest.Wait(); u.page() != "" {
			t.Errorf("players look at page %q", u.page())
		}
		u.becomes(tracker.Shuffling)
		if synctest.Wait(); u.page() != "" {
			t.Error("the page came back")
		}
	})
}

// Somebody opens the menu at the keypad, which he has to see.
func TestTheMenuTakesAPageAway(t *testing.T) {
	for _, forced := range []bool{false, true} {
		kept(t, tracker.TableClosed, func(t *testing.T, u *unit, k *overlay) {
			if err := k.showPage(t.Context(), "white", forced); err != nil {
				t.Fatal(err)
			}
			u.hub.Publish(&stats.Board{Phase: u.phase.String(), Test: "white", Menu: &stats.Menu{Title: "MENU"}})
			if synctest.Wait(); u.page() != "" {
				t.Errorf("the menu is behind page %q", u.page())
			}
		})
	}
}

// The technician's connection has broken: nobody steps on, forced or not.
func TestAPageNobodyStepsOnGoesByItself(t *testing.T) {
	for _, forced := range []bool{false, true} {
		kept(t, tracker.TableClosed, func(t *testing.T, u *unit, k *overlay) {
			show := func(page string) {
				if err := k.showPage(t.Context(), page, forced); err != nil {
					t.Fatal(err)
				}
			}
			show("pattern")
			time.Sleep(view.PageIdle - time.Second)
			show("grid")
			time.Sleep(view.PageIdle - time.Second)
			if synctest.Wait(); u.page() != "grid" {
				t.Errorf("a second before its time the page is %q", u.page())
			}
			time.Sleep(2 * time.Second)
			if synctest.Wait(); u.page() != "" {
				t.Errorf("page %q is still there", u.page())
			}
		})
	}
}

// The table's number goes by itself, when that is asked for, and not while a later wish
// still holds; it and a page do not end each other.
func TestANumberIsShownAndTakenAway(t *testing.T) {
	kept(t, tracker.TableClosed, func(t *testing.T, u *unit, k *overlay) {
		show := func(d time.Duration) {
			if err := k.showNumber(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		wants := func(what string, number bool, page string) {
			t.Helper()
			synctest.Wait()
			if b, _ := u.hub.Newest(); b.Identify != number || b.Test != page {
				t.Errorf("%s: number %v, page %q", what, b.Identify, b.Test)
			}
		}
		show(time.Second)
		wants("at once", true, "")
		time.Sleep(time.Second)
		wants("after its time", false, "")
		show(time.Second)
		show(20 * time.Minute)
		show(time.Second)
		time.Sleep(2 * time.Second)
		wants("a shorter one after a longer one", true, "")
		if err := k.showPage(t.Context(), "grid", false); err != nil {
			t.Fatal(err)
		}
		wants("with a page", true, "grid")
		time.Sleep(view.PageIdle)
		wants("the page is over", true, "")
		show(0)
		wants("the end that was asked for", false, "")
		show(time.Second)
		time.Sleep(time.Second)
		wants("though the one before would have lasted", false, "")
	})
}
