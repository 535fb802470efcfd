package core

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// forget takes so many of the newest segments away.
func forget(t *testing.T, data string, n int) {
	t.Helper()
	segments, err := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	if err != nil || len(segments) <= n {
		t.Fatal(segments, err)
	}
	for _, path := range segments[len(segments)-n:] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// evening is a core on a data folder that a test decides for.
type evening struct {
	*Core
	t     *testing.T
	board func(string, func(*stats.Board) bool) *stats.Board
	stop  func()
}

func startEvening(t *testing.T, data string) evening {
	t.Helper()
	c, board, stop := runCore(t, Setup{Data: data, Table: "14", Config: testkit.Config(t, "bets = \"off\"\n"), Clock: clock.New(1, false)})
	board("a board", func(*stats.Board) bool { return true })
	return evening{c, t, board, stop}
}

// deal decides, and waits until that is on disk.
func (e evening) deal(cmds ...tracker.Command) {
	e.t.Helper()
	for _, cmd := range cmds {
		if err := e.Table.Do(e.t.Context(), func(d *table.Engine, _ *stats.Board) { d.Request(e.Set.Clock.Now(), "test", cmd) }); err != nil {
			e.t.Fatal(err)
		}
		for out := true; out; {
			if err := e.Table.Do(e.t.Context(), func(d *table.Engine, _ *stats.Board) { out = d.Recording() }); err != nil {
				e.t.Fatal(err)
			}
		}
	}
}

// shoe deals so many hands and begins another shoe.
func (e evening) shoe(hands int) {
	e.t.Helper()
	for range hands {
		e.deal(tracker.Command{Kind: tracker.HandRecorded, Token: "B"})
	}
	e.deal(tracker.Command{Kind: tracker.ShoeStarted})
}

// fault waits for the fault of a record that lost its end, told to the record.
func (e evening) fault(by string) stats.Fault {
	e.t.Helper()
	var f stats.Fault
	e.board("the fault of a lost end", func(b *stats.Board) bool {
		i := slices.IndexFunc(b.Faults, func(f stats.Fault) bool { return f.Code == history.FaultLost && f.By == by })
		if i >= 0 {
			f = b.Faults[i]
		}
		return i >= 0
	})
	return f
}

// rows waits until the index has these shoes, and says how many of them it alone has.
func (e evening) rows(hands ...int) (only int) {
	e.t.Helper()
	testkit.Eventually(e.t, "the index", func() bool {
		var got []int
		only = 0
		rows, err := testkit.Rows(e.t, e.Set.Data, e.shoes)
		for _, r := range rows {
			got = append(got, r.Hands)
			if history.Only(r) {
				only++
			}
		}
		return err == nil && slices.Equal(got, hands)
	})
	return only
}

// The two newest segments are gone, with them a shoe that had ended, and the unit started
// as if they had never been. It says so, over every start, to whoever has said that he knows
// as well; the shoe stays in the index; no number is given twice; what is dealt from then on
// is dealt as ever.
func TestAUnitWhoseRecordHasLostItsEnd(t *testing.T) {
	data := t.TempDir()
	e := startEvening(t, data)
	e.deal(tracker.Command{Kind: tracker.TableOpened})
	e.shoe(3)
	e.shoe(4)
	e.shoe(5)
	e.deal(tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
	e.rows(3, 4, 5)
	e.stop()
	files := journal.Dir(datadir.Journal(data))
	before, err := journal.Look(files)
	if err != nil {
		t.Fatal(err)
	}
	forget(t, data, 2)
	left, err := journal.Look(files)
	if err != nil {
		t.Fatal(err)
	}

	e = startEvening(t, data)
	text := e.fault("").Text
	if !strings.Contains(text, " are missing, among them 1 shoe that had ended: check the board") || len(text) > tracker.MaxFaultText {
		t.Errorf("the board says %q", text)
	}
	e.shoe(2) // into the shoe whose beginning is left
	if only := e.rows(3, 4, 2, 5); only != 1 {
		t.Errorf("%d shoes are marked", only)
	}
	e.stop()
	c, err := journal.Verify(files)
	if err != nil || len(c.Problems) != 1 || c.Problems[0].Trouble != journal.Gap || c.Problems[0].First != left.Last+1 || c.Problems[0].Last >= before.Last {
		t.Errorf("verified: %v, %v; the record went to %d and was cut to %d", c.Problems, err, before.Last, left.Last)
	}

	e = startEvening(t, data)
	if f := e.fault(""); f.Text != text {
		t.Errorf("after another start: %q", f.Text)
	}
	if err := e.acknowledge(t.Context(), history.FaultLost, "floor"); err != nil {
		t.Fatal(err)
	}
	e.shoe(6)
	e.stop()
	e = startEvening(t, data)
	if f := e.fault("floor"); f.Text != text {
		t.Errorf("known, after a start: %q", f.Text)
	}
	if only := e.rows(3, 4, 2, 5, 6); only != 1 {
		t.Errorf("%d shoes are marked", only)
	}
	e.shoe(7)
	e.rows(3, 4, 2, 5, 6, 7)
	e.stop()
	forget(t, data, 2)
	e = startEvening(t, data) // the acknowledgement was of the other loss
	if f := e.fault(""); f.Text == text || f.Times != 2 {
		t.Errorf("a second loss: %+v", f)
	}
	e.stop()
}

// A unit that lost nothing says nothing: killed at any moment, without its index, with a
// shoe taken back.
func TestAUnitThatHasLostNothing(t *testing.T) {
	data := t.TempDir()
	quiet := func(what string) {
		t.Helper()
		e := startEvening(t, data)
		e.deal(tracker.Command{Kind: tracker.HandRecorded, Token: "B"})
		b := e.board("a hand", func(b *stats.Board) bool { return b.Shoe.Hands > 0 })
		if slices.ContainsFunc(slices.Concat(b.Faults, b.EndedFaults), func(f stats.Fault) bool { return f.Code == history.FaultLost }) {
			t.Errorf("%s: %+v", what, b.Faults)
		}
		e.stop()
	}
	e := startEvening(t, data)
	e.deal(tracker.Command{Kind: tracker.TableOpened})
	e.shoe(3)
	e.shoe(2)
	e.rows(3, 2)
	e.deal(tracker.Command{Kind: tracker.ShoeTakenBack})
	e.stop()
	quiet("a shoe that was taken back")
	if err := os.Remove(history.Path(data)); err != nil {
		t.Fatal(err)
	}
	quiet("no index")
	files := journal.Dir(datadir.Journal(data))
	if err := os.Remove(filepath.Join(string(files), "pending")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	quiet("no pending entry")
	if c, err := journal.Verify(files); err != nil || len(c.Problems) > 0 {
		t.Errorf("the record: %v, %v", c.Problems, err)
	}
}
