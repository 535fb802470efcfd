package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/cmd/internal/config"
)

// site is a unit in a folder: its root, and what its verbs say.
type site struct {
	t    *testing.T
	root string
}

func newSite(t *testing.T) site {
	root := t.TempDir()
	for _, dir := range []string{"boot/firmware", "etc/shoeboard", "var/lib/shoeboard", "run"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return site{t, root}
}

func (s site) path(name string) string { return filepath.Join(s.root, name) }

func (s site) program() (*program, *bytes.Buffer, *bytes.Buffer) {
	var out, err bytes.Buffer
	return &program{out: &out, err: &err, log: slog.New(slog.NewTextHandler(&err, nil)), root: s.root}, &out, &err
}

// do runs a verb and gives its exit code and what it said.
func (s site) do(args ...string) (code int, out, err string) {
	s.t.Helper()
	p, o, e := s.program()
	code = p.main(s.t.Context(), args)
	return code, o.String(), e.String()
}

// fine runs a verb that must succeed.
func (s site) fine(args ...string) string {
	s.t.Helper()
	code, out, err := s.do(args...)
	if code != exitFine {
		s.t.Fatalf("shoeboard %v: exit %d\n%s", args, code, err)
	}
	return out
}

func (s site) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s site) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func TestConfigInitIsTheFileThatCheckTakes(t *testing.T) {
	s := newSite(t)
	file := s.path("etc/shoeboard/shoeboard.toml")
	s.fine("config", "init", "--out", file)
	if out := s.fine("config", "check"); !strings.Contains(out, "is valid") {
		t.Errorf("check says %q", out)
	}
	if out := s.fine("config", "init"); out != string(config.Init()) {
		t.Error("without --out the file is not what is printed")
	}
	if code, _, err := s.do("config", "init", "--out", file); code != exitFailed || !strings.Contains(err, "--force") {
		t.Errorf("over a file that is there: exit %d, %s", code, err)
	}
	s.fine("config", "init", "--force", "--out", file)
}

func TestConfigCheckNamesLineAndKey(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "venue = \"Ours\"\nbet_secconds = 20\ndecks = \"eight\"\n")
	code, _, err := s.do("config", "check")
	if code != exitFailed {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{"shoeboard.toml:2:", "bet_secconds", "bet_seconds", "shoeboard.toml:3:", "decks", "a whole number"} {
		if !strings.Contains(err, want) {
			t.Errorf("%q is missing in:\n%s", want, err)
		}
	}
	if code, _, _ := s.do("config", "check", s.path("not-there.toml")); code != exitFailed {
		t.Errorf("a file that is not there: exit %d", code)
	}
	if code, _, _ := s.do("config", "chekc"); code != exitUsage {
		t.Errorf("a mistyped verb: exit %d", code)
	}
}

// What may be in a file and is probably not meant is told beside that it can be used,
// each thing once.
func TestConfigCheckWarns(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct{ name, file, want string }{
		{"digits of the base", "[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nTAB = {}\n[table.14]\ndecks = 6\n", ""},
		{"result keys without digits", "[keymap.ours]\nbase = \"numpad-17\"\n[keymap.ours.keys]\nKP1 = { tap = \"BANKER\" }\nKP3 = { tap = \"PLAYER\" }\n[table.14]\ndecks = 6\n",
			"toml:1:9: keymap.ours: has no key for 1, 3 in the technician's menu and in PINs, expected digit = \"1\" at a key, and so on\n"},
		{"a map of a table's own", "[table.14.keymap.ours]\nbase = \"matrix-4x5\"\n[table.14.keymap.ours.keys]\nr4c4 = { tap = \"BETS\" }\n",
			"toml:1:18: table.14.keymap.ours: has no key for 0 in"},
	} {
		s.write("boot/firmware/shoeboard.toml", c.file)
		out := s.fine("config", "check")
		if want := min(len(c.want), 1); !strings.Contains(out, c.want) || strings.Count(out, "warning: ") != want {
			t.Errorf("%s: check says\n%swant %q", c.name, out, c.want)
		}
	}
}

// Of two files one is in force; the other is named, and an empty one is not praised.
func TestConfigCheckNamesTheOtherFile(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "venue = \"Ours\"\n")
	s.write("etc/shoeboard/shoeboard.toml", "venue = \"Old\"\n")
	s.write("etc/other.toml", "venue = \"Other\"\n")
	if out := s.fine("config", "check"); !strings.Contains(out, "etc/shoeboard/shoeboard.toml is ignored") {
		t.Errorf("check says %q", out)
	}
	if out := s.fine("config", "check", s.path("etc/shoeboard/shoeboard.toml")); !strings.Contains(out, "this file is ignored, "+s.path("boot/firmware/shoeboard.toml")) {
		t.Errorf("check of the file that is passed over says %q", out)
	}
	if out := s.fine("config", "check", s.path("etc/other.toml")); strings.Contains(out, "warning") {
		t.Errorf("check of a file somewhere else says %q", out)
	}
	if _, out, _ := s.do("doctor"); !strings.Contains(out, "etc/shoeboard/shoeboard.toml is ignored") {
		t.Errorf("the doctor says %q", out)
	}
	s.write("boot/firmware/shoeboard.toml", " \n")
	if out := s.fine("config", "check"); !strings.Contains(out, "warning: it is empty") {
		t.Errorf("of an empty file check says %q", out)
	}
}

