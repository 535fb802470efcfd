package buzzer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/sink"
)

// horn is a line that writes down when it changes.
type horn struct {
	mu     sync.Mutex
	start  time.Time
	log    []string
	on     uint64
	err    error
	closed int
}

func (h *horn) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = err
}

func (h *horn) open() (sink.Device[bool], error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return line{h}, h.err
}

func (h *horn) Set(values, mask uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil {
		return h.err
	}
	if values&mask != h.on {
		h.on = values & mask
		h.log = append(h.log, fmt.Sprintf("%d@%d", h.on, time.Since(h.start).Milliseconds()))
	}
	return nil
}

func (h *horn) Close() error {
	h.closed++
	return nil
}

// sounding runs a buzzer on a horn.
func sounding(t *testing.T, test func(h *horn, b Buzzer)) {
	synctest.Test(t, func(t *testing.T) {
		h := &horn{start: time.Now()}
		b := Buzzer{sink.New("buzzer", h.open, func() time.Duration { return 0 })}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- b.Run(ctx, make(chan hw.Event, 10)) }()
		time.Sleep(time.Millisecond)
		test(h, b)
		cancel()
		hwtest.Stops(t, done)
		if h.on != 0 || h.closed == 0 {
			t.Errorf("left on %d, closed %d times", h.on, h.closed)
		}
	})
}

func TestTonesAreTheirPulses(t *testing.T) {
	for tone, want := range map[Tone][]string{
		Silent: nil, 99: nil,
		Acknowledge: {"1@1", "0@51"},
		Refuse:      {"1@1", "0@161", "1@251", "0@411"},
		Remind:      {"1@1", "0@51", "1@141", "0@191", "1@281", "0@331"},
	} {
		sounding(t, func(h *horn, b Buzzer) {
			b.Sound(tone)
			time.Sleep(time.Minute)
			synctest.Wait()
			if !slices.Equal(h.log, want) {
				t.Errorf("tone %d: %q, want %q", tone, h.log, want)
			}
		})
	}
}

func TestNewerToneReplacesTheOlder(t *testing.T) {
	sounding(t, func(h *horn, b Buzzer) {
		b.Sound(Refuse)
		time.Sleep(200 * time.Millisecond) // in the gap
		b.Sound(Acknowledge)
		time.Sleep(20 * time.Millisecond)
		b.Sound(Acknowledge) // while it sounds: from anew
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []string{"1@1", "0@161", "1@201", "0@271"}; !slices.Equal(h.log, want) {
			t.Errorf("%q, want %q", h.log, want)
		}
	})
}

func TestBuzzerThatStopsInMidToneIsSilent(t *testing.T) {
	sounding(t, func(h *horn, b Buzzer) {
		b.Sound(Refuse)
		time.Sleep(50 * time.Millisecond)
		synctest.Wait()
		if h.on != 1 {
			t.Error("it does not sound")
		}
	})
}

// A tone belongs to its moment: after a fault nothing is made up for.
func TestToneDuringAFaultIsNeverHeard(t *testing.T) {
	sounding(t, func(h *horn, b Buzzer) {
		h.fail(errors.New("gone"))
		time.Sleep(2 * time.Second)
		b.Sound(Refuse)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		h.fail(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(h.log) > 0 {
			t.Errorf("heard %q", h.log)
		}
	})
}

func TestMissingLineIsAClearError(t *testing.T) {
	if d, err := (Wiring{Dir: t.TempDir(), Line: "GPIO18"}).Open(); err == nil || d != nil || !strings.Contains(err.Error(), "GPIO18") {
		t.Errorf("got %v", err)
	}
}
