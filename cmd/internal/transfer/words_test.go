package transfer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
)

// A manifest that no unit would write names no table to take over.
func TestAManifestOfWords(t *testing.T) {
	dead, slot := newUnit(t, "10000000aaaa", "14"), newStick(t)
	dead.shoes(2, 3)
	dead.mirrored(slot)
	path := filepath.Join(slot.Dir, Home(dead.id), manifestFile)
	good, err := os.ReadFile(path)
	dead.must(err)
	for what, text := range map[string]string{
		"a message for a table's number": strings.Replace(string(good), `"table": "14"`, `"table": "PAYS 2 TO 1"`, 1),
		"two words for a unit":           strings.Replace(string(good), `"unit": "10000000aaaa"`, `"unit": "10000000 aaaa"`, 1),
		"a size below nothing":           strings.Replace(string(good), `"size": `, `"size": -`, 1),
		"a megabyte":                     strings.Repeat(" ", mostManifest) + string(good),
	} {
		if text == string(good) {
			t.Fatalf("%s: nothing is changed", what)
		}
		dead.must(os.WriteFile(path, []byte(text), 0o644))
		if q := spare(t, "10000000bbbb").questions(slot); len(q) > 0 {
			t.Errorf("%s: asks %+v", what, q)
		}
	}
	dead.must(os.WriteFile(path, good, 0o644))
	if q := spare(t, "10000000bbbb").questions(slot); len(q) != 1 {
		t.Errorf("as it was: asks %+v", q)
	}
}

// The record that a folder has may be another's: its table's number is one, or "?".
func TestTheRecordsNumberIsANumber(t *testing.T) {
	for number, want := range map[string]string{"14": "14", "PAYS 2 TO 1 ON TIE": "?", strings.Repeat("1", 9): "?"} {
		u := spare(t, "10000000aaaa")
		u.pack, u.no = newUnit(t, u.id, "1").pack, number
		u.must(os.MkdirAll(datadir.Journal(u.data), 0o750))
		u.shoes(2)
		u.must(os.WriteFile(filepath.Join(u.data, tableFile), []byte("not a number\n"), 0o640))
		if got, err := datadir.TableOf(u.data); got != want || err == nil {
			t.Errorf("%q: %q, %v", number, got, err)
		}
	}
}
