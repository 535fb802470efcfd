package table_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/table"
)

// floor asks for a correction in somebody's name, and says what became of it.
func (r *rig) floor(kind tracker.Kind, hand int, token string) (told string) {
	r.t.Helper()
	told = "waits"
	_, err := r.engine.Correct(r.now, tracker.Command{Kind: kind, Hand: hand, Token: token, By: "anna"}, nil, func(err error) {
		if told = "saved"; err != nil {
			told = err.Error()
		}
	})
	if err != nil {
		return err.Error()
	}
	r.settle()
	return told
}

// Three fixes are the dealer's; of the fourth, and of any older hand, the echo says TELL
// THE FLOOR, and the floor can put it right. Its corrections do not count among the three.
func TestTheFloorPutsAnyHandRight(t *testing.T) {
	r := sit(t, usual()).deal(0, "B").play("PLAYER OK")
	for _, key := range []string{"BANKER", "TIE", "PLAYER"} {
		r.wait(20 * time.Second).play("FIX " + key + " OK")
	}
	r.wait(20 * time.Second).press("FIX")
	r.wants("a fourth fix", r.line(), "3 FIXES: TELL | THE FLOOR")
	r.wait(20 * time.Second).play("BANKER").wait(3 * time.Second).play("BANKER OK") // the first says that the fix has ended
	r.wait(20 * time.Second).play("TIE OK").wait(20 * time.Second)

	r.wants("fix", r.floor(tracker.HandFixed, 1, "b d7"), "saved")
	r.wants("the hands", r.list(), "B+dragon-7 B T")
	r.wants("the echo", r.line(), "FLOOR FIXED 1 | DRAGON 7")
	r.wait(time.Minute)
	r.wants("the echo until a key", r.line(), "FLOOR FIXED 1 | DRAGON 7")
	r.wants("insert", r.floor(tracker.HandInserted, 2, "P nat"), "saved")
	r.wants("the hands", r.list(), "B+dragon-7 P+player-natural B T")
	r.wants("remove", r.floor(tracker.HandRemoved, 3, ""), "saved")
	r.wants("the hands", r.list(), "B+dragon-7 P+player-natural T")
	if n := r.state().Shoe.Fixes; n != 3 {
		t.Errorf("%d fixes of the dealer's, expected 3", n)
	}
	wrote := r.wrote[len(r.wrote)-1].Record.Events[0]
	if wrote.By != "anna" || wrote.Was != "B" || wrote.Hand != 3 {
		t.Errorf("the record says %+v", wrote)
	}
	r.restart(true, false)
	r.wants("after a restart", r.list(), "B+dragon-7 P+player-natural T")
}

