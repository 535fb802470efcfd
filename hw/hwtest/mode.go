package hwtest

import (
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"shoeboard/hw"
)

// ConformMode runs the suite of sources whose positions are modes, such as a key
// switch: what Conform asks, but that a position which is on when the device comes is
// told, and is never stuck.
func ConformMode(t *testing.T, build func(t *testing.T) *Bench) {
	conform(t, []trial{
		{"every change is told once", everyPressOnce},
		{"two positions on together", twoKeys},
		{"a position on at the start is told", onAtStart},
		{"a position stays on for hours", onForHours},
		{"unplug and replug while on", unplugOn},
		{"missing at the start", missingAtStart},
		{"a thousand unplugs end in the truth", thousandModes},
	}, build)
}

// expectCame waits and fails unless the device came and exactly these presses were told.
func (s *Session) expectCame(want ...string) {
	s.t.Helper()
	s.Wait(cameWithin)
	presses, notices := s.Take()
	s.compare(presses, want)
	if len(notices) != 1 || notices[0].Change != hw.Came {
		s.t.Fatalf("told %+v, want that the device came", notices)
	}
}

func onAtStart(t *testing.T, s *Session) {
	a := s.Keys[0]
	s.Set(a, true)
	time.Sleep(s.Lag)
	s.Start()
	s.expectCame("+" + a)
	s.LetGo(a)
}

func onForHours(t *testing.T, s *Session) {
	s.Come()
	a := s.Keys[0]
	s.Set(a, true)
	s.Expect(time.Hour, "+"+a)
	s.LetGo(a)
}

func unplugOn(t *testing.T, s *Session) {
	s.Come()
	a := s.Keys[0]
	s.unplugHeld()
	s.expectCame("+" + a)
	s.Unplug()
	s.ExpectChange(wentWithin, hw.Went)
	s.Set(a, false)
	s.Plug()
	s.expectCame()
}

// thousandModes turns and unplugs at random points. Once the device is back, what a
// listener thinks is what is.
func thousandModes(t *testing.T, s *Session) {
	random := rand.New(rand.NewPCG(3, 4))
	s.Come()
	truth := map[string]bool{}
	turn := func() {
		pos := s.Keys[random.IntN(len(s.Keys))]
		truth[pos] = !truth[pos]
		s.Set(pos, truth[pos])
		s.Wait(time.Duration(random.Int64N(int64(2 * s.Lag))))
	}
	for range 1000 {
		turn()
		s.Unplug()
		s.Wait(wentWithin)
		turn()
		s.Plug()
		s.Wait(time.Duration(random.Int64N(int64(2 * time.Second))))
		turn()
		s.Wait(cameWithin)
		s.mu.Lock()
		held := maps.Clone(s.held)
		s.mu.Unlock()
		for _, pos := range s.Keys {
			if held[pos] != truth[pos] {
				t.Fatalf("%s is told as %v and is %v", pos, held[pos], truth[pos])
			}
		}
	}
}
