package hwtest

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
)

// ShoeBench is the source of a card-reading shoe on a fake line.
type ShoeBench struct {
	Source interface {
		hw.Source
		Align()
	}
	Deal         func() // the shoe deals all cards of the next hand
	End          func() // and ends it; nothing if its cards end it
	Sure         bool   // hands can be certain
	Plug, Unplug func()
}

// ConformShoes runs the suite of sources that have no keys but cards: what Conform
// asks of presses is asked of hands. In place of a key that goes up there is a hand
// that is certain.
func ConformShoes(t *testing.T, build func(t *testing.T) *ShoeBench) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, s *shoeSession)
	}{
		{"every hand is told once", everyHandOnce},
		{"missing at the start", shoeMissingAtStart},
		{"many unplugs make no hand certain", manyShoeUnplugs},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := build(t)
				c.run(t, &shoeSession{NewSession(t, &Bench{Source: b.Source, Plug: b.Plug, Unplug: b.Unplug}), b})
			})
		})
	}
	t.Run("stops while nobody listens", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := build(t)
			stopsUnheard(t, &Bench{Source: b.Source, Keys: []string{""}, Set: func(_ string, down bool) {
				if b.Deal(); !down {
					b.End()
				}
			}})
		})
	})
}

// shoeSession is a session with a shoe.
type shoeSession struct {
	*Session
	shoe *ShoeBench
}

// hands waits and returns the hands that were told since the last call, and the
// changes of the source.
func (s *shoeSession) hands(d time.Duration) (hands []hw.HandSeen, changes []hw.Change) {
	s.Wait(d)
	for _, e := range s.take() {
		switch e := e.(type) {
		case hw.HandSeen:
			hands = append(hands, e)
		case hw.Notice:
			changes = append(changes, e.Change)
		}
	}
	return hands, changes
}

// deal deals a hand and fails unless it is told once, and as certain if it can be.
func (s *shoeSession) deal() {
	s.t.Helper()
	s.shoe.Deal()
	s.Wait(time.Second)
	s.shoe.End()
	hands, _ := s.hands(time.Second)
	if len(hands) != 1 || !hands[0].Complete || s.shoe.Sure != (hands[0].Doubt == "") {
		s.t.Fatalf("told %+v, want one hand; sure %v", hands, s.shoe.Sure)
	}
}

func everyHandOnce(t *testing.T, s *shoeSession) {
	s.Start()
	for range s.pace.presses {
		s.deal()
	}
}

func shoeMissingAtStart(t *testing.T, s *shoeSession) {
	s.Unplug()
	s.Start()
	if _, changes := s.hands(wentWithin); len(changes) != 1 || changes[0] != hw.Went {
		t.Fatalf("told changes %v, want that the shoe is missing", changes)
	}
	s.Plug()
	s.Wait(cameWithin)
	s.deal()
}

// manyShoeUnplugs unplugs at random points of a hand. No hand that the plug has cut,
// and none after it, is certain before the dealer has said so.
func manyShoeUnplugs(t *testing.T, s *shoeSession) {
	random := rand.New(rand.NewPCG(5, 6))
	s.Start()
	s.deal()
	for round := range s.pace.unplugs {
		s.shoe.Deal()
		s.Wait(time.Duration(random.Int64N(int64(time.Second))))
		s.Unplug()
		hands, changes := s.hands(wentWithin)
		if len(changes) != 1 || changes[0] != hw.Went {
			t.Fatalf("unplug %d: told changes %v, want that the shoe went", round, changes)
		}
		s.Wait(time.Duration(random.Int64N(int64(3 * time.Second))))
		s.Plug()
		s.Wait(cameWithin)
		s.shoe.Deal()
		s.shoe.End()
		more, changes := s.hands(time.Second)
		if len(changes) != 1 || changes[0] != hw.Came {
			t.Fatalf("unplug %d: told changes %v, want that the shoe came", round, changes)
		}
		for _, h := range append(hands, more...) {
			if h.Doubt == "" {
				t.Fatalf("unplug %d: told as certain %+v", round, h)
			}
		}
		s.shoe.Source.Align()
		s.Wait(time.Second)
		s.deal()
	}
}
