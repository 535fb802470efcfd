package config

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"shoeboard/assets"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/tracker/strict"
)

// hurried are files as somebody with little time leaves them, and what he is told: it
// lets him put it right without a manual, and is all that is told.
var hurried = []struct {
	name string
	file string
	want string
}{
	{"typographic quotes", "venue = “The House”", `:1:9: venue = “The House”: not valid TOML (unexpected character U+00E2 'â' at start of value), expected the house's name in quotes`},
	{"quotes of Windows 1252", "venue = \x93The House\x94", `:1:9: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"Latin 1", "decks = 8\nvenue = \"Caf\xe9\"", `:2:13: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"UTF-16", "\xff\xfev\x00e\x00", `:1:1: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"UTF-16 without its mark", "v\x00e\x00n\x00", `:1:2: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"UTF-16 the other way round", "\x00v\x00e\x00n", `:1:1: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"zeros of a power cut", strings.Repeat("\x00", 512), `:1:1: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"zeros at the end", "venue = \"A\"\n" + strings.Repeat("\x00", 512), `:2:1: the file is not UTF-8 text from here on, expected the whole file, saved as UTF-8`},
	{"space of a web page", "venue\u00a0= \"A\"", `:1:6: not valid TOML (expected '=' after key in the line "venue = \"A\"")`},
	{"space of no width", "venue\u200b = \"A\"", `:1:6: not valid TOML (expected '=' after key in the line "venue\u200b = \"A\"")`},
	{"colon", "venue: \"A\"", `:1:6: not valid TOML (expected '=' after key in the line "venue: \"A\"")`},
	{"comment of another language", "// ours\nvenue = \"A\"", `:1:1: not valid TOML (invalid character at start of key: U+002F '/' in the line "// ours")`},
	{"merge left over", "venue = \"A\"\n<<<<<<< HEAD", `:2:1: not valid TOML (invalid character at start of key: U+003C '<' in the line "<<<<<<< HEAD")`},
	{"semicolon behind", "decks = 8;", `:1:10: decks = 8;: not valid TOML (expected newline but got U+003B ';'), expected a whole number of decks`},
	{"comma behind", "venue = \"A\",", `:1:12: venue = "A",: not valid TOML (expected newline but got U+002C ','), expected the house's name in quotes`},
	{"yes", "confirm = yes", `:1:11: confirm = yes: not valid TOML (unexpected character U+0079 'y' at start of value), expected true or false`},
	{"True", "confirm = True", `:1:11: confirm = True: not valid TOML (unexpected character U+0054 'T' at start of value), expected true or false`},
	{"none", "collection = none", `:1:14: collection = none: not valid TOML (expected keyword "nan"), expected the NAME of a [collections.NAME], or ""`},
	{"dollar sign", "[[limit]]\nbets = [\"tie\"]\nmin = $5\nmax = 9", `:3:7: limit[1].min = $5: not valid TOML (unexpected character U+0024 '$' at start of value), expected dollars such as 40 or 2.50`},
	{"thousands", "[[limit]]\nbets = [\"tie\"]\nmin = 5\nmax = 9\n[[limit]]\nbets = [\"player\"]\nmin = 5\nmax = 12,000", `:8:9: limit[2].max = 12,000: not valid TOML (expected newline but got U+002C ','), expected dollars such as 40 or 2.50`},
	{"thousands apart", "[[limit]]\nbets = [\"tie\"]\nmin = 5\nmax = 12 000", `:4:10: limit[1].max = 12 000: not valid TOML (expected newline but got U+0030 '0'), expected dollars such as 40 or 2.50`},
	{"with its unit", "bet_seconds = 20s", `:1:17: bet_seconds = 20s: not valid TOML (strings must be quoted), expected a whole number of seconds from 5 to 120`},
	{"degrees", "[[screen]]\nrotation = 90°", `:2:14: screen[1].rotation = 90°: not valid TOML (expected newline but got U+00C2 'Â'), expected 0, 90, 180 or 270 (degrees clockwise)`},
	{"zero before", "bet_seconds = 05", `:1:15: bet_seconds = 05: not valid TOML (integers cannot have leading zeroes), expected a whole number of seconds from 5 to 120`},
	{"share of the wager", "[collections.s]\nrates = [{ from = 1, fee = 5% }]", `:2:29: collections.s.rates = [{ from = 1, fee = 5% }]: not valid TOML (expected ',' or '}' after inline table key-value), expected a list, with double brackets: [[collections.s.rates]]`},
	{"quote at the end forgotten", "venue = \"The House\ndecks = 8", `:1:19: venue = "The House: not valid TOML (basic strings cannot have new lines), expected the house's name in quotes`},
	{"quotes in quotes", "venue = \"The \"Lucky\" House\"", `:1:15: venue = "The "Lucky" House": not valid TOML (expected newline but got U+004C 'L'), expected the house's name in quotes`},
	{"apostrophe", "venue = 'Bob's House'", `:1:14: venue = 'Bob's House': not valid TOML (expected newline but got U+0073 's'), expected the house's name in quotes`},
	{"folder of Windows", "[[screen]]\npictures = \"C:\\pictures\"", `:2:15: screen[1].pictures = "C:\pictures": not valid TOML (invalid escape character U+0070 'p'), expected an absolute path of a folder, or "" for none`},
	{"capitals", "DECKS = 8", `:1:1: DECKS = 8: no such key; did you mean "decks"?`},
	{"name for an id", "game = \"Dai Bacc\"", `game = "Dai Bacc": did you mean "dai-bacc"?`},
	{"language in words", "[[screen]]\nlanguages = [\"chinese\"]", `screen[1].languages[1] = "chinese": expected "en", "zh-Hant", "zh-Hans", "vi", "ko", "es" or "tl" (en English, zh-Hant Traditional Chinese,`},
	{"section still behind a #", "#[[limit]]\nmin = 40", `:2:1: min = 40: no such key, expected one of venue, zone, day_ends, game, decks, bets, bet_seconds, reopen_seconds, auto_open, min_hand, entry, confirm, dealer_fix, data, socket, stick_ext4, collection, collections, limit, roads, texts, screen, keypad, shoe, light, buzzer, echo, timer, key_switch, keymap, table`},
	{"section left out", "theme = \"dark\"", `:1:1: theme = "dark": no such key, expected one of venue, zone, day_ends, game, decks, bets, bet_seconds, reopen_seconds, auto_open, min_hand, entry, confirm, dealer_fix, data, socket, stick_ext4, collection, collections, limit, roads, texts, screen, keypad, shoe, light, buzzer, echo, timer, key_switch, keymap, table`},
	{"of the house under a section", "[roads]\ndecks = 8", `:2:1: roads.decks = 8: no such key in this section; it belongs above the first [section]`},
	{"table without its dot", "[table14]\ndecks = 6", `:1:2: table14: no such key; did you mean "table"?`},
	{"table with a blank", "[table 14]\ndecks = 6", `:1:8: not valid TOML (expected ']' to close table name in the line "[table 14]")`},
	{"table as a value", "table = 14", `:1:9: table = 14: expected sections such as [table.14]; "config table" sets a unit's number`},
	{"list in single brackets for a table", "[table.14.limit]\nbets = [\"tie\"]\nmin = 1\nmax = 5", `:1:11: table.14.limit: expected a list, with double brackets: [[table.14.limit]]`},
	{"schedule in double brackets", "[[collections.s]]\nrates = []", `:1:15: collections.s: expected one section: [collections.s]`},
	{"schedule without its s", "collection = \"day\"\n[collection.day]\nrates = []", `:2:2: collection.day: not valid TOML (key collection already exists as a value)`},
	{"section twice", "[roads]\ntail = \"stay\"\n[texts]\n[roads]\nask_marks = true", `:4:2: roads: not valid TOML (table roads already exists)`},
	{"list not closed before a setting", "[[limit]]\nbets = [\"tie\"\nmin = 1\nmax = 5", `:3:1: limit[1].min = 1: not valid TOML (expected ',' or ']' after array value), expected dollars such as 40 or 2.50`},
	{"list not closed before a section", "[collections.s]\nrates = [\n{ from = 1, fee = 1 },\n[[limit]]", `:4:3: not valid TOML (unexpected character U+006C 'l' at start of value in the line "[[limit]]")`},
	{"comma forgotten", "[collections.s]\nrates = [\n{ from = 1, to = 9, fee = 1 }\n{ from = 10, fee = 1 }\n]", `:4:1: not valid TOML (expected ',' or ']' after array value in the line "{ from = 10, fee = 1 }")`},
}