// A refused file leaves the last good one in force, whatever is wrong with it, and
// it is never half applied.
func TestLastGoodConfigurationStaysInForce(t *testing.T) {
	s := newSite(t)
	const file = "boot/firmware/shoeboard.toml"
	s.write(file, "venue = \"Good\"\nbet_seconds = 33\n")
	p, _, _ := s.program()
	data := s.path("var/lib/shoeboard")
	l, err := p.readConfig("", data)
	if err != nil || l.Fault != nil {
		t.Fatal(err, l.Fault)
	}
	if err := l.KeepGood(data); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct{ what, text, says string }{
		{"a wrong value", "venue = \"Bad\"\nbet_seconds = 3\n", "bet_seconds"},
		{"no TOML", "venue = \"Bad\n", file},
		{"an unknown key", "venue = \"Bad\"\nvenu = 1\n", "venu"},
		{"an empty file", "", "empty"},
		{"nothing but spaces", " \n\n", "empty"},
		{"too long", strings.Repeat("# \n", 100_000), "bytes"},
	} {
		s.write(file, bad.text)
		l, err := p.readConfig("", data)
		if err != nil || l.Fault == nil {
			t.Fatalf("%s: %v, fault %v", bad.what, err, l.Fault)
		}
		if cfg := l.File.Table("14"); cfg.Venue != "Good" || cfg.BetSeconds != 33 {
			t.Errorf("%s: venue %q, bet_seconds %d in force", bad.what, cfg.Venue, cfg.BetSeconds)
		}
		if !strings.Contains(config.FaultText(l.Fault), bad.says) {
			t.Errorf("%s: told as %q", bad.what, config.FaultText(l.Fault))
		}
		if err := l.KeepGood(data); err != nil {
			t.Fatal(err)
		}
		if got := s.read("var/lib/shoeboard/" + config.LastGood); !strings.Contains(got, "Good") {
			t.Errorf("%s: the last good one is now %q", bad.what, got)
		}
	}
	if err := os.Remove(s.path(file)); err != nil {
		t.Fatal(err)
	}
	if l, err := p.readConfig("", data); err != nil || l.Fault == nil || l.File.Table("").Venue != "Good" {
		t.Errorf("the file is gone: %v, fault %v", err, l.Fault)
	}
}

func TestWithoutALastGoodOneTheDefaultsStandIn(t *testing.T) {
	s := newSite(t)
	p, _, _ := s.program()
	l, err := p.readConfig("", "")
	if err != nil || l.Fault != nil || l.Hash() != "defaults" {
		t.Errorf("a new unit: %v, fault %v, configuration %s", err, l.Fault, l.Hash())
	}
	s.write("boot/firmware/shoeboard.toml", "decks = 0\n")
	if l, err = p.readConfig("", ""); err != nil || l.Fault == nil || l.File.Table("").Decks != 8 {
		t.Errorf("a bad first file: %v, fault %v", err, l.Fault)
	}
	if l.Fault.Line != 1 || l.Fault.Key != "decks" {
		t.Errorf("the fault is at %d, %s", l.Fault.Line, l.Fault.Key)
	}
}

func TestConfigShowTellsWhereAValueComesFrom(t *testing.T) {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "venue = \"Ours\"\ndecks = 8\n[table.14]\ndecks = 6\n")
	out := s.fine("config", "show", "--effective", "--origin", "--table", "14")
	for _, want := range []string{"decks = 6", "shoeboard.toml:4", "changes at the next shoe", "built in"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if out := s.fine("config", "show", "--table", "15", "--json"); !strings.Contains(out, `"value": "8"`) {
		t.Errorf("table 15: %s", out)
	}
	s.write("boot/firmware/shoeboard.toml", "decks = 0\n")
	if code, _, err := s.do("config", "show"); code != exitFailed || !strings.Contains(err, "decks") {
		t.Errorf("a refused file: exit %d, %s", code, err)
	}
	if out := s.fine("config", "show", "--effective"); !strings.Contains(out, "# refused: ") {
		t.Errorf("--effective of a refused file says\n%s", out)
	}
}

