package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
)

// shoeOut is a shoe as it stands in the record when it ends, or now.
type shoeOut struct {
	shoe   tracker.Shoe
	table  string
	inPlay bool
}

// eachShoe gives every shoe with a hand in it, in the order of the record, the one
// in play last. Segments begin with a checkpoint, so that several are folded at once
// and memory holds a few of them, however long the record is. Problems are what
// could not be read; err is that of give, or the folder cannot be read.
func eachShoe(ctx context.Context, dir string, give func(shoeOut) error) (problems []error, err error) {
	list, err := segmentsOf(dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	turns := make(chan chan folded, 2*workers) // in the order of the segments
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers + 1)
	g.Go(func() error {
		defer close(turns)
		for from := 0; from < len(list); from += chunk {
			turn := make(chan folded, 1)
			select {
			case turns <- turn:
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error {
				turn <- foldChunk(dir, list, from, min(from+chunk, len(list)))
				return nil
			})
		}
		return nil
	})
	var last *shoeOut
	for turn := range turns {
		f := <-turn
		problems = append(problems, f.problems...)
		for _, s := range f.shoes {
			if err := giveBefore(&last, s, give); err != nil {
				cancel()
				for range turns {
				}
				return problems, errors.Join(err, ignoreCancel(g.Wait()))
			}
		}
	}
	if last != nil {
		err = give(*last)
	}
	return problems, errors.Join(err, g.Wait())
}

func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// giveBefore gives the shoe before s, unless s is the same one: taken back and ended
// again, or told a second time by a checkpoint.
func giveBefore(last **shoeOut, s shoeOut, give func(shoeOut) error) error {
	before := *last
	*last = &s
	if before == nil || before.shoe.Started == s.shoe.Started {
		return nil
	}
	return give(*before)
}

// chunk is how many segments are folded in a row by one worker.
const chunk = 32

// folded is what some segments come to.
type folded struct {
	shoes    []shoeOut
	problems []error
}

// segmentFile is one segment of the record.
type segmentFile struct {
	journal.Entry
	first uint64
}

func segmentsOf(dir string) ([]segmentFile, error) {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no record in %s", filepath.Dir(dir))
	}
	entries, err := journal.Dir(dir).List()
	if err != nil {
		return nil, err
	}
	var list []segmentFile
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name, ".jrn")
		first, err := strconv.ParseUint(digits, 10, 64)
		if ok && err == nil {
			list = append(list, segmentFile{e, first})
		}
	}
	slices.SortFunc(list, func(a, b segmentFile) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// some shows some segments of a folder, so that one is read without listing all.
type some struct {
	journal.Dir
	list []segmentFile
}

func (s some) List() ([]journal.Entry, error) {
	entries := make([]journal.Entry, len(s.list))
	for i, f := range s.list {
		entries[i] = f.Entry
	}
	return entries, nil
}

// foldChunk folds segments from to upto (not it) and gives the shoes that end in them.
// When they do not begin with a checkpoint that can be used, folding begins before.
func foldChunk(dir string, list []segmentFile, from, upto int) folded {
	for back := from; ; back-- {
		f, begun := foldSome(some{journal.Dir(dir), list[back:upto]}, list[from].first, upto == len(list))
		if begun || back == 0 {
			return f
		}
	}
}

// foldSome folds records; of what comes before record first only the state counts.
// It reports whether a checkpoint stood before the first event.
func foldSome(files some, first uint64, newest bool) (out folded, begun bool) {
	var f folding
	for r, err := range journal.Records(files, files.list[0].first) {
		var ended *shoeOut
		switch {
		case err != nil:
			f.whole = false
		case r.Kind == journal.Checkpoint:
			ended, err = f.checkpoint(r)
		case !f.begun:
			return folded{problems: []error{fmt.Errorf("record %d: no state to begin with: the records before it are lost", r.Seq)}}, false
		default:
			ended, err = f.event(r)
		}
		if ended != nil && r.Seq >= first {
			out.shoes = append(out.shoes, *ended)
		}
		if err != nil {
			out.note(err, newest)
		}
	}
	if s := f.state; newest && len(s.Shoe.Hands) > 0 {
		out.shoes = append(out.shoes, shoeOut{s.Shoe, s.Settings.Table, true})
	}
	return out, f.begun
}

// note keeps a problem. The tail of the newest segment may just be being written.
func (f *folded) note(err error, newest bool) {
	var p *journal.Problem
	if newest && errors.As(err, &p) && p.Trouble == journal.Torn {
		return
	}
	f.problems = append(f.problems, err)
}
