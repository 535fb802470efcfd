package table_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
	"shoeboard/tracker/table"
)

// wish is a wish to put a hand right that comes to nothing.
type wish struct {
	name string
	make func(r *rig)
}

// failedWishes are the ways in which a correction is refused, let go too soon or steps
// too far, each on a table of three hands whose dealer may fix the last one.
func failedWishes() []wish {
	var all []wish
	add := func(name string, f func(r *rig)) { all = append(all, wish{name, f}) }
	for _, d := range []time.Duration{401 * ms, 550 * ms, 700 * ms, 999 * ms} {
		add("let go after "+d.String(), func(r *rig) { r.held("CLEAR", d) })
		add("let go after "+d.String()+" where a fix is open", func(r *rig) { r.play("FIX"); r.held("CLEAR", d) })
		add("let go after "+d.String()+" where one is keyed", func(r *rig) { r.play("FIX TIE"); r.held("CLEAR", d) })
		add("VOID let go after "+d.String(), func(r *rig) { r.play("FIX TIE"); r.held("VOID", d) })
	}
	add("let go twice", func(r *rig) { r.held("CLEAR", 700*ms); r.wait(300 * ms); r.held("CLEAR", 700*ms) })
	add("stepped too far", func(r *rig) { r.play("FIX FIX") })
	add("stepped too far, and again", func(r *rig) { r.play("FIX FIX FIX FIX") })
	add("stepped too far, and let go", func(r *rig) { r.play("FIX FIX"); r.held("CLEAR", 700*ms); r.wait(ms * 300); r.play("FIX") })
	add("stepped too far from REMOVE?", func(r *rig) { r.play("FIX VOID FIX") })
	add("lapsed", func(r *rig) { r.play("FIX TIE"); r.wait(30 * time.Second) })
	add("lapsed in mid-hold", func(r *rig) {
		r.play("FIX")
		r.wait(28 * time.Second)
		r.held("CLEAR", 700*ms)
	})
	add("another key at once", func(r *rig) { r.interrupted("CLEAR", "TIE", 30*ms, 1200*ms) })
	add("under another key", func(r *rig) { r.interrupted("TIE", "CLEAR", 30*ms, 1200*ms) })
	add("another key in the hold", func(r *rig) { r.interrupted("CLEAR", "TIE", 500*ms, 200*ms) })
	add("a refused hold that sticks", func(r *rig) { r.interrupted("CLEAR", "TIE", 30*ms, 16*time.Second) })
	for _, change := range []hw.Change{hw.Went, hw.Lost, hw.Faulty} {
		add(fmt.Sprintf("pad gone in mid-hold, %d", change), func(r *rig) {
			r.down("CLEAR")
			r.wait(600 * ms)
			r.plug(change)
			r.plug(hw.Came)
			r.up("CLEAR")
		})
	}
	for _, sameBoot := range []bool{false, true} {
		add(fmt.Sprintf("restart in mid-hold, %v", sameBoot), func(r *rig) {
			r.down("CLEAR")
			r.wait(600 * ms)
			r.restart(false, sameBoot)
		})
		add(fmt.Sprintf("restart after it was refused, %v", sameBoot), func(r *rig) { r.play("FIX FIX"); r.restart(false, sameBoot) })
		add(fmt.Sprintf("restart after it was let go, %v", sameBoot), func(r *rig) { r.held("CLEAR", 700*ms); r.restart(false, sameBoot) })
	}
	add("while the bets are open", func(r *rig) { r.play("BETS").wait(2 * time.Second); r.held("CLEAR", 700*ms) })
	add("under review", func(r *rig) { r.play("REVIEW"); r.held("CLEAR", 700*ms) })
	add("over NO RESULT", func(r *rig) {
		r.play("BETS").wait(2 * time.Second).play("BETS").wait(16 * time.Second).play("BETS")
		r.held("CLEAR", 700*ms)
	})
	add("in a pause", func(r *rig) { r.play("PAUSE"); r.held("CLEAR", 700*ms) })
	add("the other CLEAR", func(r *rig) { r.held("BACKSPACE", 700*ms) })
	return all
}

// interrupted holds one key, and another gap later; both are let go after that.
func (r *rig) interrupted(first, second string, gap, then time.Duration) {
	r.t.Helper()
	r.down(first)
	r.pass(gap)
	r.down(second)
	r.pass(then)
	r.up(second)
	r.up(first)
}

// bursts are what a hand is put right with, in one go, by one who does not look.
func bursts() []string {
	return []string{"PLAYER OK", "dragon-7 OK", "BANKER_NATURAL BANKER_NATURAL OK", "TIE PLAYER OK", "BANKER_PAIR TIE OK", "TIE BANKER_PAIR OK",
		"FREE OK", "FREE PLAYER OK", "OK", "OK OK", "VOID OK", "CLEAR", "BETS"}
}

// No wish to put a hand right becomes a hand, a void, an open round or another hand's
// correction, at a quick dealer's pace and at a slow one's.
func TestNoFailedCorrectionWritesAnything(t *testing.T) {
	confirms := []bool{true}
	if table.AllWalks() {
		confirms = append(confirms, false)
	}
	for _, w := range failedWishes() {
		for _, burst := range bursts() {
			for _, pace := range []time.Duration{90 * ms, 260 * ms, 760 * ms, 1500 * ms} {
				for _, confirm := range confirms {
					s := usual()
					s.pairs, s.confirm = true, confirm
					r := sit(t, s).deal(3, "B")
					w.make(r)
					r.wait(time.Second)
					was, hands := r.state(), r.list()
					for _, key := range strings.Fields(burst) {
						r.press(key)
						r.pass(pace)
					}
					r.wait(3 * time.Second)
					is := r.state()
					if r.list() != hands || is.Shoe.Voids != was.Shoe.Voids || is.Shoe.Fixes != was.Shoe.Fixes || is.Free != was.Free || is.Phase != was.Phase ||
						r.echo().Entering {
						t.Fatalf("%s, then %s every %v, confirm %v: hands %q, %v to %v, echo %q", w.name, burst, pace, confirm, r.list(), short(was), short(is), r.line())
					}
				}
			}
		}
	}
}

