package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
)

// exports returns what every form of the export gives, and the reports of both days.
func (s site) exports(data string) (all []string) {
	s.t.Helper()
	for _, args := range []string{"", "--format json", "--report 2026-11-29", "--report 2026-11-30", "--report 2026-11-29 --format json"} {
		all = append(all, s.fine(append([]string{"export", "--data", data}, strings.Fields(args)...)...))
	}
	return all
}

// Finished shoes live in history.db: when the segments in which they were dealt are put away it
// gives the previous shoe, every export and report, and the shoes of the socket; and when the
// segments are back and it is deleted, the journal rebuilds an equal one.
func TestFinishedShoesLiveInTheIndex(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	s.write("boot/firmware/shoeboard.toml", fmt.Sprintf("socket = %q\n", s.path("run/core.sock")))
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	w.Hands("B", "P+panda-8", "T", "B+banker-natural")
	w.Decide(tracker.Command{Kind: tracker.HandFixed, Hand: 4, Token: "P"})
	w.Decide(tracker.Command{Kind: tracker.FaultRaised, Code: "too-hot", Text: "The processor is at 84.0 °C"})
	w.NewShoe("2026-11-29")
	w.Hands("P", "B")
	w.Decide(tracker.Command{Kind: tracker.HandInserted, Hand: 1, Token: "T", By: "anna", Reason: "camera"})
	w.Now = w.Now.Add(12 * time.Hour)
	w.Decide(tracker.Command{Kind: tracker.FaultEnded, Code: "too-hot"})
	w.NewShoe("2026-11-30")
	w.Hands("T", "P")
	w.Close()
	if err := datadir.WriteTable(data, "14"); err != nil {
		t.Fatal(err)
	}
	s.fine("takeover", "--data", data, "--yes")
	want := s.exports(data) // out of the record
	testkit.KeepShoes(t, data)
	rows, err := testkit.Rows(t, data, nil)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := s.exports(data); !slices.Equal(got, want) {
		t.Errorf("out of the index:\n%s\nout of the record:\n%s", got, want)
	}

	away := s.path("away")
	segments, err := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	if err != nil || len(segments) < 3 || os.Mkdir(away, 0o700) != nil {
		t.Fatal(segments, err)
	}
	slices.Sort(segments)
	finished := segments[:len(segments)-1]
	for _, path := range finished {
		if err := os.Rename(path, filepath.Join(away, filepath.Base(path))); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.exports(data); !slices.Equal(got, want) {
		t.Errorf("without the finished segments:\n%s\nexpected:\n%s", got, want)
	}
	stop := s.runCore()
	s.board("the previous shoe", func(b *stats.Board) bool {
		return b.Previous != nil && b.Previous.Hands == 3 && b.Shoe.Hands == 2
	})
	var streamed []history.Row
	testkit.Eventually(t, "the shoes of the socket", func() bool {
		r, err := history.Open(t.Context(), history.Path(data), s.client().Shoes)
		if err != nil {
			return false
		}
		defer r.Close()
		streamed = nil
		return r.Rows(func(row history.Row) error { streamed = append(streamed, row); return nil }) == nil
	})
	if !reflect.DeepEqual(streamed, rows) {
		t.Errorf("the socket gives %+v, expected %+v", streamed, rows)
	}
	_, text, said := s.do("export", "--data", data)
	if text != want[0] || !strings.Contains(said, "3 shoes: 2 from the index, 0 from the record, 1 in play") {
		t.Errorf("through the core:\n%s\n%s", text, said)
	}
	stop()

	for _, path := range finished {
		if err := os.Rename(filepath.Join(away, filepath.Base(path)), path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(history.Path(data)); err != nil {
		t.Fatal(err)
	}
	testkit.KeepShoes(t, data)
	if again, err := testkit.Rows(t, data, nil); err != nil || !reflect.DeepEqual(again, rows) {
		t.Errorf("rebuilt are %+v, %v, expected %+v", again, err, rows)
	}
}
