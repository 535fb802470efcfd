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

const ms = time.Millisecond

// viewed is a Board's view of a table with an echo of its own.
var viewed = table.View{}

// A key with a hold taps on release within 0.4 s; its hold acts at its mark, once;
// let go between it does nothing.
func TestTapAndHold(t *testing.T) {
	for _, c := range []struct {
		key  string
		tap  time.Duration
		want string // of the echo after letting go
	}{
		{"CLEAR", 20 * ms, "FIX: HOLD CLEAR 1s | LAST 3 BANKER"},
		{"CLEAR", 400 * ms, "FIX: HOLD CLEAR 1s | LAST 3 BANKER"},
		{"CLEAR", 401 * ms, "HOLD LONGER | FIX: 1s"},
		{"CLEAR", 999 * ms, "HOLD LONGER | FIX: 1s"},
		{"CLEAR", 1000 * ms, "FIX 3: WAS BANKER | KEY RIGHT ONE, OK"},
		{"CLEAR", 14 * time.Second, "FIX 3: WAS BANKER | KEY RIGHT ONE, OK"},
		{"VOID", 999 * ms, "HOLD LONGER | VOID: 1s"},
		{"VOID", 1000 * ms, "VOID HAND 4? | MISDEAL  OK=YES"},
		{"NEW_SHOE", 1999 * ms, "HOLD LONGER | NEW SHOE: 2s"},
		{"NEW_SHOE", 2000 * ms, "NEW SHOE? 3 HANDS | OK=YES  CLEAR=NO"},
		{"BETS", 400 * ms, "4 BETS OPEN      20s | LAST 3 BANKER"},
		{"BETS", 401 * ms, "HOLD LONGER | PAUSE: 1s"},
		{"BETS", 1000 * ms, "GAME PAUSED | BETS = GO ON"},
		{"REVIEW", 999 * ms, "HOLD LONGER | REVIEW: 1s"},
	} {
		for _, layout := range console.Layouts() {
			s := usual()
			s.layout = layout
			r := sit(t, s).deal(3, "B")
			r.held(c.key, c.tap)
			r.wants(c.key+" for "+c.tap.String(), r.line(), c.want)
		}
	}
}

// The hold acts at its mark, while the key is still down; other keys act going down.
func TestHoldActsAtItsMark(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.down("CLEAR")
	r.pass(999 * ms)
	r.wants("before", r.line(), "3 BANKER  SAVED | FIX: HOLD CLEAR 1s")
	r.pass(ms)
	r.wants("at the mark", r.line(), "FIX 3: WAS BANKER | KEY RIGHT ONE, OK")
	r.pass(5 * time.Second)
	r.up("CLEAR")
	r.wants("let go", r.line(), "FIX 3: WAS BANKER | KEY RIGHT ONE, OK")
	r.press("CLEAR")
	r.down("PLAYER")
	r.wants("going down", r.proposed(), "P")
}

// A hold whose mark was missed by a late clock still acts when the key is let go.
func TestALateClockLosesNoHold(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.down("CLEAR")
	r.move(r.now.Mono + 1500*ms) // nobody called Tick
	r.up("CLEAR")
	r.wants("fix", r.line(), "FIX 3: WAS BANKER | KEY RIGHT ONE, OK")
}

