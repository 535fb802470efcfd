package main

import (
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/stats"
)

// A number that cannot be read is never table 1: the record says which table it is, the
// board says what is wrong, and the menu, or the verb, puts it right.
func TestAUnitThatDoesNotKnowItsTable(t *testing.T) {
	s := newSite(t)
	data, socket := s.path("var/lib/shoeboard"), s.path("run/core.sock")
	s.write("boot/firmware/shoeboard.toml", "venue = \"Any\"\n[table.14]\nvenue = \"Fourteen\"\n")
	unknown := func(b *stats.Board) bool { return hasFault(b, "table-unknown") }
	stop := s.runCore("--table", "14")
	s.board("table 14", func(b *stats.Board) bool { return b.Table == "14" && !unknown(b) })
	stop()
	for _, spoilt := range []string{"", "14 15", "fourteen!", "123456789"} {
		s.write("var/lib/shoeboard/table", spoilt)
		stop = s.runCore()
		b := s.board("the record's table", unknown)
		if b.Table != "14" || b.Venue != "Fourteen" {
			t.Errorf("%q: table %s of %s", spoilt, b.Table, b.Venue)
		}
		if _, out, _ := s.do("doctor", "--data", data, "--socket", socket); !strings.Contains(out, "the table's number is not known: "+data+"/table has ") {
			t.Errorf("%q: the doctor says %s", spoilt, out)
		}
		if code, out, err := s.do("config", "table", "--data", data); code != exitFailed || !strings.Contains(err, "expected up to 8 digits and letters") {
			t.Errorf("%q: exit %d, %s%s", spoilt, code, out, err)
		}
		stop()
	}
	if code, _, err := s.do("backup", s.path("b.tar.gz"), "--data", data); code != exitFine || !strings.Contains(err, "the backup is of table 14") {
		t.Errorf("a backup: exit %d, %s", code, err)
	}
	if code, _, err := s.do("run", "--table", "../14", "--data", data, "--socket", socket); code != exitUsage || !strings.Contains(err, `table "../14": expected`) {
		t.Errorf("a flag that is no number: exit %d, %s", code, err)
	}
	s.fine("config", "table", "14", "--data", data)
	s.runCore()
	s.board("all is well", func(b *stats.Board) bool { return b.Table == "14" && !unknown(b) })
	if number, err := datadir.ReadTable(data); number != "14" || err != nil {
		t.Errorf("%q, %v", number, err)
	}
}

// Without a record either there is no table to stand in, and no table's own settings.
func TestANewUnitThatCannotReadItsTable(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "venue = \"Any\"\n[table.1]\nvenue = \"One\"\n")
	s.write("var/lib/shoeboard/table", "\x00\x00\x00")
	s.runCore()
	// the very first boards of a new record have no settings yet
	if b := s.board("the fault", func(b *stats.Board) bool { return hasFault(b, "table-unknown") && b.Table != "" }); b.Table != "?" || b.Venue != "Any" {
		t.Errorf("table %q of %q", b.Table, b.Venue)
	}
}
