package keyswitch_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/keyswitch"
)

const (
	ms  = time.Millisecond
	lag = 100 * ms // as the package promises, after the contacts are still
)

// lock is a switch of three positions whose contacts bounce.
type lock struct {
	mu     sync.Mutex
	start  time.Time
	names  []string
	on     uint64
	wild   time.Time // until then the contacts bounce
	bounce time.Duration
	gone   bool
	opened int
	random *rand.Rand
}

func newLock(bounce time.Duration) *lock {
	return &lock{start: time.Now(), names: []string{"floor", "service", "count"}, bounce: bounce, random: rand.New(rand.NewPCG(1, 1))}
}

func (l *lock) Set(pos string, down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bit := uint64(1) << slices.Index(l.names, pos)
	if l.on &^= bit; down {
		l.on |= bit
	}
	l.wild = time.Now().Add(l.bounce)
}

func (l *lock) unplug(gone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = gone
}

func (l *lock) Open() (keyswitch.Lines, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return nil, unix.ENOENT
	}
	l.opened++
	return l, nil
}

func (l *lock) Get(mask uint64) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.gone:
		return 0, unix.ENODEV
	case time.Now().Before(l.wild):
		return l.random.Uint64() & mask, nil
	}
	return l.on & mask, nil
}

func (l *lock) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened--
	return nil
}

func (l *lock) source() *keyswitch.Switch {
	return keyswitch.New(keyswitch.Settings{Name: "key", Positions: l.names}, l.Open, func() time.Duration { return time.Since(l.start) + time.Hour })
}

func TestConformance(t *testing.T) {
	hwtest.ConformMode(t, func(t *testing.T) *hwtest.Bench {
		l := newLock(5 * ms)
		return &hwtest.Bench{
			Source: l.source(), Keys: l.names, Set: l.Set, Lag: lag + 5*ms,
			Plug: func() { l.unplug(false) }, Unplug: func() { l.unplug(true) },
		}
	})
}

func atLock(t *testing.T, test func(s *hwtest.Session, l *lock)) {
	synctest.Test(t, func(t *testing.T) {
		l := newLock(0)
		s := hwtest.NewSession(t, &hwtest.Bench{Source: l.source(), Keys: l.names, Set: l.Set, Lag: lag})
		s.Start()
		s.ExpectChange(time.Second, hw.Came)
		test(s, l)
	})
}

// A spike, or a key that is only wiggled, opens nothing.
func TestContactThatIsShorterThan30msIsNothing(t *testing.T) {
	atLock(t, func(s *hwtest.Session, l *lock) {
		for i := range 200 {
			l.Set("floor", true)
			time.Sleep(29 * ms)
			l.Set("floor", false)
			s.Expect(time.Duration(100+i) * ms)
		}
	})
}

func TestTurnFromOnePositionToTheNextLeavesTheFirstBeforeItTakesTheSecond(t *testing.T) {
	atLock(t, func(s *hwtest.Session, l *lock) {
		l.Set("service", true)
		s.Expect(lag, "+service")
		l.Set("service", false)
		l.Set("floor", true) // earlier in the list
		s.Expect(lag, "-service", "+floor")
	})
}

func TestSwitchWithoutPositionsIsRefused(t *testing.T) {
	for _, n := range []int{0, 9} {
		err := keyswitch.New(keyswitch.Settings{Name: "key", Positions: make([]string, n)}, nil, nil).Run(t.Context(), nil)
		if err == nil || !strings.Contains(err.Error(), "expected 1 to 8") {
			t.Errorf("%d positions: %v", n, err)
		}
	}
}

func TestMissingLineIsAClearError(t *testing.T) {
	if l, err := (keyswitch.Wiring{Dir: t.TempDir(), Lines: []string{"GPIO22"}}).Open(); err == nil || l != nil || !strings.Contains(err.Error(), "GPIO22") {
		t.Errorf("got %v", err)
	}
}