func TestHurriedFiles(t *testing.T) {
	all := packs(t)
	for _, h := range hurried {
		f, err := Read("shoeboard.toml", []byte(h.file+"\n"), all)
		if err == nil || f != nil {
			t.Errorf("%s: was read", h.name)
			continue
		}
		if !strings.HasPrefix(err.Error(), "shoeboard.toml:") || !strings.Contains(err.Error(), h.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: does not say\n  %s\nbut\n  %s", h.name, h.want, err)
		}
	}
}

func TestEveryLanguageHasItsName(t *testing.T) {
	for _, l := range assets.Langs() {
		if code := l.Code; !strings.Contains(languageNames, code+" ") {
			t.Errorf("%s has no name", code)
		}
	}
}

// What an editor of another system adds says nothing and is no fault.
func TestAnotherSystemsFile(t *testing.T) {
	plain := read(t, house)
	for name, file := range map[string]string{
		"line ends of Windows": strings.ReplaceAll(house, "\n", "\r\n"),
		"byte order mark":      "\xef\xbb\xbf" + house,
		"tabs":                 strings.ReplaceAll(strings.ReplaceAll(house, " = ", "\t=\t"), "\n", "\n\t"),
	} {
		f := read(t, file)
		if f.Table("14").Limits[0].Max != 500 || f.Table("3").Venue != plain.Table("3").Venue {
			t.Errorf("%s: %+v", name, f.Table("14"))
		}
	}
	if _, err := Read("f", []byte("\xef\xbb\xbfdeks = 8\n"), packs(t)); err == nil || !strings.HasPrefix(err.Error(), "f:1:1: ") {
		t.Errorf("behind a byte order mark: %v", err)
	}
}

