package transfer

import (
	"os"
	"path/filepath"
	"testing"

	"shoeboard/cmd/internal/datadir"
)

// Where the data folder does not say which table it is of, the record does: another
// unit's card is asked about all the same, and the mirror on a stick has its table.
func TestATableWhoseNumberIsSpoilt(t *testing.T) {
	u := newUnit(t, "10000000aaaa", "14")
	u.shoes(0, 3)
	if _, err := datadir.TableOf(u.data); err != nil {
		t.Fatal(err)
	}
	u.must(os.WriteFile(filepath.Join(u.data, tableFile), []byte{0, 0, 0}, 0o600))
	if number, err := datadir.TableOf(u.data); number != "14" || err == nil {
		t.Errorf("table %q, %v", number, err)
	}
	stick := newStick(t)
	u.mirrored(stick)
	third := spare(t, "10000000cccc")
	if q := third.questions(stick); len(q) != 1 || q[0].Table != "14" {
		t.Errorf("of the stick it asks %+v", q)
	}
	u.id = "10000000bbbb"
	if q := u.questions(newStick(t)); len(q) != 1 || !q[0].Card || q[0].Table != "14" {
		t.Errorf("of the card it asks %+v", q)
	}
	empty := t.TempDir()
	u.must(os.Mkdir(filepath.Join(empty, tableFile), 0o755)) // no file at all
	if number, err := datadir.TableOf(empty); number != "?" || err == nil {
		t.Errorf("without a record: table %q, %v", number, err)
	}
}
