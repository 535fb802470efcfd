package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
)

// asProgram makes this test the program itself, for verbs that run themselves anew.
const asProgram = "SHOEBOARD_TEST_IS_THE_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// coresUser stands for the core's user.
const coresUser = 65534

// ofTheCore is a site with a data folder that is the core's, and root at the keyboard.
func ofTheCore(t *testing.T) (s site, data string) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	s = newSite(t)
	t.Setenv(asProgram, "1")
	t.Setenv("NOTIFY_SOCKET", "")
	data = s.path("var/lib/shoeboard")
	if err := os.Chown(data, coresUser, coresUser); err != nil {
		t.Fatal(err)
	}
	return s, data
}

// deadUnit is the data folder of another unit, and a stick with its mirror that only
// root can read.
func (s site) deadUnit() (data, slot string) {
	s.t.Helper()
	data, slot = s.path("dead"), s.path("stick")
	testkit.Evening(s.t, data)
	if err := errors.Join(datadir.WriteTable(data, "14"), os.Mkdir(slot, 0o700)); err != nil {
		s.t.Fatal(err)
	}
	mirrored(s.t, transfer.Mirror{Slot: transfer.Slot{Dir: slot, Plain: true}, Data: data, Unit: "unit", Program: "test"})
	s.each(slot, func(path string, info fs.FileInfo) error { return os.Chmod(path, info.Mode().Perm()&0o700) })
	return data, slot
}

// each does something with a folder and everything below it.
func (s site) each(dir string, do func(path string, info fs.FileInfo) error) {
	s.t.Helper()
	err := filepath.Walk(dir, func(path string, info fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return do(path, info)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// coresOwn says that everything in a folder is the core's, and for nobody else to write.
func (s site) coresOwn(dir string) {
	s.t.Helper()
	s.each(dir, func(path string, info fs.FileInfo) error {
		if uid, _, err := datadir.Owner(path); err != nil || uid != coresUser || info.Mode().Perm()&0o022 != 0 && path != dir {
			s.t.Errorf("%s is user %d's, %v, %v", path, uid, info.Mode(), err)
		}
		return nil
	})
}

// sudo shoeboard takeover and restore do the core's work as the core's user: what they
// leave is his, and read what only root can.
func TestRootWorksAsTheOwnerOfTheDataFolder(t *testing.T) {
	s, data := ofTheCore(t)
	dead, slot := s.deadUnit()
	s.fine("backup", s.path("b.tar.gz"), "--data", dead)
	if out := s.fine("takeover", "--data", data, "--from", slot, "--yes"); !strings.Contains(out, "Table 14 is this unit's.") {
		t.Errorf("said %q", out)
	}
	s.coresOwn(data)
	if code, _, err := s.do("restore", s.path("b.tar.gz"), "--data", data); code != exitFailed || strings.Count(err, "shoeboard:") != 1 || !strings.Contains(err, "--yes") {
		t.Errorf("over a record: exit %d, %s", code, err)
	}
	s.fine("restore", s.path("b.tar.gz"), "--data", data, "--yes")
	s.coresOwn(data)
	if got := exported(t, s.fine("export", "--data", data)); len(got) != 9 {
		t.Errorf("%d hands are left of 9", len(got))
	}
}

// A refused configuration is told once, not by root and by the owner.
func TestRootAndTheOwnerTellARefusedFileOnce(t *testing.T) {
	s, data := ofTheCore(t)
	_, slot := s.deadUnit()
	s.write("venue.toml", "decks = 0\n")
	s.write("var/lib/shoeboard/config.good.toml", "venue = \"Good\"\n")
	for _, yes := range []string{"--yes=false", "--yes"} {
		_, _, told := s.do("takeover", "--config", s.path("venue.toml"), "--data", data, "--from", slot, yes)
		if n := strings.Count(told, "the configuration is refused"); n != 1 {
			t.Errorf("%s: told %d times:\n%s", yes, n, told)
		}
	}
}

// The core's user has put a link where root is about to write: it leads nowhere.
func TestALinkOfTheCoresUserLeadsRootNowhere(t *testing.T) {
	for _, verb := range []string{"takeover", "restore"} {
		for _, link := range []string{"journal", "journal/lock", "unit", "takeover.tmp", "takeover"} {
			s, data := ofTheCore(t)
			dead, slot := s.deadUnit()
			s.fine("backup", s.path("b.tar.gz"), "--data", dead)
			outside := s.path("root")
			target := filepath.Join(outside, "file")
			if !strings.Contains(link, "/") {
				target = outside
			}
			place := filepath.Join(data, link)
			for _, err := range []error{os.Mkdir(outside, 0o700), os.MkdirAll(filepath.Dir(place), 0o750), os.Symlink(target, place)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			s.each(data, func(path string, _ fs.FileInfo) error { return os.Lchown(path, coresUser, coresUser) })
			if verb == "takeover" {
				s.do(verb, "--data", data, "--from", slot, "--yes")
			} else {
				s.do(verb, s.path("b.tar.gz"), "--data", data, "--yes")
			}
			if left, err := os.ReadDir(outside); len(left) > 0 || err != nil {
				t.Errorf("%s has written %v where %s leads, %v", verb, left, link, err)
			}
			if uid, _, err := datadir.Owner(outside); uid != 0 || err != nil {
				t.Errorf("%s has given away what %s leads to, %v", verb, link, err)
			}
		}
	}
}

// A core that root starts by hand would leave segments that the core cannot go on with.
func TestRootRunsNoCoreOnTheCoresFolder(t *testing.T) {
	s, data := ofTheCore(t)
	code, _, err := s.do("run", "--data", data, "--socket", s.path("run/core.sock"))
	if left, _ := os.ReadDir(data); code != exitFailed || !strings.Contains(err, "systemctl start shoeboard") || len(left) > 0 {
		t.Errorf("exit %d, %s; in the folder: %v", code, err, left)
	}
}
