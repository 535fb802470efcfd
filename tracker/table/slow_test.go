package table

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
	"shoeboard/tracker/menu"
)

// room is a whole Table with its goroutines in a bubble of virtual time.
type room struct {
	t     *testing.T
	in    chan hw.Event
	keys  console.Map
	start time.Time
	seq   uint64

	mu     sync.Mutex
	boards []seen
	files  *journaltest.FS
	loop   *Loop
	stop   context.CancelFunc
	ended  chan error

	does func(context.Context, menu.Task) menu.Result // what the menu asks for
}

// seen is a board and when it came.
type seen struct {
	at    time.Duration
	board *stats.Board
}

func (r *room) stamp() tracker.Stamp {
	return tracker.Stamp{Boot: "0000000000000000000000000000000b", Mono: time.Hour + time.Since(r.start), Wall: 1_790_000_000_000, Trusted: true}
}

func openRoom(t *testing.T, files *journaltest.FS, start time.Time) *room {
	r := &room{t: t, in: make(chan hw.Event), start: start, files: files, ended: make(chan error, 1)}
	pack := loadPack(t, "ez-baccarat-panda-8")
	r.keys, _ = console.Layout("numpad-17", pack)
	j, found, err := journal.Open(files, "unit-1")
	if err != nil {
		t.Fatal(err)
	}
	state, unfit := history.Restore(found)
	if len(unfit) > 0 {
		t.Fatal(unfit)
	}
	engine := NewEngine(Setup{State: state, Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, r.keys }, Log: quiet()})
	scratch, _, _ := j.LoadPending()
	engine.Restart(r.stamp(), scratch)
	engine.Configure(r.stamp(), Config{Settings: tracker.DefaultSettings(), Pack: pack.Source, Digest: pack.Digest})
	if state.Phase == tracker.TableClosed {
		engine.Request(r.stamp(), "test", tracker.Command{Kind: tracker.TableOpened})
	}
	r.loop = NewLoop(Options{Engine: engine, Journal: j, Clock: r.stamp, Speed: 1, In: r.in, Publish: r.publish, Log: quiet(),
		Tasks: func(ctx context.Context, e menu.Task) menu.Result { return r.does(ctx, e) }})
	ctx, cancel := context.WithCancel(t.Context())
	r.stop = func() { cancel() }
	go func() { r.ended <- r.loop.Run(ctx) }()
	synctest.Wait()
	return r
}

func (r *room) close() {
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Error(err)
	}
}

func (r *room) publish(b *stats.Board) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.boards = append(r.boards, seen{time.Since(r.start), b})
}

func (r *room) board() *stats.Board {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.boards[len(r.boards)-1].board
}

// first is when a board first was so, counted from the given moment; -1: never.
func (r *room) first(from time.Duration, so func(*stats.Board) bool) time.Duration {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.boards {
		if s.at >= from && so(s.board) {
			return s.at - from
		}
	}
	return -1
}

