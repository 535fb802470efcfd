package table

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"shoeboard/tracker/history"
	"shoeboard/tracker/journal/journaltest"
)

// three shoes are keyed; the rows put as each ended are those that the record gives,
// whole or from a shoe on, and the index opened on them has nothing to do.
func TestIndexIsWhatTheRecordSays(t *testing.T) {
	u, err := start(t, journaltest.New(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.key("NEW_SHOE", "OK"); err != nil {
		t.Fatal(err)
	}
	var live []history.Row
	for _, hands := range [][]string{{"PLAYER", "dragon-7", "TIE"}, {"BANKER"}, {"panda-8", "PLAYER"}} {
		for _, hand := range hands {
			if err := u.pass(time.Minute); err == nil {
				err = u.key(hand, "OK")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		ended := u.desk.State().Shoe
		if err := u.key("NEW_SHOE", "OK"); err != nil {
			t.Fatal(err)
		}
		live = append(live, Row("1", ended))
	}
	for from, want := range map[uint64][]history.Row{0: live, live[1].Shoe: live[1:], live[2].Shoe: live[2:]} {
		var got []history.Row
		if err := Rebuild(u.j, from, func(r history.Row) error { got = append(got, r); return nil }); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("from %d: got\n%+v\nwant\n%+v", from, got, want)
		}
	}
	if packed := string(live[0].Packed); packed != "P B+dragon-7 T" || live[0].Hands != 3 {
		t.Errorf("first shoe: %q, %d hands", packed, live[0].Hands)
	}

	path := filepath.Join(t.TempDir(), "history.db")
	rows := func(from uint64, put func(history.Row) error) error { return Rebuild(u.j, from, put) }
	for i, did := range []history.Did{history.Rebuilt, history.Kept} {
		h, report, err := history.Open(path, LastEnded(u.desk.State()), rows)
		if err != nil || report.Did != did {
			t.Fatalf("open %d: %v (%v)", i, report, err)
		}
		if last, ok, err := h.Last(); err != nil || !ok || !reflect.DeepEqual(last, live[2]) {
			t.Errorf("last row %+v %v %v, want %+v", last, ok, err, live[2])
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
