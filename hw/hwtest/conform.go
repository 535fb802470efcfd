// Package hwtest holds what the tests of sources share: fakes of the devices, and
// one conformance suite that every source passes.
//
// Words: a Bench is a source on a fake device that the suite can move, unplug and
// plug in again. Everything runs on the fake clock of testing/synctest, so that a
// thousand unplugs take a second and every run is the same; but a live bench is on
// a kernel's own drivers and runs on the machine's clock.
//
// A caller may assume that a source that passes its suite keeps the promises of
// package hw. Fakes model what real devices were seen to do; they are no proof
// of a driver's ioctls. ConformLive is, with twenty unplugs in place of a thousand.
package hwtest

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
)

// Bench is a source on a fake device.
type Bench struct {
	Source hw.Source
	Keys   []string                    // at least two positions that may be down together
	Set    func(pos string, down bool) // moves a key, plugged or not
	Plug   func()
	Unplug func()
	// Lag is the longest time from a movement to its event.
	Lag time.Duration
}

// The times that every source must keep.
const (
	wentWithin = time.Second
	cameWithin = 2 * time.Second
	stopWithin = time.Second
	stuckAfter = 15 * time.Second
)

// Conform runs the suite. build is called in the bubble of each test and returns
// a bench whose device is plugged in and at rest.
func Conform(t *testing.T, build func(t *testing.T) *Bench) { conform(t, suite, build) }

func conform(t *testing.T, suite []trial, build func(t *testing.T) *Bench) {
	for _, c := range suite {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.run(t, NewSession(t, build(t))) })
		})
	}
	t.Run("stops while nobody listens", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { stopsUnheard(t, build(t)) })
	})
}

// ConformLive runs the suite on the machine's clock: a bench is on real drivers.
func ConformLive(t *testing.T, build func(t *testing.T) *Bench) {
	for _, c := range suite {
		t.Run(c.name, func(t *testing.T) { c.run(t, NewLiveSession(t, build(t))) })
	}
	t.Run("stops while nobody listens", func(t *testing.T) { stopsUnheard(t, build(t)) })
}

// trial is one thing that a suite asks.
type trial struct {
	name string
	run  func(t *testing.T, s *Session)
}

// suite is what Conform asks of a source.
var suite = []trial{
	{"every press is told once", everyPressOnce},
	{"two keys down together", twoKeys},
	{"a key held at the start is not told", heldAtStart},
	{"a stuck key is named and then ignored", stuckKey},
	{"unplug and replug", unplugReplug},
	{"missing at the start", missingAtStart},
	{"many unplugs invent nothing", manyUnplugs},
}

// pace is how much of the suite there is time for.
type pace struct {
	settle  func()        // lets everything that is due happen
	long    time.Duration // in which nothing may happen
	presses int
	unplugs int
}

var (
	bubblePace = pace{synctest.Wait, time.Minute, 60, 1000}
	livePace   = pace{func() {}, 3 * time.Second, 30, 20}
)

// Session runs a bench's source and checks of each event what is true of all: its
// number, its time, and that a key goes up only after it went down.
type Session struct {
	*Bench
	pace   pace
	t      *testing.T
	cancel context.CancelFunc
	done   chan error

	mu     sync.Mutex
	events []hw.Event // since the last Take
	seq    uint64
	at     time.Duration
	held   map[string]bool
	heard  time.Time // when the last event came
	news   chan struct{}
}

// NewSession returns a session in a bubble of synctest that has not begun.
func NewSession(t *testing.T, b *Bench) *Session {
	return &Session{Bench: b, pace: bubblePace, t: t, held: map[string]bool{}, news: make(chan struct{}, 1)}
}

// NewLiveSession returns a session on the machine's clock that has not begun.
func NewLiveSession(t *testing.T, b *Bench) *Session {
	return &Session{Bench: b, pace: livePace, t: t, held: map[string]bool{}, news: make(chan struct{}, 1)}
}

// Start runs the source. It is stopped, and seen to stop, when the test ends.
func (s *Session) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan hw.Event, 16)
	s.cancel, s.done = cancel, make(chan error, 1)
	go func() {
		s.done <- s.Source.Run(ctx, out)
		close(out)
	}()
	go func() {
		for e := range out {
			s.hear(e)
		}
	}()
	s.t.Cleanup(s.stop)
}

func (s *Session) stop() {
	s.cancel()
	Stops(s.t, s.done)
}

// Stops fails unless a source whose context has ended returns nil in time.
func Stops(t *testing.T, done <-chan error) {
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("Run returned %v, want nil when its context ends", err)
		}
	case <-time.After(stopWithin):
		t.Errorf("Run does not stop within %v", stopWithin)
	}
}

