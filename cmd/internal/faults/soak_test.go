package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/view"
	"shoeboard/display/scene"
	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/table"
)

// table72 is a table in one process, in simulated time: engine, record, index and picture.
type table72 struct {
	t     *testing.T
	loop  *table.Loop
	in    chan hw.Event
	keys  console.Map
	start time.Time
	moved time.Duration // of the wall clock
	seq   uint64
	rand  *rand.Rand
	board *stats.Board
	view  scene.View
	ops   int
}

func (s *table72) now() tracker.Stamp {
	return tracker.Stamp{Boot: "0000000000000000000000000000000c", Mono: time.Hour + time.Since(s.start),
		Wall: time.Now().Add(s.moved).UnixMilli(), Trusted: true}
}

func (s *table72) publish(b *stats.Board) {
	s.board = b
	s.ops += len(scene.Build(b, s.view))
}

// key holds a key for so long.
func (s *table72) key(name string, held time.Duration) {
	pos, ok := s.keys.Find(name)
	if !ok {
		s.t.Fatalf("no key %s", name)
	}
	for _, down := range []bool{true, false} {
		s.send(hw.Press{Pos: pos, Down: down})
		time.Sleep(held)
	}
	time.Sleep(400 * time.Millisecond)
}

func (s *table72) send(e hw.Event) {
	s.seq++
	switch e := e.(type) {
	case hw.Press:
		e.Source, e.Seq, e.At = "pad", s.seq, s.now().Mono
		s.in <- e
	case hw.Notice:
		e.Source, e.Seq, e.At = "pad", s.seq, s.now().Mono
		s.in <- e
	}
}

// hour deals for an hour: hands, shoes, and now and then what happens to a unit.
func (s *table72) hour() {
	for end := s.now().Mono + time.Hour; s.now().Mono < end; time.Sleep(time.Duration(20+s.rand.IntN(30)) * time.Second) {
		switch n := s.rand.IntN(200); {
		case n == 0:
			s.key("NEW_SHOE", 2200*time.Millisecond)
			s.key("OK", 80*time.Millisecond)
		case n == 1:
			s.send(hw.Notice{Change: hw.Went, Text: "keypad missing: it was unplugged"})
			time.Sleep(5 * time.Second)
			s.send(hw.Notice{Change: hw.Came, Text: "keypad"})
		case n == 2:
			s.moved += time.Duration(s.rand.IntN(7200)-3600) * time.Second
		case n == 3:
			s.do(func(e *table.Engine) { e.SetFault(s.now(), "no-space", "The card is nearly full") })
			time.Sleep(2 * time.Minute)
			s.do(func(e *table.Engine) { e.SetFault(s.now(), "no-space", "") })
		case n == 4:
			set := tracker.DefaultSettings()
			set.Message = fmt.Sprint("message ", s.rand.Uint32())
			s.configure(set)
		default:
			s.key([]string{"BANKER", "PLAYER", "TIE"}[s.rand.IntN(3)], 70*time.Millisecond)
			s.key("OK", 70*time.Millisecond)
		}
		if s.board.Shoe.Hands >= 80 {
			s.key("NEW_SHOE", 2200*time.Millisecond)
			s.key("OK", 80*time.Millisecond)
		}
	}
	for _, f := range s.board.EndedFaults {
		s.do(func(e *table.Engine) { _ = e.Acknowledge(s.now(), f.Code, "rig") })
	}
}

func (s *table72) do(f func(*table.Engine)) {
	if err := s.loop.Do(s.t.Context(), func(e *table.Engine, _ *stats.Board) { f(e) }); err != nil {
		s.t.Fatal(err)
	}
}

func (s *table72) configure(set tracker.Settings) {
	pack, err := config.Pack("ez-baccarat-panda-8")
	if err != nil {
		s.t.Fatal(err)
	}
	s.do(func(e *table.Engine) {
		e.Configure(s.now(), table.Config{Settings: set, Pack: pack.Source, Digest: pack.Digest})
	})
}

// Hands for SOAK_HOURS of simulated time, 72 with "make soak", with clock jumps, an unplugged
// keypad, reloads, and a card that is full: what the process holds does not grow.
func TestSoak(t *testing.T) {
	hours, err := strconv.Atoi(os.Getenv("SOAK_HOURS"))
	if err != nil {
		t.Skip("\"make soak\" runs it")
	}
	cfg := config.Defaults().Table("7")
	set, err := view.New(cfg.Screens[0])
	if err != nil {
		t.Fatal(err)
	}
	set.View.W, set.View.H = 1920, 1080
	synctest.Test(t, func(t *testing.T) { soak(t, set.View, hours) })
}

func soak(t *testing.T, v scene.View, hours int) {
	data := t.TempDir()
	files := journal.Dir(filepath.Join(data, "journal"))
	j, found, err := journal.Open(files, "soak")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	pack, err := config.Pack("ez-baccarat-panda-8")
	if err != nil {
		t.Fatal(err)
	}
	s := &table72{t: t, in: make(chan hw.Event), start: time.Now(), rand: rand.New(rand.NewPCG(72, 72)), view: v}
	s.keys, _ = console.Layout("numpad-17", pack)
	state, _ := history.Restore(found)
	engine := table.NewEngine(table.Setup{State: state, Log: testkit.Log(),
		Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, s.keys },
		Day:  func(at tracker.Stamp) string { return time.UnixMilli(at.Wall).UTC().Format(time.DateOnly) }})
	engine.Restart(s.now(), nil)
	keeper := history.NewKeeper(testkit.Log(), history.Path(data), files)
	s.loop = table.NewLoop(table.Options{Engine: engine, Journal: j, Ended: keeper.Wake, Clock: s.now, Speed: 1, In: s.in,
		Publish: s.publish, Log: testkit.Log()})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	for _, run := range []func(){
		func() { _ = s.loop.Run(ctx) },
		func() { keeper.Run(ctx, func(text string) { t.Logf("history: %q", text) }) },
	} {
		go func() { run(); done <- struct{}{} }()
	}
	set := tracker.DefaultSettings()
	set.Bets = "off"
	s.configure(set)
	s.do(func(e *table.Engine) { e.Request(s.now(), "rig", tracker.Command{Kind: tracker.TableOpened}) })
	time.Sleep(time.Second)

	var first, last held
	for hour := range hours {
		s.hour()
		last = holds()
		if hour == min(5, hours-1) {
			first = last
		}
		if hour%6 == 5 {
			t.Logf("hour %d: %v, shoe %d, hand %d, record %d", hour+1, last, s.board.Shoe.Number, s.board.Shoe.Hands, j.Last())
		}
	}
	if last.goroutines > first.goroutines || last.files > first.files || last.heap > first.heap*5/4+1<<20 {
		t.Errorf("it grew from %v to %v", first, last)
	}
	stop()
	<-done
	<-done
	check, err := journal.Verify(files)
	if err != nil || len(check.Problems) > 0 || check.Last != j.Last() {
		t.Errorf("the record: %+v, %v", check, err)
	}
}

// held is what a process holds.
type held struct{ heap, goroutines, files int }

func (h held) String() string {
	return fmt.Sprintf("%d kB of heap, %d goroutines, %d descriptors", h.heap>>10, h.goroutines, h.files)
}

func holds() held {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd")
	return held{int(m.HeapAlloc), runtime.NumGoroutine(), len(files)}
}
