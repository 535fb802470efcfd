package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/stats"
	"shoeboard/tracker/golden"
)

// What an earlier version left on a unit, in a backup and on a stick is opened, restored
// and taken over by every later one, and exports as it did then.

// exportsAsThen wants the exports of a data folder to be what the first version exported.
func (s site) exportsAsThen(version, data string) {
	s.t.Helper()
	for name, args := range map[string]string{"hands.csv": "--format csv", "hands.json": "--format json", "report.txt": "--report unknown"} {
		for _, record := range []string{"", " --record"} {
			got := s.fine(append([]string{"export", "--data", data}, strings.Fields(args+record)...)...)
			if want := string(golden.File(s.t, version+"/"+name)); oldColumns(got, want) != want && !(name == "report.txt" && strings.HasPrefix(got, want)) { // which may say more below
				s.t.Errorf("export %s%s gives\n%s\nand gave\n%s", args, record, got, want)
			}
		}
	}
}

// ofEachVersion runs a test on a new site for each version.
func ofEachVersion(t *testing.T, test func(t *testing.T, s site, version string)) {
	for _, version := range golden.Versions {
		t.Run(version, func(t *testing.T) { test(t, newSite(t), version) })
	}
}

// oldColumns returns got without the columns that a later version may have added at the end
// of each line of a CSV like want; all else is as it is.
func oldColumns(got, want string) string {
	head, _, _ := strings.Cut(want, "\n")
	columns := strings.Count(head, ",")
	if columns == 0 || !strings.HasPrefix(got, head) {
		return got
	}
	var old strings.Builder
	for line := range strings.Lines(got) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ",", columns+2)
		old.WriteString(strings.Join(fields[:min(len(fields), columns+1)], ",") + "\n")
	}
	return old.String()
}

// goesOn starts the core and wants the shoe that was in play, then the exports of before.
func (s site) goesOn(version, data string) {
	s.t.Helper()
	s.t.Setenv("NOTIFY_SOCKET", "")
	stop := s.runCore()
	b := s.board("the shoe in play", func(b *stats.Board) bool { return b.Table == "14" && b.Shoe.Hands == 5 })
	if b.Shoe.Banker.N != 3 || b.Shoe.Bets[1].N != 1 || b.Shoe.Free != 1 || b.Previous == nil || b.Previous.Hands != 4 {
		s.t.Errorf("the board has %+v", b.Shoe)
	}
	stop()
	s.exportsAsThen(version, data)
}

func TestADataFolderOfAnEarlierVersionOpens(t *testing.T) {
	ofEachVersion(t, func(t *testing.T, s site, version string) {
		data := s.path("var/lib/shoeboard")
		golden.Unpack(t, version+"/data.tar.gz", data)
		s.exportsAsThen(version, data)
		if _, _, err := s.do("export", "--data", data); !strings.Contains(err, "33 hands of 6 shoes: 5 from the index, 0 from the record, 1 in play") {
			t.Errorf("the export comes from\n%s", err)
		}
		if _, out, _ := s.do("verify", "--data", data); !strings.Contains(out, strings.TrimSpace(string(golden.File(t, version+"/head.txt")))) {
			t.Errorf("the record is said to be\n%s", out)
		}
		s.fine("takeover", "--data", data, "--yes") // the card of another unit
		s.goesOn(version, data)
	})
}

func TestAnIndexOfAnEarlierVersionIsRebuilt(t *testing.T) {
	ofEachVersion(t, func(t *testing.T, s site, version string) {
		data := s.path("var/lib/shoeboard")
		golden.Unpack(t, version+"/data.tar.gz", data)
		if err := os.Remove(filepath.Join(data, "history.db")); err != nil {
			t.Fatal(err)
		}
		s.fine("takeover", "--data", data, "--yes")
		s.goesOn(version, data)
	})
}

func TestABackupOfAnEarlierVersionIsRestored(t *testing.T) {
	ofEachVersion(t, func(t *testing.T, s site, version string) {
		data := s.path("var/lib/shoeboard")
		golden.Copy(t, version+"/backup.tar.gz", s.path("backup.tar.gz"))
		if out := s.fine("restore", "--data", data, s.path("backup.tar.gz")); !strings.Contains(out, "Table 14 ") {
			t.Errorf("it says %s", out)
		}
		s.exportsAsThen(version, data)
		s.goesOn(version, data)
	})
}

func TestAMirrorOfAnEarlierVersionIsTakenOver(t *testing.T) {
	ofEachVersion(t, func(t *testing.T, s site, version string) {
		data := s.path("var/lib/shoeboard")
		golden.Unpack(t, version+"/stick.tar.gz", s.path("stick"))
		if out := s.fine("takeover", "--data", data, "--from", s.path("stick"), "--yes"); !strings.Contains(out, "Table 14 ") {
			t.Errorf("it says %s", out)
		}
		s.exportsAsThen(version, data)
		s.goesOn(version, data)
	})
}
