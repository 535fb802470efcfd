package table_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"shoeboard/tracker"
)

// floor asks for a correction in somebody's name, and says what became of it.
func (r *rig) floor(kind tracker.Kind, hand int, token string) (told string) {
	r.t.Helper()
	told = "waits"
	_, err := r.desk.Correct(r.now, tracker.Command{Kind: kind, Hand: hand, Token: token, By: "anna"}, nil, func(err error) {
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
	r.wait(20 * time.Second).play("BANKER BANKER OK") // the first says that the fix has ended
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
		{tracker.HandFixed, 3, "B", "UNCHANGED"},
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
	for _, by := range []string{"", "a\tb", strings.Repeat("n", 33), "anna\u202e"} {
		_, err := r.desk.Correct(r.now, tracker.Command{Kind: tracker.HandRemoved, Hand: 1, By: by}, nil, func(error) {})
		if err == nil || !strings.Contains(err.Error(), "--by") {
			t.Errorf("in the name of %q: %v", by, err)
		}
	}
	if _, err := r.desk.Correct(r.now, tracker.Command{Kind: tracker.HandRemoved, Hand: 1, By: "anna", Reason: strings.Repeat("y", 33)}, nil, func(error) {}); err == nil {
		t.Error("a long reason is taken")
	}
	r.press("PLAYER")
	r.wants("while the dealer keys", r.floor(tracker.HandFixed, 1, "T"), "the dealer is keying: try again when that is saved or dropped")
	r.press("CLEAR")
	r.wait(3 * time.Second).press("FIX")
	r.wants("while he fixes", r.floor(tracker.HandRemoved, 1, ""), "the dealer is keying: try again when that is saved or dropped")
	r.press("CLEAR")
	r.slow = time.Second
	r.wait(3 * time.Second).play("PLAYER OK")
	r.wants("while his hand is on its way", r.floor(tracker.HandFixed, 1, "T"), "another record is being written: try again")
	r.slow = 0
	r.wait(5 * time.Second).play("NEW_SHOE OK")
	if got := r.floor(tracker.HandFixed, 1, "T"); !strings.HasPrefix(got, "shoe 1 has ended") {
		t.Errorf("of a shoe that has ended: %q", got)
	}
}

// While the floor's correction is on its way to disk, what the dealer keys is of the hand
// that comes next after it, and his fix waits.
func TestTheDealerKeysBesideTheFloor(t *testing.T) {
	r := sit(t, usual()).deal(3, "B")
	r.wait(time.Minute)
	r.slow = 2 * time.Second
	r.wants("insert", r.floor(tracker.HandInserted, 1, "T"), "waits")
	r.press("FIX")
	r.wants("his fix", r.line(), "SAVING 4 | PLEASE WAIT")
	r.press("PLAYER")
	r.wants("what he keys for it", r.line()[:9], "FIX ENDED")
	r.press("PLAYER")
	r.wants("his proposal", r.line()[:9], "5? PLAYER")
	r.wait(3 * time.Second)
	r.slow = 0
	r.press("OK")
	r.wait(time.Second)
	r.wants("the hands", r.list(), "T "+strings.TrimSpace(sit(t, usual()).deal(3, "B").list())+" P")
}

// Whatever the dealer presses and whenever the floor corrects: what the floor was told is
// saved is in the shoe, and what he keys is never another hand's.
func TestFloorAmidAnyKeys(t *testing.T) {
	keys := []string{"PLAYER", "BANKER", "TIE", "dragon-7", "OK", "OK", "OK", "CLEAR", "FIX", "VOID", "BETS", "FREE", "CUT"}
	rapid.Check(t, func(t *rapid.T) {
		r := sit(t, usual()).deal(4, "B")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			r.wait(time.Duration(rapid.IntRange(50, 20_000).Draw(t, "ms")) * time.Millisecond)
			if rapid.Bool().Draw(t, "dealer") {
				r.press(rapid.SampledFrom(keys).Draw(t, "key"))
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
		if got, want := r.list(), strings.Join(tokens(r.replayed()), " "); got != want {
			t.Fatalf("shown %s, recorded %s", got, want)
		}
	})
}

func tokens(s tracker.State) (words []string) {
	for _, h := range s.Shoe.Hands {
		w := tracker.FormatToken(s.Pack(), h)
		if h.Free {
			w += "+free"
		}
		words = append(words, w)
	}
	return words
}
