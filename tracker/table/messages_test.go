package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

// dealer is what the Board says to the dealer.
func (r *rig) dealer() stats.Dealer { return r.board().Dealer }

// isTold fails unless the Board says these lines, as this kind of message.
func (r *rig) isTold(kind, lines string) {
	r.t.Helper()
	d := r.dealer()
	r.wants("echo", r.line(), lines)
	r.wants("Board", strings.TrimSuffix(d.Lines[0]+" | "+d.Lines[1], " | "), lines)
	r.wants("kind of message", d.Told, kind)
}

// A dealer who forgets OK is told so by the Board alone, where there is neither echo nor
// buzzer: it blinks after 5 s, and from 30 s on it says NOT SAVED until the next key.
func TestAForgottenOKIsOnTheBoardUntilTheNextKey(t *testing.T) {
	for _, totals := range []bool{false, true} {
		for _, key := range []string{"PLAYER", "CLEAR", "OK", "CUT", "REVIEW"} {
			s := usual()
			s.totals = totals
			r := sit(t, s).deal(2, "B")
			r.press("BANKER")
			r.pass(4900 * ms)
			if d := r.dealer(); d.Blink || !d.Entering {
				t.Errorf("before 5 s: %+v", d)
			}
			for r.pass(200 * ms); r.echo().Entering; r.pass(time.Second) {
				if d := r.dealer(); !d.Blink || !d.Entering || d.Told != "" {
					t.Fatalf("while it waits: %+v", d)
				}
			}
			for range 3 {
				if r.isTold(stats.ToldWarning, "NOT SAVED: KEY AGAIN"); r.dealer().Blink {
					t.Error("nothing waits and it blinks")
				}
				r.pass(20 * time.Minute)
			}
			r.press(key)
			if strings.Contains(r.line(), "NOT SAVED") {
				t.Errorf("after %s: %q", key, r.line())
			}
			r.wants("hands", r.list(), "P B")
		}
	}
}

// What reminds the dealer by a tone blinks as well: a question and a fix do.
func TestWhatRemindsBlinks(t *testing.T) {
	for _, keys := range []string{"FIX", "FIX PLAYER", "FIX VOID", "VOID", "NEW_SHOE", "PLAYER OK BANKER OK", "KILL"} {
		s := usual()
		s.game = "dai-bacc"
		r := sit(t, s).deal(2, "B").play(keys)
		r.tone = console.Silent
		for r.tone != console.Remind {
			if r.dealer().Blink {
				t.Errorf("%s: it blinks in silence", keys)
			}
			r.pass(100 * ms)
		}
		if !r.dealer().Blink {
			t.Errorf("%s: it reminds and does not blink: %q", keys, r.line())
		}
	}
}

// Whatever the echo says that is not what the table does is a message on the Board, for
// as long as the echo says it.
func TestMessagesAreOnTheBoard(t *testing.T) {
	for _, c := range []struct {
		keys string // of a shoe with the hands P B
		told string
		want string
	}{
		{"CUT", stats.ToldHint, "LAST IS HAND 4 | TAP AGAIN=HAND 3"},
		{"CUT CUT", stats.ToldHint, "LAST IS HAND 3 | TAP AGAIN=OFF"},
		{"CUT CUT CUT", stats.ToldHint, "CUT CARD OFF | TAP AGAIN=HAND 4"},
		{"PLAYER CUT", stats.ToldHint, "LAST IS HAND 4 | TAP AGAIN=HAND 3"},
		{"CLEAR", stats.ToldHint, "FIX: HOLD CLEAR 1s | LAST 2 BANKER"},
		{"PLAYER CLEAR", stats.ToldHint, "3 DROPPED, | NOT SAVED"},
		{"PLAYER OK PLAYER OK OK", stats.ToldHint, "3 NOT CHANGED | LAST 3 PLAYER"},
		{"FIX OK", stats.ToldHint, "2 UNCHANGED | LAST 2 BANKER"},
		{"PLAYER OK", stats.ToldSaved, "3 PLAYER  SAVED | FIX: HOLD CLEAR 1s"},
		{"FREE PLAYER OK", stats.ToldSaved, "3 FREE PLAYER  SAVED | FIX: HOLD CLEAR 1s"},
		{"PLAYER OK TIE OK OK", stats.ToldSaved, "3 REPLACED | LAST 3 TIE"},
		{"FIX TIE OK", stats.ToldSaved, "2 FIXED | LAST 2 TIE"},
		{"FIX FREE OK", stats.ToldSaved, "2 FIXED | LAST 2 FREE BANKER"},
		{"FIX VOID OK", stats.ToldSaved, "2 REMOVED | LAST 1 PLAYER"},
	} {
		r := sit(t, usual()).deal(2, "B").play(c.keys)
		r.isTold(c.told, c.want)
		if r.dealer().Refused {
			t.Errorf("%s: refused", c.keys)
		}
		r.pass(3 * time.Second)
		if d := r.dealer(); d.Told != "" {
			t.Errorf("%s: told still after the echo has gone on: %+v", c.keys, d)
		}
	}
}