// The same where nothing can be put right: no hand yet, a shoe that is new, a record on its
// way, three fixes.
func TestARefusedCorrectionIsNoHand(t *testing.T) {
	for name, play := range map[string]func(r *rig){
		"no hand yet, bets open": func(r *rig) { r.play("BETS FIX") },
		"shuffling":              func(r *rig) { r.play("FIX") },
		"a new shoe":             func(r *rig) { r.deal(3, "B").play("NEW_SHOE OK"); r.held("CLEAR", 700*ms) },
		"a new shoe's question":  func(r *rig) { r.deal(3, "B").play("NEW_SHOE OK FIX") },
		"that question, late":    func(r *rig) { r.deal(3, "B").play("NEW_SHOE OK FIX").wait(31 * time.Second) },
		"that question, restart": func(r *rig) { r.deal(3, "B").play("NEW_SHOE OK FIX"); r.restart(false, false) },
		"a new shoe, bets open":  func(r *rig) { r.deal(3, "B").play("NEW_SHOE OK BETS FIX") },
		"saving": func(r *rig) {
			r.deal(3, "B")
			r.slow = 4 * time.Second
			r.play("PLAYER OK FIX").wait(4 * time.Second)
		},
		"saving, let go": func(r *rig) {
			r.deal(3, "B")
			r.slow = 3 * time.Second
			r.play("PLAYER OK")
			r.held("CLEAR", 700*ms)
			r.wait(3 * time.Second)
		},
		"a shoe was faster": func(r *rig) { r.deal(3, "B"); r.reads("2S,KH/9D,KC"); r.wait(time.Second).play("FIX") },
		"a shoe's question was faster": func(r *rig) {
			r.deal(3, "B")
			r.handle(hw.ShoeSeen{Source: "shoe", Change: hw.NewShoe, At: r.now.Mono})
			r.wait(time.Second).play("FIX")
		},
		"three fixes": func(r *rig) { r.deal(1, "B").play("FIX PLAYER OK FIX BANKER OK FIX TIE OK FIX").wait(13 * time.Second) },
		"three fixes, held twice": func(r *rig) {
			r.deal(1, "B").play("FIX PLAYER OK FIX BANKER OK FIX TIE OK FIX FIX FIX")
		},
	} {
		for _, burst := range []string{"PLAYER OK", "BANKER_NATURAL BANKER_NATURAL OK", "VOID OK", "FREE OK"} {
			r := sit(t, usual())
			play(r)
			was, hands := r.state(), r.list()
			for _, key := range strings.Fields(burst) {
				r.press(key)
				r.pass(260 * ms)
			}
			if r.list() != hands || r.state().Shoe.Voids != was.Shoe.Voids || r.state().Free != was.Free || r.state().Shoe.Number != was.Shoe.Number || r.echo().Entering {
				t.Errorf("%s, then %s: hands %q to %q, echo %q", name, burst, hands, r.list(), r.line())
			}
			r.slow = 0
			r.wait(4 * time.Second).play("TIE OK OK OK") // what follows a warning is the next hand's, or asked about
			if last, ok := r.state().Last(); !r.echo().Asking && (!ok || last.Outcome != game.Tie) {
				t.Errorf("%s, then %s: nothing can be keyed any more: %q, hands %q", name, burst, r.line(), r.list())
			}
		}
	}
}

// A hold in an open fix holds off its lapse: it steps back from the hand that is open, and
// never opens the last one in its place.
func TestAHoldAsTheFixLapsesStepsBack(t *testing.T) {
	s := usual()
	s.fixes = 3
	for at := 28500 * ms; at < 31*time.Second; at += 100 * ms {
		r := sit(t, s).deal(4, "B").play("FIX FIX")
		r.wait(at)
		r.press("FIX")
		if line := r.line(); at < 29*time.Second && !strings.HasPrefix(line, "FIX 2:") || strings.HasPrefix(line, "FIX 3:") {
			t.Errorf("held %v after the last press: %q", at, line)
		}
	}
}

// Totals are several digits: none of those that put a hand right becomes a hand, and the
// OK behind them opens no bets.
func TestAFailedCorrectionByTotals(t *testing.T) {
	s := usual()
	s.totals = true
	for _, keys := range []string{"6 7 OK", "6 . 7 OK", "6 7 . OK", "6 . 7 . OK", "OK", "OK OK", "6 OK OK", "FREE OK"} {
		for _, pace := range []time.Duration{90 * ms, 260 * ms, 760 * ms} {
			r := sit(t, s).deal(3, "B")
			r.held("CLEAR", 700*ms)
			r.wait(2 * time.Second)
			for _, key := range strings.Fields(keys) {
				r.press(map[string]string{".": "PL_DEALER"}[key] + strings.Trim(key, "."))
				r.pass(pace)
			}
			if r.list() != "P P B" || r.state().Phase != tracker.Result || r.proposed() != "" || r.state().Free {
				t.Errorf("%s every %v: hands %q, %v, proposed %q, echo %q", keys, pace, r.list(), short(r.state()), r.proposed(), r.line())
			}
		}
	}
}
