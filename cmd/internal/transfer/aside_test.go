package transfer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/datadir"
)

// A unit whose card died gets a blank one and is told to go on as itself: the mirror of
// the dead card is the only copy of its record, and is not written over.
func TestTheMirrorOfADeadCardIsPutaside(t *testing.T) {
	for _, hands := range [][]int{{3, 5, 2}, {4}} { // a record of the same names is another one too
		dead := newUnit(t, "10000000aaaa", "14")
		dead.shoes(hands...)
		slot := newStick(t)
		dead.mirrored(slot)
		before := dead.onStick(slot)
		blank := newUnit(t, dead.id, "14")
		blank.shoes(1)
		blank.mirrored(slot)
		blank.same(slot)
		names, err := filepath.Glob(filepath.Join(slot.Dir, Home(dead.id)+"-before-*"))
		if err != nil || len(names) != 1 {
			t.Fatalf("put aside: %q, %v", names, err)
		}
		s := spare(t, "10000000bbbb")
		if q := s.questions(slot); len(q) != 1 || q[0].Unit != blank.id {
			t.Errorf("asks %+v", q)
		}
		own := filepath.Join(slot.Dir, Home(dead.id))
		for _, err := range []error{os.RemoveAll(own), os.Rename(names[0], own)} {
			dead.must(err)
		}
		after := dead.onStick(slot)
		for name, text := range before {
			if after[name] != text {
				t.Errorf("%s has changed", name)
			}
		}
		s = spare(t, "10000000bbbb")
		dead.must(s.questions(slot)[0].Yes(s.id))
		if _, got := s.record(); got != hands[len(hands)-1] {
			t.Errorf("%d hands, expected %v", got, hands)
		}
	}
}

// The same card mirrors to the same place for ever, whatever was pulled out when.
func TestTheOwnMirrorIsNotPutaside(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	slot := newStick(t)
	for range 4 {
		u.shoes(2)
		u.mirrored(slot)
		u.grow()
		u.mirrored(slot)
	}
	if names, err := os.ReadDir(filepath.Join(slot.Dir, Folder)); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
}

// Pipes on a stick hold nobody up, whatever they are called.
func TestPipesOnAStickAreNotWaitedFor(t *testing.T) {
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	for _, name := range []string{Folder, Home(dead.id), Home(dead.id) + "/" + manifestFile, Home(dead.id) + "/journal",
		Home(dead.id) + "/journal/" + bucket("0000000000000001.jrn"), Home(dead.id) + "/journal/" + bucket("0000000000000001.jrn") + "/0000000000000001.jrn"} {
		slot := newStick(t)
		dead.mirrored(slot)
		path := filepath.Join(slot.Dir, name)
		for _, err := range []error{os.RemoveAll(path), unix.Mkfifo(path, 0o600)} {
			dead.must(err)
		}
		s := spare(t, "10000000bbbb")
		if q := s.questions(slot); len(q) != 0 {
			t.Errorf("%s is a pipe: asks %+v", name, q)
		}
		m, _ := dead.mirroring(slot)
		m.step(t.Context(), 0)
		if _, err := slot.Packages(); err != nil && name != Folder {
			t.Errorf("%s is a pipe: %v", name, err)
		}
	}
}

// What lies beside the segments is bytes that were cut from them: it is put aside with
// an empty record, and a folder with nothing but its lock is not.
func TestWhatWasCutIsPutAsideToo(t *testing.T) {
	for _, cut := range []string{"", "0000000000000001.jrn.cut"} {
		dead := newUnit(t, "10000000aaaa", "14")
		dead.shoes(3)
		slot := newStick(t)
		dead.mirrored(slot)
		s := spare(t, "10000000bbbb")
		q := s.questions(slot)
		dir := datadir.Journal(s.data)
		s.must(os.MkdirAll(dir, 0o750))
		if cut != "" {
			s.must(os.WriteFile(filepath.Join(dir, cut), []byte("cut"), 0o600))
		}
		s.must(q[0].Yes(s.id))
		if kept := aside(s.data); len(kept) != strings.Count(cut, "cut") {
			t.Errorf("put aside: %q", kept)
		} else if cut != "" && !slices.Contains(keys(files(t, kept[0])), cut) {
			t.Errorf("put aside: %v", files(t, kept[0]))
		}
	}
}

func keys(all map[string]string) (names []string) {
	for name := range all {
		names = append(names, name)
	}
	return names
}

// Another stick is put in between the question and the answer.
func TestTheAnswerIsForTheTableThatWasAsked(t *testing.T) {
	slot := newStick(t)
	dead := newUnit(t, "10000000aaaa", "14")
	dead.shoes(3)
	dead.mirrored(slot)
	s := spare(t, "10000000bbbb")
	q := s.questions(slot)
	dead.must(datadir.WriteTable(dead.data, "15"))
	dead.mirrored(slot)
	if err := q[0].Yes(s.id); err == nil || !strings.Contains(err.Error(), "table 15") {
		t.Errorf("%v", err)
	}
}
