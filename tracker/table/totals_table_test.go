package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/tracker/console"
)

// The state table where totals are keyed: the first line of the echo after a digit, 0,
// "." and OK in every state, "–" before it where the key is refused. All other keys mean
// what they say in testdata/state-table.md.
func TestStateTableOfTotals(t *testing.T) {
	for _, c := range []struct{ state, keys, six, nought, dot, ok string }{
		{"table closed", "NEW_SHOE OK NEW_SHOE OK",
			"–TABLE CLOSED", "–TABLE CLOSED", "–TABLE CLOSED", "–TABLE CLOSED"},
		{"shuffling", "NEW_SHOE OK wait",
			"1? 6-", "1? 0-", "–FIRST PLAYER'S TOTAL", "1 BETS OPEN      20s"},
		{"result", "",
			"4? 6-", "4? 0-", "–FIRST PLAYER'S TOTAL", "4 BETS OPEN      20s"},
		{"just saved", "6 7 OK",
			"5? 6-", "5? 0-", "–FIRST PLAYER'S TOTAL", "4 BANKER  SAVED"},
		{"betting", "OK wait",
			"4? 6-", "4? 0-", "–FIRST PLAYER'S TOTAL", "4 BETS CLOSED"},
		{"bets closed", "OK wait OK wait",
			"4? 6-", "4? 0-", "–FIRST PLAYER'S TOTAL", "4 BETS OPEN      10s"},
		{"bets closed, longer", "OK wait OK wait wait wait wait wait",
			"4? 6-", "4? 0-", "–FIRST PLAYER'S TOTAL", "HAND 4 NO RESULT"},
		{"NO RESULT", "OK wait OK wait wait wait wait wait OK",
			"4? 6-", "4? 0-", "–HAND 4 NO RESULT", "4 BETS OPEN      10s"},
		{"paused", "PAUSE",
			"4? 6-", "4? 0-", "–FIRST PLAYER'S TOTAL", "3 BANKER  SAVED"},
		{"Player's total", "6",
			"4? 6-6 TIE", "4? 6-0", "4? 6.-", "–4? 6-"},
		{"three cards", "6 .",
			"4? 6.-6 TIE", "4? 6.-0", "4? 6-", "–4? 6.-"},
		{"cannot be", "5 6",
			"4? 6-", "4? 0-", "4? 5-6.", "–4? 5-6"},
		{"whole", "6 7",
			"4? 6-", "–SAVE 4 FIRST", "4? 6-7. DRAGON 7", "4 BANKER  SAVED"},
		{"whole, betting", "OK wait 6 7",
			"4? 6-", "4? 6-7 BANKER", "4? 6-7. DRAGON 7", "4 BANKER  SAVED"},
		{"SAME?", "6 7 OK 6 7 OK",
			"5? 6-", "5? 6-7 BANKER", "5? 6-7. DRAGON 7", "4 NOT CHANGED"},
		{"REPLACE?", "6 7 OK 7 6 OK",
			"5? 6-", "5? 7-6 PLAYER", "5? 7-6. PLAYER", "4 REPLACED"},
		{"shoe over", "CUT CUT 6 6 OK wait wait wait",
			"5? 6-", "5? 0-", "–FIRST PLAYER'S TOTAL", "–SHOE OVER, 4 HANDS"},
		{"SHOE OVER?", "CUT CUT 6 6 OK wait wait wait 6 7 OK",
			"5? 6-", "5? 6-7 BANKER", "5? 6-7. DRAGON 7", "1 BANKER  SAVED"},
		{"VOID?", "VOID",
			"4? 6-", "4? 0-", "–VOID HAND 4?", "4 VOID: MISDEAL"},
		{"NEW SHOE?", "NEW_SHOE",
			"4? 6-", "4? 0-", "–NEW SHOE? 3 HANDS", "SHUFFLING"},
		{"CLOSE TABLE?", "NEW_SHOE OK wait NEW_SHOE",
			"1? 6-", "1? 0-", "–CLOSE TABLE?", "TABLE CLOSED"},
		{"SHOE GOES ON?", "NEW_SHOE OK wait FIX",
			"–FIX ENDED, NO CHANGE", "–FIX ENDED, NO CHANGE", "–FIX ENDED, NO CHANGE", "3 BANKER  SAVED"},
		{"OPEN TABLE?", "NEW_SHOE OK NEW_SHOE OK NEW_SHOE",
			"–ANSWER FIRST", "–ANSWER FIRST", "–ANSWER FIRST", "SHUFFLING"},
		{"fix", "FIX",
			"FIX 3: 6-", "FIX 3: 0-", "–FIX 3: WAS BANKER", "3 UNCHANGED"},
		{"fix, Player's total", "FIX 6",
			"3 BANKER > 6-6 TIE?", "FIX 3: 6-0", "FIX 3: 6.-", "–FIX 3: 6-"},
		{"fix, whole", "FIX 6 7",
			"FIX 3: 6-", "4? 6-7 BANKER", "3 BANKER > 6-7. D7?", "3 FIXED"},
		{"fix, FREE", "FIX FREE",
			"FIX 3: 6-", "FIX 3: 0-", "–3 FREE HAND?", "3 FIXED"},
		{"REMOVE?", "FIX VOID",
			"FIX 3: 6-", "FIX 3: 0-", "–REMOVE 3 BANKER?", "3 REMOVED"},
		{"fix lapsed", "FIX lapse",
			"–FIX ENDED, NO CHANGE", "–FIX ENDED, NO CHANGE", "–FIX ENDED, NO CHANGE", "–FIX ENDED, NO CHANGE"},
		{"expired", "6 7 lapse",
			"4? 6-", "4? 0-", "–FIRST PLAYER'S TOTAL", "–NOTHING TO SAVE"},
		{"shoe says", "6 7 reads",
			"4? 6-", "4? DRAGON 7", "4? 6-7. DRAGON 7", "4? 6-7 BANKER"},
		{"shoe proposes", "reads",
			"4? 6-", "–SAVE 4 FIRST", "–4? DRAGON 7", "4 DRAGON 7  SAVED"},
		{"SAVING", "slow 6 7 OK",
			"5? 6-", "5? 0-", "–FIRST PLAYER'S TOTAL", "–SAVING 4"},
		{"SAVING, the next", "slow 6 7 OK 6",
			"5? 6-6 TIE", "5? 6-0", "5? 6.-", "–SAVING 4"},
		{"menu", "NEW_SHOE OK NEW_SHOE OK FLOOR",
			"SET TIME", "–NO ITEM 0", "–NO KEY OF THE MENU", "3 FAULTS  4 SCREEN"},
	} {
		for key, want := range map[string]string{"6": c.six, "0": c.nought, ".": c.dot, "OK": c.ok} {
			for _, layout := range console.Layouts() {
				s := byTotals()
				s.layout = layout
				r := totalsAt(t, s, c.keys)
				r.press(key)
				got := r.echo().Lines[0]
				if r.tone == console.Refused {
					got = "–" + got
				}
				r.wants(c.state+" x "+key, got, want)
			}
		}
	}
}

// totalsAt is a table after three hands and these keys. Among them "wait" is 4 s, "lapse"
// longer than anything is pending, "reads" a shoe that reads a hand; from "slow" on the
// disk does not answer.
func totalsAt(t *testing.T, s scene, keys string) *rig {
	t.Helper()
	r := sit(t, s).deal(3, "B")
	for _, key := range strings.Fields(keys) {
		switch key {
		case "wait":
			r.wait(4 * time.Second)
		case "lapse":
			r.wait(31 * time.Second)
		case "slow":
			r.slow = time.Hour
		case "reads":
			r.reads(dragon)
			r.wait(time.Second)
		default:
			r.play(key)
		}
	}
	return r
}
