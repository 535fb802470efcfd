package view

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker/strict"
)

// PageIdle is how long a page of the screen's test stays without a step.
const PageIdle = 10 * time.Minute

// Walk is one technician's way through the pages of the screen's test. Page alone is
// shown when it is named, else all in their order. A walk puts the board back however
// it ends.
type Walk struct {
	Show   func(ctx context.Context, page string, forced bool) error
	Page   string
	Forced bool
	Stay   time.Duration // how long a page stays before the next comes by itself; 0: until Enter
	Lines  <-chan string // what the technician types: "" on, "b" back, "q" out; closed: nothing more will come
	Out    io.Writer
}

// lookFor has what a technician looks for, by the page's name or its first part.
var lookFor = map[string]string{
	"pattern":  "the white line at every edge, a round circle, every grey told from the next",
	"rotation": "the amber edge up; at another edge stands what to write into the configuration",
	"overscan": "every line at every edge; the outermost one seen says how much the monitor cuts off",
	"grid":     "an even grey; bands or blur mean that the monitor scales the picture",
	"colours":  "every swatch and every step told from the next, near black and near white as well",
	"phases":   "no empty boxes, nothing cut",
	"labels":   "no empty boxes, nothing cut",
}

// LookFor returns what a technician looks for on a page.
func LookFor(page string) string {
	first, _, _ := strings.Cut(page, "-")
	if text, ok := lookFor[first]; ok {
		return text
	}
	return "dots of another colour"
}

// Pages returns the pages of a walk, or an error that lists all there are.
func (w *Walk) Pages() ([]string, error) {
	all := stats.TestPages()
	switch {
	case w.Page == "":
		return all, nil
	case slices.Contains(all, w.Page):
		return []string{w.Page}, nil
	}
	hint := ""
	if near, ok := strict.Nearest(w.Page, all); ok {
		hint = "did you mean " + near + "? "
	}
	return nil, fmt.Errorf("there is no page %q: %sexpected one of %s", w.Page, hint, strings.Join(all, ", "))
}

// Run walks through the pages and puts the board back, however it ends: at the last
// page's end, when ctx ends, when the core refuses, when nobody has stepped for ten
// minutes.
func (w *Walk) Run(ctx context.Context) (err error) {
	pages, err := w.Pages()
	if err != nil {
		return err
	}
	began := false
	defer func() {
		if began {
			err = errors.Join(err, w.restore(ctx))
		}
	}()
	for i := 0; i < len(pages); {
		if err := w.Show(ctx, pages[i], w.Forced); err != nil {
			return err
		}
		began = true
		fmt.Fprintf(w.Out, "%2d/%d  %-15s look for %s\n", i+1, len(pages), pages[i], LookFor(pages[i]))
		step, err := w.wait(ctx)
		if err != nil || step == over {
			return err
		}
		i = max(0, i+int(step))
	}
	return nil
}

// move is what a technician does on a page.
type move int

const (
	onward move = 1
	before move = -1
	over   move = 1 << 20
)

// wait returns what comes after a page.
func (w *Walk) wait(ctx context.Context) (move, error) {
	stay, auto, lines := PageIdle, w.Stay > 0, w.Lines
	if auto {
		stay = w.Stay
		lines = nil
	}
	timer := time.NewTimer(stay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return over, nil
	case <-timer.C:
		if !auto {
			return over, fmt.Errorf("nobody stepped on for %v: the board is back", PageIdle)
		}
		return onward, nil
	case line, ok := <-lines:
		if !ok {
			return over, errors.New("there is no keyboard to step on with: use --auto or --seconds")
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "q":
			return over, nil
		case "b":
			return before, nil
		}
		return onward, nil
	}
}

// restoreIn is how long putting the board back may take.
const restoreIn = 3 * time.Second

// restore puts the board back; ctx may have ended already.
func (w *Walk) restore(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreIn)
	defer cancel()
	if err := w.Show(ctx, "", false); err != nil {
		return fmt.Errorf("the board is not back; it comes back by itself within %v: %w", PageIdle, err)
	}
	fmt.Fprintln(w.Out, "The test is over.")
	return nil
}

// Lines returns the lines of a keyboard, closed at its end. A read cannot be cancelled:
// the goroutine ends with the next line after ctx, or with the process.
func Lines(ctx context.Context, in io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case out <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// TestBoard returns the board of a page where there is no core: with the game whose names
// it shows.
func TestBoard(table string, g stats.Game, page string) *stats.Board {
	return &stats.Board{Version: stats.BoardVersion, Table: table, Game: g, Phase: "table-closed",
		Bar: stats.Bar{Kind: stats.BarClosedTable}, Test: page}
}
