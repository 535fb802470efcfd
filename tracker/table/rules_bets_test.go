package table_test

import (
	"strings"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

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

// FREE, or a hand, that is on its way to a slow disk when the bets would open by themselves:
// FREE stays, and the hand has its own 20 s.
func TestASlowDiskOpensNoBets(t *testing.T) {
	s := usual()
	s.bets = tracker.BetsClose
	for _, keys := range []string{"FREE", "TIE OK"} {
		r := sit(t, s).deal(2, "P").play("BANKER OK").wait(17500 * ms)
		r.slow = 3 * time.Second
		r.play(keys).wait(8 * time.Second)
		if r.state().Phase == tracker.Betting || r.state().Free != (keys == "FREE") {
			t.Errorf("%s: %+v", keys, short(r.state()))
		}
	}
}
