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

// OK is BETS only where nothing was to be saved: not right after an OK that was one, and
// not where what was keyed went without the dealer's doing or the echo tells him something
// until a key is pressed.
func TestOKIsBetsOnlyWhereNothingWasToBeSaved(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(r *rig)
		want string // the phase after it and OK
	}{
		{"after all", func(r *rig) { r.wait(12 * time.Second) }, "betting"},
		{"a fix", func(r *rig) { r.play("FIX 6 7 OK") }, "result"},
		{"a fix, later", func(r *rig) { r.play("FIX 6 7 OK").wait(3 * time.Second) }, "betting"},
		{"nothing to fix", func(r *rig) { r.play("FIX OK") }, "result"},
		{"a hand taken out", func(r *rig) { r.play("FIX VOID OK") }, "result"},
		{"a void", func(r *rig) { r.play("VOID OK") }, "result"},
		{"a replace", func(r *rig) { r.play("6 7 OK 7 6 OK OK") }, "result"},
		{"the same result", func(r *rig) { r.play("6 7 OK 6 7 OK OK") }, "result"},
		{"a new shoe", func(r *rig) { r.play("NEW_SHOE OK") }, "shuffling"},
		{"a shoe taken back", func(r *rig) { r.play("NEW_SHOE OK FIX OK") }, "result"},
		{"an opened table", func(r *rig) { r.play("NEW_SHOE OK NEW_SHOE OK NEW_SHOE OK") }, "shuffling"},
		{"expired", func(r *rig) { r.play("6 7").wait(31 * time.Second) }, "result"},
		{"expired and told", func(r *rig) { r.play("6 7").wait(31 * time.Second).play("OK").wait(3 * time.Second) }, "betting"},
		{"a stuck key", func(r *rig) { r.play("6"); r.held("7", 16*time.Second) }, "result"},
		{"lost keys", func(r *rig) {
			r.play("6 7")
			r.handle(hw.Notice{Source: "pad", Change: hw.Lost})
		}, "result"},
		{"a shoe that is unsure", func(r *rig) { r.tells(hw.HandSeen{Source: "shoe", Doubt: "a card was not read", At: r.now.Mono}) }, "result"},
	} {
		r := sit(t, byTotals()).deal(3, "B")
		c.play(r)
		r.play("OK")
		r.wants(c.name, r.state().Phase.String(), c.want)
	}
}

// Two keys within 80 ms are none, OK where it is BETS among them.
func TestOKThatIsBetsBesideAnotherKey(t *testing.T) {
	r := sit(t, byTotals()).deal(3, "B")
	r.down("OK")
	r.pass(50 * time.Millisecond)
	r.down("6")
	r.pass(50 * time.Millisecond)
	r.up("OK")
	r.up("6")
	r.wants("the chord", r.state().Phase.String(), "result")
	r.play("OK")
	r.wants("by itself", r.state().Phase.String(), "betting")
	r.wait(4 * time.Second).play("6 7 0")
	r.wants("0 over a whole hand", r.state().Phase.String(), "bets-closed")
}

// The letters of a demo's keyboard, and Space, mean what they say beside totals.
func TestLettersBesideTotals(t *testing.T) {
	for keys, want := range map[string]string{
		"6 7 DOT":     "4? 6-7. TIGER 7 | OK=SAVE   CLEAR=DROP",
		"6 7 B":       "4? BANKER | OK=SAVE   CLEAR=DROP",
		"6 B":         "4? BANKER | OK=SAVE   CLEAR=DROP",
		"B 6":         "4? 6- | BANKER? (.=3 CARDS)",
		"B 0":         "SAVE 4 FIRST | OK=SAVE   CLEAR=DROP",
		"K":           "4? KILL | PLAYER'S TOTAL?",
		"K T":         "4? TIE + KILL | OK=SAVE   CLEAR=DROP",
		"K 6 7":       "4? 6-7 BANKER | OK=SAVE   CLEAR=DROP",
		"SPACE":       "4 BETS OPEN      20s | LAST 3 BANKER",
		"6 SPACE":     "SAVE 4 FIRST | OK=SAVE   CLEAR=DROP",
		"FIX D":       "3 BANKER > TIGER 7? | OK=FIX 3  0=HAND 4",
		"FIX 6 7 D":   "3 BANKER > TIGER 7? | OK=FIX 3  0=HAND 4",
		"ENTER":       "4 BETS OPEN      20s | LAST 3 BANKER",
		"6 . 7":       "4? 6.-7 B+KILL | OK=SAVE   CLEAR=DROP",
		"BACKSPACE":   "FIX: HOLD CLEAR 1s | LAST 3 BANKER",
		"6 EQUAL":     "4 DROPPED, | NOT SAVED",
		"F 6 7 ENTER": "4 FREE BANKER  SAVED | FIX: HOLD CLEAR 1s",
	} {
		s := byTotals()
		s.game = "dai-bacc"
		r := sit(t, s).deal(3, "B")
		r.keys = console.Keyboard(r.pack)
		r.boot(r.state())
		r.wants(keys, r.play(keys).line(), want)
	}
}

