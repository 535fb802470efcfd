package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shoeboard/assets"
	"shoeboard/display/scene"
	"shoeboard/stats"
	"shoeboard/tracker/journal"
)

// A command line that is wrong at any unit ends with 2, one line that names the value
// and what is expected, and nothing done.
func TestWrongUse(t *testing.T) {
	s := newSite(t)
	out, backup := s.path("out"), s.path("backup.tar.gz") // of a table 14; restore once took 14.5 for its number
	s.write("backup.tar.gz", "")
	for line, want := range map[string]string{
		"statu":                    `unexpected argument statu, did you mean one of "staff", "status"? (shoeboard --help)`,
		"status --lin":             `unknown flag --lin, did you mean "--line"? (shoeboard status --help)`,
		"status extra":             "unexpected argument extra",
		"status --socket":          "--socket: expected file value",
		"config":                   `expected one of "init"`,
		"config table 14.5":        `table "14.5": expected up to 8 digits and letters`,
		"config table 1 2":         "unexpected argument 2",
		"config show --table 14.5": `table "14.5": expected`,
		"identify 601":             "seconds 601: expected 0 to 600",
		"identify soon":            `<seconds>]: expected a valid 64 bit int but got "soon"`,
		"press BANKER OK:99":       `key "OK:99": expected NAME`,
		"export --format xml":      `--format must be one of "csv","json" but got "xml"`,
		"keypad overlay --entry x": `--entry must be one of "results","totals"`,
		"export --shoe -1":         `--shoe: expected uint value but got "-1"`,
		"export --date today":      `date "today": expected a day such as 2026-11-30`,
		"export --from unknown":    `date "unknown": expected a day`,
		"export --from 2026-12-02 --to 2026-12-01":  "expected the earlier day first",
		"export --date 2026-11-30 --shoe 4":         "expected one of --shoe",
		"demo --no-window --speed fast":             `--speed: expected a float but got "fast"`,
		"demo --no-window --speed 0":                "--speed 0: expected 0.1 to 1000",
		"demo --no-window --speed NaN":              "--speed NaN: expected 0.1 to 1000",
		"demo --no-window --shoes=-1":               "--shoes -1: expected 0 to 10000",
		"demo --no-window --game poker":             `game "poker" is not known: expected one of`,
		"demo --no-window --table 14.5":             `table "14.5": expected`,
		"replay":                                    `expected "<file>"`,
		"replay - --game poker":                     `game "poker" is not known: expected one of`,
		"replay - --pad mine":                       `--pad must be one of "numpad-17","matrix-4x5" but got "mine"`,
		"replay - --theme pink":                     `--theme must be one of "dark"`,
		"replay - --languages xx":                   `--languages must be one of "en"`,
		"replay - --languages en,es,vi":             "--languages en,es,vi: expected one or two",
		"replay - --rotation 45":                    `--rotation must be one of "0","90"`,
		"replay - --width 0 --png " + out:           "--width 0 --height 1080: expected a size from 800x480",
		"replay - --width 99999999 --png " + out:    "expected a size from 800x480",
		"specimen":                                  "missing flags: --out=DIR",
		"specimen --only nosuch --out " + out:       "--only nosuch: no state is called so",
		"specimen --height=-1 --out " + out:         "expected a size",
		"hw test --timer /dev/spidev0.1:99":         "2 to 8 digits",
		"hw test --lights /dev/spidev0.0:rows":      "expected /dev/spidevB.C",
		"hw test --echo x":                          "expected a kind and a device",
		"keypad test --seconds=-1":                  "--seconds -1: expected 0 to",
		"keypad learn --seconds 0":                  "--seconds 0: expected 0.01 to 3600",
		"keypad learn mine":                         `no USB keypad "mine": expected one of ["pad"]`,
		"keypad overlay --layout mine --out " + out: `layout "mine" is not known: expected one of`,
		"keypad overlay --game poker --out " + out:  `game "poker" is not known: expected one of`,
		"shoe monitor":                              `expected "<shoe>"`,
		"shoe simulate --pace fast":                 `--pace: expected duration but got "fast"`,
		"shoe simulate --pace=-1s":                  "--pace -1s --between 20s: expected times",
		"shoe simulate --game poker":                `game "poker" is not known`,
		"screen show --name nosuch":                 "--name nosuch: expected a [[screen]] of the configuration, one of screen",
		"screen test --page nosuch":                 `there is no page "nosuch": expected one of pattern`,
		"screen test --seconds 700":                 "--seconds 700: expected 0 to 600",
		"restore " + backup + " --table 14.5":       `table "14.5": expected`,
		"takeover --table 14.5":                     `table "14.5": expected`,
		"support-bundle --lines=-1 " + out:          "--lines -1: expected 0 to 1000000",
	} {
		code, said, told := s.do(strings.Fields(line)...)
		if code != exitUsage || said != "" || strings.Count(told, "\n") != 1 || !strings.HasPrefix(told, "shoeboard: ") || !strings.Contains(told, want) {
			t.Errorf("%s: exit %d, %q, %q; want %q", line, code, said, told, want)
		}
		if _, err := os.Lstat(out); err == nil {
			t.Errorf("%s: something was written", line)
		}
	}
}

