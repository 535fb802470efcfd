package e2e

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"shoeboard/cmd/internal/clock"
	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/devices"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/linux"
	"shoeboard/hw/matrix"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/localapi"
	"shoeboard/tracker/table"
)

// The goals, 99 of 100 presses: from the contact to the lamp and the buzzer, and to the
// board on the socket, the disk included where the press writes.
const (
	lampWithin  = 30 * time.Millisecond
	boardWithin = 60 * time.Millisecond
)

// busy is a machine on which 1 of 100 sleepers wakes so late: it says nothing of presses.
const busy = 5 * time.Millisecond

// lateness sleeps 5 ms time and again beside the trial, and says how much too long.
func lateness(ctx context.Context) (stop func() []time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	result := make(chan []time.Duration, 1)
	go func() {
		var late []time.Duration
		for ctx.Err() == nil {
			start := time.Now()
			time.Sleep(5 * time.Millisecond)
			late = append(late, time.Since(start)-5*time.Millisecond)
		}
		slices.Sort(late)
		result <- late
	}()
	return func() []time.Duration { cancel(); return <-result }
}

// trialBench is a core in this process with an electrical matrix, fake lamps and a fake
// buzzer, a real disk and a real socket.
type trialBench struct {
	b       *testing.B
	grid    *hwtest.Grid
	keys    console.Map
	outputs *testkit.Outputs
	boards  chan *stats.Board
	newest  *stats.Board
}

// Contacts, the goroutines of a unit, the disk, lamps and socket. For the distribution
// of 500 presses:
//
//	go test ./cmd/internal/e2e -run '^$' -bench KeyToPanel -benchtime 500x
func BenchmarkKeyToPanel(b *testing.B) {
	t := openBench(b)
	var lamp, beep, board, saved []time.Duration
	load, late := loadavg(), lateness(b.Context())
	for i := 0; b.Loop(); i++ {
		key, so := []string{"PLAYER", "BANKER"}[i/2%2], func(n *stats.Board) bool { return n.Dealer.Proposed != nil }
		if i%2 == 1 {
			hands := t.hands()
			key, so = "OK", func(n *stats.Board) bool { return n.Phase == "result" && n.Shoe.Hands > hands }
		}
		l, s, n := t.press(key, so)
		lamp, beep = append(lamp, l), append(beep, s)
		if key == "OK" {
			saved = append(saved, n)
		} else {
			board = append(board, n)
		}
	}
	machine := late()
	b.ReportMetric(0, "ns/op") // it says how long the trial paused
	b.Logf("%d presses, load %s before and %s after\nkey to lamp:         %s\nkey to buzzer:       %s\nkey to board:        %s\nOK to board by disk: %s\na sleeper alone is late by: %s",
		b.N, load, loadavg(), spread(lamp), spread(beep), spread(board), spread(saved), spread(machine))
	for _, goal := range []struct {
		name string
		took []time.Duration
		in   time.Duration
	}{{"lamp", lamp, lampWithin}, {"buzzer", beep, lampWithin}, {"board", slices.Concat(board, saved), boardWithin}} {
		slices.Sort(goal.took)
		p99 := at(goal.took, 99)
		b.ReportMetric(ms(p99), goal.name+"-p99-ms")
		switch {
		case p99 <= goal.in || b.N < 100:
		case at(machine, 99) > busy:
			b.Logf("the %s has it within %v, but this machine is too busy to tell", goal.name, p99)
		default:
			b.Errorf("99 of 100 presses are to reach the %s within %v, not %v", goal.name, goal.in, p99)
		}
	}
}

