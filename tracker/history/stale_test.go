package history

import (
	"fmt"
	"log/slog"
	"testing"
)

// The note beside the file was lost in a power cut and an older one stands there, or none:
// no row goes, however many segments the medium has forgotten.
func TestAnOldNoteCostsNoShoe(t *testing.T) {
	for _, forgot := range []int{1, 2, 3} {
		for noted := -1; noted < 4; noted++ {
			path, c, rows := forgetful(t, forgot)
			if noted >= 0 {
				save(t, path+".reach", fmt.Appendf(nil, reachForm, rows[noted].Last))
			}
			if err := FindLost(path, c.files).Keep(path); err != nil {
				t.Fatal(err)
			}
			k := NewKeeper(slog.New(slog.DiscardHandler), path, c.files)
			if err := k.step(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := k.close(); err != nil {
				t.Fatal(err)
			}
			left := 0
			if err := readAll(path, func(Row) error { left++; return nil }); err != nil || left != len(rows) {
				t.Errorf("%d segments forgotten, note of row %d: %d rows are left of %d, %v", forgot, noted, left, len(rows), err)
			}
		}
	}
}

// The note is there before the rows, and never says less than they do.
func TestTheNoteComesFirst(t *testing.T) {
	path, c, rows := forgetful(t, 0)
	k := NewKeeper(slog.New(slog.DiscardHandler), path, c.files)
	if err := k.step(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer k.close()
	if noted, ok := notedReach(path); !ok || noted < rows[len(rows)-1].Last {
		t.Errorf("the note says %d, %v; the last row ends at %d", noted, ok, rows[len(rows)-1].Last)
	}
	if err := noteReach(path, 3); err != nil {
		t.Fatal(err)
	}
	if noted, _ := notedReach(path); noted < rows[len(rows)-1].Last {
		t.Errorf("the note went back to %d", noted)
	}
}
