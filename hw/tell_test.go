package hw

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/tracker/card"
)

func TestTellerNumbersWithoutGapsAndNeverGoesBackInTime(t *testing.T) {
	out := make(chan Event, 3)
	tell := NewTeller("pad-1", out)
	tell.Press(t.Context(), "KP1", true, 5*time.Second)
	tell.Press(t.Context(), "KP1", false, 4*time.Second) // a source whose clock is late
	tell.Notice(t.Context(), Went, "", "gone", 6*time.Second)
	for _, want := range []Event{
		Press{Source: "pad-1", Pos: "KP1", Down: true, Seq: 1, At: 5 * time.Second},
		Press{Source: "pad-1", Pos: "KP1", Seq: 2, At: 5 * time.Second},
		Notice{Source: "pad-1", Change: Went, Text: "gone", Seq: 3, At: 6 * time.Second},
	} {
		if got := <-out; got != want {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

func TestTellerDoesNotOutwaitItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	NewTeller("pad-1", make(chan Event)).Press(ctx, "KP1", true, 0) // nobody listens
}

func TestTellerSignsWhatAShoeSaw(t *testing.T) {
	out := make(chan Event, 3)
	tell := NewTeller("shoe", out)
	nine := card.Card{Rank: 9, Suit: card.Spades}
	tell.Shoe(t.Context(), CardSeen{Side: BankerSide, Place: 2, Card: nine}, time.Second)
	tell.Shoe(t.Context(), HandSeen{Player: []card.Card{nine}, Doubt: "broken off"}, 2*time.Second)
	tell.Shoe(t.Context(), ShoeSeen{Change: CutCard}, time.Second)
	for _, want := range []Event{
		CardSeen{Source: "shoe", Side: BankerSide, Place: 2, Card: nine, Seq: 1, At: time.Second},
		HandSeen{Source: "shoe", Player: []card.Card{nine}, Doubt: "broken off", Seq: 2, At: 2 * time.Second},
		ShoeSeen{Source: "shoe", Change: CutCard, Seq: 3, At: 2 * time.Second},
	} {
		if got := <-out; !reflect.DeepEqual(got, want) {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

// A device that is missing is said to be so once, and again only after it had come.
func TestKeepTellsOfEachAbsenceOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		out := make(chan Event, 10)
		tell, tries := NewTeller("pad-1", out), 0
		Keep(ctx, func() error {
			switch tries++; tries {
			case 3:
				tell.Came(ctx, "keypad found", 0)
			case 6:
				cancel()
			}
			return fmt.Errorf("try %d", tries)
		}, func(err error) { tell.Missing(ctx, "keypad", err, 0) })
		close(out)
		var told []string
		for e := range out {
			told = append(told, e.(Notice).Text)
		}
		if want := []string{"keypad missing: try 1", "keypad found", "keypad missing: try 3"}; !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
	})
}
