package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw/linux"
	"shoeboard/hw/shoe"
	"shoeboard/stats"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
)

// feedUnit is a core with a configuration of its own, in this process, below a root
// whose devices are pseudo terminals.
type feedUnit struct {
	t      *testing.T
	root   string
	client localapi.Client
	ended  chan int
}

func runUnit(t *testing.T, venue string) *feedUnit {
	t.Helper()
	u := &feedUnit{t: t, root: t.TempDir(), ended: make(chan int, 1)}
	file := filepath.Join(u.root, "venue.toml")
	if err := os.WriteFile(file, []byte(venue), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(u.root, "dev"), 0o755); err != nil {
		t.Fatal(err)
	}
	u.client = localapi.Client{Path: filepath.Join(u.root, "core.sock")}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		p := &program{out: io.Discard, err: io.Discard, log: testkit.Log(), root: u.root}
		u.ended <- p.main(ctx, []string{"--config", file, "run", "--data", filepath.Join(u.root, "data"), "--socket", u.client.Path, "--socket-keys"})
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-u.ended; code != exitFine {
			t.Errorf("the core ended with %d", code)
		}
	})
	return u
}

// terminal is a pseudo terminal under /dev of the unit, and its far end.
func (u *feedUnit) terminal(name string) *linux.Serial {
	u.t.Helper()
	far, path, err := linux.OpenPTY()
	if err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(func() { far.Close() })
	if err := os.Symlink(path, filepath.Join(u.root, "dev", name)); err != nil {
		u.t.Fatal(err)
	}
	return far
}