// What the floor may not do, in words.
func TestTheFloorIsRefusedInWords(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	for _, c := range []struct {
		kind  tracker.Kind
		hand  int
		token string
		want  string
	}{
		{tracker.HandFixed, 4, "B", "hand 4: this shoe has hands 1 to 3"},
		{tracker.HandFixed, 3, "B", "hand 3 is B already: nothing was changed"},
		{tracker.HandFixed, 3, "-", "expected P, B, T"},
		{tracker.HandFixed, 3, "", "expected P, B, T"},
		{tracker.HandFixed, 3, "P d7", "cannot be in one hand"},
		{tracker.HandInserted, 5, "P", "hand 5: the next hand is 4"},
		{tracker.HandRemoved, 9, "", "hand 9: this shoe has hands 1 to 3"},
	} {
		if got := r.floor(c.kind, c.hand, c.token); !strings.Contains(got, c.want) {
			t.Errorf("%s %d %q: %q, expected %q", c.kind, c.hand, c.token, got, c.want)
		}
	}
	for _, by := range []string{"", "a\tb", strings.Repeat("n", 41), "anna\u202e", "anna\u200b", " anna", "an\xffna"} {
		_, err := r.engine.Correct(r.now, tracker.Command{Kind: tracker.HandRemoved, Hand: 1, By: by}, nil, func(error) {})
		if err == nil || !strings.Contains(err.Error(), "--by") {
			t.Errorf("in the name of %q: %v", by, err)
		}
	}
	if _, err := r.engine.Correct(r.now, tracker.Command{Kind: tracker.HandRemoved, Hand: 1, By: "anna", Reason: strings.Repeat("y", 121)}, nil, func(error) {}); err == nil {
		t.Error("a long reason is taken")
	}
	r.press("PLAYER")
	r.wants("while the dealer keys", r.floor(tracker.HandFixed, 1, "T"), "the dealer is keying hand 4 or has a question open: try again when that is saved or dropped")
	r.press("CLEAR")
	r.wait(3 * time.Second).press("FIX")
	r.wants("while he fixes", r.floor(tracker.HandRemoved, 1, ""), "the dealer is keying hand 4 or has a question open: try again when that is saved or dropped")
	r.press("CLEAR")
	r.slow = time.Second
	r.wait(3 * time.Second).play("PLAYER OK")
	r.wants("while his hand is on its way", r.floor(tracker.HandFixed, 1, "T"), "another record is being written: try again")
	r.slow = 0
	r.wait(5 * time.Second).play("NEW_SHOE OK")
	const ended = "that shoe has ended and the new one has no hand yet: only the shoe in play can be corrected"
	r.wants("of a shoe that has ended", r.floor(tracker.HandFixed, 1, "T"), ended)
	r.wants("its board", r.state().Phase.String(), "shuffling")
	r.wants("put in, where a new shoe has not begun", r.floor(tracker.HandInserted, 1, "T"), ended)
	r.wait(time.Second).press("BETS")
	r.wants("of the shoe before", r.floor(tracker.HandRemoved, 1, ""), ended)
	r = sit(t, usual()).deal(3, "B").play("NEW_SHOE OK NEW_SHOE OK")
	r.wants("on a closed table", r.floor(tracker.HandFixed, 1, "T"), "the table is closed and its last shoe has ended: only the shoe in play can be corrected")
	r.wants("in a first shoe", sit(t, usual()).floor(tracker.HandInserted, 1, "T"), "this shoe has no hand yet: the first is for the dealer to key")
}

// While the disk fails nothing of the floor's is taken, and it is told so; one that was on
// its way by then is not told as saved until it is.
func TestTheFloorIsToldThatNothingIsRecorded(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.wait(time.Minute)
	r.wants("before", r.floor(tracker.HandFixed, 2, "B"), "saved")
	r.slow = time.Minute
	told := "waits"
	if _, err := r.engine.Correct(r.now, tracker.Command{Kind: tracker.HandFixed, Hand: 1, Token: "T", By: "anna"}, nil, func(error) { told = "saved" }); err != nil {
		t.Fatal(err)
	}
	r.settle()
	r.handle(table.Failed{Err: errors.New("no space")})
	r.wants("on its way", told, "waits")
	r.wants("the echo over what the floor fixed before", r.line(), "E21 NOT RECORDING | USE PAPER. CALL TECH")
	r.wants("another", r.floor(tracker.HandFixed, 2, "T"), "nothing was changed, since the unit cannot record (E21): use paper, call a technician")
	r.wait(2 * time.Minute)
	r.wants("when the disk is back", told, "saved")
}

// A hand that the floor puts in last is none that the dealer saved a moment ago: what he
// keys next is not asked to replace it.
func TestWhatTheFloorPutsInIsNotReplaced(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.wait(time.Minute).play("PLAYER OK").wait(3 * time.Second)
	r.slow = time.Second
	r.wants("insert", r.floor(tracker.HandInserted, 5, "B"), "waits")
	r.press("TIE")
	r.wait(2 * time.Second).play("OK").wait(2 * time.Second)
	r.wants("the hands", r.list(), "P P B P B T")
	r.slow = 0
	r.wait(3 * time.Second)
	r.wants("insert", r.floor(tracker.HandInserted, 7, "B"), "saved")
	r.play("TIE OK")
	r.wants("the hands", r.list(), "P P B P B T B T")
}

