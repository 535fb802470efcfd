package transfer

import (
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
)

// jump goes on behind lost numbers, as a start does that finds the end of the record gone.
func (u unit) jump(faults ...tracker.Fault) {
	u.t.Helper()
	j, found, err := journal.Open(journal.Dir(datadir.Journal(u.data)), u.id)
	u.must(err)
	u.must(j.Above(found.Last + 20))
	s := tracker.State{Settings: tracker.Settings{Table: u.no}, Phase: tracker.Betting, Shoe: tracker.Shoe{Pack: u.pack, Number: 1}, Faults: faults}
	s.Shoe.Hands = append(s.Shoe.Hands, tracker.Hand{Result: game.Result{Outcome: game.Banker}, At: tracker.Stamp{Wall: dealt.UnixMilli()}})
	text, err := tracker.MarshalCheckpoint(s)
	u.must(err)
	_, err = j.Roll(journal.Record{Payload: text})
	u.must(err)
	u.must(j.Close())
}

// A record that had lost its end once, and says so, could not be taken over from its own
// mirror any more. A gap of which the record knows nothing is the stick's, and is refused.
func TestARecordThatLostItsEndIsTakenOver(t *testing.T) {
	for _, knows := range []bool{true, false} {
		dead, slot := newUnit(t, "10000000aaaa", "14"), newStick(t)
		dead.shoes(2, 3)
		if knows {
			dead.jump(tracker.Fault{Code: history.FaultLost, Text: "Records 3 to 22 are missing", Times: 1})
		} else {
			dead.jump()
		}
		dead.grow()
		dead.mirrored(slot)
		u := spare(t, "10000000bbbb")
		q := u.questions(slot)
		if len(q) != 1 {
			t.Fatalf("asks %+v", q)
		}
		if err := q[0].Yes(u.id); (err == nil) != knows {
			t.Errorf("the record knows of it: %v; taken over: %v", knows, err)
		}
		if knows {
			u.runs()
		}
	}
}
