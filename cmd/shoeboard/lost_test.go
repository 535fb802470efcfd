package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/cmd/internal/testkit"
)

// onlyIndexed are the hands of a CSV that stand in the index alone, as "shoe:token", and how
// many others there are.
func onlyIndexed(t *testing.T, text string) (only []string, others int) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	last := slices.Index(lines[0], "index_only")
	for _, l := range lines[1:] {
		if l[last] == "true" {
			only = append(only, l[0]+":"+l[16])
		} else {
			others++
		}
	}
	return only, others
}

// The two newest segments are gone, and with them a shoe that had ended. Verify and doctor
// fail and say which records; every form of the export has the shoe, marked, but not that of
// the record itself; and a backup of before, put back, is whole again.
func TestARecordThatHasLostItsEnd(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	data := s.path("var/lib/shoeboard")
	w := testkit.NewScribe(t, data)
	for _, day := range []string{"2026-11-29", "2026-11-30", "2026-11-30"} {
		w.Hands("B", "P+panda-8", "T")
		w.NewShoe(day)
	}
	w.Hands("P")
	w.Close()
	testkit.KeepShoes(t, data)
	if err := datadir.WriteTable(data, "14"); err != nil {
		t.Fatal(err)
	}
	backup := s.path("backup.tar.gz")
	backUp(t, backup, data)
	s.fine("verify", "--data", data)
	segments, err := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	if err != nil || len(segments) != 4 {
		t.Fatal(segments, err)
	}
	for _, path := range segments[2:] {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	const missing = "records 20 to 26 are missing, among them 1 shoe that had ended"
	if code, out, _ := s.do("verify", "--data", data); code != exitFailed || !strings.Contains(out, "WRONG: record: "+missing) {
		t.Errorf("verify: exit %d\n%s", code, out)
	}
	if _, out, _ := s.do("doctor", "--data", data); !strings.Contains(out, missing) {
		t.Errorf("the doctor says\n%s", out)
	}
	if _, out, _ := s.do("doctor", "--json", "--data", data); !strings.Contains(out, `"end"`) || !strings.Contains(out, string(doctor.Broken)) {
		t.Errorf("the doctor says\n%s", out)
	}
	_, out, told := s.do("export", "--data", data)
	if only, others := onlyIndexed(t, out); !slices.Equal(only, []string{"19:B", "19:P+panda-8", "19:T"}) || others != 6 || !strings.Contains(told, "INDEX ONLY: 1 shoe that the record has lost") {
		t.Errorf("exported are %q and %d others, told: %s", only, others, told)
	}
	if only, others := onlyIndexed(t, s.fine("export", "--record", "--data", data)); len(only) > 0 || others != 6 {
		t.Errorf("of the record itself: %q and %d others", only, others)
	}
	if out := s.fine("export", "--format", "json", "--data", data); strings.Count(out, `"index_only":true`) != 1 {
		t.Errorf("as JSON:\n%s", out)
	}
	if out := s.fine("export", "--report", "2026-11-30", "--data", data); !strings.Contains(out, "INDEX ONLY: the record has lost shoe 1, begun ") {
		t.Errorf("the report:\n%s", out)
	}
	if out := s.fine("export", "--report", "2026-11-30", "--format", "json", "--data", data); !strings.Contains(out, `"index_only": true`) {
		t.Errorf("the report as JSON:\n%s", out)
	}

	s.fine("restore", backup, "--data", data, "--yes")
	if code, out, _ := s.do("verify", "--data", data); code != exitFine {
		t.Errorf("with the backup put back, verify: exit %d\n%s", code, out)
	}
	if only, others := onlyIndexed(t, s.fine("export", "--data", data)); len(only) > 0 || others != 10 {
		t.Errorf("with the backup put back: %q and %d others", only, others)
	}
}
