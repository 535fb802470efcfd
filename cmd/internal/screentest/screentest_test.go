package screentest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// unit is a core's loop as the keeper knows it: a phase and the page that is shown.
type unit struct {
	phase tracker.Phase
	view  table.View
	hub   *localapi.Hub
	turn  chan struct{}
}

func newUnit(phase tracker.Phase) *unit {
	u := &unit{phase: phase, hub: localapi.NewHub(), turn: make(chan struct{}, 1)}
	u.publish()
	return u
}

// do is the way into the loop; a new board comes out after each turn.
func (u *unit) do(_ context.Context, f func(*table.Desk, *table.View)) error {
	u.turn <- struct{}{}
	defer func() { <-u.turn }()
	none := func(*game.Pack) (map[string]console.Map, console.Map) { return nil, console.Map{} }
	f(table.NewDesk(table.Setup{State: tracker.State{Phase: u.phase}, Keys: none, Log: slog.New(slog.DiscardHandler)}), &u.view)
	u.publish()
	return nil
}

func (u *unit) publish() {
	u.hub.Publish(&stats.Board{Phase: u.phase.String(), Test: u.view.Test})
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

// kept runs a test with a keeper over a unit, on a clock that goes as fast as it can.
func kept(t *testing.T, phase tracker.Phase, story func(*testing.T, *unit, *Keeper)) {
	synctest.Test(t, func(t *testing.T) {
		u := newUnit(phase)
		k := NewKeeper(u.do, u.hub, slog.New(slog.DiscardHandler))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); k.Run(ctx) }()
		story(t, u, k)
		cancel()
		<-ended
	})
}

func TestAPageIsShownAndTakenAway(t *testing.T) {
	for _, phase := range []tracker.Phase{tracker.TableClosed, tracker.Shuffling} {
		kept(t, phase, func(t *testing.T, u *unit, k *Keeper) {
			for _, page := range []string{"grid", "labels-ko", ""} {
				if err := k.Show(t.Context(), page, false); err != nil || u.page() != page {
					t.Errorf("%v: shown %q, %v, want %q", phase, u.page(), err, page)
				}
			}
		})
	}
}

func TestHandsThatAreDealtKeepTheBoard(t *testing.T) {
	for _, phase := range []tracker.Phase{tracker.Betting, tracker.BetsClosed, tracker.Result, tracker.Paused} {
		kept(t, phase, func(t *testing.T, u *unit, k *Keeper) {
			if err := k.Show(t.Context(), "grid", false); !errors.Is(err, errDealt) || u.page() != "" {
				t.Errorf("%v: %v, shown %q", phase, err, u.page())
			}
			if err := k.Show(t.Context(), "grid", true); err != nil || u.page() != "grid" {
				t.Errorf("%v, forced: %v, shown %q", phase, err, u.page())
			}
			u.becomes(tracker.BetsClosed)
			if synctest.Wait(); u.page() != "grid" {
				t.Errorf("%v: a forced page went away", phase)
			}
			if err := k.Show(t.Context(), "", false); err != nil || u.page() != "" {
				t.Errorf("%v: the board is not back: %v", phase, err)
			}
		})
	}
}

