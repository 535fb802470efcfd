package table

import (
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// The code of the record is on the board while no hand is dealt, for the camera above the table,
// and is that of the record as it is then.
func TestTheCodeIsOnTheBoardWhileNoHandIsDealt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := journaltest.New()
		r := openRoom(t, files, time.Now())
		shown := func(what string, want bool) {
			t.Helper()
			time.Sleep(time.Second)
			b := r.board()
			code, err := journal.ParseCode(b.Code)
			if (b.Code != "") != want || want && err != nil {
				t.Fatalf("%s: the board in phase %s shows the code %q, %v", what, b.Phase, b.Code, err)
			}
			if !want {
				return
			}
			if _, last, err := journal.Find(files, code); err != nil || last != b.Seq {
				t.Errorf("%s: the code is of record %d, the board of %d, %v", what, last, b.Seq, err)
			}
		}
		shown("shuffling", true)
		r.tap("BETS")
		shown("bets open", false)
		r.tap("BANKER", "OK")
		shown("a hand", false)
		ends := func(*Engine, *stats.Board) { r.loop.o.DayEnded = func(tracker.Stamp) bool { return true } }
		if err := r.loop.Do(t.Context(), ends); err != nil {
			t.Fatal(err)
		}
		shown("the day has ended", true)
		r.close()
	})
}