func (r *room) tap(names ...string) {
	for _, name := range names {
		pos, ok := r.keys.Find(name)
		if !ok {
			r.t.Fatalf("no key %q", name)
		}
		for _, down := range []bool{true, false} {
			r.seq++
			r.in <- hw.Press{Source: "pad", Pos: pos, Down: down, Seq: r.seq, At: r.stamp().Mono}
			time.Sleep(60 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// A disk takes 300 ms, then 30 s, to sync. Keys are echoed at once, SAVING shows
// after 1 s and NOT RECORDING after 3 s, until the record is on disk; nothing is
// acknowledged before, and it is there once.
func TestSlowDisk(t *testing.T) {
	for _, sync := range []time.Duration{300 * time.Millisecond, 30 * time.Second} {
		t.Run(sync.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { slowDisk(t, sync) })
		})
	}
}

func slowDisk(t *testing.T, takes time.Duration) {
	files := journaltest.New()
	r := openRoom(t, files, time.Now())
	time.Sleep(time.Minute)
	r.tap("BANKER")
	files.SlowSync(func() { time.Sleep(takes) })
	ok := time.Since(r.start)
	r.tap("OK")
	next := time.Since(r.start)
	r.tap("PLAYER")
	echoed := r.first(next, func(b *stats.Board) bool { return b.Dealer.Proposed != nil && b.Dealer.Lines[0] == "2? PLAYER" })
	if takes > time.Second && (echoed < 0 || echoed > 100*time.Millisecond) {
		t.Errorf("the next key is echoed after %v, expected within 100ms", echoed)
	}
	time.Sleep(takes + time.Second)
	saving := r.first(ok, func(b *stats.Board) bool { return b.Saving })
	if takes > time.Second && (saving < time.Second || saving > 1100*time.Millisecond) {
		t.Errorf("SAVING shows after %v, expected 1s", saving)
	}
	if takes < time.Second && saving >= 0 {
		t.Errorf("SAVING shows after %v, the disk takes %v", saving, takes)
	}
	notRecording := func(b *stats.Board) bool {
		return slices.ContainsFunc(b.Faults, func(f stats.Fault) bool { return f.Code == "not-recording" })
	}
	if told := r.first(ok, notRecording); takes > slowAfter && (told < slowAfter || told > slowAfter+100*time.Millisecond) || takes < slowAfter && told >= 0 {
		t.Errorf("NOT RECORDING shows after %v, expected %v", told, slowAfter)
	}
	acked := r.first(ok, func(b *stats.Board) bool { return b.Shoe.Hands == 1 })
	if acked < takes || acked > takes+100*time.Millisecond {
		t.Errorf("acknowledged after %v, the disk takes %v", acked, takes)
	}
	if b := r.board(); b.Saving || b.Shoe.Hands != 1 || notRecording(b) {
		t.Errorf("at the end %d hands, saving %v, faults %v", b.Shoe.Hands, b.Saving, b.Faults)
	}
	files.SlowSync(nil)
	r.close()
	state, err := restoreFrom(files.AfterPowerCut(1))
	if err != nil || len(state.Shoe.Hands) != 1 {
		t.Errorf("after a power cut there are %d hands (%v), expected 1", len(state.Shoe.Hands), err)
	}
}

func restoreFrom(files *journaltest.FS) (tracker.State, error) {
	j, found, err := journal.Open(files, "unit-1")
	if err != nil {
		return tracker.State{}, err
	}
	defer j.Close()
	state, unfit := history.Restore(found)
	return state, errors.Join(unfit...)
}

// The disk fails for a minute: the board says so, the dealer is not told SAVED, and
// when the disk is back the hand is there once.
func TestDiskFailsAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := journaltest.New()
		r := openRoom(t, files, time.Now())
		time.Sleep(time.Minute)
		files.FailFrom(files.Ops(), journaltest.EIO)
		r.tap("BANKER", "OK")
		time.Sleep(time.Minute)
		b := r.board()
		if b.Shoe.Hands != 0 || b.Dealer.Lines[0] != "E21 NOT RECORDING" {
			t.Errorf("with a dead disk: %d hands, echo %q", b.Shoe.Hands, b.Dealer.Lines)
		}
		files.Heal()
		time.Sleep(5 * time.Second)
		if b := r.board(); b.Shoe.Hands != 1 || len(b.Faults) != 0 {
			t.Errorf("with the disk back: %d hands, faults %v", b.Shoe.Hands, b.Faults)
		}
		r.close()
		if s, err := restoreFrom(files.AfterKill()); err != nil || len(s.Shoe.Hands) != 1 {
			t.Errorf("in the record: %d hands (%v)", len(s.Shoe.Hands), err)
		}
	})
}