// After the cut card as many hands are to come as before, wherever the floor puts one in
// or takes one out.
func TestTheFloorMovesTheLastHand(t *testing.T) {
	cut := func() *rig {
		r := sit(t, usual()).deal(3, "B")
		r.wait(time.Minute).play("CUT").wait(time.Minute).play("PLAYER OK").wait(time.Minute)
		return r
	}
	for _, c := range []struct {
		kind  tracker.Kind
		hand  int
		token string
		want  string
	}{
		{tracker.HandInserted, 2, "T", "LAST IS HAND 6"},
		{tracker.HandInserted, 5, "T", "SHOE OVER, 5 HANDS"},
		{tracker.HandRemoved, 1, "", "LAST IS HAND 4"},
		{tracker.HandFixed, 1, "T", "LAST IS HAND 5"},
	} {
		r := cut()
		r.wants("before", r.echo().Lines[0], "LAST IS HAND 5")
		r.wants("the floor", r.floor(c.kind, c.hand, c.token), "saved")
		r.press("CLEAR")
		r.wait(3 * time.Second)
		r.wants(string(c.kind), r.echo().Lines[0], c.want)
	}
	r := cut()
	r.play("TIE OK").wait(time.Minute)
	r.wants("over", r.floor(tracker.HandRemoved, 2, ""), "saved")
	if s := r.state().Shoe; !s.Over() || s.Last != 4 {
		t.Errorf("a shoe that is over goes on: last %d of %d", s.Last, len(s.Hands))
	}
}

// What the dealer is told until his next key stays on the echo over what the floor did.
func TestTheFloorCoversNoLoss(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.wait(time.Minute).play("PLAYER").wait(40 * time.Second)
	r.wants("before", r.line(), "NOT SAVED: KEY AGAIN")
	r.wants("fix", r.floor(tracker.HandFixed, 2, "T"), "saved")
	r.wants("the echo", r.line(), "NOT SAVED: KEY AGAIN | FLOOR FIXED 2")
	r.press("CLEAR")
	r.wait(3 * time.Second)
	r.wants("insert", r.floor(tracker.HandInserted, 1, "B d7"), "saved")
	r.wants("remove", r.floor(tracker.HandRemoved, 1, ""), "saved")
	r.wants("the newest", r.line(), "FLOOR REMOVED 1")
	if told := r.echo().Told; told != stats.ToldSaved {
		t.Errorf("it is told as %q, and a screen in the echo's place shows no such line", told)
	}
	r.down("TIE")
	r.wait(20 * time.Second)
	r.wants("a stuck key", r.line(), "STUCK TIE | NOT SAVED: KEY AGAIN")
	r.wants("fix", r.floor(tracker.HandFixed, 2, "B"), "saved")
	r.wants("the echo", r.line(), "NOT SAVED: KEY AGAIN | FLOOR FIXED 2")
	r.up("TIE")
	r.press("REVIEW")
	r.wants("insert", r.floor(tracker.HandInserted, 1, "B d7"), "saved")
	r.wants("over the frozen board", r.line(), "FLOOR ADDED 1 | DRAGON 7")
	if r.state().Review == nil {
		t.Error("the board is not frozen any more")
	}
}

// A hand that a shoe read, that the dealer let go and the floor put in, is not proposed
// once again when the shoe has read the next.
func TestAHandThatTheFloorPutInIsNotProposedAgain(t *testing.T) {
	for token, want := range map[string]string{"B": "5? PLAYER NATURAL", "P": "5? BANKER NATURAL"} {
		r := sit(t, usual()).deal(3, "B")
		r.wait(time.Minute)
		r.reads("2S,KH/9D,KC")
		r.wait(40 * time.Second)
		r.wants("let go", r.line(), "NOT SAVED: KEY AGAIN")
		r.wants("insert", r.floor(tracker.HandInserted, 4, token), "saved")
		r.reads("9S,KH/2D,KC")
		r.wait(time.Second)
		r.wants("after "+token, r.echo().Lines[0], want)
	}
}

