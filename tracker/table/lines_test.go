package table_test

import (
	"errors"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/table"
)

// The lines that the grammar gives are the lines that the echo shows, to the letter.
func TestEchoLines(t *testing.T) {
	dai := scene{game: "dai-bacc", layout: "matrix-4x5", bets: tracker.BetsTimer, confirm: true, fixes: 1}
	for _, c := range []struct {
		line1, line2 string
		table        scene
		hands        int
		last         string
		play         func(r *rig)
	}{
		{"49 BETS OPEN     18s", "LAST 48 BANKER D7", usual(), 48, "B+dragon-7", func(r *rig) { r.press("BETS"); r.pass(2 * time.Second) }},
		{"49? BANKER NATURAL", "OK=SAVE   CLEAR=DROP", usual(), 48, "P", func(r *rig) { r.press("BANKER_NATURAL") }},
		{"49 BANKER NAT  SAVED", "FIX: HOLD CLEAR 1s", usual(), 48, "P", func(r *rig) { r.play("BANKER_NATURAL OK") }},
		{"49 BANKER NAT  SAVED", "FIX: HOLD CLEAR 1s", usual(), 48, "P", func(r *rig) { r.play("BANKER_NATURAL OK").wait(time.Minute) }},
		{"48 BANKER > PLAYER?", "OK=FIX 48  0=HAND 49", usual(), 48, "B", func(r *rig) { r.play("FIX PLAYER") }},
		{"48 BANKER > PLAYER?", "OK=FIX 48  0=HAND 49", usual(), 47, "P", func(r *rig) { r.play("BANKER OK PLAYER OK") }},
		{"SAME RESULT, 6s AGO", "OK=STILL 48  0=NEW", usual(), 47, "P", func(r *rig) { r.play("PLAYER OK").wait(4500 * time.Millisecond).play("PLAYER OK") }},
		{"KILL: WHO WON?", "BANKER  TIE  PLAYER", dai, 48, "P", func(r *rig) { r.press("kill") }},
		{"HAND 49 NO RESULT", "KEY IT, FREE OR VOID", usual(), 48, "P", func(r *rig) { r.play("BETS").wait(40 * time.Second).play("BETS") }},
		{"NOT SAVED: KEY AGAIN", "", usual(), 48, "P", func(r *rig) { r.play("PLAYER").wait(30 * time.Second) }},
		{"LAST IS HAND 50", "TAP AGAIN=HAND 49", usual(), 48, "P", func(r *rig) { r.press("CUT") }},
		{"NEW SHOE? 82 HANDS", "OK=YES  CLEAR=NO", usual(), 82, "P", func(r *rig) { r.press("NEW_SHOE") }},
		{"FIX 43: WAS BANKER", "KEY RIGHT ONE, OK", usual(), 43, "B", func(r *rig) { r.press("FIX") }},
		{"FIX ENDED, NO CHANGE", "LAST 48 BANKER D7", usual(), 48, "B+dragon-7", func(r *rig) { r.play("FIX").wait(30 * time.Second).play("BANKER") }},
		{"SHOE OVER, 82 HANDS", "OK=NEW SHOE 0=HAND83", usual(), 81, "B", func(r *rig) { r.play("CUT CUT TIE OK").wait(afterDoubles).play("PLAYER OK") }},
		{"SAVE 49 FIRST", "OK=SAVE   CLEAR=DROP", usual(), 48, "B", func(r *rig) { r.play("PLAYER PAUSE") }},
		{"E21 NOT RECORDING", "USE PAPER. CALL TECH", usual(), 48, "B", func(r *rig) {
			r.slow = time.Hour
			r.play("PLAYER OK")
			r.handle(table.Failed{Err: errors.New("no space")})
		}},
	} {
		t.Run(c.line1, func(t *testing.T) {
			r := sit(t, c.table).deal(c.hands, c.last)
			c.play(r)
			if e := r.echo(); e.Lines != [2]string{c.line1, c.line2} {
				t.Errorf("the echo shows %q, want %q", e.Lines, [2]string{c.line1, c.line2})
			}
		})
	}
}

// While the record fails the dealer goes on seeing what he keys, and that it is not
// on disk; when the disk is back nothing of it stays.
func TestNotRecordingIsSaidUntilItIs(t *testing.T) {
	r := sit(t, usual()).deal(48, "B")
	r.slow = 10 * time.Second
	r.play("PLAYER OK")
	r.handle(table.Failed{Err: errors.New("no space")})
	r.wants("idle", r.line(), "E21 NOT RECORDING | USE PAPER. CALL TECH")
	r.press("TIE")
	r.wants("keyed", r.line(), "50? TIE | E21 NOT RECORDING")
	r.pass(10 * time.Second)
	r.wants("recorded", r.line(), "50? TIE | OK=SAVE   CLEAR=DROP")
	if f := r.board().Faults; len(f) != 0 {
		t.Errorf("still a fault: %v", f)
	}
}