// A stuck key is called what it is where totals are keyed.
func TestStuckKeysOfTotals(t *testing.T) {
	for key, want := range map[string]string{"7": "STUCK 7 | NOT SAVED: KEY AGAIN", ".": "STUCK . | IGNORED. CALL TECH",
		"OK": "STUCK OK BETS | IGNORED. CALL TECH", "CUT": "STUCK CUT | IGNORED. CALL TECH"} {
		r := sit(t, byTotals()).deal(3, "B")
		r.held(key, 15*time.Second)
		r.wants(key, r.line(), want)
	}
}

// What the second line of the echo names is what the key does.
func TestHintsOfTotalsAreTrue(t *testing.T) {
	for _, layout := range []string{"numpad-17", "matrix-4x5"} {
		for _, keys := range []string{"FIX FREE", "FIX 6 7 FREE", "FIX FREE FREE 6 7", "6 7 OK 7 6 OK", "6 7 OK 6 7 OK", "FIX 6 7", "FIX 5 . 7"} {
			s := byTotals()
			s.layout = layout
			r := sit(t, s).deal(3, "B").play(keys)
			hint := r.echo().Lines[1]
			r.play("0")
			asNew := strings.HasPrefix(r.echo().Lines[0], "4? ") || strings.HasPrefix(r.echo().Lines[0], "5? ")
			if strings.Contains(hint, "0=") != asNew {
				t.Errorf("%s, %s: the hint was %q, 0 came to %q", layout, keys, hint, r.line())
			}
		}
	}
}

// What is keyed of totals is dropped when keys mean results again before it is saved: on
// a slow disk settings may come in the middle of it.
func TestResultsInTheMiddleOfTotals(t *testing.T) {
	const dropped = "NOT SAVED: KEY AGAIN | RESULT KEYS NOW"
	for _, c := range [][2]string{
		{"6", dropped}, {"6 .", dropped}, {"5 6", dropped}, {"6 7", dropped},
		{"", "3 BANKER  SAVED | FIX: HOLD CLEAR 1s"},
	} {
		r := slowSettings(t, byTotals(), tracker.EntryResults).play(c[0])
		scratch := r.scratch
		r.pass(r.due - r.now.Mono)
		r.wants(c[0], r.line(), c[1])
		r.scratch = scratch // the program died before it was written anew
		r.restart(true, true)
		if r.proposed() != "" && c[1] == dropped {
			t.Errorf("%s: after a restart %q is proposed", c[0], r.line())
		}
	}
	// without confirm, letting go a key that was a total records nothing
	r := slowSettings(t, byTotals(), tracker.EntryResults)
	r.down("6")
	r.pass(r.due - r.now.Mono)
	r.up("6")
	r.wants("let go", r.list(), "P P B")
	r = slowSettings(t, usual(), tracker.EntryTotals).play("3")
	r.pass(r.due - r.now.Mono)
	r.wants("a result that totals follow", r.line(), "4? PLAYER | OK=SAVE   CLEAR=DROP")
}

// slowSettings is a table for which another way of keying is on its way to disk.
func slowSettings(t *testing.T, s scene, to tracker.EntryMode) *rig {
	r := sit(t, s).deal(3, "B")
	r.slow = 10 * time.Second
	settings := r.state().Settings
	settings.Entry, settings.Confirm = to, to == tracker.EntryTotals
	r.engine.Configure(r.now, table.Config{Settings: settings, Pack: r.pack.Source, Digest: r.pack.Digest})
	r.settle()
	if r.away == nil {
		t.Fatal("the settings wait")
	}
	return r
}