// What only this unit cannot do ends with 1.
func TestWhatAUnitCannotDoIsNoWrongUse(t *testing.T) {
	s := newSite(t)
	for line, want := range map[string]string{
		"status --socket /nowhere/core.sock":    "no core is running here (/nowhere/core.sock)",
		"watch --once --socket /nowhere/c.sock": "no core is running here",
		"status --config /nowhere/x.toml":       "/nowhere/x.toml: no such file",
		"replay /nowhere/x.shoe":                "/nowhere/x.shoe: no such file",
		"update install /nowhere/x.deb":         "/nowhere/x.deb: no such file",
		"faults --data /nowhere":                "/nowhere: no such file",
		"verify --data /nowhere":                "/nowhere: no such file",
		"config init --out /tmp":                "/tmp is a folder: expected a file, such as /tmp/shoeboard.toml",
		"replay /dev/null --png /nowhere/x.png": "/nowhere/x.png cannot be written: no such file",
		"export --out /nowhere/x.csv":           "/nowhere/x.csv cannot be written: no such file",
		"export --data /nowhere":                "there is no record in /nowhere/journal",
		"config check /nowhere/x.toml":          "/nowhere/x.toml: no such file",
		"support-bundle /nowhere/x":             "/nowhere/x cannot be written: no such file",
	} {
		if code, _, told := s.do(strings.Fields(line)...); code != exitFailed || !strings.Contains(told, want) {
			t.Errorf("%s: exit %d, %q; want %q", line, code, told, want)
		}
	}
}

// The words that the parser offers are those that there are.
func TestChoicesOfThePictureFlags(t *testing.T) {
	s := newSite(t)
	for _, theme := range scene.Themes() {
		s.fine("replay", os.DevNull, "--theme", theme.Name)
	}
	for _, lang := range assets.Langs() {
		s.fine("replay", os.DevNull, "--languages", lang.Code)
	}
}

// refusedSite is a site whose last good configuration is ours, and whose file is spoilt.
func refusedSite(t *testing.T) site {
	s := newSite(t)
	s.write("boot/firmware/shoeboard.toml", "decks = 0\n")
	s.write("var/lib/shoeboard/config.good.toml", "venue = \"Good\"\n")
	return s
}

// While a file is refused, verbs say their words and nothing else on their output; those
// that had to do with the last good one say so in one line, and no verb shows a log.
func TestWordsOfAVerbWhileTheFileIsRefused(t *testing.T) {
	s := refusedSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	s.runCore()
	data, socket := s.path("var/lib/shoeboard"), s.path("run/core.sock")
	line := "shoeboard: the configuration is refused, the last good copy is in force ("
	for words, note := range map[string]bool{
		"status --socket " + socket: false, "status --json --socket " + socket: false, "watch --once --socket " + socket: false,
		"identify 0 --socket " + socket: false, "faults --socket " + socket: true, "config show --effective --table 14": false,
		"hw list": true, "keypad overlay --out " + s.path("overlays"): true, "export --data " + data: true, "verify --data " + data: true,
		"config table 14 --data " + data: true,
	} {
		s.board("a board", func(*stats.Board) bool { return true })
		code, out, told := s.do(strings.Fields(words)...)
		if code != exitFine || out == "" || strings.Contains(out+told, "level=") {
			t.Errorf("%s: exit %d\n%s%s", words, code, out, told)
		}
		if note != strings.Contains(told, line) {
			t.Errorf("%s tells %q", words, told)
		}
	}
	if code, _, told := s.do("status"); code != exitFailed || strings.Count(told, "\n") != 2 || !strings.Contains(told, line) {
		t.Errorf("of a socket that may be another: exit %d, %q", code, told)
	}
}

// A verb whose words cannot be written does not end well.
func TestWordsThatGoNowhere(t *testing.T) {
	s := newSite(t)
	for _, args := range []string{"version", "faults", "config table", "monitor", "--help", "config init", "screen test --list"} {
		p, _, told := s.program()
		p.out = full{}
		if code := p.main(t.Context(), strings.Fields(args)); code != exitFailed || !strings.Contains(told.String(), "no space left") {
			t.Errorf("%s: exit %d, %q", args, code, told)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// An export that fails leaves the file that was there as it was.
func TestExportThatFailsSpoilsNoFile(t *testing.T) {
	s := newSite(t)
	file := s.path("hands.csv")
	s.write("hands.csv", "those of yesterday\n")
	if code, _, _ := s.do("export", "--data", s.path("nowhere"), "--out", file); code != exitFailed {
		t.Errorf("exit %d", code)
	}
	if got := s.read("hands.csv"); got != "those of yesterday\n" {
		t.Errorf("the file has %q", got)
	}
	if left, err := filepath.Glob(s.path(".hands*")); err != nil || left != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestComplaints(t *testing.T) {
	var b strings.Builder
	complain(&b, errors.Join(errors.New("one"), errors.New("two")))
	if b.String() != "shoeboard: one\nshoeboard: two\n" {
		t.Errorf("two reasons: %q", b.String())
	}
	b.Reset()
	complain(&b, fmt.Errorf("the demo: %w", journal.ErrInUse))
	if !strings.Contains(b.String(), "if that is the core: sudo systemctl stop shoeboard") {
		t.Errorf("of a record that a core has: %q", b.String())
	}
	if err := parseError(fs.ErrNotExist); exitOf(err) != exitFailed {
		t.Error("a file that is not there is wrong use")
	}
}
