package datadir

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in place of the table's number keeps nobody waiting; a new number takes its place.
func TestAPipeInPlaceOfTheTableNumber(t *testing.T) {
	data := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(data, tableFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if number, err := ReadTable(data); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("%q, %v", number, err)
	}
	if number, err := TableOf(data); number != "?" || err == nil {
		t.Errorf("without a record: %q, %v", number, err)
	}
	if err := WriteTable(data, "14"); err != nil {
		t.Fatal(err)
	}
	if number, err := ReadTable(data); number != "14" || err != nil {
		t.Errorf("%q, %v", number, err)
	}
}

func TestNumbersOfTables(t *testing.T) {
	for _, c := range []struct {
		number string
		fine   bool
	}{{"14", true}, {"VIP2", true}, {"12345678", true}, {"", false}, {"123456789", false}, {"14.5", false}, {"a b", false}, {"../x", false}, {"Ａ", false}} {
		if err := WriteTable(t.TempDir(), c.number); (err == nil) != c.fine {
			t.Errorf("%q: %v", c.number, err)
		}
	}
}