// A technician has forgotten a page on a shuffling table, and the dealer begins.
func TestTheFirstHandTakesAPageAway(t *testing.T) {
	kept(t, tracker.Shuffling, func(t *testing.T, u *unit, k *Keeper) {
		if err := k.Show(t.Context(), "white", false); err != nil {
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
		kept(t, tracker.TableClosed, func(t *testing.T, u *unit, k *Keeper) {
			if err := k.Show(t.Context(), "white", forced); err != nil {
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
		kept(t, tracker.TableClosed, func(t *testing.T, u *unit, k *Keeper) {
			show := func(page string) {
				if err := k.Show(t.Context(), page, forced); err != nil {
					t.Fatal(err)
				}
			}
			show("pattern")
			time.Sleep(Idle - time.Second)
			show("grid")
			time.Sleep(Idle - time.Second)
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

func TestAKeeperThatHasEndedSaysSo(t *testing.T) {
	u := newUnit(tracker.TableClosed)
	k := NewKeeper(u.do, u.hub, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := k.Show(ctx, "grid", false); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// notes keep which pages a walk shows.
type notes struct {
	shown  []string
	refuse string // a page that the core does not show
}

func (n *notes) show(_ context.Context, page string, forced bool) error {
	if page != "" && page == n.refuse {
		return errDealt
	}
	if forced {
		page += "!"
	}
	n.shown = append(n.shown, page)
	return nil
}

// typed is a keyboard whose lines come a second after each other, and then nothing.
func typed(ctx context.Context, lines []string) <-chan string {
	out := make(chan string)
	go func() {
		for _, line := range lines {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return
			}
			select {
			case out <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func TestWalks(t *testing.T) {
	all := stats.TestPages()
	enter := slices.Repeat([]string{""}, len(all))
	for _, c := range []struct {
		name   string
		walk   Walk
		keys   []string // nil: there is no keyboard at all
		refuse string
		want   []string
		says   string // of the error; empty: none
	}{
		{name: "every page on Enter", keys: enter, want: append(slices.Clone(all), "")},
		{name: "back and quit", keys: []string{"", "b", "b", "", "q"}, want: []string{"pattern", "rotation", "pattern", "pattern", "rotation", ""}},
		{name: "one page", walk: Walk{Page: "overscan"}, keys: []string{""}, want: []string{"overscan", ""}},
		{name: "one page, forced", walk: Walk{Page: "overscan", Forced: true}, keys: []string{""}, want: []string{"overscan!", ""}},
		{name: "by itself", walk: Walk{Stay: 3 * time.Second}, want: append(slices.Clone(all), "")},
		{name: "one page for a while", walk: Walk{Page: "red", Stay: time.Minute}, want: []string{"red", ""}},
		{name: "no keyboard", want: []string{"pattern", ""}, says: "use --auto or --seconds"},
		{name: "nobody there", keys: []string{""}, want: []string{"pattern", "rotation", ""}, says: "nobody stepped on for 10m0s"},
		{name: "hands are dealt", refuse: "pattern", keys: enter, says: "hands are dealt"},
		{name: "hands are dealt meanwhile", refuse: "rotation", keys: enter, want: []string{"pattern", ""}, says: "hands are dealt"},
		{name: "a slip", walk: Walk{Page: "gird"}, keys: enter, says: "did you mean grid? expected one of pattern"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &notes{refuse: c.refuse}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c.walk.Show, c.walk.Lines, c.walk.Out = n.show, typed(ctx, c.keys), io.Discard
				if c.keys == nil {
					c.walk.Lines = Lines(ctx, strings.NewReader(""))
				}
				err := c.walk.Run(t.Context())
				if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
					t.Errorf("error %v, want %q", err, c.says)
				}
				if !slices.Equal(n.shown, c.want) {
					t.Errorf("shown %v, want %v", n.shown, c.want)
				}
			})
		})
	}
}

// Ctrl-C ends a walk in the middle, and the board is back.
func TestCtrlCPutsTheBoardBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var out strings.Builder
		n := &notes{}
		w := Walk{Show: n.show, Lines: make(chan string), Out: &out}
		time.AfterFunc(time.Minute, cancel)
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
		if want := []string{"pattern", ""}; !slices.Equal(n.shown, want) || !strings.HasSuffix(out.String(), "The test is over.\n") {
			t.Errorf("shown %v, said %q", n.shown, out.String())
		}
	})
}

func TestACoreThatCannotPutTheBoardBackIsTold(t *testing.T) {
	w := Walk{Page: "red", Stay: time.Millisecond, Out: io.Discard,
		Show: func(_ context.Context, page string, _ bool) error {
			if page == "" {
				return localapi.ErrNoCore
			}
			return nil
		}}
	if err := w.Run(t.Context()); !errors.Is(err, localapi.ErrNoCore) || !strings.Contains(err.Error(), "by itself within 10m0s") {
		t.Errorf("error %v", err)
	}
}

func TestLinesOfAKeyboard(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	lines := Lines(ctx, strings.NewReader("\nb\nq\n"))
	if got := []string{<-lines, <-lines}; !slices.Equal(got, []string{"", "b"}) {
		t.Errorf("lines %q", got)
	}
	cancel()
	for range lines { // ends, whether the last line is taken or not
	}
}

func TestEveryPageSaysWhatToLookFor(t *testing.T) {
	for _, page := range stats.TestPages() {
		if LookFor(page) == "" {
			t.Errorf("%s says nothing", page)
		}
	}
	if LookFor("labels-vi") != LookFor("labels-en") || LookFor("blue") == LookFor("grid") {
		t.Error("pages say what others say")
	}
}