// Whatever stands where the file should, the last good one stands in, the fault says
// what to do, and nobody waits.
func TestWhatStandsInThePlaceOfTheFile(t *testing.T) {
	for name, c := range map[string]struct {
		put  func(path string) error
		want string
	}{
		"a folder":    {func(p string) error { return os.Mkdir(p, 0o755) }, "is a folder: remove it and put the file there"},
		"a pipe":      {func(p string) error { return syscall.Mkfifo(p, 0o644) }, "is a pipe"},
		"a link loop": {func(p string) error { return os.Symlink(p, p) }, "too many levels of symbolic links"},
		"a gigabyte":  {func(p string) error { return huge(p, 1<<30) }, "the file has more than 262144 bytes"},
		"no bytes":    {func(p string) error { return os.WriteFile(p, nil, 0o644) }, "the file is empty, expected the house's settings"},
		"only a mark": {func(p string) error { return os.WriteFile(p, []byte("\xef\xbb\xbf\r\n"), 0o644) }, "the file is empty, expected the house's settings"},
		"nothing":     {func(string) error { return nil }, "the configuration file is gone; \"sudo install -m 644 "},
	} {
		root := t.TempDir()
		data, path := filepath.Join(root, "data"), filepath.Join(root, "etc/shoeboard/shoeboard.toml")
		good := Loaded{File: read(t, "decks = 6\n"), Path: path, Text: []byte("decks = 6\n")}
		for _, err := range []error{os.MkdirAll(filepath.Dir(path), 0o755), good.KeepGood(data), c.put(path)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		l, err := Source{Root: root, Log: slog.New(slog.DiscardHandler)}.Read("", data)
		if err != nil || l.Fault == nil || l.File.Table("1").Decks != 6 || !strings.Contains(FaultText(l.Fault), c.want) {
			t.Errorf("%s: %+v, %v", name, l.Fault, err)
		}
	}
}

// huge is a file of so many bytes that takes no space.
func huge(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(size)
}

// A last good file that cannot be used is told, and not taken for a new unit's nothing.
func TestALastGoodFileThatIsOfNoUse(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, LastGood), []byte("deks = 6\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Source{Root: root, Log: slog.New(slog.DiscardHandler)}.Read("", root)
	if err != nil || l.Fault == nil || !strings.Contains(l.Fault.Text, "the saved copy is invalid") {
		t.Errorf("%+v, %v", l.Fault, err)
	}
	if l, err = (Source{Root: root, Log: slog.New(slog.DiscardHandler)}).Read("", filepath.Join(root, "new")); err != nil || l.Fault != nil {
		t.Errorf("a new unit: %+v, %v", l.Fault, err)
	}
}

// A file that names a data folder of its own, and is refused later, does not let the unit
// begin another record in the usual folder.
func TestTheLastGoodFileOfAnotherDataFolder(t *testing.T) {
	root := t.TempDir()
	other, usual, path := filepath.Join(root, "other"), filepath.Join(root, Default().Data), filepath.Join(root, "etc/shoeboard/shoeboard.toml")
	source := Source{Root: root, Log: slog.New(slog.DiscardHandler)}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{usual, filepath.Dir(path)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 { // then the core's folder is another's, and the file shall be his too
		if err := os.Chown(usual, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	write("data = \"" + other + "\"\ndecks = 6\n")
	l, err := source.Read("", "")
	if err == nil {
		err = l.KeepGood(l.File.Table("").Data)
	}
	if err != nil {
		t.Fatal(err)
	}
	write("data = \"" + other + "\"\ndeks = 6\n")
	l, err = source.Read("", "")
	if err != nil || l.Fault == nil || l.File.Table("").Data != other || l.File.Table("").Decks != 6 {
		t.Errorf("%+v, %+v, %v", l.Fault, l.File.Table(""), err)
	}
	for _, dir := range []string{other, usual} {
		owner, _, err := datadir.Owner(dir)
		if whose, _, none := datadir.Owner(filepath.Join(dir, LastGood)); err != nil || none != nil || whose != owner {
			t.Errorf("in %s the last good file is user %d's, the folder user %d's: %v, %v", dir, whose, owner, err, none)
		}
	}
}

// A file that a program before took and this one refuses is told, and the unit goes on
// with what it had: an update takes no keypad away for the sake of a buzzer.
func TestWhatWasGoodForTheProgramBeforeStaysLoaded(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	text := []byte(matrix4x5(`"GPIO26"`, `"GPIO21"`) + "\n[[buzzer]]\nline = \"GPIO21\"\n")
	path := filepath.Join(root, "venue.toml")
	for _, name := range []string{path, filepath.Join(data, LastGood)} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Source{Root: root, Log: slog.New(slog.DiscardHandler)}.Read(path, data)
	if err != nil {
		t.Fatal(err)
	}
	if l.Fault == nil || l.Fault.Line != 6 || !strings.Contains(l.Fault.Text, "is the pin of keypad[1].columns[4] too, on line 4") {
		t.Errorf("told is %+v", l.Fault)
	}
	if c := l.File.Table("14"); len(c.Keypads) != 1 || c.Keypads[0].Kind != "matrix" || len(c.Buzzers) != 1 {
		t.Errorf("in force are %+v and %+v", c.Keypads, c.Buzzers)
	}
}

// A line with a wrong value is left out to find what else is wrong, and makes up no
// device in the place of another.
func TestALineLeftOutMakesNoDeviceTwice(t *testing.T) {
	file := wired("expander", "name = \"a\"\naddress = \"x\"\n[[keypad]]\nname = \"b\"\nkind = \"expander\"\naddress = 0x20")
	_, err := Read("f", []byte(file), packs(t))
	if got, ok := err.(strict.Errors); !ok || len(got) != 1 || got[0].Line != 4 {
		t.Errorf("%v", err)
	}
}
