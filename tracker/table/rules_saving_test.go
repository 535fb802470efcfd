package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/table"
)

// After a source lost events, went or is faulty, nothing of it is held and nothing is
// pending; a fix was left, so that its result is never taken for a new hand.
func TestLostEventsClearWhatIsPending(t *testing.T) {
	for _, change := range []hw.Change{hw.Lost, hw.Went, hw.Faulty} {
		for _, keys := range []string{"BANKER", "VOID", "NEW_SHOE", "FIX BANKER", "FIX", "FIX VOID"} {
			r := sit(t, usual()).deal(3, "P")
			r.plug(hw.Came)
			r.play(keys)
			r.down("TIE")
			r.handle(hw.Notice{Source: "pad", Change: change})
			if e := r.echo(); e.Entering || !e.Refused || e.Lines[0] != "NOT SAVED: KEY AGAIN" {
				t.Errorf("%v, %s: %+v", change, keys, e)
			}
			r.press("BANKER") // no key is held
			want := "B"
			if strings.HasPrefix(keys, "FIX") {
				want = ""
				r.wants("left", r.line(), "FIX ENDED, NO CHANGE | LAST 3 PLAYER")
			}
			r.wants(keys, r.proposed(), want)
		}
	}
	r := sit(t, usual()).deal(3, "P").play("BANKER")
	for _, change := range []hw.Change{hw.Came, hw.Ghost, hw.Unknown, hw.Stuck} {
		r.handle(hw.Notice{Source: "pad", Change: change, Pos: "KP9"})
	}
	r.wants("other news leave it", r.proposed(), "B")
}

// While a record is on its way, result keys compose the next hand under its coming
// number; all else waits; nothing is acknowledged before it is on disk.
func TestSaving(t *testing.T) {
	r := sit(t, usual()).deal(3, "P")
	r.slow = 15 * time.Second
	r.play("BANKER OK")
	r.wants("saving", r.line(), "SAVING 4 | PLEASE WAIT")
	r.press("PLAYER")
	r.wants("the next", r.line(), "5? PLAYER | SAVING 4, WAIT")
	for _, key := range []string{"OK", "FREE", "BETS", "PAUSE", "VOID", "NEW_SHOE"} {
		r.press(key)
		if r.tone != console.Refused || !strings.HasPrefix(r.line(), "SAVING 4 |") {
			t.Errorf("%s is not refused: %q", key, r.line())
		}
	}
	if len(r.state().Shoe.Hands) != 3 || r.proposed() != "P" {
		t.Fatalf("hands %q, proposed %q", r.list(), r.proposed())
	}
	r.pass(15 * time.Second)
	r.wants("saved", r.list(), "P P P B")
	r.press("OK") // keyed before SAVED: it may be the same hand
	r.wants("asks", r.line(), "4 BANKER > PLAYER? | OK=FIX 4  0=HAND 5")
}

// FREE and BETS on their way are no hand: the next one has the number it had.
func TestSavingOfAFlagCountsNoHand(t *testing.T) {
	r := sit(t, usual()).deal(3, "P")
	r.slow = 5 * time.Second
	r.press("FREE")
	r.pass(100 * ms)
	r.press("PLAYER")
	r.wants("number", r.line(), "4? PLAYER | SAVING 4, WAIT")
	r.pass(6 * time.Second)
	r.press("OK")
	r.pass(6 * time.Second)
	r.wants("hands", r.list(), "P P P P+free")
}

// A disk that hangs while a fix or a question is open does not let OK through, nor
// does it turn a fix into a new hand.
func TestSavingUnderAFix(t *testing.T) {
	r := sit(t, usual()).deal(3, "P").play("BETS FIX")
	r.slow = time.Hour
	r.pass(20 * time.Second) // the bets close on a disk that hangs
	r.play("BANKER")
	r.wants("still a fix", r.line(), "3 PLAYER > BANKER? | OK=FIX 3  0=HAND 4")
	r.play("OK")
	r.wants("refused", r.line(), "SAVING 4 | PLEASE WAIT")
	r.play("CLEAR")
	if r.echo().Entering {
		t.Error("CLEAR does not leave")
	}
}

// The 12 s run from SAVED, not from OK.
func TestDoublesRunFromSaved(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		asks  bool
	}{{11900 * ms, true}, {12 * time.Second, false}} {
		r := sit(t, usual()).deal(3, "P")
		r.slow = 30 * time.Second
		r.play("BANKER")
		r.press("OK")
		r.pass(30*time.Second - 60*ms)
		r.wants("saved", r.list(), "P P P B")
		r.slow = 0
		r.pass(c.after)
		r.play("BANKER OK")
		if r.echo().Asking != c.asks {
			t.Errorf("%v after SAVED: asks %v, want %v: %q", c.after, r.echo().Asking, c.asks, r.line())
		}
	}
}

