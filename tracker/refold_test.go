package tracker

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever happened at a table and whatever of it cannot be read: what is folded of the
// rest is a State that a checkpoint holds.
func TestAHistoryWithHolesIsAState(t *testing.T) {
	start := closedTable(t, "dai-bacc")
	rapid.Check(t, func(t *rapid.T) {
		s, hurt := start, start
		for i := range rapid.IntRange(1, 60).Draw(t, "wishes") {
			c := anyWish(t, s)
			c.At = Stamp{Seq: uint64(i + 1), Boot: "boot", Mono: time.Duration(i) * time.Second}
			events, _, err := Decide(s, c)
			if err != nil {
				continue
			}
			if s, err = Apply(s, events...); err != nil {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 3).Draw(t, "gone") == 0 {
				continue
			}
			for _, e := range events {
				hurt, _ = Refold(hurt, e)
				if _, err := UnmarshalCheckpoint(written(t, hurt)); err != nil {
					t.Fatalf("after %s %d: %v", e.Kind, e.Hand, err)
				}
			}
		}
	})
}

// A game comes between two shoes: when the record of the new shoe is gone, the hands after
// it are of the new game all the same.
func TestAnotherGameBeginsAShoe(t *testing.T) {
	s := table(t, ez, "P", "B")
	source := string(closedTable(t, "dai-bacc").Shoe.Pack.Source)
	s, why := Refold(s, Event{Kind: PackInstalled, Source: source, At: Stamp{Seq: 90}})
	if why == nil || s.Shoe.Pack.ID != "dai-bacc" || len(s.Shoe.Hands) != 0 || s.Finished == nil || len(s.Finished.Hands) != 2 {
		t.Errorf("%v: %s, %d hands, finished %+v", why, s.Shoe.Pack.ID, len(s.Shoe.Hands), s.Finished)
	}
}
