package history

import (
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/tracker"
)

// forged is a record of three shoes whose chain is whole, with the result of a hand altered
// in the events, as somebody does who computes the chain again: hand 2 of the second shoe
// is B in the checkpoints and what reads in the events.
func forged(t *testing.T, token string) *chronicle {
	c := newChronicle(t.Fatal)
	c.shoe(true, "P", "B", "P")
	c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "P"})
	c.forge = token
	c.shoe(true, "B", "P")
	c.shoe(true, "T", "P", "P")
	c.wish(tracker.Command{Kind: tracker.HandRecorded, Token: "B"})
	return c
}

func audited(t *testing.T, path string, c *chronicle) []string {
	t.Helper()
	wrong, err := Audit(t.Context(), path, c.files, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, w := range wrong {
		texts = append(texts, w.Error())
	}
	return texts
}

func TestAWholeRecordHasNothingWrong(t *testing.T) {
	c := forged(t, "")
	rows, _ := c.rows()
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), written(t, rows)} {
		if wrong := audited(t, path, c); len(wrong) > 0 {
			t.Error(wrong)
		}
	}
	if wrong := audited(t, written(t, rows[:2]), c); len(wrong) > 0 { // the newest is still to come
		t.Error(wrong)
	}
}

func TestAHandThatWasAltered(t *testing.T) {
	c := forged(t, "P")
	wrong := audited(t, filepath.Join(t.TempDir(), "none"), c)
	if len(wrong) != 1 || !strings.Contains(wrong[0], "hand 2 of shoe 2 of 2026-11-30 is B, expected P") {
		t.Errorf("the checkpoint: %q", wrong)
	}
	honest := forged(t, "")
	rows, _ := honest.rows()
	wrong = audited(t, written(t, rows), c)
	if len(wrong) != 2 || !strings.Contains(strings.Join(wrong, "\n"), "shoe 2 of 2026-11-30: the index has other hands than the record") {
		t.Errorf("the index: %q", wrong)
	}
}

func TestShoesThatOneWitnessLacks(t *testing.T) {
	c := forged(t, "")
	rows, _ := c.rows()
	if wrong := audited(t, written(t, append(rows[:1:1], rows[2])), c); len(wrong) != 1 || !strings.Contains(wrong[0], "shoe 2 of 2026-11-30 is not in the index") {
		t.Errorf("%q", wrong)
	}
	extra := rows[2]
	extra.Shoe++
	if wrong := audited(t, written(t, append(rows, extra)), c); len(wrong) != 1 || !strings.Contains(wrong[0], "is only in the index") {
		t.Errorf("%q", wrong)
	}
}
