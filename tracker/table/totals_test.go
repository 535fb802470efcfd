package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

// totalsIn are the totals of a token as they are keyed: "6.-7" of "6.3-7.2", and "" when
// it has none.
func totalsIn(token string) string {
	base, _, _ := strings.Cut(token, "+")
	if len(base) != len("6.3-7.2") || base[3] != '-' {
		return ""
	}
	return strings.NewReplacer(".2", "", ".3", ".").Replace(base)
}

// byTotals is a table at which totals are keyed.
func byTotals() scene {
	s := usual()
	s.totals = true
	return s
}

// Every hand that can come is keyed by its totals, on both keypads, and the record has
// the totals, the naturals and the bets.
func TestTotalsOfEveryHand(t *testing.T) {
	for _, layout := range console.Layouts() {
		s := byTotals()
		s.layout, s.bets = layout, tracker.BetsOff
		r, hands := sit(t, s), 0
		for pt := range 10 {
			for bt := range 10 {
				for _, cards := range []string{"22", "23", "32", "33"} {
					want := string(rune('0'+pt)) + "." + cards[:1] + "-" + string(rune('0'+bt)) + "." + cards[1:]
					if _, err := tracker.ParseToken(r.pack, want); err != nil {
						continue
					}
					hands++
					keys := strings.Join(strings.Split(strings.ReplaceAll(totalsIn(want), "-", ""), ""), " ")
					r.play(keys + " OK").wait(12 * time.Second)
					if last, _ := r.state().Last(); tracker.FormatToken(r.pack, last) != want {
						t.Fatalf("%s keyed %s: the last hand is %s, echo %q", layout, keys, tracker.FormatToken(r.pack, last), r.line())
					}
				}
			}
		}
		if hands != 205 { // rules/catalogue.md, "Drawing"
			t.Errorf("%d hands can come, want 205", hands)
		}
	}
}