// While the floor's correction is on its way to disk, what the dealer keys is of the hand
// that comes next after it, and his fix waits.
func TestTheDealerKeysBesideTheFloor(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.wait(time.Minute)
	r.slow = 8 * time.Second
	r.wants("insert", r.floor(tracker.HandInserted, 1, "T"), "waits")
	r.press("FIX")
	r.wants("his fix", r.line(), "SAVING 4 | PLEASE WAIT")
	r.press("PLAYER")
	r.wants("what he keys for it", r.line()[:9], "FIX ENDED")
	r.wait(3 * time.Second).press("PLAYER")
	r.wants("his proposal", r.line()[:9], "5? PLAYER")
	r.wait(6 * time.Second)
	r.slow = 0
	r.press("OK")
	r.wait(time.Second)
	r.wants("the hands", r.list(), "T "+strings.TrimSpace(sit(t, usual()).deal(3, "B").list())+" P")
}

// Whatever the dealer presses and whenever the floor corrects, on a quick disk or a slow
// one: what the floor was told is saved is in the shoe, what it was refused is not, and OK
// never acts on another hand than the echo names.
func TestFloorAmidAnyKeys(t *testing.T) {
	keys := []string{"PLAYER", "BANKER", "TIE", "dragon-7", "OK", "OK", "OK", "CLEAR", "FIX", "VOID", "BETS", "FREE"}
	rapid.Check(t, func(t *rapid.T) {
		r := sit(t, usual()).deal(4, "B")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			r.wait(time.Duration(rapid.IntRange(50, 20_000).Draw(t, "ms")) * time.Millisecond)
			r.slow = time.Duration(rapid.SampledFrom([]int{0, 0, 300, 3000}).Draw(t, "slow")) * time.Millisecond
			if rapid.Bool().Draw(t, "dealer") {
				r.pressNamed(rapid.SampledFrom(keys).Draw(t, "key"))
				continue
			}
			kind := rapid.SampledFrom([]tracker.Kind{tracker.HandFixed, tracker.HandInserted, tracker.HandRemoved}).Draw(t, "kind")
			hand := rapid.IntRange(1, 8).Draw(t, "hand")
			before := strings.Fields(r.list())
			token := ""
			if kind != tracker.HandRemoved {
				token = rapid.SampledFrom([]string{"P", "B", "T"}).Draw(t, "token")
			}
			told := r.floor(kind, hand, token)
			if told == "waits" { // the dealer goes on
				r.pressNamed(rapid.SampledFrom(keys).Draw(t, "meanwhile"))
				continue
			}
			after := strings.Fields(r.list())
			switch {
			case told != "saved":
				if strings.Join(before, " ") != strings.Join(after, " ") {
					t.Fatalf("%q, and the hands were %v and are %v", told, before, after)
				}
			case kind == tracker.HandRemoved && len(after) != len(before)-1, kind == tracker.HandInserted && len(after) != len(before)+1,
				token != "" && !strings.HasPrefix(after[hand-1], token):
				t.Fatalf("%s %d %s: the hands were %v and are %v", kind, hand, token, before, after)
			}
		}
		r.wait(10 * time.Second)
		if got, want := r.list(), strings.Join(tokens(r.replayed()), " "); got != want {
			t.Fatalf("shown %s, recorded %s", got, want)
		}
	})
}

// pressNamed presses a key. What an OK records of a hand has to be of the number that
// stood on the echo, or that OK asked about.
func (r *rig) pressNamed(key string) {
	r.t.Helper()
	line, covered, wrote := r.line(), r.echo().Refused, len(r.wrote)
	r.press(key)
	if key != "OK" || covered { // a refusal stands over what is pending
		return
	}
	for _, w := range r.wrote[wrote:] {
		for _, e := range w.Record.Events {
			if e.By == "" && e.Hand > 0 && strings.HasPrefix(string(e.Kind), "hand") && !regexp.MustCompile(fmt.Sprintf(`\b%d\b`, e.Hand)).MatchString(line) {
				r.t.Fatalf("the echo showed %q, and %s of hand %d was recorded", line, e.Kind, e.Hand)
			}
		}
	}
}

func tokens(s tracker.State) (words []string) {
	for _, h := range s.Shoe.Hands {
		w := tracker.FormatToken(s.Shoe.Pack, h)
		if h.Free {
			w += "+free"
		}
		words = append(words, w)
	}
	return words
}
