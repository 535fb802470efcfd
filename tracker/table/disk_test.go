package table

import (
	"fmt"
	"io"
	"log/slog"

	"strings"
	"testing"
	"time"

	"shoeboard/assets"
	"shoeboard/hw"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/journal/journaltest"
)

// evening is a short shoe as keyed, one decision a line: the presses from nothing
// pending to the record. It has every kind of event that keys can make.
const evening = `
NEW_SHOE OK
BETS
PLAYER OK
BANKER OK
dragon-7 OK
FREE
TIE OK
FIX BANKER OK
VOID OK
BANKER_NATURAL BANKER_NATURAL OK
FIX VOID OK
PAUSE
BETS
CUT
PLAYER OK
REVIEW
REVIEW
BANKER OK
NEW_SHOE OK
FIX OK
NEW_SHOE OK
panda-8 OK
TIE OK
`

func decisions() []string { return strings.Split(strings.TrimSpace(evening), "\n") }

// unit is a table on a disk that may fail, driven without goroutines: virtual time,
// real journal, real writer.
type unit struct {
	t      testing.TB
	files  *journaltest.FS
	j      *journal.Journal
	engine *Engine
	writer *writer
	pack   *game.Pack
	keys   console.Map
	now    tracker.Stamp
	found  journal.Found
	acked  int // decisions of the evening that were acknowledged
	down   error
}