func TestConfigTableIsRemembered(t *testing.T) {
	s := newSite(t)
	data := s.path("data")
	if out := s.fine("config", "table", "--data", data); out != "1\n" {
		t.Errorf("a new unit stands at table %q", out)
	}
	s.fine("config", "table", "14", "--data", data)
	if out := s.fine("config", "table", "--data", data); out != "14\n" {
		t.Errorf("after setting it: %q", out)
	}
	for _, bad := range []string{"table 14", "123456789", "../x", "-1"} {
		if code, _, _ := s.do("config", "table", "--data", data, "--", bad); code == exitFine {
			t.Errorf("table %q was taken", bad)
		}
	}
	if got := s.read("data/table"); got != "14\n" {
		t.Errorf("the file holds %q", got)
	}
}

// 41 for 14: a file that has parts of tables and none of this one is no fault, and is said
// where the number is set, where the file is checked, and by the doctor.
func TestATableWithoutAPartIsToldPlainly(t *testing.T) {
	s := newSite(t)
	data := s.path("var/lib/shoeboard")
	file := fmt.Sprintf("data = %q\nsocket = %q\n", data, s.path("run/core.sock"))
	for _, c := range []struct {
		parts, number string
		told          bool
	}{
		{"[table.14]\ndecks = 6\n[table.15]\ndecks = 7\n", "41", true},
		{"[table.14]\ndecks = 6\n[table.15]\ndecks = 7\n", "14", false},
		{"", "41", false},
	} {
		s.write("boot/firmware/shoeboard.toml", file+c.parts)
		const want = "the configuration has no [table.41], so the common settings apply; it has parts for 14, 15"
		set := s.fine("config", "table", c.number)
		_, doctor, _ := s.do("doctor")
		for what, said := range map[string]string{"config table": set, "config check": s.fine("config", "check"), "config show": s.fine("config", "show"), "doctor": doctor} {
			if strings.Contains(said, want) != c.told {
				t.Errorf("table %s of %q: %s says\n%s", c.number, c.parts, what, said)
			}
		}
		if !strings.Contains(doctor, "ok       table: this unit is table "+c.number) {
			t.Errorf("table %s of %q: the doctor says\n%s", c.number, c.parts, doctor)
		}
		if out := s.fine("config", "table"); out != c.number+"\n" {
			t.Errorf("the number is %q", out)
		}
	}
	if err := os.Remove(s.path("var/lib/shoeboard/table")); err != nil {
		t.Fatal(err)
	}
	s.write("boot/firmware/shoeboard.toml", file+"[table.14]\ndecks = 6\n")
	if out := s.fine("config", "check"); strings.Contains(out, "This unit is table") {
		t.Errorf("of a unit that nobody has given a number: %s", out)
	}
}

// Two hundred damaged files: none stops the program, none is half applied.
func TestMutatedConfigurations(t *testing.T) {
	s := newSite(t)
	p, _, _ := s.program()
	p.log = slog.New(slog.DiscardHandler)
	data := s.path("var/lib/shoeboard")
	s.write("var/lib/shoeboard/"+config.LastGood, "venue = \"Good\"\n")
	text := []byte("venue = \"New\"\n") // and every setting of the first file, without its explanations
	for line := range strings.Lines(string(config.Init())) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "venue") {
			text = append(text, line...)
		}
	}
	refused := 0
	for i := range 200 {
		bad := mutate(text, i)
		s.write("boot/firmware/shoeboard.toml", string(bad))
		l, err := p.readConfig("", data)
		if err != nil {
			t.Fatalf("mutation %d: %v", i, err)
		}
		venue := l.File.Table("14").Venue
		if l.Fault == nil {
			continue // harmless: a comment, a space, another good value
		}
		refused++
		if venue != "Good" {
			t.Errorf("mutation %d: %q in force", i, venue)
		}
		if l.Fault.Line < 1 || !strings.Contains(config.FaultText(l.Fault), fmt.Sprintf(":%d: ", l.Fault.Line)) {
			t.Errorf("mutation %d: no line in %q", i, config.FaultText(l.Fault))
		}
	}
	if refused < 50 {
		t.Errorf("only %d of 200 mutations were refused: they do not reach the settings", refused)
	}
}

// mutate damages a text, the same way for the same number.
func mutate(text []byte, n int) []byte {
	at := (n * 39119) % len(text)
	out := bytes.Clone(text)
	switch n % 4 {
	case 0:
		out[at] ^= byte(1 << (n / 4 % 7))
	case 1:
		out = append(out[:at], out[min(at+1+n%9, len(out)):]...)
	case 2:
		out = append(out[:at:at], append([]byte(`="[`[n/4%3:n/4%3+1]), text[at:]...)...)
	case 3:
		out = out[:at]
	}
	return out
}