// What the echo says on the way, to the letter.
func TestEchoLinesOfTotals(t *testing.T) {
	dai := scene{game: "dai-bacc", layout: "matrix-4x5", bets: tracker.BetsTimer, confirm: true, fixes: 1, pairs: true, totals: true}
	for _, c := range []struct {
		name, keys, want string
		scene            scene
	}{
		{"Player's total", "6", "4? 6- | BANKER? (.=3 CARDS)", byTotals()},
		{"on three cards", "6 .", "4? 6.- | BANKER'S TOTAL?", byTotals()},
		{"and not", "6 . .", "4? 6- | BANKER? (.=3 CARDS)", byTotals()},
		{"both", "6 7", "4? 6-7 BANKER | OK=SAVE   CLEAR=DROP", byTotals()},
		{"Dragon 7", "6 7 .", "4? 6-7. DRAGON 7 | OK=SAVE   CLEAR=DROP", byTotals()},
		{"Panda 8", "8 . 7 .", "4? 8.-7. PANDA 8 | OK=SAVE   CLEAR=DROP", byTotals()},
		{"nought to nought", "0 . 0 .", "4? 0.-0. TIE | OK=SAVE   CLEAR=DROP", byTotals()},
		{"natural tie", "8 8", "4? 8-8 NATURAL TIE | OK=SAVE   CLEAR=DROP", byTotals()},
		{"9 over 8", "9 8", "4? 9-8 PLAYER 9/8 | OK=SAVE   CLEAR=DROP", byTotals()},
		{"Tiger 7 with Kill", "6 . 7 .", "4? 6.-7. T7+KILL | OK=SAVE   CLEAR=DROP", dai},
		{"Kill in a tie", "6 . 6", "4? 6.-6 TIE + KILL | OK=SAVE   CLEAR=DROP", dai},
		{"a pair first", "PAIR 7 6", "4? 7-6 PLAYER BP | OK=SAVE   CLEAR=DROP", dai},
		{"a pair that cannot be with a natural 9", "PAIR 4 9", "4? 4-9 BP | CHECK TOTALS, PAIRS", dai},
		{"nor with OK", "PAIR 4 9 OK", "4? 4-9 BP | CHECK TOTALS, PAIRS", dai},
		{"a pair taken off", "PAIR 4 9 PAIR", "4? 4-9 B NAT PP | OK=SAVE   CLEAR=DROP", dai},
		{"a pair before three cards", "PAIR 6 7 .", "4? 6-7. TIGER 7 BP | OK=SAVE   CLEAR=DROP", dai},
		{"not to be on two cards", "5 6", "4? 5-6 | CHECK TOTALS, CARDS", byTotals()},
		{"nor with OK", "5 6 OK", "4? 5-6 | CHECK TOTALS, CARDS", byTotals()},
		{"a third card makes it", "5 6 .", "4? 5-6. | CHECK TOTALS, CARDS", byTotals()},
		{"OK too soon", "6 OK", "4? 6- | BANKER? (.=3 CARDS)", byTotals()},
		{"the next digit begins anew", "6 7 5", "4? 5- | BANKER? (.=3 CARDS)", byTotals()},
		{"0 over a hand closes bets", "6 7 0", "SAVE 4 FIRST | OK=SAVE   CLEAR=DROP", byTotals()},
		{"a dot for nothing", ".", "FIRST PLAYER'S TOTAL", byTotals()},
		{"dropped", "6 7 CLEAR", "4 DROPPED, | NOT SAVED", byTotals()},
		{"OK with nothing pending is BETS", "OK", "4 BETS OPEN      20s | LAST 3 BANKER", byTotals()},
		{"and closes them", "OK wait OK", "4 BETS CLOSED | LAST 3 BANKER", byTotals()},
		{"paused", "PAUSE", "GAME PAUSED | OK = GO ON", byTotals()},
		{"and on", "PAUSE wait OK", "3 BANKER  SAVED | FIX: HOLD CLEAR 1s", byTotals()},
		{"closed by 0 over a hand", "OK wait 6 7 0", "4? 6-7 BANKER | OK=SAVE   CLEAR=DROP", byTotals()},
		{"fix", "FIX 6", "FIX 3: 6- | BANKER? (.=3 CARDS)", byTotals()},
		{"and a pair beside it", "FIX 6 PAIR", "FIX 3: 6- BP | BANKER? (.=3 CARDS)", dai},
		{"fix, keyed", "FIX 6 7 .", "3 BANKER > 6-7. D7? | OK=FIX 3  0=HAND 4", byTotals()},
		{"fix with half of it", "FIX 6 OK", "FIX 3: 6- | BANKER? (.=3 CARDS)", byTotals()},
		{"fix that was a new hand", "FIX 6 7 0", "4? 6-7 BANKER | OK=SAVE   CLEAR=DROP", byTotals()},
		{"void", "VOID", "VOID HAND 4? | MISDEAL  OK=YES", byTotals()},
		{"void withdrawn by 0", "VOID 0", "4? 0- | BANKER? (.=3 CARDS)", byTotals()},
		{"saved", "6 7 OK", "4 BANKER  SAVED | FIX: HOLD CLEAR 1s", byTotals()},
		{"the same again", "6 7 OK 6 7 OK", "SAME RESULT, 2s AGO | OK=STILL 4  0=NEW", byTotals()},
		{"the same result by other totals", "6 7 OK 5 . 7 OK", "4 6-7 > 5.-7 BANKER? | OK=FIX 4  0=HAND 5", byTotals()},
		{"other totals of a free hand", "6 7 OK FIX FREE 5 . 7", "4 6-7 > 5.-7 B FREE? | OK=FIX 4  0=HAND 5", byTotals()},
		{"the same totals of a free hand", "6 7 OK FIX FREE 6 7", "4 FREE HAND? | OK=FIX 4  0=HAND 5", byTotals()},
		{"as a new hand", "6 7 OK 6 7 OK 0", "5? 6-7 BANKER | OK=SAVE   CLEAR=DROP", byTotals()},
		{"OK twice does not open bets", "6 7 OK OK", "4 BANKER  SAVED | FIX: HOLD CLEAR 1s", byTotals()},
		{"another result", "6 7 OK 7 6 OK", "4 BANKER > 7-6 P? | OK=FIX 4  0=HAND 5", byTotals()},
	} {
		r := sit(t, c.scene).deal(3, "B")
		for _, key := range strings.Fields(c.keys) {
			if key == "wait" {
				r.wait(4 * time.Second)
				continue
			}
			r.play(key)
		}
		r.wants(c.name, r.line(), c.want)
	}
}

