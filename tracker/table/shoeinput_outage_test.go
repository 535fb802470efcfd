package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
)

// repeats lets the shoe read a hand that was dealt at some time after since, as one whose
// line was down.
func (r *rig) repeats(token string, since time.Duration) {
	r.t.Helper()
	h := handOf(r.t, token, r.now.Mono)
	h.Since, h.Doubt = since, hw.LineWasDown
	r.tells(h)
}

// lineIs lets the line to the shoe go down or come back.
func (r *rig) lineIs(c hw.Change) *rig {
	r.t.Helper()
	r.tells(hw.Notice{Source: "shoe", Change: c, At: r.now.Mono})
	return r
}

// standing are the codes of the faults that stand.
func (r *rig) standing() string {
	var codes []string
	for _, f := range r.board().Faults {
		if !f.Ended {
			codes = append(codes, f.Code)
		}
	}
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

func unsureOf(doubt string, at time.Duration) hw.HandSeen {
	return hw.HandSeen{Source: "shoe", Doubt: doubt, At: at}
}

// bothWays plays a story at a table with min_hand and at one without.
func bothWays(t *testing.T, story func(r *rig)) {
	for _, quick := range []bool{false, true} {
		s := usual()
		s.quick = quick
		story(sit(t, s).deal(2, "B").wait(time.Minute))
	}
}

// The line was down, the dealer keyed the hands, and the shoe rightly repeats them.
func TestHandsKeyedWhileTheLineWasDownAreNotProposedAgain(t *testing.T) {
	bothWays(t, func(r *rig) {
		since := r.now.Mono
		r.lineIs(hw.Went)
		for _, key := range []string{"BANKER_NATURAL", "PLAYER_NATURAL"} {
			r.wait(40 * time.Second).play(key + " OK")
		}
		r.wait(30 * time.Second).lineIs(hw.Came)
		r.repeats(bankerNatural, since)
		r.repeats(playerNatural, since)
		r.wants("echo", r.line(), "4 PLAYER NAT  SAVED | FIX: HOLD CLEAR 1s")
		r.wants("faults", r.standing(), "")
		r.press("OK")
		r.wants("hands", r.list(), "P B B+banker-natural P+player-natural")
	})
}

// Of the hands that the shoe repeats only those beyond the keyed ones are to be keyed, and
// none of them is proposed.
func TestHandBeyondThoseKeyedWhileTheLineWasDownIsAskedFor(t *testing.T) {
	bothWays(t, func(r *rig) {
		since := r.now.Mono
		r.lineIs(hw.Went)
		r.wait(40 * time.Second).play("BANKER_NATURAL OK").wait(40 * time.Second)
		r.lineIs(hw.Came)
		r.repeats(bankerNatural, since)
		r.repeats(playerNatural, since)
		r.wants("echo", r.line(), "SHOE UNSURE: KEY IT | BANKER  TIE  PLAYER")
		r.wants("proposed", r.proposed(), "")
		r.play("PLAYER_NATURAL OK")
		r.wait(40 * time.Second).turns()
		r.wait(10 * time.Second)
		r.reads(dragon)
		r.wants("the next one", r.line(), "5? DRAGON 7 | OK=SAVE   CLEAR=DROP")
	})
}

// What was keyed while the line was down is held against what the shoe repeats.
func TestHandKeyedWronglyWhileTheLineWasDownIsNamed(t *testing.T) {
	bothWays(t, func(r *rig) {
		since := r.now.Mono
		r.lineIs(hw.Went)
		r.wait(40 * time.Second).play("PLAYER OK").wait(40 * time.Second).play("PLAYER OK").wait(40 * time.Second)
		r.lineIs(hw.Came)
		r.repeats(bankerNatural, since)
		r.wants("the one before", r.line(), "SHOE SAYS 3 BN | TELL THE FLOOR")
		r.wants("fault", r.standing(), "shoe-differs")
		r.press("CLEAR")
		r.repeats(bankerNatural, since)
		r.wants("the last", r.line(), "SHOE SAYS 4 BN | FIX: HOLD CLEAR 1s")
		r.press("OK")
		r.wants("hands", r.list(), "P B P P")
	})
}

// A removed hand is not one of those that the shoe repeats.
func TestHandRemovedAfterAnOutageIsNotCompared(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	since := r.now.Mono
	r.lineIs(hw.Went)
	r.play("BANKER_NATURAL OK").wait(time.Minute).play("TIE OK FIX VOID OK")
	r.wants("hands", r.list(), "P B B+banker-natural")
	r.wait(5 * time.Second).lineIs(hw.Came)
	r.repeats(bankerNatural, since)
	r.wants("faults", r.standing(), "")
	r.repeats(playerNatural, since)
	r.wants("echo", r.line(), "SHOE UNSURE: KEY IT | BANKER  TIE  PLAYER")
}

// Across an outage in which a new shoe was begun its hands are hands, and it is not asked
// about again.
func TestNewShoeThatWasKeyedWhileTheLineWasDownIsNotAskedAbout(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	since := r.now.Mono
	tells := func(c hw.ShoeChange) { r.tells(hw.ShoeSeen{Source: "shoe", Change: c, Since: since, At: r.now.Mono}) }
	r.lineIs(hw.Went)
	r.play("BANKER_NATURAL OK").wait(time.Minute).play("NEW_SHOE OK").wait(time.Minute).play("PLAYER_NATURAL OK").wait(time.Minute)
	r.lineIs(hw.Came)
	r.repeats(bankerNatural, since)
	tells(hw.CutCard)
	tells(hw.HandVoid)
	tells(hw.NewShoe)
	r.repeats(playerNatural, since)
	r.wants("echo", r.line(), "1 PLAYER NAT  SAVED | FIX: HOLD CLEAR 1s")
	r.wants("faults", r.standing(), "")
	if s := r.state(); s.Shoe.Last != 0 || s.Shoe.Number != 2 {
		t.Errorf("shoe %d, last hand %d", s.Shoe.Number, s.Shoe.Last)
	}
}

// The program was started anew while the line was down: which hands were keyed meanwhile is
// not known any more, and nothing is proposed before the dealer has recorded one.
func TestStartWhileTheLineIsDownProposesNothingOfBefore(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	r.lineIs(hw.Went)
	r.play("BANKER_NATURAL OK").wait(time.Minute).play("PLAYER_NATURAL OK").wait(time.Minute)
	r.restart(true, true)
	r.wait(time.Second)
	h := handOf(t, bankerNatural, r.now.Mono) // a converter has kept it
	h.Since = r.now.Mono - time.Second
	r.tells(h)
	r.wants("proposed", r.proposed(), "")
	r.wants("echo", r.line(), "SHOE UNSURE: KEY IT | BANKER  TIE  PLAYER")
	r.press("OK")
	r.wants("hands", r.list(), "P B B+banker-natural P+player-natural")
}

// The plug of the shoe was pulled in mid-hand. The dealer is told to key, once he can read
// it, and the hand after that is proposed.
func TestPlugOfTheShoePulledInMidHand(t *testing.T) {
	bothWays(t, func(r *rig) {
		r.turns()
		r.wait(2 * time.Second)
		r.tells(hw.ShoeSeen{Source: "shoe", Change: hw.PoweredUp, Doubt: "the shoe was switched off in mid-hand", At: r.now.Mono})
		r.wants("echo", r.line(), "SHOE UNSURE: KEY IT | BANKER  TIE  PLAYER")
		r.wait(time.Second).turns()
		r.wait(5 * time.Second)
		r.tells(unsureOf("the shoe was switched off during the hand before it", r.now.Mono))
		r.play("BANKER OK").wait(30 * time.Second).turns()
		r.wait(5 * time.Second)
		r.reads(playerNatural)
		r.wants("the next one", r.line(), "4? PLAYER NATURAL | OK=SAVE   CLEAR=DROP")
		r.wait(time.Second).play("OK OK")
		r.wants("hands", r.list(), "P B B "+playerNatural)
	})
}

// What the shoe is not sure of is said when the disk is done and the dealer has read what
// was saved; it is not lost, and no hand waits for it.
func TestDoubtIsToldAfterTheRecord(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	r.slow = 3 * time.Second
	r.play("PLAYER OK").turns()
	r.wait(time.Second)
	r.tells(unsureOf("a card was not read", r.now.Mono))
	r.wants("saving", r.line(), "SAVING 3 | PLEASE WAIT")
	r.wait(2 * time.Second)
	r.wants("saved", r.line(), "3 PLAYER  SAVED | FIX: HOLD CLEAR 1s")
	r.wait(4 * time.Second)
	r.wants("told", r.line(), "SHOE UNSURE: KEY IT | BANKER  TIE  PLAYER")
}

// Two doubtful hands are one that was dealt: once it is keyed, none stays behind.
func TestDoubtfulHandDoesNotStayBehindAnother(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	r.press("PLAYER")
	r.tells(unsureOf("hands ran together", r.now.Mono))
	r.tells(unsureOf("its first card was not seen", r.now.Mono))
	r.wait(time.Second).play("OK")
	r.wait(3 * time.Second)
	r.wants("echo", r.line(), "3 PLAYER  SAVED | FIX: HOLD CLEAR 1s")
	r.wants("faults", r.standing(), "")
	r.wait(time.Minute).turns()
	r.wait(5 * time.Second)
	r.reads(bankerNatural)
	r.wants("the next one", r.proposed(), "B+banker-natural")
}

// The dealer saw no need to key, and the shoe has read the next hand: it is asked for too.
func TestHandAfterADoubtThatWasNotKeyedIsAskedFor(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	r.tells(unsureOf("a card was not read", r.now.Mono))
	r.wait(time.Minute).turns()
	r.wait(5 * time.Second)
	r.reads(bankerNatural)
	r.wants("proposed", r.proposed(), "")
	r.wants("faults", r.standing(), "shoe-ahead shoe-doubt")
	r.play("TIE OK").wait(40 * time.Second).turns()
	r.wait(5 * time.Second)
	r.reads(playerNatural)
	r.wants("the next one", r.proposed(), "P+player-natural")
}

// A hand that was voided while the shoe still read it is not proposed.
func TestHandVoidedBeforeItsEndIsNotProposed(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	r.turns()
	r.wait(5 * time.Second).play("VOID OK")
	r.reads(bankerNatural)
	r.wants("proposed", r.proposed(), "")
	r.wait(40 * time.Second).turns()
	r.wait(5 * time.Second)
	r.reads(playerNatural)
	r.wants("the next one", r.proposed(), "P+player-natural")
}

// The disk is slow, and the next hand was begun and read before the last one was on it:
// they are two hands.
func TestHandBegunAfterAKeyedOneIsNotTakenForIt(t *testing.T) {
	r := sit(t, usual()).deal(2, "B").wait(time.Minute)
	r.slow = 40 * time.Second
	r.play("PLAYER OK").wait(5 * time.Second).turns()
	r.wait(5 * time.Second)
	r.reads(bankerNatural)
	r.wait(40 * time.Second)
	r.wants("the next one", r.line(), "4? BANKER NATURAL | OK=SAVE   CLEAR=DROP")
}