// A fix that has lapsed is on the Board before its refusal as well as with it.
func TestALapsedFixIsOnTheBoard(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").play("FIX").wait(31 * time.Second)
	for range 3 {
		r.isTold(stats.ToldWarning, "FIX ENDED, NO CHANGE | LAST 2 BANKER")
		r.pass(time.Hour)
	}
	r.press("PLAYER")
	if !r.dealer().Refused {
		t.Errorf("the key after it: %q", r.line())
	}
}

// What was dropped because it cannot be trusted is a warning, not a refused key.
func TestDroppedEntriesAreWarnings(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").play("PLAYER")
	r.handle(hw.Notice{Source: "pad", Change: hw.Lost, At: r.now.Mono})
	for range 3 {
		r.isTold(stats.ToldWarning, "NOT SAVED: KEY AGAIN | KEYPAD LOST A KEY")
		r.pass(time.Hour)
	}
}

// A stuck key that dropped what it had keyed says so until the next key.
func TestAStuckKeySaysWhatItDropped(t *testing.T) {
	r := sit(t, usual()).deal(2, "B")
	r.down("TIE")
	r.pass(15 * time.Second)
	for range 3 {
		r.isTold(stats.ToldWarning, "STUCK TIE | NOT SAVED: KEY AGAIN")
		r.pass(time.Hour)
	}
	r.play("PLAYER OK")
	r.wants("the next key acts", r.list(), "P B P")
}

// The table's own words are no message: a board at rest shows nothing of the dealer.
func TestTheTablesOwnWordsAreNoMessage(t *testing.T) {
	for _, bets := range []tracker.BetsMode{tracker.BetsOff, tracker.BetsClose, tracker.BetsTimer} {
		s := usual()
		s.bets = bets
		for _, keys := range []string{"", "BETS", "BETS BETS", "PAUSE", "FREE", "CUT", "CUT CUT PLAYER OK", "VOID OK", "NEW_SHOE OK"} {
			r := sit(t, s).deal(2, "B").play(keys).wait(5 * time.Second)
			if d := r.dealer(); d.Told != "" || d.Refused || d.Entering || d.Blink {
				t.Errorf("%s %s: %+v", bets, keys, d)
			}
		}
	}
}

// Under review the echo says that the board is frozen and which key lets it go, unless
// something is pending, and so does the Board.
func TestReviewIsOnTheEchoWithItsKey(t *testing.T) {
	for layout, release := range map[string]string{"numpad-17": "HOLD * = RELEASE", "matrix-4x5": "HOLD REVIEW=RELEASE"} {
		for _, keys := range []string{"REVIEW", "BETS REVIEW", "REVIEW PLAYER OK", "FREE REVIEW", "PAUSE REVIEW", "NEW_SHOE OK REVIEW"} {
			s := usual()
			s.layout = layout
			r := sit(t, s).deal(2, "B").play(keys).wait(3 * time.Second)
			frozen := "BOARD FROZEN | " + release
			r.isTold(stats.ToldHint, frozen)
			r.restart(true, false)
			r.isTold(stats.ToldHint, frozen)
			r.press("TIE")
			if r.line() == frozen || !r.dealer().Entering {
				t.Errorf("%s %s: what is keyed behind it is not shown", layout, keys)
			}
			r.play("CLEAR").wait(3 * time.Second)
			r.isTold(stats.ToldHint, frozen)
			r.press("REVIEW")
			if d := r.dealer(); d.Told != "" || strings.Contains(r.line(), "FROZEN") {
				t.Errorf("%s %s: released: %+v", layout, keys, d)
			}
		}
	}
	r := sit(t, usual()).deal(2, "B")
	r.handle(hw.Press{Source: "key", Pos: "review", Down: true, At: r.now.Mono}) // the supervisor's switch
	r.isTold(stats.ToldHint, "BOARD FROZEN | HOLD * = RELEASE")
}

// CUT is answered in every state, at once, in words or by a refusal: a dealer who sees
// nothing presses again, and then another hand is the last, or none.
func TestCutIsAnsweredInEveryState(t *testing.T) {
	for _, s := range scenes() {
		for _, w := range ways() {
			if w.only != "" && w.only != s.game {
				continue
			}
			r := sit(t, s)
			w.play(r)
			before := r.dealer()
			r.press("CUT")
			r.pass(100 * ms)
			d := r.dealer()
			if d.Told == "" && !d.Refused {
				t.Errorf("%s %s (%s): %q was answered by %q", s, w.state, w.name, before.Lines, d.Lines)
			}
		}
	}
}