// One key at a time: within 80 ms neither counts and the proposal is as before;
// later the first one counts and the second is refused. In either order.
func TestChords(t *testing.T) {
	for _, c := range []struct {
		name, before  string
		first, second string
		gap           time.Duration
		proposed      string
		hands         int
	}{
		{"two results at once", "", "BANKER", "TIE", 0, "", 3},
		{"two results within 80 ms", "PLAYER", "BANKER", "TIE", 79 * ms, "P", 3},
		{"two results later", "PLAYER", "BANKER", "TIE", 80 * ms, "B", 3},
		{"result, then OK", "PLAYER", "BANKER", "OK", 50 * ms, "P", 3},
		{"result, then OK later", "PLAYER", "BANKER", "OK", 300 * ms, "B", 3},
		{"OK, then a result", "PLAYER", "OK", "BANKER", 50 * ms, "", 4},
		{"OK, then a result later", "PLAYER", "OK", "BANKER", 300 * ms, "", 4},
		{"result, then CLEAR", "PLAYER", "BANKER", "CLEAR", 50 * ms, "P", 3},
		{"CLEAR, then a result", "PLAYER", "CLEAR", "BANKER", 50 * ms, "P", 3},
		{"CLEAR, then a result later", "PLAYER", "CLEAR", "BANKER", 200 * ms, "", 3},
		{"FREE, then a result", "PLAYER", "FREE", "BANKER", 50 * ms, "P", 3},
		{"CUT, then a result", "PLAYER", "CUT", "BANKER", 50 * ms, "P", 3},
		{"BETS, then a result", "", "BETS", "BANKER", 50 * ms, "", 3},
	} {
		for _, layout := range console.Layouts() {
			s := usual()
			s.layout = layout
			t.Run(c.name+"/"+layout, func(t *testing.T) {
				r := sit(t, s).deal(3, "P").play(c.before)
				was := r.state()
				r.tone = console.Silent
				r.down(c.first)
				r.pass(c.gap)
				r.down(c.second)
				if r.tone != console.Refused || !r.echo().Refused || !strings.Contains(r.line(), "ONE KEY AT A TIME") {
					t.Errorf("not refused: tone %d, echo %q", r.tone, r.line())
				}
				r.pass(100 * ms)
				r.up(c.first)
				r.pass(10 * ms)
				r.up(c.second)
				r.pass(time.Second)
				r.wants("proposed", r.proposed(), c.proposed)
				if got := len(r.state().Shoe.Hands); got != c.hands {
					t.Errorf("%d hands, want %d", got, c.hands)
				}
				if s := r.state(); s.Free != was.Free || s.Shoe.Last != was.Shoe.Last || s.Phase != was.Phase {
					t.Errorf("it acted all the same: %v", short(s))
				}
			})
		}
	}
}

// An OK counts only with all other keys up, those refused included.
func TestOKWaitsUntilAllKeysAreUp(t *testing.T) {
	r := sit(t, usual()).deal(3, "P").play("BANKER")
	r.down("1")
	r.pass(20 * ms)
	r.down("2") // a chord: neither counts, both are down
	r.pass(300 * ms)
	r.up("2")
	r.pass(300 * ms)
	r.press("OK")
	if got := len(r.state().Shoe.Hands); got != 3 || r.tone != console.Refused {
		t.Fatalf("OK acted with a key down: %d hands, tone %d", got, r.tone)
	}
	r.up("1")
	r.pass(100 * ms)
	r.press("OK")
	r.wants("hands", r.list(), "P P P B")
}

// A finger that rolls from the result key to OK is refused, and the next OK saves at
// once: the proposal never left the echo.
func TestARollingFingerSeesItsProposal(t *testing.T) {
	r := sit(t, usual()).deal(1, "P")
	r.down("BANKER")
	r.pass(150 * ms)
	r.down("OK")
	r.wants("echo", r.line(), "2? BANKER | ONE KEY AT A TIME")
	r.pass(50 * ms)
	r.up("BANKER")
	r.pass(50 * ms)
	r.up("OK")
	r.pass(50 * ms)
	r.press("OK")
	r.wants("hands", r.list(), "P B")
}

// A key down for 15 s is stuck: named, what it keyed dropped, and ignored.
func TestStuckKey(t *testing.T) {
	r := sit(t, usual()).deal(2, "P")
	r.down("BANKER")
	r.pass(14999 * ms)
	r.wants("before", r.proposed(), "B")
	r.pass(ms)
	r.wants("named", r.line(), "STUCK BANKER | IGNORED. CALL TECH")
	r.wants("dropped", r.proposed(), "")
	r.play("PLAYER OK")
	r.wants("others work", r.list(), "P P P")
	r.up("BANKER")
	r.play("CLEAR").wait(afterDoubles).play("BANKER OK")
	r.wants("let go it works again", r.list(), "P P P B")
	// a key that was refused has made nothing: what was pending before stays
	r.wait(afterDoubles).play("TIE")
	r.down("1")
	r.down("2")
	r.up("1")
	r.pass(15 * time.Second)
	r.wants("named", r.line(), "STUCK TIE | IGNORED. CALL TECH")
	r.wants("stays", r.proposed(), "T")
}

