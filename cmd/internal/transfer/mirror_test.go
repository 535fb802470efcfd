package transfer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/journal"
)

// onStick are the segments of a unit's mirror and their texts.
func (u unit) onStick(slot Slot) map[string]string {
	u.t.Helper()
	all := map[string]string{}
	for name, text := range files(u.t, filepath.Join(slot.Dir, Home(u.id))) {
		if isSegment(filepath.Base(name)) {
			all[filepath.Base(name)] = text
		}
	}
	return all
}

func (u unit) own() map[string]string {
	u.t.Helper()
	all := files(u.t, datadir.Journal(u.data))
	for name := range all {
		if !isSegment(name) {
			delete(all, name)
		}
	}
	return all
}

func (u unit) same(slot Slot) {
	u.t.Helper()
	own, there := u.own(), u.onStick(slot)
	for name, text := range own {
		if there[name] != text {
			u.t.Errorf("%s is not on the stick as it is here", name)
		}
	}
}

// A stick that is left in follows the record, writes nothing twice, and holds nothing
// but what may be on it.
func TestTheMirrorFollowsTheRecord(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(0, 3, 5)
	u.must(os.WriteFile(filepath.Join(u.data, "pads.json"), []byte("PIN 1234"), 0o600))
	slot := newStick(t)
	m, told := u.mirroring(slot)
	m.step(t.Context(), 0)
	u.same(slot)
	manifest := files(t, slot.Dir)[Home(u.id)+"/"+manifestFile]
	m.step(t.Context(), every)
	if again := files(t, slot.Dir)[Home(u.id)+"/"+manifestFile]; again != manifest {
		t.Errorf("written again without need:\n%s\n%s", manifest, again)
	}
	u.grow()
	m.step(t.Context(), every+look)
	if u.onStick(slot)["0000000000000003.jrn"] == u.own()["0000000000000003.jrn"] {
		t.Error("what grows is mirrored more often than once a minute")
	}
	m.step(t.Context(), 2*every)
	u.same(slot)
	u.shoes(1)
	m.step(t.Context(), 3*every)
	u.same(slot)
	for name, text := range files(t, slot.Dir) {
		if strings.Contains(text, "PIN") || strings.HasSuffix(name, part) {
			t.Errorf("%s has no business on a stick", name)
		}
	}
	if len(*told) > 0 {
		t.Errorf("told %q", *told)
	}
}

// A long record comes in turns, the newest first, so that a stick which is pulled out
// early is good for a take-over already.
func TestALongRecordComesInTurns(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(make([]int, 3*atOnce)...)
	u.shoes(7)
	slot := newStick(t)
	m, _ := u.mirroring(slot)
	for turn := range 4 {
		m.step(t.Context(), time.Duration(turn)*look)
		if n := len(u.onStick(slot)); n != min((turn+1)*atOnce, 3*atOnce)+1 {
			t.Errorf("%d segments after turn %d", n, turn)
		}
		s := spare(t, "10000000bbbb")
		q := s.questions(slot)
		if len(q) != 1 {
			t.Fatalf("turn %d: asks %+v", turn, q)
		}
		u.must(q[0].Yes(s.id))
		s.runs() // from a later record on than the first, until the mirror is whole
		if state, err := stateOf(journal.Dir(datadir.Journal(s.data))); len(state.Shoe.Hands) != 7 {
			t.Errorf("turn %d: %d hands, %v", turn, len(state.Shoe.Hands), err)
		}
	}
	u.same(slot)
}

// Another stick, the same one after a while in a drawer, one whose files were changed:
// whatever is put in, after some minutes the mirror is whole.
func TestWhateverIsPutInBecomesAMirror(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		u := newUnit(t, "10000000aaaa", "14")
		u.shoes(2, 3)
		sticks := []string{t.TempDir(), t.TempDir()}
		slot := Slot{Dir: filepath.Join(t.TempDir(), "slot"), Plain: true}
		m, told := u.mirroring(slot)
		now := time.Duration(0)
		in := -1
		turns := func(n int) {
			for range n {
				m.step(t.Context(), now)
				now += every
			}
		}
		put := func(stick int) {
			_ = os.Remove(slot.Dir) // there may be none
			if in = stick; in >= 0 {
				u.must(os.Symlink(sticks[in], slot.Dir))
			}
		}
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"put", "pull", "grow", "shoe", "wait", "spoil"}).Draw(rt, "what") {
			case "put":
				put(rapid.IntRange(0, 1).Draw(rt, "stick"))
			case "pull":
				put(-1)
			case "grow":
				u.grow()
			case "shoe":
				u.shoes(1)
			case "wait":
				turns(rapid.IntRange(1, 3).Draw(rt, "turns"))
			case "spoil":
				spoil(rt, u, sticks)
			}
		}
		put(rapid.IntRange(0, 1).Draw(rt, "last stick"))
		turns(2 + 2*len(u.own()))
		u.same(Slot{Dir: sticks[in]})
		for _, text := range *told {
			if text != "" {
				rt.Errorf("told %q", text)
			}
		}
		s := spare(t, "10000000bbbb")
		u.must(s.questions(slot)[0].Yes(s.id))
		if s.record(); rt.Failed() {
			rt.FailNow()
		}
	})
}