// A fix by totals keeps them; what says the same totals changes nothing.
func TestFixByTotals(t *testing.T) {
	r := sit(t, byTotals()).play("6 7 OK").wait(12 * time.Second)
	r.play("FIX 5 . 7 OK")
	r.wants("the totals alone", r.list(), "5.3-7.2")
	r.wait(12 * time.Second).play("FIX 5 . 7 OK")
	r.wants("the same", r.line(), "1 UNCHANGED | LAST 1 BANKER")
	if n := r.state().Shoe.Fixes; n != 1 {
		t.Errorf("%d fixes, want 1", n)
	}
	r.play("FIX VOID OK")
	r.wants("removed", r.list(), "")
	r = sit(t, byTotals()).deal(1, "B").play("FIX 6 7 OK")
	r.wants("totals for a hand without", r.list(), "6.2-7.2")
}

// Half a hand comes back after a restart, and can be gone on with.
func TestTotalsAfterARestart(t *testing.T) {
	for keys, want := range map[string]string{
		"6":        "4? 6- | UNFINISHED: KEY IT",
		"6 .":      "4? 6.- | UNFINISHED: KEY IT",
		"5 6":      "4? 5-6 | UNFINISHED: KEY IT",
		"6 7 .":    "4? 6-7. DRAGON 7 | UNFINISHED: OK/CLEAR",
		"FIX 6":    "FIX ENDED, NO CHANGE | LAST 3 BANKER",
		"FIX 6 7":  "3 BANKER > 6-7 B? | UNFINISHED: OK/CLEAR",
		"6 7 OK 6": "5? 6- | UNFINISHED: KEY IT",
	} {
		for _, sameBoot := range []bool{true, false} {
			r := sit(t, byTotals()).deal(3, "B").play(keys)
			r.restart(true, sameBoot)
			r.wants(keys, r.line(), want)
		}
	}
	r := sit(t, byTotals()).deal(1, "B").play("6")
	r.restart(false, true)
	r.play("7 . OK")
	r.wants("gone on with", r.list(), "B 6.2-7.3")
}

// A shoe that read other totals than were keyed asks, even when the result is the same.
func TestTotalsAgainstAShoe(t *testing.T) {
	r := sit(t, byTotals()).play("5 . 7")
	r.reads(dragon) // 6.2-7.3
	r.wants("another hand", r.line(), "SHOE SAYS 6-7. D7 | OK=MINE  0=SHOE")
	r = sit(t, byTotals()).play("6 7 .")
	r.reads(dragon)
	r.wants("the same hand", r.line(), "1? 6-7. DRAGON 7 | OK=SAVE   CLEAR=DROP")
	r.wait(time.Second).play("OK")
	r.wants("by its cards", r.list(), dragon)
	r = sit(t, byTotals()).play("6")
	r.reads(dragon)
	r.wants("half of it", r.line(), "1? DRAGON 7 | OK=SAVE   CLEAR=DROP")
	r = sit(t, byTotals()).play("5")
	r.reads(dragon)
	r.wants("half of another", r.line(), "SHOE SAYS 6-7. D7 | OK=MINE  0=SHOE")
}