// A question that a restart took away is asked again, even when nobody can tell how
// long ago the last hand was.
func TestARestartForgetsNoDouble(t *testing.T) {
	for _, sameBoot := range []bool{true, false} {
		r := sit(t, usual()).deal(3, "P").play("BANKER OK BANKER")
		r.restart(false, sameBoot)
		r.pass(20 * time.Second)
		r.press("OK")
		want := "SAME RESULT, 29s AGO"
		if !sameBoot {
			want = "SAME RESULT AS 4"
		}
		r.wants("asks again", r.echo().Lines[0], want)
	}
}

// Bets that were open without a countdown stay open over a restart, and bets due to
// open by themselves do so after it.
func TestRestartAndBetsThatOpenByThemselves(t *testing.T) {
	s := usual()
	s.bets = tracker.BetsClose
	for _, sameBoot := range []bool{true, false} {
		r := sit(t, s).play("PLAYER OK")
		r.restart(false, sameBoot)
		r.wants("as it was", r.state().Phase.String(), "result")
		r.pass(21 * time.Second)
		r.wants("opens", r.state().Phase.String(), "betting")
		r.restart(false, sameBoot)
		r.wants("stays", r.state().Phase.String(), "betting")
	}
}

// Another game drops what was composed of the old game's bets.
func TestAnotherGameDropsTheProposal(t *testing.T) {
	r := sit(t, usual()).play("dragon-7")
	s := scene{game: "dai-bacc", layout: "numpad-17", bets: tracker.BetsTimer, confirm: true, fixes: 1}
	_, pack := openTable(t, s)
	r.engine.Configure(r.now, table.Config{Settings: r.state().Settings, Pack: pack.Source, Digest: pack.Digest})
	r.settle()
	r.wants("game", r.state().Shoe.Pack.ID, "dai-bacc")
	r.wants("dropped", r.line(), "NOT SAVED: KEY AGAIN | ANOTHER GAME NOW")
	if r.proposed() != "" {
		t.Errorf("still %q", r.proposed())
	}
}

// confirm = false: a key that was refused records nothing when it is let go, whatever
// waits.
func TestWithoutConfirmARefusedKeyRecordsNothing(t *testing.T) {
	s := usual()
	s.confirm = false
	r := sit(t, s).deal(3, "P")
	r.slow = 2 * time.Second
	r.play("BANKER") // on its way
	r.play("TIE")    // the next; it waits for OK
	r.pass(2 * time.Second)
	r.slow = 0
	r.wants("waits", r.proposed(), "T")
	r.keys["KP9"] = console.Binding{Tap: console.KeyBonus, Bet: "no-such-bet"}
	r.press("KP9")
	r.wants("refused", r.line(), "5? TIE | KEY NOT IN THIS GAME")
	r.wants("hands", r.list(), "P P P B")
}

// What was keyed while the first record of a segment was on its way comes back too:
// the segment's checkpoint has taken a number.
func TestRestartAfterANewSegment(t *testing.T) {
	for _, landed := range []bool{false, true} {
		r := sit(t, usual()).deal(3, "P").play("NEW_SHOE OK")
		r.slow = time.Hour
		r.play("BANKER OK TIE")
		r.restart(landed, true)
		want := map[bool]string{false: "1? BANKER", true: "2? TIE"}[landed]
		r.wants("landed "+r.list(), r.echo().Lines[0], want)
	}
}

// A fix that lapsed while the disk hangs was left all the same: its result is no new hand.
func TestAFixThatLapsesOnAHangingDisk(t *testing.T) {
	r := sit(t, usual()).deal(3, "P").play("BETS FIX")
	r.slow = time.Hour
	r.pass(31 * time.Second) // the bets close on a disk that hangs, and the fix lapses
	r.play("BANKER")
	r.wants("left", r.line(), "FIX ENDED, NO CHANGE | LAST 3 PLAYER")
	r.wants("proposed", r.proposed(), "")
	r.wait(3 * time.Second).play("BANKER")
	r.wants("then the next hand", r.line(), "4? BANKER | SAVING 4, WAIT")
}

// A disk that hangs takes a few flags and then no more: the dealer is told.
func TestTooManyKeysOnAHangingDisk(t *testing.T) {
	r := sit(t, usual()).deal(3, "P")
	r.slow = time.Hour
	for range 9 {
		r.play("REVIEW")
		if r.echo().Refused {
			t.Fatalf("refused already: %q", r.line())
		}
	}
	r.press("REVIEW")
	r.wants("told", r.line(), "TOO MANY KEYS | PLEASE WAIT")
	if r.tone != console.Refused {
		t.Error("and not heard")
	}
}

// What the table refuses after all is said on the echo: here somebody else was faster.
func TestTheTableRefusesWhatComesTooLate(t *testing.T) {
	r := sit(t, usual()).deal(3, "P").play("BETS").wait(2 * time.Second)
	r.slow = time.Second / 2
	r.engine.Request(r.now, "socket", tracker.Command{Kind: tracker.BetsShut, Reason: "time"})
	r.settle()
	r.press("BETS") // the closing is on its way
	r.pass(2 * time.Second)
	r.wants("phase", r.state().Phase.String(), "bets-closed")
	r.wants("told", r.line(), "BETS ARE CLOSED")
}