// The segment that grows went bad on the stick, and the table is closed for the night:
// nothing new would ever bring it back.
func TestTheSegmentThatGrowsIsMendedOnTheStick(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(2, 3)
	slot := newStick(t)
	m, _ := u.mirroring(slot)
	m.step(t.Context(), 0)
	there := filepath.Join(slot.Dir, Home(u.id), "journal", bucket("0000000000000002.jrn"), "0000000000000002.jrn")
	for i, spoil := range []func() error{func() error { return os.Remove(there) }, func() error { return os.Truncate(there, 100) }} {
		u.must(spoil())
		m.step(t.Context(), time.Duration(i+1)*every)
		u.same(slot)
	}
}

// spoil changes, cuts or removes a file of a stick.
func spoil(rt *rapid.T, u unit, sticks []string) {
	dir := sticks[rapid.IntRange(0, 1).Draw(rt, "spoilt stick")]
	var names []string
	for name := range files(u.t, dir) {
		names = append(names, name)
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	path := filepath.Join(dir, rapid.SampledFrom(names).Draw(rt, "spoilt file"))
	text, err := os.ReadFile(path)
	u.must(err)
	switch rapid.IntRange(0, 2).Draw(rt, "how") {
	case 0:
		u.must(os.Remove(path))
	case 1:
		u.must(os.WriteFile(path, text[:len(text)/2], 0o600))
	default:
		text[len(text)/2] ^= 1
		u.must(os.WriteFile(path, text, 0o600))
	}
}

// What a stick can do wrong gives one sentence with what to do, once, and is forgotten
// when the stick is gone or another one works.
func TestAFailingStickIsToldOnce(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(2)
	slot := newStick(t)
	blocked := filepath.Join(slot.Dir, Folder)
	u.must(os.WriteFile(blocked, nil, 0o600)) // a file for a folder
	m, told := u.mirroring(slot)
	for now := time.Duration(0); now < 3*every; now += look {
		m.step(t.Context(), now)
	}
	if len(*told) != 1 || !strings.Contains((*told)[0], "put another one in") {
		t.Errorf("told %q", *told)
	}
	u.must(os.Remove(blocked))
	m.step(t.Context(), 4*every)
	if len(*told) != 2 || (*told)[1] != "" {
		t.Errorf("told %q", *told)
	}
	u.same(slot)
}

func TestTroublesInWords(t *testing.T) {
	for err, want := range map[error]string{
		&os.PathError{Op: "write", Path: "x", Err: unix.ENOSPC}: "stick is full",
		&os.PathError{Op: "open", Path: "x", Err: unix.EROFS}:   "cannot be written",
		&os.PathError{Op: "write", Path: "x", Err: unix.EIO}:    "stick failed",
	} {
		if got := advice(err); !strings.Contains(got.Error(), want) || !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
}

// A stick that comes while the record is blank is for a take-over: it is not written,
// and the core is told once.
func TestABlankUnitFindsAMirror(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	slot := newStick(t)
	dead.mirrored(slot)
	u := newUnit(t, "10000000bbbb", "7")
	u.shoes(0)
	before := files(t, slot.Dir)
	m, _ := u.mirroring(slot)
	found := 0
	m.Found = func() { found++ }
	m.step(t.Context(), 0)
	if found != 1 {
		t.Errorf("found %d times", found)
	}
	if after := files(t, slot.Dir); len(after) != len(before) {
		t.Errorf("the stick has %d files, before %d", len(after), len(before))
	}
	m.step(t.Context(), every) // the core goes on: it was answered
	u.same(slot)
}

// Run comes back when the core ends.
func TestRunEnds(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(1)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	m, _ := u.mirroring(newStick(t))
	m.Run(ctx)
}

func TestNothingIsWrittenInHalf(t *testing.T) {
	slot := newStick(t)
	if _, err := slot.Write("../report.csv", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(slot.Dir, Folder, "report.csv"+part), 0o755); err != nil { // in its way
		t.Fatal(err)
	}
	_, err := slot.Write("report.csv", []byte("two"))
	if all := files(t, slot.Dir); err == nil || len(all) != 1 || all["shoeboard/report.csv"] != "one" {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := (Slot{Dir: slot.Dir}).Write("x", nil); !errors.Is(err, ErrNone) {
		t.Errorf("a folder counts as a stick: %v", err)
	}
}
