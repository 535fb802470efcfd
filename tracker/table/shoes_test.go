package table

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/journal/journaltest"
)

// threeShoes keys three shoes and returns them as they were when each ended.
func threeShoes(t *testing.T) (u *unit, lived []tracker.Shoe) {
	u, err := start(t, journaltest.New(), 1)
	if err == nil {
		err = u.key("NEW_SHOE", "OK")
	}
	for _, hands := range [][]string{{"PLAYER", "dragon-7", "TIE"}, {"BANKER"}, {"panda-8", "PLAYER"}} {
		for _, hand := range hands {
			if err == nil {
				err = u.pass(time.Minute)
			}
			if err == nil {
				err = u.key(hand, "OK")
			}
		}
		lived = append(lived, u.engine.State().Shoe)
		if err == nil {
			err = u.key("NEW_SHOE", "OK")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return u, lived
}

// shoesFrom is what the record says of shoes, as text.
func shoesFrom(t *testing.T, u *unit, from uint64) []string {
	t.Helper()
	var told []string
	last, problems, err := Shoes(u.files, from, func(_ string, s tracker.Shoe) error { told = append(told, shoeText(s)); return nil })
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if want := shoeText(u.engine.State().Shoe); shoeText(last.Shoe) != want {
		t.Errorf("in play is %s, expected %s", shoeText(last.Shoe), want)
	}
	return told
}

func shoeText(s tracker.Shoe) string {
	var words []string
	for _, h := range s.Hands {
		words = append(words, tracker.FormatToken(s.Pack, h))
	}
	return strings.Join(words, " ")
}

// The shoes of the record are those that were lived, whole or from one on.
func TestShoesAreWhatWasLived(t *testing.T) {
	u, lived := threeShoes(t)
	want := []string{"P B+dragon-7 T", "B", "P+panda-8 P"}
	for i, s := range lived {
		if got := shoeText(s); got != want[i] {
			t.Fatalf("shoe %d was keyed as %s, expected %s", i, got, want[i])
		}
		if got := shoesFrom(t, u, s.Started.Seq); !reflect.DeepEqual(got, want[i:]) {
			t.Errorf("from shoe %d: %q, expected %q", i, got, want[i:])
		}
	}
	if got := shoesFrom(t, u, 0); !reflect.DeepEqual(got, want) {
		t.Errorf("all: %q, expected %q", got, want)
	}
	if got, want := LastEnded(u.engine.State()), LastOf(lived[2]); got != want {
		t.Errorf("the newest ended at %d, expected %d", got, want)
	}
}