// until waits for a board that is so.
func (u *feedUnit) until(what string, so func(*stats.Board) bool) *stats.Board {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), testkit.Patience)
	defer cancel()
	var last *stats.Board
	for ctx.Err() == nil {
		if b, err := u.client.Board(ctx); err == nil {
			if last = b; so(b) {
				return b
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	u.t.Fatalf("%s: not within %v; the board is %+v", what, testkit.Patience, last)
	return nil
}

func (u *feedUnit) press(key string, hold time.Duration) {
	u.t.Helper()
	for _, down := range []bool{true, false} {
		if err := u.client.Press(u.t.Context(), key, down); err != nil {
			u.t.Fatal(err)
		}
		time.Sleep(hold)
	}
}

func (u *feedUnit) openTable() {
	u.t.Helper()
	u.until("the core answers", func(b *stats.Board) bool { return b.Phase == "table-closed" })
	u.press("NEW_SHOE", 2100*time.Millisecond)
	u.until("OPEN TABLE?", func(b *stats.Board) bool { return b.Dealer.Asking })
	time.Sleep(time.Second)
	u.press("OK", 60*time.Millisecond)
	u.until("an open table", func(b *stats.Board) bool { return b.Phase == "shuffling" })
}

func hasFault(b *stats.Board, code string) bool {
	return slices.ContainsFunc(b.Faults, func(f stats.Fault) bool { return f.Code == code })
}

// The whole way: a shoe deals on a serial line, the dealer reads the hand on an echo of
// his own and says OK, and only then the players see it. In between the line is lost.
func TestFromTheShoeToTheBoard(t *testing.T) {
	u := runUnit(t, `
min_hand = 0
bets = "off"
[[shoe]]
kind = "tsp1"
device = "/dev/shoe"
[[echo]]
kind = "crlf"
device = "/dev/echo"
`)
	shoeEnd, echoEnd := u.terminal("shoe"), u.terminal("echo")
	read := make(chan string, 1000)
	go readLines(echoEnd, read)
	u.openTable()
	pack, err := config.Pack("ez-baccarat-panda-8")
	if err != nil {
		t.Fatal(err)
	}
	hands := make(chan game.Result, 100)
	var turn turns
	deal := func(next func() card.Card) ([]card.Card, []card.Card) {
		player, banker := pack.Drawing.Deal(next)
		r, err := pack.FromCards(player, banker)
		if err != nil {
			t.Error(err)
		}
		hands <- r
		turn.planned()
		return player, banker
	}
	ctx, stop := context.WithCancel(t.Context())
	dealt := make(chan error, 1)
	go func() {
		dealt <- shoe.Simulator{Name: "sim", Decks: 8, Seed: 7, Boot: 1, Deal: deal, Pace: 5 * time.Millisecond, Between: pauseOfShoe, Now: turn.now}.Run(ctx, shoeEnd)
	}()
	u.until("the shoe is there", func(b *stats.Board) bool { return hasFault(b, "shoe-restarted") })
	time.Sleep(3 * time.Second) // longer than between two words of it: what comes then it does not repeat
	for n := 1; n <= 3; n++ {
		turn.next()
		want := <-hands
		b := u.until("a proposal", func(b *stats.Board) bool { return b.Dealer.Proposed != nil })
		if b.Shoe.Hands != n-1 && n > 1 || b.Dealer.Proposed.Outcome != want.Outcome || b.Dealer.OnScreen {
			t.Fatalf("hand %d: proposed %+v with %d saved, on screen %v; the shoe dealt %+v", n, *b.Dealer.Proposed, b.Shoe.Hands, b.Dealer.OnScreen, want)
		}
		awaitLine(t, read, fmt.Sprintf(`^%d\? `, n))
		time.Sleep(750 * time.Millisecond)
		u.press("OK", 60*time.Millisecond)
		b = u.until("the hand on the board", func(b *stats.Board) bool { return b.Phase == "result" && b.Shoe.Hands == n })
		if m := b.Shoe.Marks[n-1]; m.Outcome != want.Outcome || m.PlayerTotal != want.PlayerTotal || m.BankerTotal != want.BankerTotal || !m.Totals {
			t.Errorf("hand %d on the board is %+v, dealt was %+v", n, m, want)
		}
		awaitLine(t, read, fmt.Sprintf(`^%d .*SAVED`, n))
	}
	stop()
	if err := <-dealt; err != nil {
		t.Error(err)
	}
	b := u.until("the shoe is missed", func(b *stats.Board) bool { return hasFault(b, "shoe-reader-lost") })
	if hasFault(b, "keypad-pad") || b.Shoe.Hands != 3 {
		t.Errorf("without a shoe: %+v, %d hands", b.Faults, b.Shoe.Hands)
	}
	if err := echoEnd.Close(); err != nil {
		t.Error(err)
	}
	b = u.until("the echo is missed", func(b *stats.Board) bool { return hasFault(b, "device-echo") })
	if !b.Dealer.OnScreen {
		t.Error("without an echo the dealer reads nothing")
	}
}

// pauseOfShoe is the time between two hands of a shoe; no test lasts so long.
const pauseOfShoe = 24 * time.Hour

// turns is the clock of a shoe that deals a hand when the table is ready for it: then the
// time between two hands is over. Meanwhile the shoe goes on telling that it is there.
type turns struct {
	ready        atomic.Int64 // hands that may be dealt
	plans, dealt int64        // hands that the shoe has planned, and that it has dealt
	reckons      bool         // it asks now to reckon when the hand is due
	over         time.Duration
}

func (c *turns) next()    { c.ready.Add(1) }
func (c *turns) planned() { c.plans, c.reckons = c.plans+1, true }

func (c *turns) now() time.Duration {
	if !c.reckons && c.dealt < c.plans && c.ready.Load() >= c.plans {
		c.dealt, c.over = c.plans, c.over+pauseOfShoe
	}
	c.reckons = false
	return linux.BootTime() + c.over
}

// readLines hands on what comes, line by line.
func readLines(from io.Reader, to chan<- string) {
	r := bufio.NewReader(waiting{from})
	for {
		line, err := r.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" {
			to <- text
		}
		if err != nil {
			return
		}
	}
}

// waiting reads until something comes.
type waiting struct{ io.Reader }

func (p waiting) Read(b []byte) (int, error) {
	for {
		if n, err := p.Reader.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
}

func awaitLine(t *testing.T, read <-chan string, like string) {
	t.Helper()
	over := time.After(testkit.Patience)
	for {
		select {
		case line := <-read:
			if regexp.MustCompile(like).MatchString(line) {
				return
			}
		case <-over:
			t.Fatalf("the echo never showed %s", like)
		}
	}
}

// A shoe that cannot be used, and devices that are not there, are faults and stop nothing.
func TestTheCoreRunsWithoutItsDevices(t *testing.T) {
	u := runUnit(t, `
[[shoe]]
kind = "replay"
device = "/none.rec"
[[light]]
lines = ["GPIO17"]
keys = ["OK"]
[[buzzer]]
line = "GPIO24"
[[echo]]
device = "/dev/none"
[[timer]]
[[key_switch]]
line = "GPIO25"
`)
	codes := []string{"device-buzzer", "device-echo", "device-key-switch", "device-lights", "device-timer", "shoe-trouble-shoe"}
	b := u.until("all faults", func(b *stats.Board) bool {
		return !slices.ContainsFunc(codes, func(code string) bool { return !hasFault(b, code) })
	})
	if !b.Dealer.OnScreen {
		t.Error("the echo is missing and the screen does not stand in")
	}
	u.openTable()
}
