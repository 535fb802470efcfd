package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/stats"
)

// keyed runs a verb with a text at its standard input.
func (s site) keyed(text string, args ...string) (code int, out, err string) {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "keyed")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	in, e := os.Open(path)
	if e != nil {
		s.t.Fatal(e)
	}
	defer in.Close()
	was := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = was }()
	return s.do(args...)
}

// A house enters its staff on one unit and carries it to the next, which has the house's key.
func TestStaffOfTwoUnits(t *testing.T) {
	a, b, key := newSite(t), newSite(t), filepath.Join(t.TempDir(), "house.key")
	for _, line := range []string{"07 technician --name=Day", "12 floor", "50 dealer"} {
		args := append([]string{"staff", "set"}, strings.Fields(line)...)
		if code, out, err := a.keyed("271828\n", append(args, "--data", a.path("var/lib/shoeboard"))...); code != exitFine {
			t.Fatalf("%s: exit %d, %s%s", line, code, out, err)
		}
	}
	data := func(s site) string { return "--data=" + s.path("var/lib/shoeboard") }
	if out := a.fine("staff", "list", data(a)); strings.Join(strings.Fields(out), " ") != "07 technician Day 12 floor 50 dealer" {
		t.Errorf("the list is %q", out)
	}
	a.fine("venue", "keygen", key)
	file := filepath.Join(t.TempDir(), "staff")
	a.fine("staff", "export", "--key", key, data(a), file)
	if code, _, err := b.do("staff", "import", data(b), file); code != exitFailed || !strings.Contains(err, "shoeboard venue install") {
		t.Errorf("without the key: exit %d, %s", code, err)
	}
	b.fine("venue", "install", key)
	b.fine("staff", "import", data(b), file)
	if got, want := b.fine("staff", "list", data(b)), a.fine("staff", "list", data(a)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.fine("staff", "set", "12", "manager", "--keep-pin", data(b))
	b.fine("staff", "remove", "50", data(b))
	if out := b.fine("staff", "list", "--json", data(b)); !strings.Contains(out, `"role": "manager"`) || strings.Contains(out, `"50"`) {
		t.Errorf("after a change: %s", out)
	}
	b.fine("staff", "clear", data(b))
	if out := b.fine("staff", "list", data(b)); !strings.Contains(out, "no staff") {
		t.Errorf("after the last: %s", out)
	}
}

func TestStaffThatIsRefused(t *testing.T) {
	s := newSite(t)
	data := "--data=" + s.path("var/lib/shoeboard")
	for words, want := range map[string]string{
		"7 floor 271828":     "expected two digits",
		"07 cook 271828":     "expected dealer, floor, technician or manager",
		"07 floor 123456":    "guessed first",
		"07 floor 000000":    "guessed first",
		"07 floor 12345":     "six digits",
		"07 floor":           "six digits",
		"07 floor keep-pin":  "six digits",
		"07 floor 27 18 28 ": "six digits",
	} {
		f := strings.Fields(words)
		args := []string{"staff", "set", f[0], f[1], data}
		if len(f) > 2 && f[2] == "keep-pin" {
			args = append(args, "--keep-pin")
		}
		if code, _, err := s.keyed(strings.Join(f[2:], " "), args...); code == exitFine || !strings.Contains(err, want) {
			t.Errorf("%s: exit %d, %s", words, code, err)
		}
	}
	if out := s.fine("staff", "list", data); !strings.Contains(out, "no staff") {
		t.Errorf("something of it is kept: %s", out)
	}
	key := s.path("house.key")
	s.fine("venue", "keygen", key)
	if code, _, err := s.do("venue", "keygen", key); code != exitFailed || !strings.Contains(err, "there already") {
		t.Errorf("a key over a key: exit %d, %s", code, err)
	}
	s.write("no.key", "shoeboard-key 1 AAAA\n")
	if code, _, err := s.do("venue", "install", s.path("no.key")); code != exitFailed || !strings.Contains(err, "read by others") {
		t.Errorf("a key that others can read: exit %d, %s", code, err)
	}
}

// What a verb does to the unit stands in the record of the running core, with who did it;
// where none runs the verb says that the record does not have it.
func TestTheRecordSaysWhoUsedAVerb(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "data = \""+s.path("var/lib/shoeboard")+"\"\nsocket = \""+s.path("run/core.sock")+"\"\n")
	t.Setenv("SUDO_UID", "1000")
	stop := s.runCore()
	s.board("a board", func(*stats.Board) bool { return true })
	if code, _, err := s.keyed("271828", "staff", "set", "07", "technician"); code != exitFine || strings.Contains(err, "record") {
		t.Errorf("exit %d, %s", code, err)
	}
	s.fine("config", "table", "99")
	s.fine("config", "table", "99")
	stop()
	files, err := filepath.Glob(s.path("var/lib/shoeboard/journal/*.jrn"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	record := ""
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		record += string(text)
	}
	for _, want := range []string{
		`"k":"acted","code":"staff-set","text":"07 technician","by":"uid 1000","aside":true`,
		`"k":"acted","code":"table-number","text":"99","by":"uid 1000","aside":true`,
	} {
		if strings.Count(record, want) != 1 {
			t.Errorf("the record has %q %d times", want, strings.Count(record, want))
		}
	}
	if strings.Contains(record, "271828") {
		t.Error("the record has the PIN")
	}
	if _, _, err := s.do("config", "table", "7"); !strings.Contains(err, "the record does not say who did this") {
		t.Errorf("without a core: %q", err)
	}
}
