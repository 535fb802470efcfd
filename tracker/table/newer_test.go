package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// newerDisk is what a newer program leaves when it is taken back in mid-shoe: rules of which
// this one does not know a bet, and a fact that it does not know.
func newerDisk(t *testing.T, known bool) *journaltest.FS {
	t.Helper()
	files := journaltest.New()
	j, _, err := journal.Open(files, "unit-1")
	if err != nil {
		t.Fatal(err)
	}
	empty, err := tracker.MarshalCheckpoint(tracker.State{})
	if err == nil {
		_, err = j.Roll(journal.Record{Payload: empty})
	}
	if err != nil {
		t.Fatal(err)
	}
	settings := tracker.DefaultSettings()
	pack := string(loadPack(t, "ez-baccarat-panda-8").Source)
	if !known {
		pack = strings.Replace(pack, `when = "banker.wins and banker.cards == 3 and banker.total == 7", pays`, `when = "banker.glows", pays`, 1)
	}
	events := [][]tracker.Event{
		{{Kind: tracker.PackInstalled, Source: pack}, {Kind: tracker.SettingsApplied, Settings: &settings}, {Kind: tracker.TableOpened, Hand: 1}},
		{{Kind: tracker.HandRecorded, Hand: 1, Token: "B+dragon-7"}},
		{{Kind: "lamp-changed", Aside: true}},
		{{Kind: tracker.HandRecorded, Hand: 2, Token: "P+panda-8"}},
	}
	if known {
		events = append(events, []tracker.Event{{Kind: "hand-doubled", Hand: 2}})
	}
	for i, e := range events {
		payload, err := tracker.Record{Events: e}.Marshal()
		if err == nil {
			_, err = j.Append(journal.Record{Payload: payload, Mono: int64(i)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return files.AfterKill()
}

// The bet that is not known is not on the board, the others are, staff are told, and play
// goes on with the rest until the game is another one.
func TestABoardLeavesOutABetOfANewerProgram(t *testing.T) {
	u, unfit := anyhow(t, newerDisk(t, false))
	if len(unfit) > 0 {
		t.Fatal(unfit)
	}
	b := u.board()
	if len(b.Game.Bets) != 2 || b.Game.Bets[1].ID != "panda-8" || len(b.Shoe.Bets) != 2 || b.Shoe.Bets[1].N != 1 || b.Shoe.Banker.N != 1 || b.Shoe.Hands != 2 {
		t.Errorf("the game has %+v, the shoe %+v", b.Game.Bets, b.Shoe)
	}
	if f, ok := faultOf(b, gameNewer); !ok || !strings.Contains(f.Text, "bet[2].win[1].when: update this unit") {
		t.Errorf("faults %v", b.Faults)
	}
	if u.engine.State().Skipped != 1 {
		t.Errorf("%d facts were passed over", u.engine.State().Skipped)
	}
	u.goesOn()
	if got := fmt.Sprint(tokensOf(u.engine.State().Shoe)); got != "[B+dragon-7 P+panda-8 P]" {
		t.Errorf("the hands are %s", got)
	}
}

func TestTheFaultOfANewerGameEndsWithTheGame(t *testing.T) {
	u, _ := anyhow(t, newerDisk(t, false))
	u.must("NEW_SHOE", "OK")
	u.engine.Request(u.now, "config", tracker.Command{Kind: tracker.PackInstalled, Source: string(loadPack(t, "ez-baccarat-panda-8").Source)})
	for _, c := range []struct {
		keys   string
		stands bool
	}{
		{"BETS", true}, // the newer game's shoe is the previous one on the board
		{"PLAYER OK", true},
		{"NEW_SHOE OK", true},
		{"BETS", false},
	} {
		if err := u.pass(time.Minute); err != nil {
			t.Fatal(err)
		}
		u.must(strings.Fields(c.keys)...)
		if f, ok := faultOf(u.board(), gameNewer); ok != c.stands {
			t.Fatalf("after %s: %v; echo %q", c.keys, f, u.engine.Echo().Lines)
		}
	}
}

// A fact that counts and is not known does not fold: what stands before it is shown.
func TestAFactOfANewerProgramDoesNotFold(t *testing.T) {
	u, unfit := anyhow(t, newerDisk(t, true))
	if len(unfit) != 1 || !strings.Contains(unfit[0].Error(), `unknown event "hand-doubled": a newer program has written it`) {
		t.Errorf("does not fold: %v", unfit)
	}
	if b := u.board(); b.Shoe.Hands != 2 || len(b.Shoe.Bets) != 3 {
		t.Errorf("the shoe is %+v", b.Shoe)
	}
}
