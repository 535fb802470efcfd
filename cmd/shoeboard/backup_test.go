package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/stats"
	"shoeboard/tracker/journal"
)

// A table moves to another unit: the spare has what the dead one had, its record goes
// on from there under its own name, and what the spare had before is put aside.
func TestATableMovesToASpareUnit(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	dead := s.path("dead")
	testkit.Evening(t, dead) // its record is that of a unit called "unit"
	if err := datadir.WriteTable(dead, "14"); err != nil {
		t.Fatal(err)
	}
	s.write("dead/"+config.LastGood, "venue = \"Ours\"\n")
	stick := s.path("stick.tar.gz")
	backUp(t, stick, dead)

	data := s.path("var/lib/shoeboard")
	stop := s.runCore("--table", "9")
	s.board("the spare has run before", func(b *stats.Board) bool { return b.Table == "9" && b.Seq > 0 })
	if code, _, err := s.do("restore", stick, "--data", data); code != exitFailed || !strings.Contains(err, "core is running") {
		t.Errorf("beside a running core: exit %d, %s", code, err)
	}
	stop()
	if code, _, err := s.do("restore", stick, "--data", data); code != exitFailed || !strings.Contains(err, "--yes") {
		t.Errorf("over a record: exit %d, %s", code, err)
	}
	s.fine("restore", stick, "--data", data, "--yes")
	stop = s.runCore()
	b := s.board("the table as it was", func(b *stats.Board) bool { return b.Table == "14" && b.Shoe.Hands == 2 })
	if b.Previous != nil && b.Previous.Hands != 3 {
		t.Errorf("the previous shoe has %d hands", b.Previous.Hands)
	}
	stop()
	if c, err := journal.Verify(journal.Dir(datadir.Journal(data))); err != nil || len(c.Problems) > 0 {
		t.Errorf("the record: %v %v", err, c.Problems)
	}
	if got := exported(t, s.fine("export", "--data", data)); len(got) != 9 {
		t.Errorf("%d hands are left of 9", len(got))
	}
	aside, err := filepath.Glob(filepath.Join(data, "journal.before.*", "*.jrn"))
	if err != nil || len(aside) == 0 {
		t.Error("what the spare had before is gone")
	}
	if !strings.Contains(s.read("var/lib/shoeboard/"+config.LastGood), "Ours") {
		t.Error("the configuration did not come along")
	}
}

// backUp writes a backup of a folder whose record is that of a unit called "unit".
func backUp(t *testing.T, file, data string) {
	t.Helper()
	if _, err := transfer.Backup(file, data, transfer.Manifest{Unit: "unit", Table: "14", Made: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

// backedUp is everything that a backup has in it, by name.
func backedUp(file string) (all map[string]string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	all = map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		all[h.Name] = string(text)
	}
}

func TestBackupLeavesIdentityOut(t *testing.T) {
	s := newSite(t)
	data := s.path("data")
	testkit.Evening(t, data)
	s.write("data/pads.json", "{}")
	s.write("data/history.db", "index")
	s.write("data/secret.pem", "key")
	s.fine("backup", s.path("b.tar.gz"), "--data", data)
	all, err := backedUp(s.path("b.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if !strings.HasPrefix(name, "journal/") && name != "manifest.json" && name != "SHA256SUMS" {
			t.Errorf("the backup has %s", name)
		}
	}
	if len(all) != 4+2 {
		t.Errorf("the backup has %d files", len(all))
	}
}

// A backup that was cut or changed is refused before anything is put in the place of
// the record. A changed byte may happen to say the same in another way: a run of zeros
// copied from elsewhere. That is no damage.
func TestADamagedBackupIsRefused(t *testing.T) {
	s := newSite(t)
	dead, data := s.path("dead"), s.path("var/lib/shoeboard")
	testkit.Evening(t, dead)
	s.fine("backup", s.path("b.tar.gz"), "--data", dead)
	whole := []byte(s.read("b.tar.gz"))
	good, err := backedUp(s.path("b.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += max(1, len(whole)/20) {
		bad := slices.Clone(whole)
		bad[at] ^= 0x10
		for what, text := range map[string][]byte{"changed": bad, "cut": whole[:at]} {
			s.write("bad.tar.gz", string(text))
			if got, err := backedUp(s.path("bad.tar.gz")); err == nil && maps.Equal(got, good) {
				continue
			}
			if code, _, _ := s.do("restore", s.path("bad.tar.gz"), "--data", data); code == exitFine {
				t.Errorf("%s at byte %d: restored", what, at)
			}
		}
	}
	if segments, _ := filepath.Glob(filepath.Join(data, "journal", "*.jrn")); len(segments) > 0 {
		t.Error("a damaged backup has left a record behind")
	}
	if left, _ := filepath.Glob(filepath.Join(data, "takeover*")); len(left) > 0 {
		t.Error("a damaged backup has left files behind")
	}
}

// Links that the core's user has put into his folder get nothing of root's into a backup.
func TestABackupReadsNothingOutsideTheDataFolder(t *testing.T) {
	s := newSite(t)
	s.write("secret", "hunter2")
	for _, name := range []string{config.LastGood, "journal/0000000000000009.jrn", "journal"} {
		data := t.TempDir()
		testkit.Evening(t, data)
		place := filepath.Join(data, name)
		_ = os.Rename(place, place+".old") // one of the three is there
		target := s.path("secret")
		if name == "journal" {
			target = place + ".old"
		}
		if err := os.Symlink(target, place); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(s.path("b.tar.gz")) // of the turn before
		code, _, _ := s.do("backup", s.path("b.tar.gz"), "--data", data)
		got, err := backedUp(s.path("b.tar.gz"))
		if code == exitFine && (err != nil || name == "journal" || got[name] != "") || strings.Contains(fmt.Sprint(got), "hunter2") {
			t.Errorf("a link at %s: exit %d, in the backup is %v, %v", name, code, got, err)
		}
	}
}
