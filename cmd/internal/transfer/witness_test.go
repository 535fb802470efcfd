package transfer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
)

// The card has lost its end, and the stick has it: the copy is put aside before the unit writes
// its own over it, and says what is only there.
func TestTheStickHasWhatTheCardHasLost(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(2, 3)
	u.grow()
	slot := newStick(t)
	names, err := segmentsOf(u.data)
	u.must(err)
	name := filepath.Join(datadir.Journal(u.data), names[len(names)-1])
	before, err := os.ReadFile(name)
	u.must(err)
	u.grow()
	u.mirrored(slot)
	u.must(os.WriteFile(name, before, 0o640))
	m, _ := u.mirroring(slot)
	m.step(t.Context(), 0)
	all, err := slot.Compare(u.data)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	aside := all[1]
	if !strings.Contains(aside.Folder, "-before-") || aside.OnlyFirst != 4 || aside.OnlyLast != 4 || aside.First != 0 || aside.Same != 3 {
		t.Errorf("the copy that was put aside: %+v", aside)
	}
	if all[0].Any() || all[0].Same != 3 {
		t.Errorf("the new copy: %+v", all[0])
	}
}

// A whole segment on the stick that is another than the unit's stays: it may be the original.
func TestAnotherSegmentOnTheStickStays(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(2, 3, 4)
	slot := newStick(t)
	u.mirrored(slot)
	names, err := segmentsOf(u.data)
	u.must(err)
	there := filepath.Join(slot.Dir, place(u.id, names[0]))
	before, err := os.ReadFile(there)
	u.must(err)
	own := filepath.Join(datadir.Journal(u.data), names[0])
	u.must(os.WriteFile(own, before[:len(before)-1], 0o640))
	m, told := u.mirroring(slot)
	m.step(t.Context(), 0)
	if len(*told) != 1 || !strings.Contains((*told)[0], "verify --stick") {
		t.Errorf("told %q", *told)
	}
	if after, err := os.ReadFile(there); err != nil || string(after) != string(before) {
		t.Errorf("the segment on the stick was written over, %v", err)
	}
}