// OK acts once the proposal has stood on the echo unchanged for 250 ms, 0.7 s after
// a question or a restart; in a question one too soon starts the 0.7 s anew.
func TestOKWaitsUntilItWasRead(t *testing.T) {
	t.Run("proposal", func(t *testing.T) {
		r := sit(t, usual()).deal(3, "P")
		r.press("BANKER") // 60 ms
		r.pass(189 * ms)
		r.press("OK")
		if len(r.state().Shoe.Hands) != 3 || r.tone != console.Refused || !r.echo().Refused {
			t.Fatalf("249 ms were enough: %q", r.list())
		}
		r.pass(10 * time.Second)
		if len(r.state().Shoe.Hands) != 3 {
			t.Fatal("an OK was kept")
		}
		r.press("OK")
		r.wants("hands", r.list(), "P P P B")
	})
	t.Run("a change starts it anew", func(t *testing.T) {
		r := sit(t, usual()).deal(3, "P")
		r.press("BANKER")
		r.pass(180 * ms)
		r.press("TIE")
		r.pass(189 * ms)
		r.press("OK")
		r.wants("hands", r.list(), "P P P")
	})
	t.Run("250 ms", func(t *testing.T) {
		r := sit(t, usual()).deal(3, "P")
		r.press("BANKER")
		r.pass(190 * ms)
		r.press("OK")
		r.wants("hands", r.list(), "P P P B")
	})
	t.Run("question", func(t *testing.T) {
		r := sit(t, usual()).deal(2, "P").play("PLAYER OK BANKER")
		r.press("OK")
		for range 5 { // an impatient finger
			r.pass(600 * ms)
			r.press("OK")
			if r.tone != console.Refused || !r.echo().Asking {
				t.Fatalf("0.66 s were enough: %q, %q", r.list(), r.line())
			}
		}
		r.pass(640 * ms) // 0.7 s from the last going down
		r.press("OK")
		r.wants("hands", r.list(), "P P B")
	})
	t.Run("void, new shoe", func(t *testing.T) {
		for _, key := range []string{"VOID", "NEW_SHOE"} {
			r := sit(t, usual()).deal(3, "P")
			r.press(key)
			r.pass(100 * ms)
			r.press("OK")
			if !r.echo().Asking || r.state().Void != "" || r.state().Shoe.Number != 1 {
				t.Fatalf("%s: OK was not too soon", key)
			}
		}
	})
	t.Run("restart", func(t *testing.T) {
		r := sit(t, usual()).deal(3, "P").play("BANKER")
		r.restart(false, true)
		r.pass(699 * ms)
		r.press("OK")
		r.wants("too soon", r.list(), "P P P")
		r.pass(ms)
		r.press("OK")
		r.wants("hands", r.list(), "P P P B")
	})
}

// What a note covers has not been read: it has to stand anew when the note goes.
func TestACoveredProposalIsNotRead(t *testing.T) {
	r := sit(t, usual()).deal(3, "P")
	r.press("BANKER")
	r.pass(50 * ms)
	r.press("CUT") // LAST IS HAND 5 covers it
	r.wants("covered", r.line(), "LAST IS HAND 5 | TAP AGAIN=HAND 4")
	r.pass(time.Second)
	r.press("OK")
	r.wants("too soon", r.list(), "P P P")
	r.wants("seen", r.line(), "4? BANKER | OK=SAVE   CLEAR=DROP")
	r.pass(250 * ms)
	r.press("OK")
	r.wants("hands", r.list(), "P P P B")
}

// A proposal blinks and beeps at 5 and 15 s, and expires at 30 s after its last change.
func TestRemindersAndExpiry(t *testing.T) {
	r := sit(t, usual()).deal(3, "P")
	r.press("BANKER")
	r.pass(time.Second)
	r.press("TIE")
	start := r.now.Mono - 60*ms
	var beeps []time.Duration
	for r.now.Mono < start+40*time.Second {
		r.tone = console.Silent
		r.pass(100 * ms)
		if r.tone == console.Remind {
			beeps = append(beeps, (r.now.Mono - start).Truncate(time.Second))
		}
	}
	if len(beeps) != 3 || beeps[0] != 5*time.Second || beeps[1] != 15*time.Second || beeps[2] != 30*time.Second {
		t.Errorf("heard at %v", beeps)
	}
	r.wants("expired", r.line(), "NOT SAVED: KEY AGAIN")
	r.press("CUT") // the note goes with the next key, and that key also acts
	r.wants("acts", r.line(), "LAST IS HAND 5 | TAP AGAIN=HAND 4")
	r.play("BANKER").wait(6 * time.Second)
	if !r.echo().Blink {
		t.Error("a waiting proposal does not blink")
	}
}

