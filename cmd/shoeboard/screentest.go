package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"syscall"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/view"
	"shoeboard/display"
	"shoeboard/stats"
	"shoeboard/tracker/localapi"
)

// autoStay is how long a page stays with --auto, in seconds.
const autoStay = 5

type screenTestVerb struct {
	Page    string  `help:"Show only this page." placeholder:"NAME"`
	List    bool    `help:"List the pages and what to look for on each."`
	Auto    bool    `help:"Show the next page every 5 seconds."`
	Seconds float64 `help:"Show the next page after this time, at most 600 s." placeholder:"N"`
	Force   bool    `help:"Show pages even while hands are dealt."`
	Name    string  `help:"Without a core: the [[screen]] to test; the default is the first." placeholder:"NAME"`
	Window  bool    `help:"Without a core: use a window instead of the whole screen."`
	socketFlag
}

// Run steps through the pages on the screens of this unit: Enter is the next page, b
// the one before, q or Ctrl-C the board. Where no core runs it opens a window of its own.
func (v *screenTestVerb) Run(ctx context.Context, p *program, all *verbs) error {
	if v.List {
		return v.list(p.out)
	}
	stay, err := v.stay()
	if err != nil {
		return err
	}
	client, err := v.client(p, all)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP) // the connection has gone
	defer stop()
	w := &view.Walk{Show: client.ScreenTest, Page: v.Page, Forced: v.Force, Stay: stay,
		Lines: view.Lines(ctx, os.Stdin), Out: p.out}
	if _, err := w.Pages(); err != nil {
		return usageError{err}
	}
	if _, err := client.Board(ctx); errors.Is(err, localapi.ErrNoCore) {
		if os.Getenv("DISPLAY") == "" {
			return fmt.Errorf("%w; there is no display here for a window of its own either (DISPLAY is not set)", err)
		}
		return v.ownWindow(ctx, p, all.Config, w)
	}
	return w.Run(ctx)
}

func (v *screenTestVerb) list(out io.Writer) error {
	for _, page := range stats.TestPages() {
		if _, err := fmt.Fprintf(out, "%-15s %s\n", page, view.LookFor(page)); err != nil {
			return err
		}
	}
	return nil
}

func (v *screenTestVerb) stay() (time.Duration, error) {
	switch {
	case v.Seconds < 0 || v.Seconds > view.PageIdle.Seconds():
		return 0, within("--seconds", v.Seconds, 0, view.PageIdle.Seconds())
	case v.Seconds > 0:
		return time.Duration(v.Seconds * float64(time.Second)), nil
	case v.Auto:
		return autoStay * time.Second, nil
	}
	return 0, nil
}

// ownWindow walks through the pages in a window of this process, in the look of the
// [[screen]]. Keys count in the window as well as in the terminal.
func (v *screenTestVerb) ownWindow(ctx context.Context, p *program, path string, w *view.Walk) error {
	cfg, pack, err := p.gameOfTable(path)
	if err != nil {
		return err
	}
	s, err := screenNamed(cfg, v.Name)
	if err != nil {
		return err
	}
	l, err := view.New(s)
	if err != nil {
		return err
	}
	if v.Window {
		l.Output = ""
	}
	game, boards := stats.NewGame(pack), make(chan *stats.Board)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.Show = func(ctx context.Context, page string, _ bool) error {
		if page == "" { // there is no board to go back to
			return nil
		}
		select {
		case boards <- view.TestBoard(cfg.Table, game, page):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var typed func(display.Key)
	w.Lines, typed = bothKeyboards(ctx, w.Lines)
	ended := make(chan error, 1)
	go func() {
		ended <- w.Run(ctx)
		cancel()
	}()
	own := view.Window{Presenter: &view.Presenter{Setup: l, Clock: clock.New(1, false)}, Screen: s,
		Full: !v.Window && s.Fullscreen, Keys: typed, Boards: updatesOf(boards)}
	err = own.Show(ctx, p.log)
	cancel()
	return errors.Join(err, <-ended)
}

// bothKeyboards joins the lines of the terminal and the keys of the window, which has the
// keyboard while it is there: Enter is on, B back, Escape or Q out.
func bothKeyboards(ctx context.Context, terminal <-chan string) (<-chan string, func(display.Key)) {
	lineOf := map[string]string{
		"ENTER": "", "KPENTER": "", "SPACE": "", "B": "b", "BACKSPACE": "b", "ESC": "q", "Q": "q"}
	lines := make(chan string, 8)
	press := func(k display.Key) {
		line, known := lineOf[k.Name]
		if !k.Down || !known {
			return
		}
		select {
		case lines <- line:
		default: // somebody leans on the key
		}
	}
	go func() {
		for line := range terminal {
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines, press
}

// updatesOf returns the boards of a channel as updates, until ctx ends.
func updatesOf(boards <-chan *stats.Board) func(context.Context) iter.Seq[localapi.Update] {
	return func(ctx context.Context) iter.Seq[localapi.Update] {
		return func(yield func(localapi.Update) bool) {
			for {
				select {
				case b := <-boards:
					if !yield(localapi.Update{Board: b}) {
						return
					}
				case <-ctx.Done():
					return
				}
			}
		}
	}
}
