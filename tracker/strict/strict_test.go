package strict

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// suit reads itself from text, as the types of rule packs do.
type suit string

func (s *suit) UnmarshalText(text []byte) error {
	if t := string(text); t != "hearts" && t != "spades" {
		return errors.New("expected hearts or spades")
	}
	*s = suit(text)
	return nil
}

// table is one of everything that a file may hold.
type table struct {
	Name   string           `toml:"name"`
	Seats  uint8            `toml:"seats"`
	Port   int              `toml:"port" want:"a port number"`
	On     bool             `toml:"on"`
	Share  float64          `toml:"share"`
	Suit   suit             `toml:"suit"`
	Date   toml.LocalDate   `toml:"date"`
	Row    [3]int64         `toml:"row"`
	Limits map[string]limit `toml:"limits"`
	Bets   []bet            `toml:"bet"`
	Labels map[string]string
	Grid   [][]int `toml:"grid"`
	Sub    *limit  `toml:"sub"`
}

type limit struct {
	Min int `toml:"min"`
	Max int `toml:"max" want:"a whole number of cents"`
}

type bet struct {
	ID   string   `toml:"id"`
	Pays []string `toml:"pays"`
}

const whole = `# a table as a venue might write it
name = "Tisch 14"
seats = 0x0E
port = 1_024
on = true
share = 5
suit = "hearts"
date = 2026-04-01
#
row = [1, 2, 3]
grid = [[1], [2, 3]]
sub = {min = 1}
limits.tie.min = 100
[limits.player]
max = 5000
[[bet]]
id = "a"
[[bet]]
id = "b"
pays = [ "40", # forty
  "25" ]
`

func TestAWholeFileIsReadAndEveryKeyHasItsPlace(t *testing.T) {
	v := table{Port: 80, Share: 1}
	p, errs := Decode("t.toml", []byte(whole), &v)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	if v.Name != "Tisch 14" || v.Seats != 14 || v.Port != 1024 || v.Share != 5 || v.Suit != "hearts" ||
		v.Limits["tie"].Min != 100 || v.Limits["player"].Max != 5000 || v.Sub.Min != 1 || v.Bets[1].Pays[1] != "25" {
		t.Errorf("read %+v", v)
	}
	for key, want := range map[string]string{
		"name":              `t.toml:2:8: name = "Tisch 14": expected more`,
		"seats":             `t.toml:3:9: seats = 0x0E: expected more`,
		"limits.tie.min":    `t.toml:13:18: limits.tie.min = 100: expected more`,
		"limits.player.max": `t.toml:15:7: limits.player.max = 5000: expected more`,
		"limits.player":     `t.toml:14:9: limits.player: expected more`,
		"limits.player.min": `t.toml:14:9: limits.player.min: is missing, expected more`,
		"bet":               `t.toml:16:3: bet: expected more`,
		"bet[2]":            `t.toml:18:3: bet[2]: expected more`,
		"bet[2].id":         `t.toml:19:6: bet[2].id = "b": expected more`,
		"bet[1].pays":       `t.toml:16:3: bet[1].pays: is missing, expected more`,
		"bet[2].pays":       `t.toml:20:8: bet[2].pays = [ "40", # forty "25" ]: expected more`,
		"bet[2].pays[2]":    `t.toml:21:3: bet[2].pays[2] = "25": expected more`,
		"bet[3].id":         `t.toml:16:3: bet[3].id: is missing, expected more`,
		"grid[2]":           `t.toml:11:8: grid[2]: expected more`,
		"grid[2][2]":        `t.toml:11:18: grid[2][2] = 3: expected more`,
		"sub.min":           `t.toml:12:14: sub.min = 1: expected more`,
		"nothing.at.all":    `t.toml:1:1: nothing.at.all: is missing, expected more`,
	} {
		if got := p.Error(key, "more").Error(); got != want {
			t.Errorf("the place of %s\n got %s\nwant %s", key, got, want)
		}
	}
	if !p.Has("bet[2].pays") || p.Has("bet[1].pays") || p.Has("be") {
		t.Error("Has does not say what the file gives")
	}
	if got, want := p.Problem(Item("bet", 1), "cannot be").Error(), "t.toml:18:3: bet[2]: cannot be"; got != want {
		t.Errorf("a problem reads %q, want %q", got, want)
	}
}

