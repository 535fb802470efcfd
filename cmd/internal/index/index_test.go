package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// indexed is an index that runs, and what it says to the board.
type indexed struct {
	*Index
	t    *testing.T
	stop func()

	mu    sync.Mutex
	fault string
}

func runIndex(t *testing.T, data string, s tracker.State) *indexed {
	x := &indexed{Index: New(testkit.Log(), data, "14", journal.Dir(datadir.Journal(data)), s), t: t}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		x.Run(ctx, func(text string) {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.fault = text
		})
	}()
	x.stop = func() { cancel(); <-ended }
	t.Cleanup(x.stop)
	return x
}

// holds waits until the file has these shoes.
func (x *indexed) holds(what string, want ...tracker.Shoe) {
	x.t.Helper()
	var last error
	testkit.Eventually(x.t, what, func() bool {
		var got []history.Row
		if last = history.Read(x.path, func(r history.Row) error { got = append(got, r); return nil }); last != nil {
			return false
		}
		var rows []history.Row
		for _, s := range want {
			rows = append(rows, new(Rows).Row("14", s))
		}
		return reflect.DeepEqual(got, rows)
	})
}

// The index is made from the record, follows the table, and is made anew whenever
// somebody deletes it or writes over it while it is open.
func TestIndexFollowsTheTable(t *testing.T) {
	data := t.TempDir()
	w := testkit.NewScribe(t, data)
	var shoes []tracker.Shoe
	deal := func() tracker.Shoe {
		w.Hands("B", "P+panda-8", "T")
		shoes = append(shoes, w.State.Shoe)
		w.NewShoe("2026-11-30")
		return shoes[len(shoes)-1]
	}
	deal()
	deal()
	x := runIndex(t, data, w.State)
	x.holds("two shoes of the record", shoes...)
	for name, harm := range map[string]func() error{
		"nothing": func() error { return nil },
		"deleted": func() error { return os.Remove(x.path) },
		"replaced": func() error {
			return errors.Join(os.Rename(x.path, x.path+".old"), os.WriteFile(x.path, []byte("x"), 0o600))
		},
		"truncated": func() error { return errors.Join(os.Remove(x.path), os.WriteFile(x.path, nil, 0o600)) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		if err := x.Put(deal()); err != nil {
			t.Fatal(err)
		}
		x.holds(name+" and another shoe", shoes...)
	}
	x.stop()
	// What ended while no index ran is caught up, and a shoe that is taken back stays
	// until it ends again.
	deal()
	w.Decide(tracker.Command{Kind: tracker.ShoeTakenBack})
	x = runIndex(t, data, w.State)
	x.holds("all but the one taken back", shoes[:len(shoes)-1]...)
	w.Hands("P")
	again := w.State.Shoe
	w.NewShoe("2026-11-30")
	if err := x.Put(again); err != nil {
		t.Fatal(err)
	}
	x.holds("it ended again", append(slices.Clone(shoes[:len(shoes)-1]), again)...)
	w.Close()
}

// An index that cannot be opened is said on the board, and costs no shoe once it can.
func TestIndexThatCannotBeOpened(t *testing.T) {
	data := t.TempDir()
	w := testkit.NewScribe(t, data)
	if err := os.MkdirAll(filepath.Join(data, "history.db.tmp", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := runIndex(t, data, w.State)
	testkit.Eventually(t, "the board says so", func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.fault == noIndex
	})
	if err := os.RemoveAll(filepath.Join(data, "history.db.tmp")); err != nil {
		t.Fatal(err)
	}
	w.Hands("B")
	shoe := w.State.Shoe
	w.NewShoe("2026-11-30")
	if err := x.Put(shoe); err != nil {
		t.Fatal(err)
	}
	x.holds("the shoe that ended since", shoe)
	testkit.Eventually(t, "the board is quiet again", func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.fault == ""
	})
	w.Close()
}

// The first index of a new table is no news, and nothing in the log that reads like a
// fault; one that was lost is told.
func TestABrandNewIndexIsNoNews(t *testing.T) {
	data := t.TempDir()
	w := testkit.NewScribe(t, data)
	w.Hands("B")
	for _, c := range []struct {
		what string
		told bool
	}{{"a new table", false}, {"an index that was lost", true}} {
		var log testkit.Text
		x := New(slog.New(slog.NewTextHandler(&log, nil)), data, "14", journal.Dir(datadir.Journal(data)), w.State)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			x.Run(ctx, func(string) {})
		}()
		testkit.Eventually(t, "the index", func() bool { return history.Read(x.path, func(history.Row) error { return nil }) == nil })
		stop()
		<-ended
		if strings.Contains(log.String(), "rebuilt") != c.told {
			t.Errorf("%s: the log says %q", c.what, log.String())
		}
		w.NewShoe("2026-11-30")
		w.Hands("P")
		if err := os.Remove(x.path); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
}

// Hands come out of a row as they went in.
func TestHandsOfARow(t *testing.T) {
	w := testkit.NewScribe(t, t.TempDir())
	w.Hands("B", "P+panda-8", "6.2-7.3", "9S,4H/KD,2C,5S", "B", "T+natural")
	w.Decide(tracker.Command{Kind: tracker.HandFixed, Hand: 5, Token: "P"})
	w.Now = w.Now.Add(-3 * time.Hour) // the clock is set back
	w.Hands("B+dragon-7")
	s := w.State.Shoe
	s.Hands = slices.Clone(s.Hands)
	s.Hands[2].Free, s.Hands[3].At.Trusted = true, false
	row := new(Rows).Row("14", s)
	tokens, hands, err := Unpack(row, nil)
	if err != nil || len(hands) != len(s.Hands) {
		t.Fatalf("%d hands, %v", len(hands), err)
	}
	for i, h := range s.Hands {
		p := hands[i]
		got := fmt.Sprint(tokens[p.Token], p.Free, p.Fixed, p.Trusted, p.Seq, p.Sec)
		want := fmt.Sprint(tracker.FormatToken(s.Pack, h), h.Free, h.Fixed, h.At.Trusted, h.At.Seq, h.At.Wall/1000)
		if got != want {
			t.Errorf("hand %d: %s, expected %s", i+1, got, want)
		}
	}
	for cut := range row.Packed {
		bad := row
		bad.Packed = row.Packed[:cut]
		if _, _, err := Unpack(bad, nil); !errors.Is(err, ErrPacked) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

// FuzzHandsOfARow reads any bytes as the hands of a row: as many as the row says, each
// with a token that is there, or an error.
func FuzzHandsOfARow(f *testing.F) {
	w := testkit.NewScribe(f, f.TempDir())
	w.Hands("B", "P+panda-8", "9S,4H/KD,2C,5S")
	f.Add(3, new(Rows).Row("14", w.State.Shoe).Packed)
	f.Fuzz(func(t *testing.T, n int, packed []byte) {
		tokens, hands, err := Unpack(history.Row{Shoe: 1, Hands: n, Packed: packed}, nil)
		if err != nil {
			return
		}
		if len(hands) != max(n, 0) {
			t.Fatalf("%d hands of %d", len(hands), n)
		}
		for _, h := range hands {
			if h.Token < 0 || h.Token >= len(tokens) {
				t.Fatalf("token %d of %d", h.Token, len(tokens))
			}
		}
	})
}