func (s *Session) hear(e hw.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events, s.heard = append(s.events, e), time.Now()
	select {
	case s.news <- struct{}{}:
	default:
	}
	seq, at := number(e)
	if s.seq++; seq != s.seq {
		s.t.Errorf("event %d is numbered %d: %+v", s.seq, seq, e)
	}
	if at < s.at {
		s.t.Errorf("the time goes back from %v to %v: %+v", s.at, at, e)
	}
	s.at = at
	s.holds(e)
}

func number(e hw.Event) (uint64, time.Duration) {
	switch e := e.(type) {
	case hw.Press:
		return e.Seq, e.At
	case hw.Notice:
		return e.Seq, e.At
	case hw.CardSeen:
		return e.Seq, e.At
	case hw.HandSeen:
		return e.Seq, e.At
	case hw.ShoeSeen:
		return e.Seq, e.At
	}
	return 0, 0
}

// holds keeps the keys that a listener must think held.
func (s *Session) holds(e hw.Event) {
	switch e := e.(type) {
	case hw.Press:
		if s.held[e.Pos] == e.Down {
			s.t.Errorf("key %s told twice: %+v", e.Pos, e)
		}
		s.held[e.Pos] = e.Down
	case hw.Notice:
		switch e.Change {
		case hw.Went, hw.Lost, hw.Faulty:
			s.held = map[string]bool{}
		case hw.Stuck:
			s.held[e.Pos] = true // its up ends the fault
		}
	}
}

// Come starts the source and fails unless its device comes.
func (s *Session) Come() {
	s.t.Helper()
	s.Start()
	s.ExpectChange(cameWithin, hw.Came)
}

// Hold presses a key and fails unless that is told, within Lag, and nothing else.
func (s *Session) Hold(pos string) {
	s.t.Helper()
	s.Set(pos, true)
	s.Expect(s.Lag, "+"+pos)
}

// LetGo lets a key go and fails unless that is told, within Lag, and nothing else.
func (s *Session) LetGo(pos string) {
	s.t.Helper()
	s.Set(pos, false)
	s.Expect(s.Lag, "-"+pos)
}

// Tap presses a key and lets it go.
func (s *Session) Tap(pos string) {
	s.t.Helper()
	s.Hold(pos)
	s.LetGo(pos)
}

// unplugHeld presses the first key and pulls the plug on it.
func (s *Session) unplugHeld() {
	s.t.Helper()
	s.Hold(s.Keys[0])
	s.Unplug()
	s.ExpectChange(wentWithin, hw.Went)
	s.Expect(s.pace.long) // and no notice every second
	s.Plug()
}

// Wait lets the time pass and everything settle.
func (s *Session) Wait(d time.Duration) {
	time.Sleep(d)
	s.pace.settle()
}

// Take returns what was told since it was last called, presses and notices apart.
func (s *Session) Take() (presses []hw.Press, notices []hw.Notice) {
	for _, e := range s.take() {
		switch e := e.(type) {
		case hw.Press:
			presses = append(presses, e)
		case hw.Notice:
			notices = append(notices, e)
		}
	}
	return presses, notices
}

func (s *Session) take() []hw.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.events
	s.events = nil
	return events
}

// Expect waits d and fails unless exactly these presses, "+KP1" down and "-KP1"
// up, and no notices were told.
func (s *Session) Expect(d time.Duration, want ...string) {
	s.t.Helper()
	s.Wait(d)
	presses, notices := s.Take()
	if len(notices) > 0 {
		s.t.Errorf("told %+v, want no notice", notices)
	}
	s.compare(presses, want)
}

// ExpectChange waits d and fails unless exactly one notice of that change and no
// press was told. It returns the notice.
func (s *Session) ExpectChange(d time.Duration, c hw.Change) hw.Notice {
	s.t.Helper()
	s.Wait(d)
	presses, notices := s.Take()
	s.compare(presses, nil)
	if len(notices) != 1 || notices[0].Change != c {
		s.t.Fatalf("told %+v, want one notice of change %d", notices, c)
	}
	if notices[0].Text == "" {
		s.t.Errorf("change %d has no words", c)
	}
	return notices[0]
}

func (s *Session) compare(presses []hw.Press, want []string) {
	s.t.Helper()
	var got []string
	for _, p := range presses {
		got = append(got, map[bool]string{true: "+", false: "-"}[p.Down]+p.Pos)
	}
	if len(got) != len(want) {
		s.t.Fatalf("told %v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			s.t.Fatalf("told %v, want %v", got, want)
		}
	}
}

func everyPressOnce(t *testing.T, s *Session) {
	s.Come()
	for i := range s.pace.presses {
		pos := s.Keys[i%len(s.Keys)]
		s.Set(pos, true)
		s.Expect(s.Lag+time.Duration(i)*time.Millisecond, "+"+pos)
		s.Set(pos, false)
		s.Expect(s.Lag+100*time.Millisecond, "-"+pos)
	}
}