func TestDefaultsStayWhereTheFileSaysNothing(t *testing.T) {
	v := table{Port: 80, Bets: []bet{{ID: "x"}}}
	if _, errs := Decode("t.toml", []byte("seats = 3\n"), &v); len(errs) > 0 || v.Port != 80 || v.Seats != 3 || v.Bets[0].ID != "x" {
		t.Errorf("read %+v, %v", v, errs)
	}
}

func TestWhatIsWrongIsToldWithItsPlace(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"a key that is not known", "seets = 3", `t.toml:1:1: seets = 3: no such key; did you mean "seats"?`},
		{"letters swapped", "nmae = ''", `t.toml:1:1: nmae = '': no such key; did you mean "name"?`},
		{"capitals count", "Name = ''", `t.toml:1:1: Name = '': no such key; did you mean "name"?`},
		{"nothing near", "[sub]\nelephant = 1", `t.toml:2:1: sub.elephant = 1: no such key, expected one of min, max`},
		{"a table that is not known", "[lmits]\nx = 1", `t.toml:1:2: lmits: no such key; did you mean "limits"?`},
		{"a field without a tag", "Labels = {}", `t.toml:1:1: Labels = {}: no such key, expected one of name, seats, port, on, share, suit, date, row, limits, bet, grid, sub`},
		{"text for a number", "seats = \"3\"", `t.toml:1:9: seats = "3": expected a whole number`},
		{"a number that does not fit", "seats = 256", `t.toml:1:9: seats = 256: integer value 256 cannot be stored in uint8, expected a whole number`},
		{"a negative number", "seats = -1", `t.toml:1:9: seats = -1: negative integer value -1 cannot be stored in uint8, expected a whole number`},
		{"a fraction", "row = [1, 2.5, 3]", `t.toml:1:11: row[2] = 2.5: expected a whole number`},
		{"too few", "row = [1, 2]", `t.toml:1:7: row = [1, 2]: expected a list of exactly 3`},
		{"the field's own words", "port = true", `t.toml:1:8: port = true: expected a port number`},
		{"words in a map of tables", "[limits]\ntie = {max = \"x\"}", `t.toml:2:14: limits.tie.max = "x": expected a whole number of cents`},
		{"a number for a text", "name = 3", `t.toml:1:8: name = 3: expected a text in quotes`},
		{"a text for true", "on = 'yes'", `t.toml:1:6: on = 'yes': expected true or false`},
		{"a text for a share", "share = '1'", `t.toml:1:9: share = '1': expected a number`},
		{"a text for a date", "date = '2026-04-01'", `t.toml:1:8: date = '2026-04-01': expected a date such as 2026-04-01`},
		{"a text that is refused", "suit = 'clubs'", `t.toml:1:8: suit = 'clubs': expected hearts or spades`},
		{"a number for a text that is read", "suit = 1", `t.toml:1:8: suit = 1: expected a text in quotes`},
		{"a table for a list of tables", "[bet]\nid = 'a'", `t.toml:1:2: bet: expected a list, with double brackets: [[bet]]`},
		{"a list for a table", "[[sub]]\nmin = 1", `t.toml:1:3: sub: expected one section: [sub]`},
		{"a value for a table of names", "limits = 1", `t.toml:1:10: limits = 1: expected a section with names and their values: [limits]`},
		{"given twice", "seats = 1\n\nseats = 1", `t.toml:3:1: seats = 1: not valid TOML (key seats is already defined), expected a whole number`},
		{"given twice in line", "sub = {min = 1, min = 2}", `t.toml:1:1: sub = {min = 1, min = 2}: not valid TOML (key min is already defined), expected one section: [sub]`},
		{"a table given twice", "[sub]\n[limits]\n[sub]", `t.toml:3:2: sub: not valid TOML (table sub already exists)`},
		{"not TOML", "name = \"Grüße\" x", `t.toml:1:16: name = "Grüße" x: not valid TOML (expected newline but got U+0078 'x'), expected a text in quotes`},
		{"not text", "name = \"\xff\"", `t.toml:1:9: name = "?": not valid TOML (invalid UTF-8 character in basic string), expected a text in quotes`},
		{"a key in quotes", "\"a.b\" = 1", `t.toml:1:1: "a.b" = 1: no such key, expected one of name, seats, port, on, share, suit, date, row, limits, bet, grid, sub`},
		{"a byte order mark", "\xef\xbb\xbfname = ''", `t.toml:1:1: the file begins with a byte order mark; save it as UTF-8 without one`},
		{"lists without end", "name = " + strings.Repeat("[", 40) + strings.Repeat("]", 40), `t.toml:1:8: name[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]: is nested more than 16 deep in tables and lists`},
		{"names without end", strings.Repeat("a.", 40) + "a = 1", `t.toml:1:33: a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a: is nested more than 16 deep in tables and lists`},
		{"a header without end", "[" + strings.Repeat("a.", 40) + "a]", `t.toml:1:34: a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a: is nested more than 16 deep in tables and lists`},
		{"a long value", "seats = '" + strings.Repeat("龍", 70) + "'", `t.toml:1:9: seats = '` + strings.Repeat("龍", 56) + `...: expected a whole number`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v table
			_, errs := Decode("t.toml", []byte(c.file), &v)
			if got := errs.Error(); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestEverythingWrongIsToldInTheOrderOfTheFile(t *testing.T) {
	_, errs := Decode("t.toml", []byte("port = ''\nnaem = 1\n[[bet]]\nid = 1\n[[bet]]\npays = [1, '2', 3]\n"), new(table))
	want := `t.toml:1:8: port = '': expected a port number
t.toml:2:1: naem = 1: no such key; did you mean "name"?
t.toml:4:6: bet[1].id = 1: expected a text in quotes
t.toml:6:9: bet[2].pays[1] = 1: expected a text in quotes
t.toml:6:17: bet[2].pays[3] = 3: expected a text in quotes`
	if got := errs.Error(); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestAFileThatIsTooLargeIsNotRead(t *testing.T) {
	_, errs := Decode("t.toml", make([]byte, MaxBytes+1), new(table))
	if want := "t.toml:1:1: the file has more than 262144 bytes"; errs.Error() != want {
		t.Errorf("got %s, want %s", errs, want)
	}
}

func TestNoErrorsAreNoError(t *testing.T) {
	if err := (Errors{}).Err(); err != nil {
		t.Errorf("no errors are %v", err)
	}
	if err := (Errors{{File: "f", Line: 1, Column: 1, Problem: "p"}}).Err(); err == nil {
		t.Error("an error is nil")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"limits", "limit", "banker", "table"}
	for word, want := range map[string]string{
		"limts": "limits", "limit": "limit", "bnaker": "banker", "tabel": "table",
		"tables": "table", "BANKER": "banker", "Tabel": "table", "x": "", "": "", "elephant": "", strings.Repeat("limits", 20): "",
	} {
		if got, ok := Nearest(word, known); got != want || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, %v; want %q", word, got, ok, want)
		}
	}
}

// FuzzDecode holds that no input makes the reader panic, that every error has a
// place inside the file, and that what reads without errors has a place for
// every key that the value was filled from.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("a = 1\n[a]\n[[a]]\n"))
	f.Add([]byte("bet = [{id = 'a'}, {id = 'b', id = 'c'}]"))
	f.Add([]byte("\"\" = 1\n'a[1].b'.c = 2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v table
		p, errs := Decode("f", data, &v)
		lines := strings.Split(string(data), "\n")
		for _, e := range errs {
			if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len(lines[e.Line-1])+1 {
				t.Errorf("%q: the error is at %d:%d, outside of the file: %v", data, e.Line, e.Column, e)
			}
			if e.Problem == "" && e.Expected == "" || strings.Contains(e.Error(), "\n") {
				t.Errorf("%q: not a message on one line: %q", data, e.Error())
			}
		}
		if len(errs) == 0 && v.Seats != 0 && !p.Has("seats") {
			t.Errorf("%q: seats was read from nowhere", data)
		}
		if len(errs) == 0 && len(v.Bets) > 0 && !p.Has(Item("bet", len(v.Bets)-1)) {
			t.Errorf("%q: the last bet was read from nowhere", data)
		}
	})
}

// A catalogue is one flat table of some 150 texts, each of them looked for.
func BenchmarkDecodeFlatTable(b *testing.B) {
	var file strings.Builder
	for i := range 150 {
		fmt.Fprintf(&file, "key_%d = \"a text of the board\"\n", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		var text map[string]string
		where, _ := Decode("x.toml", []byte(file.String()), &text)
		for name := range text {
			where.Has(name)
		}
	}
}