func openBench(b *testing.B) *trialBench {
	all, err := config.Packs()
	if err != nil {
		b.Fatal(err)
	}
	f, err := config.Read("trial.toml", []byte(trialVenue+trialDevices), all)
	if err != nil {
		b.Fatal(err)
	}
	cfg := f.Table("1")
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		b.Fatal(err)
	}
	t := &trialBench{b: b, grid: hwtest.NewGrid(false), outputs: testkit.NewOutputs(), boards: make(chan *stats.Board, 100)}
	t.keys = cfg.Keymap(cfg.Keypads[0], pack)
	lines := hwtest.NewLines(t.grid, matrix.ColumnFlags)
	p := devices.Hardware{Dev: "/dev", Now: linux.BootTime, Log: testkit.Log(), Input: hwtest.NewInput(), Wires: func(config.Keypad) func() (matrix.Lines, error) {
		return func() (matrix.Lines, error) { return lines.Open() }
	}}
	dir := b.TempDir()
	set := core.Setup{Data: filepath.Join(dir, "data"), Table: "1", Config: cfg, Clock: clock.New(1, false), Socket: filepath.Join(dir, "core.sock"),
		Pads: func(*game.Pack) (map[string]console.Map, console.Map) {
			return map[string]console.Map{cfg.Keypads[0].Name: t.keys}, nil
		}, Panel: p.Indicators(cfg, pack,
			devices.Outputs{Lights: t.outputs.Lights, Buzzer: t.outputs.Buzzer, Echo: t.outputs.Echo, Timer: t.outputs.Timer, Key: t.outputs.Key})}
	c, err := core.Open(testkit.Log(), set)
	if err != nil {
		b.Fatal(err)
	}
	t.run(c, p.Keypads(cfg, devices.NewEnrolments(dir)), localapi.Client{Path: set.Socket})
	return t
}

const trialDevices = `
[[keypad]]
kind = "matrix"
rows = ["GPIO1", "GPIO2", "GPIO3", "GPIO4", "GPIO5"]
columns = ["GPIO6", "GPIO7", "GPIO8", "GPIO9"]
[[light]]
kind = "pixels"
keys = ["PLAYER", "BANKER", "OK"]
[[buzzer]]
line = "GPIO17"
`

// run runs the core until the trial is over, opens the table and follows the board.
func (t *trialBench) run(c *core.Core, sources []hw.Source, client localapi.Client) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx, sources...) }()
	t.b.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.b.Error(err)
		}
	})
	for err := context.Canceled; err != nil; { // the game is installed first
		time.Sleep(50 * time.Millisecond)
		err = c.Table.Do(ctx, func(d *table.Engine, _ *stats.Board) {
			if d.State().Shoe.Pack != nil {
				d.Request(c.Set.Clock.Now(), "trial", tracker.Command{Kind: tracker.TableOpened})
			}
		})
	}
	go func() {
		for u := range client.Boards(ctx) {
			if u.Board != nil {
				t.boards <- u.Board
			}
		}
	}()
	t.await(func(b *stats.Board) bool { return b.Phase == "shuffling" })
	time.Sleep(500 * time.Millisecond)
}

// hands are those saved, by the newest board.
func (t *trialBench) hands() int {
	if t.newest.Phase != "result" {
		return 0
	}
	return t.newest.Shoe.Hands
}

// await takes boards until one is so, and says when it came.
func (t *trialBench) await(so func(*stats.Board) bool) time.Time {
	t.b.Helper()
	over := time.After(5 * time.Second)
	for {
		select {
		case t.newest = <-t.boards:
			if so(t.newest) {
				return time.Now()
			}
		case <-over:
			t.b.Fatalf("the board stays %+v, %+v", t.newest.Bar, t.newest.Dealer)
		}
	}
}

// press closes a contact, and says when the lamps, the buzzer and the board had it. The
// next press comes when the hand may have moved.
func (t *trialBench) press(key string, so func(*stats.Board) bool) (lamp, beep, board time.Duration) {
	t.b.Helper()
	pos, ok := t.keys.Find(key)
	if !ok {
		t.b.Fatalf("no key %s", key)
	}
	for len(t.outputs.News) > 0 {
		<-t.outputs.News
	}
	heard := make(chan [2]time.Duration, 1)
	start := time.Now()
	go func() { heard <- t.hear(start) }()
	t.grid.Set(pos, true)
	board = t.await(so).Sub(start)
	both := <-heard
	time.Sleep(max(0, 60*time.Millisecond-time.Since(start)))
	t.grid.Set(pos, false)
	time.Sleep(350 * time.Millisecond)
	return both[0], both[1], board
}

// hear waits for the first news of the lamps and of the buzzer.
func (t *trialBench) hear(start time.Time) (took [2]time.Duration) {
	over := time.After(5 * time.Second)
	for took[0] == 0 || took[1] == 0 {
		select {
		case name := <-t.outputs.News:
			if i := slices.Index([]string{"lights", "buzzer"}, name); i >= 0 && took[i] == 0 {
				took[i] = time.Since(start)
			}
		case <-over:
			return [2]time.Duration{time.Hour, time.Hour}
		}
	}
	return took
}
