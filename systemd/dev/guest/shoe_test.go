//go:build guest

package guest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/linux"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
)

// adapter is a USB serial adapter whose line leads to the machine's third serial port.
// Like udev it keeps a name for it that stays.
type adapter struct {
	*monitor
	name string
}

func newAdapter(t *testing.T) *adapter {
	a := &adapter{openMonitor(t), filepath.Join(t.TempDir(), "usb-shoe-if00-port0")}
	a.plug()
	t.Cleanup(a.unplug)
	return a
}

// plug puts a fresh line into the adapter: what was sent meanwhile is lost.
func (a *adapter) plug() {
	a.do("chardev-add", values{"id": "line", "backend": values{"type": "socket", "data": values{
		"addr": values{"type": "unix", "data": values{"path": "line"}}, "server": false}}})
	before, _ := filepath.Glob("/dev/ttyUSB*")
	a.monitor.plug("adapter", "usb-serial", "3", values{"chardev": "line"})
	for range 100 {
		if now, _ := filepath.Glob("/dev/ttyUSB*"); len(now) > len(before) {
			os.Remove(a.name)
			if err := os.Symlink(now[len(now)-1], a.name); err != nil {
				a.t.Fatal(err)
			}
			return
		}
		time.Sleep(20 * ms)
	}
	a.t.Fatal("the kernel knows no adapter")
}

func (a *adapter) unplug() {
	a.monitor.unplug("adapter")
	var err string
	for range 50 { // until the device has let go of it
		if err = a.try("chardev-remove", values{"id": "line"}); err == "" {
			return
		}
		time.Sleep(20 * ms)
	}
	a.t.Errorf("QEMU: chardev-remove: %s", err)
}

// device is the name that the kernel gives the adapter now.
func (a *adapter) device() string {
	path, _ := os.Readlink(a.name)
	return path
}

// twoEach is a game in which each side has two cards.
func twoEach(player, banker []card.Card) error {
	if len(player) != 2 || len(banker) != 2 {
		return errors.New("each side has two cards")
	}
	return nil
}

// deal runs a shoe on the far end of the line that hears nothing, until the test ends.
func deal(t *testing.T) {
	far, err := linux.OpenSerial("/dev/ttyS2", 115200)
	if err != nil {
		t.Fatal(err)
	}
	sim := shoe.Simulator{Name: "sim", Decks: 8, Seed: 1, Boot: 1, OneWay: true, Pace: 300 * ms, Between: 1500 * ms, Now: linux.BootTime,
		Deal: func(next func() card.Card) (p, b []card.Card) {
			return []card.Card{next(), next()}, []card.Card{next(), next()}
		}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- sim.Run(ctx, far) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		far.Close()
	})
}

// listener hears a shoe.
type listener struct {
	t   *testing.T
	out chan hw.Event
}

// until waits for an event that fits, and returns how long it took. All hands on the
// way are handed to each.
func (l listener) until(d time.Duration, what string, fits func(hw.Event) bool, each func(hw.HandSeen)) time.Duration {
	l.t.Helper()
	since := time.Now()
	for {
		select {
		case e := <-l.out:
			if h, ok := e.(hw.HandSeen); ok && each != nil {
				each(h)
			}
			if fits(e) {
				return time.Since(since)
			}
		case <-time.After(d - time.Since(since)):
			l.t.Fatalf("within %v not told: %s", d, what)
		}
	}
}

func change(c hw.Change) func(hw.Event) bool {
	return func(e hw.Event) bool {
		n, ok := e.(hw.Notice)
		return ok && n.Change == c
	}
}

func sureHand(e hw.Event) bool {
	h, ok := e.(hw.HandSeen)
	return ok && h.Complete && h.Doubt == ""
}

func someCard(e hw.Event) bool {
	_, ok := e.(hw.CardSeen)
	return ok
}

// Public bug reports: consrv 3, jacobsa 51, bugst 13. The adapter vanishes in the middle
// of a hand and returns under another name; a read hung, or the hand was guessed.
func TestSerialAdapterVanishesAndReturnsUnderAnotherName(t *testing.T) {
	a := newAdapter(t)
	deal(t)
	set := shoe.Settings{Name: "shoe", Rules: twoEach}
	source, err := shoe.Wiring{Kind: "tsp1", Device: a.name}.Source(set, linux.BootTime)
	if err != nil {
		t.Fatal(err)
	}
	l := listener{t, make(chan hw.Event, 64)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- source.Run(ctx, l.out) }()
	defer func() {
		cancel()
		hwtest.Stops(t, done)
	}()
	l.until(5*time.Second, "that the shoe came", change(hw.Came), nil)
	source.Align()
	l.until(20*time.Second, "a sure hand", sureHand, nil)
	for i := range 3 {
		l.until(10*time.Second, "a card", someCard, nil)
		before := a.device()
		stale, err := os.Open(before) // another program that keeps the name in use
		if err != nil {
			t.Fatal(err)
		}
		since := time.Now()
		a.unplug()
		guessed := func(h hw.HandSeen) {
			if h.Doubt == "" {
				t.Errorf("the hand %v %v is told as certain", h.Player, h.Banker)
			}
		}
		l.until(5*time.Second, "that the shoe went", change(hw.Went), guessed)
		went := time.Since(since)
		time.Sleep(time.Duration(i) * time.Second)
		a.plug()
		if a.device() == before {
			t.Errorf("the adapter is %s again", before)
		}
		came := l.until(5*time.Second, "that the shoe came back", change(hw.Came), guessed)
		t.Logf("%s is now %s; missed after %v, back after %v", before, a.device(), went, came)
		stale.Close()
		l.until(10*time.Second, "a hand", func(e hw.Event) bool { _, ok := e.(hw.HandSeen); return ok }, guessed)
		l.until(20*time.Second, "a sure hand", sureHand, func(hw.HandSeen) { source.Align() }) // each is recorded
	}
}