func loadPack(t testing.TB, id string) *game.Pack {
	t.Helper()
	file, data, _ := assets.Pack(id)
	p, err := game.Load(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// start opens the record on files. It fails only when the disk does.
func start(t testing.TB, files *journaltest.FS, boot int) (*unit, error) {
	u := bare(t, files, boot)
	j, found, err := journal.Open(files, "unit-1")
	if err != nil {
		return u, err
	}
	state, unfit := history.Restore(found)
	if len(unfit) > 0 {
		t.Fatalf("the record does not fold: %v", unfit)
	}
	return u, u.sit(j, found, state)
}

// bare is a table that has not opened its record.
func bare(t testing.TB, files *journaltest.FS, boot int) *unit {
	u := &unit{t: t, files: files, pack: loadPack(t, "ez-baccarat-panda-8"),
		now: tracker.Stamp{Boot: fmt.Sprintf("%032x", boot), Mono: time.Hour, Wall: 1_790_000_000_000, Trusted: true}}
	u.keys, _ = console.Layout("numpad-17", u.pack)
	return u
}

// sit goes on with the state of a record.
func (u *unit) sit(j *journal.Journal, found journal.Found, state tracker.State) error {
	u.j, u.found = j, found
	u.engine = NewEngine(Setup{State: state, Keys: func(*game.Pack) (map[string]console.Map, console.Map) { return nil, u.keys }, Day: func(tracker.Stamp) string { return "2026-11-30" }})
	u.writer = &writer{journal: j, log: quiet()}
	scratch, _, err := j.LoadPending()
	if err != nil {
		scratch = nil
	}
	u.engine.Restart(u.now, scratch)
	u.engine.Configure(u.now, Config{Settings: tracker.DefaultSettings(), Pack: u.pack.Source, Digest: u.pack.Digest})
	return u.settle()
}

// settle lets the engine go on.
func (u *unit) settle() error { return u.handle(nil) }

// handle lets the engine handle an event and writes what it decided; the writer repairs and
// tries again, three times in all.
func (u *unit) handle(event Event) error {
	for {
		fx := u.engine.Handle(u.now, event)
		if fx.Err != nil {
			u.t.Fatal(fx.Err)
		}
		if fx.Entry != nil {
			if len(*fx.Entry) == 0 {
				_ = u.j.ClearPending()
			} else {
				_ = u.j.SavePending(*fx.Entry)
			}
		}
		if fx.Roll {
			u.writer.roll(u.engine.State())
		}
		if fx.Write == nil {
			return nil
		}
		var err error
		if event, err = u.write(fx.Write); err != nil {
			return err
		}
	}
}

func (u *unit) write(w *Write) (Event, error) {
	u.writer.count++
	var err error
	for range 3 {
		var seq uint64
		if seq, err = u.writer.try(job{write: w, state: u.engine.State()}); err == nil {
			return Committed{seq}, nil
		}
		u.engine.Handle(u.now, Failed{err})
	}
	u.down = err
	return nil, err
}

// pass lets time go by.
func (u *unit) pass(d time.Duration) error {
	until := u.now.Mono + d
	for {
		next, ok := u.engine.Next(u.now)
		if !ok || next > until {
			u.now.Mono = until
			return nil
		}
		u.now.Mono = next
		if err := u.handle(Tick{}); err != nil {
			return err
		}
	}
}

// key presses keys by name, one after another.
func (u *unit) key(names ...string) error {
	for _, name := range names {
		pos, ok := u.keys.Find(name)
		if !ok {
			u.t.Fatalf("no key %q", name)
		}
		hold := max(60*time.Millisecond, u.keys.HoldOf(name))
		for _, down := range []bool{true, false} {
			if err := u.handle(hw.Press{Source: "pad", Pos: pos, Down: down, At: u.now.Mono}); err != nil {
				return err
			}
			if err := u.pass(hold); err != nil {
				return err
			}
			hold = 800 * time.Millisecond
		}
	}
	return nil
}

// play plays the decisions from the one numbered from.
func (u *unit) play(from int) error {
	for i, line := range decisions() {
		if i < from {
			continue
		}
		if err := u.pass(45 * time.Second); err != nil {
			return err
		}
		before := u.engine.State().Seq
		if err := u.key(strings.Fields(line)...); err != nil {
			return err
		}
		if u.engine.State().Seq == before {
			u.t.Fatalf("%q recorded nothing; echo %q", line, u.engine.Echo().Lines)
		}
		u.acked = i + 1
	}
	return nil
}

// face is what a person would see of a state, without times.
func face(s tracker.State) string {
	var b strings.Builder
	line := func(name string, sh *tracker.Shoe) {
		if sh == nil {
			return
		}
		fmt.Fprintf(&b, "%s %d last %d fixes %d voids %d:", name, sh.Number, sh.Last, sh.Fixes, sh.Voids)
		for _, h := range sh.Hands {
			fmt.Fprintf(&b, " %s", tracker.FormatToken(sh.Pack, h))
			if h.Free {
				b.WriteString("+free")
			}
		}
		b.WriteString("\n")
	}
	line("shoe", &s.Shoe)
	line("finished", s.Finished)
	line("previous", s.Previous)
	fmt.Fprintf(&b, "%s free %v void %q review %v\n", s.Phase, s.Free, s.Void, s.Review != nil)
	return b.String()
}

// faces are what is to be seen after each decision of an evening without faults.
func faces(t testing.TB) []string {
	u, err := start(t, journaltest.New(), 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := []string{face(u.engine.State())}
	for i := range decisions() {
		if err := u.playOne(i); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, face(u.engine.State()))
	}
	return seen
}

func (u *unit) playOne(i int) error {
	if err := u.pass(45 * time.Second); err != nil {
		return err
	}
	err := u.key(strings.Fields(decisions()[i])...)
	u.acked = i + 1
	return err
}

// restarted finds where in the evening the unit stands after a restart: with every
// acknowledged decision, and at most the one that was on its way.
func restarted(t testing.TB, files *journaltest.FS, acked int, want []string, playOn bool) {
	u, err := start(t, files, 2)
	if err != nil {
		t.Fatalf("the unit does not start: %v", err)
	}
	at := -1
	for _, i := range []int{acked, acked + 1} {
		if i < len(want) && sameHands(face(u.engine.State()), want[i]) {
			at = i
			break
		}
	}
	if at < 0 {
		t.Fatalf("%d decisions were acknowledged, but after the restart there is\n%s\nexpected\n%s", acked, face(u.engine.State()), want[acked])
	}
	if err := u.key("CLEAR"); err != nil { // whatever came back unfinished
		t.Fatal(err)
	}
	if !playOn {
		return // every fifth is played to its end, to keep the test short
	}
	if err := u.play(at); err != nil {
		t.Fatal(err)
	}
	if got := face(u.engine.State()); got != want[len(want)-1] {
		t.Fatalf("played on to the end there is\n%s\nexpected\n%s", got, want[len(want)-1])
	}
	check, err := journal.Verify(u.files)
	if err != nil || len(check.Problems) > len(u.found.Problems) {
		t.Fatalf("the record is not whole: %v %v", check.Problems, err)
	}
}

// sameHands compares faces but for the phase, which a restart may have changed:
// timed betting comes back closed.
func sameHands(a, b string) bool {
	cut := func(s string) string { return strings.ReplaceAll(s, "bets-closed free", "betting free") }
	return cut(a) == cut(b)
}

// Every operation on the disk during an evening fails in every way there is. After
// each the unit starts, nothing acknowledged is lost or doubled, and the evening can
// be played to its end.
func TestEveningWithAFaultAtEveryOperation(t *testing.T) {
	want := faces(t)
	clean := journaltest.New()
	u, err := start(t, clean, 1)
	if err == nil {
		err = u.play(0)
	}
	if err != nil {
		t.Fatal(err)
	}
	ops := clean.Log()
	t.Logf("%d operations", len(ops))
	kinds := map[string]func(fs *journaltest.FS, n int){
		"power cut":   func(fs *journaltest.FS, n int) { fs.CutAt(n, journaltest.Before) },
		"torn write":  func(fs *journaltest.FS, n int) { fs.CutAt(n, journaltest.Torn) },
		"cut after":   func(fs *journaltest.FS, n int) { fs.CutAt(n, journaltest.After) },
		"short write": func(fs *journaltest.FS, n int) { fs.FailAt(n, journaltest.Short) },
		"EIO":         func(fs *journaltest.FS, n int) { fs.FailAt(n, journaltest.EIO) },
		"EIO for ever": func(fs *journaltest.FS, n int) {
			fs.FailFrom(n, journaltest.EIO)
		},
		"ENOSPC": func(fs *journaltest.FS, n int) { fs.FailAt(n, journaltest.ENOSPC) },
	}
	for name, set := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 0; n < len(ops); n += EveryNth(3) {
				files := journaltest.New()
				set(files, n)
				u, err := start(t, files, 1)
				if err == nil {
					err = u.play(0)
				}
				restarted(t, files.AfterPowerCut(uint64(n)), u.acked, want, n%5 == 0)
				restarted(t, files.AfterKill(), u.acked, want, n%5 == 1)
				if t.Failed() {
					t.Fatalf("at operation %d, %s (%v)", n, ops[n], err)
				}
			}
		})
	}
}
