package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/golden"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// onlySeen are the fields of a Board that do not follow from the record, but from the moment
// and the devices.
var onlySeen = []string{"attract", "clock_trusted", "config_fault", "countdown", "dealer", "demo", "ended_faults", "faults",
	"identify", "keypad", "menu", "saving", "status_line", "test", "zone"}

// goldenBoards are the boards of the golden day by the record that they show, without what
// was only seen.
func goldenBoards(t *testing.T, version string) map[uint64][]byte {
	t.Helper()
	boards := map[uint64][]byte{}
	for _, line := range golden.Lines(t, version+"/boards.jsonl.gz") {
		var all map[string]any
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &all); err != nil {
			t.Fatal(err)
		}
		for _, field := range onlySeen {
			delete(all, field)
		}
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		boards[uint64(all["seq"].(float64))] = text
	}
	return boards
}

// A day that an earlier version recorded folds to the boards that it showed, event by event;
// each of its checkpoints is what the events before it come to.
func TestADayOfAnEarlierVersionFoldsToItsBoards(t *testing.T) {
	for _, version := range golden.Versions {
		t.Run(version, func(t *testing.T) { foldsToItsBoards(t, version) })
	}
}

func foldsToItsBoards(t *testing.T, version string) {
	data := t.TempDir()
	golden.Unpack(t, version+"/data.tar.gz", data)
	files := journal.Dir(data + "/journal")
	boards, shown := goldenBoards(t, version), 0
	var s tracker.State
	var folder stats.Folder
	for r, err := range journal.Records(files, 1) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == journal.Checkpoint {
			now, err := tracker.MarshalCheckpoint(s)
			if err != nil {
				t.Fatal(err)
			}
			if r.Seq > 1 {
				golden.Contains(t, fmt.Sprintf("checkpoint %d", r.Seq), r.Payload, now)
			}
			if s, err = tracker.UnmarshalCheckpoint(r.Payload); err != nil {
				t.Fatal(err)
			}
			continue
		}
		rec, err := tracker.UnmarshalRecord(r.Payload, history.StampOf(r))
		if err != nil {
			t.Fatal(err)
		}
		if s, err = tracker.Apply(s, rec.Events...); err != nil {
			t.Fatalf("record %d: %v", r.Seq, err)
		}
		then, ok := boards[r.Seq]
		if !ok {
			continue
		}
		shown++
		now := s.Since
		if bytes.Contains(then, []byte(`"kind":"shoe-over"`)) {
			now.Mono += time.Minute
		}
		var board stats.Board
		folder.Fill(&board, s, now)
		b, err := json.Marshal(board)
		if err != nil {
			t.Fatal(err)
		}
		golden.Contains(t, fmt.Sprintf("board %d", r.Seq), then, b)
	}
	if shown != len(boards) || shown < 60 {
		t.Errorf("%d boards of %d were compared", shown, len(boards))
	}
}

// The golden day opens as a unit's own record and goes on: the hand that was being keyed
// when the power went comes back.
func TestADayOfAnEarlierVersionGoesOn(t *testing.T) {
	for _, version := range golden.Versions {
		t.Run(version, func(t *testing.T) { goesOn(t, version) })
	}
}

func goesOn(t *testing.T, version string) {
	data := t.TempDir()
	golden.Unpack(t, version+"/data.tar.gz", data)
	j, found, err := journal.Open(journal.Dir(data+"/journal"), "golden-unit")
	if err != nil || len(found.Problems) > 0 {
		t.Fatal(err, found.Problems)
	}
	defer j.Close()
	state, unfit := history.Restore(found)
	if len(unfit) > 0 {
		t.Fatal(unfit)
	}
	u := bare(t, nil, 2)
	if err := u.sit(j, found, state); err != nil {
		t.Fatal(err)
	}
	if echo := u.engine.Echo().Lines; !strings.HasPrefix(echo[0], "6? PLAYER") || !strings.Contains(echo[1], "UNFINISHED") {
		t.Errorf("the echo says %q", echo)
	}
	if err := u.pass(2e9); err != nil {
		t.Fatal(err)
	}
	u.must("OK")
	if got, want := strings.Join(tokensOf(u.engine.State().Shoe), " "), "P B B+dragon-7 T B+banker-natural P"; got != want {
		t.Errorf("the shoe is %s, expected %s", got, want)
	}
	if u.engine.State().Previous == nil || len(u.engine.State().Previous.Hands) != 4 {
		t.Errorf("the shoe before is %+v", u.engine.State().Previous)
	}
}