// PAIR goes round Banker, Player, both, none; without pairs in the pack it is dead.
func TestPairs(t *testing.T) {
	s := usual()
	s.layout, s.pairs = "matrix-4x5", true
	r := sit(t, s)
	r.press("PLAYER")
	for _, want := range []string{"P+banker-pair", "P+player-pair", "P+player-pair+banker-pair", "P", "P+banker-pair"} {
		r.press("PAIR")
		r.wants("round", r.proposed(), want)
	}
	r.press("TIE")
	r.wants("pairs stay", r.proposed(), "T+banker-pair")
	// a 9 has no pair: of 9 over 8 only the 8 may have one
	r.press("CLEAR")
	r.play("BANKER_NATURAL BANKER_NATURAL PAIR")
	r.wants("passed over", r.proposed(), "B+player-natural+banker-natural+player-pair")
	r.press("PAIR")
	r.wants("round", r.proposed(), "B+player-natural+banker-natural")
	// what cannot stand with the later key goes
	r.press("CLEAR")
	r.play("BANKER_NATURAL PAIR BANKER_NATURAL")
	r.wants("gone", r.proposed(), "B+player-natural+banker-natural")
	r.pass(time.Second)
	r.press("OK")
	r.wants("saved", r.list(), "B+player-natural+banker-natural")

	s.pairs = false
	r = sit(t, s)
	r.press("PAIR")
	r.wants("dead", r.line(), "PAIRS NOT IN USE")
	if r.tone != console.Refused || r.proposed() != "" {
		t.Errorf("PAIR acts: %q", r.proposed())
	}
}

// BETS is dead for 1.5 s after any change of the bets, whoever made it.
func TestBetsAreDeadAfterAChange(t *testing.T) {
	for name, c := range map[string]struct {
		play string
		last time.Duration // from play's end to the change
		then string        // phase when BETS is pressed in time
	}{
		"opened":           {"BETS", 0, "bets-closed"},
		"closed":           {"BETS BETS", 0, "betting"},
		"closed by FREE":   {"BETS FREE", 0, "betting"},
		"closed by record": {"BETS PLAYER OK", 0, "betting"},
		"went on":          {"PAUSE BETS", 0, "betting"},
	} {
		for _, late := range []bool{false, true} {
			s := usual()
			s.layout = "numpad-17"
			r := sit(t, s).deal(3, "P")
			keys := strings.Fields(c.play)
			for i, k := range keys {
				r.press(k)
				if i < len(keys)-1 {
					r.pass(1600 * ms)
				}
			}
			was := r.state().Phase.String()
			gap := 1300 * ms
			if late {
				gap = 1500 * ms
				was = c.then
			}
			r.pass(gap)
			r.press("BETS")
			r.wants(name, r.state().Phase.String(), was)
		}
	}
}

// 00 of a cheap pad is one press, also where BETS asks or is refused once.
func TestDoubleZeroIsOnePress(t *testing.T) {
	double := func(r *rig) {
		r.press("BETS")
		r.pass(90 * ms)
		r.press("BETS")
	}
	r := sit(t, usual()).deal(3, "P").play("BETS").wait(40 * time.Second)
	double(r)
	r.wants("no result", r.state().Phase.String(), "bets-closed")
	r.wants("no result", r.line(), "HAND 4 NO RESULT | KEY IT, FREE OR VOID")
	r = sit(t, usual()).deal(3, "P").play("CUT CUT TIE OK").wait(time.Minute)
	double(r)
	r.wants("shoe over", r.state().Phase.String(), "result")
	r.pass(time.Second)
	r.press("BETS")
	r.wants("shoe over, again", r.state().Phase.String(), "betting")
}

// After a source lost events, went or is faulty, nothing of it is held and nothing is
// pending; a fix was left, so that its result is never taken for a new hand.
func TestLostEventsClearWhatIsPending(t *testing.T) {
	for _, change := range []hw.Change{hw.Lost, hw.Went, hw.Faulty} {
		for _, keys := range []string{"BANKER", "VOID", "NEW_SHOE", "FIX BANKER", "FIX", "FIX VOID"} {
			r := sit(t, usual()).deal(3, "P").play(keys)
			r.down("TIE")
			r.desk.Input(r.now, hw.Notice{Source: "pad", Change: change})
			r.settle()
			if e := r.echo(); e.Entering || !e.Refused || e.Lines[0] != "NOT SAVED: KEY AGAIN" {
				t.Errorf("%v, %s: %+v", change, keys, e)
			}
			r.press("BANKER") // no key is held
			want := "B"
			if strings.HasPrefix(keys, "FIX") {
				want = ""
				r.wants("left", r.line(), "FIX WAS LEFT | LAST 3 PLAYER")
			}
			r.wants(keys, r.proposed(), want)
		}
	}
	r := sit(t, usual()).deal(3, "P").play("BANKER")
	for _, change := range []hw.Change{hw.Came, hw.Ghost, hw.Unknown, hw.Stuck} {
		r.desk.Input(r.now, hw.Notice{Source: "pad", Change: change, Pos: "KP9"})
		r.settle()
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
	r.desk.Configure(r.now, table.Wanted{Settings: r.state().Settings, Pack: pack.Source, Digest: pack.Digest})
	r.settle()
	r.wants("game", r.state().Pack().ID, "dai-bacc")
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
