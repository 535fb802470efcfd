package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/tracker/console"
)

const ms = time.Millisecond

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
				if r.tone != console.Refused || !r.echo().Refused || !strings.Contains(r.line(), " IS DOWN") {
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
	r.wants("echo", r.line(), "2? BANKER | BANKER IS DOWN")
	r.pass(50 * ms)
	r.up("BANKER")
	r.wants("let go", r.line(), "2? BANKER | TOO SOON: OK AGAIN")
	r.pass(50 * ms)
	r.up("OK")
	r.pass(10 * time.Second)
	r.wants("until OK", r.line(), "2? BANKER | TOO SOON: OK AGAIN")
	r.press("OK")
	r.wants("hands", r.list(), "P B")
	// a chord asks for no OK: its result does not count
	r = sit(t, usual()).deal(2, "P").play("TIE")
	r.interrupted("BANKER", "OK", 50*ms, 50*ms)
	r.wants("a chord over another result", r.line(), "3? TIE | BANKER IS DOWN")
	r.pass(3 * time.Second)
	r.wants("then", r.line(), "3? TIE | OK=SAVE   CLEAR=DROP")
}

// A key down for 15 s is stuck: named, what it keyed dropped, and ignored.
func TestStuckKey(t *testing.T) {
	r := sit(t, usual()).deal(2, "P")
	r.down("BANKER")
	r.pass(14999 * ms)
	r.wants("before", r.proposed(), "B")
	r.pass(ms)
	r.wants("named", r.line(), "STUCK BANKER | NOT SAVED: KEY AGAIN")
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
	r.wants("seen", r.line(), "4? BANKER | TOO SOON: OK AGAIN")
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