func twoKeys(t *testing.T, s *Session) {
	s.Come()
	a, b := s.Keys[0], s.Keys[1]
	s.Hold(a)
	s.Hold(b)
	s.LetGo(a)
	s.LetGo(b)
}

func heldAtStart(t *testing.T, s *Session) {
	a := s.Keys[0]
	s.Set(a, true)
	time.Sleep(s.Lag)
	s.Come()
	s.Set(a, false)
	s.Expect(time.Second)
	s.Hold(a)
}

func stuckKey(t *testing.T, s *Session) {
	s.Come()
	a, b := s.Keys[0], s.Keys[1]
	s.Set(a, true)
	s.Expect(stuckAfter-time.Second, "+"+a)
	if n := s.ExpectChange(time.Second+s.Lag, hw.Stuck); n.Pos != a {
		t.Errorf("%q is named stuck, want %q", n.Pos, a)
	}
	s.Set(b, true) // the others go on
	s.Expect(s.Lag, "+"+b)
	s.Set(b, false)
	s.Expect(s.pace.long, "-"+b)
	s.LetGo(a)
}

func unplugReplug(t *testing.T, s *Session) {
	s.Come()
	a := s.Keys[0]
	s.unplugHeld()
	s.ExpectChange(cameWithin, hw.Came)
	s.Set(a, false) // held through it all: nobody believes it held any more
	s.Expect(time.Second)
	s.Hold(a)
}

func missingAtStart(t *testing.T, s *Session) {
	s.Unplug()
	s.Wait(wentWithin) // a kernel takes its time too
	s.Start()
	s.ExpectChange(wentWithin, hw.Went)
	s.Plug()
	s.ExpectChange(cameWithin, hw.Came)
	s.Hold(s.Keys[1])
}

// manyUnplugs unplugs at random points of random presses. Of a press that an unplug
// cuts, the down may be told or not; nothing else may, least of all that the key
// was let go.
func manyUnplugs(t *testing.T, s *Session) {
	random := rand.New(rand.NewPCG(1, 2))
	s.Come()
	var went, came time.Duration // the longest
	for range s.pace.unplugs {
		pos := s.Keys[random.IntN(len(s.Keys))]
		s.Set(pos, true)
		s.Wait(time.Duration(random.Int64N(int64(2 * s.Lag))))
		released := random.IntN(2) == 0
		if released {
			s.Set(pos, false)
			s.Wait(time.Duration(random.Int64N(int64(2 * s.Lag))))
		}
		since := time.Now()
		s.Unplug()
		s.Wait(wentWithin)
		went = max(went, s.since(since))
		s.cut(pos, released)
		s.Wait(time.Duration(random.Int64N(int64(3 * time.Second))))
		since = time.Now()
		s.Plug()
		s.awaitNews(cameWithin)
		s.ExpectChange(s.Lag+100*time.Millisecond, hw.Came) // and what is still down is not told
		came = max(came, s.since(since))
		s.Set(pos, false)
		s.Expect(s.Lag + 100*time.Millisecond)
	}
	t.Logf("%d unplugs: missed after %v and back after %v at the latest", s.pace.unplugs, went, came)
}

// awaitNews waits until something is told, d at most. A key that is down meanwhile costs
// two hundred scans a second, so that waiting longer than need be costs most of a test.
func (s *Session) awaitNews(d time.Duration) {
	select {
	case <-s.news:
	default: // of what has been taken
	}
	s.mu.Lock()
	told := len(s.events) > 0
	s.mu.Unlock()
	if told {
		return
	}
	select {
	case <-s.news:
	case <-time.After(d):
	}
}

// since is how long after that time the last event came.
func (s *Session) since(t time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard.Sub(t)
}

// cut fails unless the device went and at most the press of pos was told before.
func (s *Session) cut(pos string, released bool) {
	s.t.Helper()
	presses, notices := s.Take()
	if len(notices) != 1 || notices[0].Change != hw.Went {
		s.t.Fatalf("told %+v, want that the device went", notices)
	}
	for _, p := range presses {
		if p.Pos != pos || !p.Down && !released {
			s.t.Fatalf("told %+v, pressed was %s, let go %v", p, pos, released)
		}
	}
}

// stopsUnheard presses keys while nobody takes events, and stops the source.
func stopsUnheard(t *testing.T, b *Bench) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Source.Run(ctx, make(chan hw.Event)) }()
	for i := range 10 {
		time.Sleep(100 * time.Millisecond)
		b.Set(b.Keys[0], i%2 == 0)
	}
	cancel()
	Stops(t, done)
}