// A stop in the middle of an entry loses nothing and records nothing: the entry is
// back, marked unfinished, and the timed betting is closed.
func TestStopInAnEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := journaltest.New()
		r := openRoom(t, files, time.Now())
		time.Sleep(time.Minute)
		r.tap("PLAYER", "OK")
		time.Sleep(time.Minute)
		r.tap("BETS")
		time.Sleep(2 * time.Second)
		r.tap("dragon-7")
		r.close()
		r = openRoom(t, files.AfterKill(), r.start)
		b := r.board()
		if b.Shoe.Hands != 1 || b.Phase != "bets-closed" || b.Dealer.Lines != [2]string{"2? DRAGON 7", "UNFINISHED: OK/CLEAR"} {
			t.Errorf("after the restart: %d hands, %s, echo %q", b.Shoe.Hands, b.Phase, b.Dealer.Lines)
		}
		time.Sleep(time.Second)
		r.tap("OK")
		if b := r.board(); b.Shoe.Hands != 2 {
			t.Errorf("OK after the restart: %d hands", b.Shoe.Hands)
		}
		r.close()
	})
}

// size is that of all segments.
func (u *unit) size() int {
	all, err := u.files.List()
	if err != nil {
		u.t.Fatal(err)
	}
	n := 0
	for _, name := range all {
		if strings.HasSuffix(name, ".jrn") {
			n += len(u.files.Bytes(name))
		}
	}
	return n
}

// One hand is at most 400 bytes on disk with the presses that led to it, and one sync.
func TestAHandIsSmallAndSyncedOnce(t *testing.T) {
	u, err := start(t, journaltest.New(), 1)
	if err == nil {
		err = u.key("NEW_SHOE", "OK")
	}
	if err != nil {
		t.Fatal(err)
	}
	u.now.Mono += time.Minute
	size, syncs := u.size(), u.files.Count("datasync")
	if err := u.key("BANKER_NATURAL", "PLAYER", "BANKER_NATURAL", "BANKER_NATURAL", "PLAYER", "dragon-7", "BANKER_NATURAL", "BANKER_NATURAL", "OK"); err != nil {
		t.Fatal(err)
	}
	if got := u.size() - size; got > 400 || got < 50 {
		t.Errorf("a hand with nine presses takes %d bytes, expected at most 400", got)
	}
	if got := u.files.Count("datasync") - syncs; got != 1 {
		t.Errorf("a hand takes %d syncs, expected 1", got)
	}
}

// A stop waits for what was decided while a record was on its way, a fact of a fault
// among them: none of it is lost.
func TestStopBehindAFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := journaltest.New()
		r := openRoom(t, files, time.Now())
		time.Sleep(time.Minute)
		files.SlowSync(func() { time.Sleep(time.Second) })
		err := r.loop.Do(t.Context(), func(e *Engine, _ *stats.Board) { e.SetFault(r.stamp(), "heat", "Too hot: give it air") })
		if err != nil {
			t.Fatal(err)
		}
		r.tap("BANKER", "OK")
		r.tap("CUT")
		r.close()
		s, err := restoreFrom(files.AfterKill())
		if err != nil || len(s.Shoe.Hands) != 1 || s.Shoe.Last == 0 || len(s.Faults) != 1 {
			t.Errorf("after the stop: %v, hands %+v, last hand %d, faults %+v", err, s.Shoe.Hands, s.Shoe.Last, s.Faults)
		}
	})
}

// Bets are due to open by themselves while the disk hangs and as many decisions wait as
// may: the table waits too, and does not look at once again, for ever.
func TestAHangingDiskDoesNotSpinTheTable(t *testing.T) {
	settings := tracker.DefaultSettings()
	settings.Bets = tracker.BetsClose
	pack := loadPack(t, "ez-baccarat-panda-8")
	at := tracker.Stamp{Boot: "b", Mono: time.Hour}
	s := tracker.State{Settings: settings, Phase: tracker.Result, AutoOpen: true, Since: at, Shoe: tracker.Shoe{Pack: pack}}
	d := NewEngine(Setup{State: s, Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, nil }})
	now := at
	for n := range maxQueue + 1 {
		d.Request(now, "test", tracker.Command{Kind: tracker.CutSet, Hand: 50 + n})
		d.Handle(now, nil) // the first is in flight, and stays there
	}
	now.Mono += time.Minute
	d.Handle(now, Tick{})
	if next, some := d.Next(now); some && next <= now.Mono+time.Millisecond {
		t.Errorf("it looks again in %v", next-now.Mono)
	}
}
