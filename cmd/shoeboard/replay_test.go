package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// command runs a verb as from a shell and returns its output, its errors and its
// exit code.
func command(t testing.TB, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	p := &program{out: &o, err: &e, log: slog.New(slog.NewTextHandler(&e, nil)), root: t.TempDir()}
	code = p.main(context.Background(), args)
	return o.String(), e.String(), code
}

// shoeFile writes a shoe file and returns its path.
func shoeFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.shoe")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// replayJSON is what replay --json prints of a shoe file.
func replayJSON(t testing.TB, text string) map[string]any {
	t.Helper()
	out, errs, code := command(t, "replay", "--json", shoeFile(t, text))
	if code != exitFine {
		t.Fatalf("replay of %q: exit %d\n%s", text, code, errs)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// vector is one shoe with every road, from independent implementations.
type vector struct {
	ID          string
	Outcomes    string
	Counts      map[string]int
	LeadingTies int                     `json:"leading_ties"`
	BigRoad     [][]any                 `json:"big_road_cells"`
	BigEyeBoy   struct{ Cells [][]any } `json:"big_eye_boy"`
	Small       struct{ Cells [][]any } `json:"small_road"`
	Cockroach   struct{ Cells [][]any } `json:"cockroach_pig"`
	Ask         map[string]map[string]any
}

// Every road vector, end to end: shoe file in, JSON out.
func TestReplayOfEveryRoadVector(t *testing.T) {
	data, err := os.ReadFile("../../stats/road/testdata/road_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(data, &file); err != nil || len(file.Vectors) < 50 {
		t.Fatalf("%d vectors: %v", len(file.Vectors), err)
	}
	for _, v := range file.Vectors {
		got := replayJSON(t, strings.Join(strings.Split(v.Outcomes, ""), " "))
		roads := got["roads"].(map[string]any)
		for name, want := range map[string][][]any{"big_road": v.BigRoad, "big_eye_boy": v.BigEyeBoy.Cells,
			"small_road": v.Small.Cells, "cockroach_pig": v.Cockroach.Cells} {
			if cells := threes(roads[name]); !same(cells, want) {
				t.Errorf("%s: %s: got %v, want %v", v.ID, name, cells, want)
			}
		}
		counts := got["counts"].(map[string]any)
		if fmt.Sprint(counts["player"], counts["banker"], counts["tie"], got["leading_ties"]) !=
			fmt.Sprint(v.Counts["P"], v.Counts["B"], v.Counts["T"], v.LeadingTies) {
			t.Errorf("%s: counts %v, leading ties %v", v.ID, counts, got["leading_ties"])
		}
		for side, want := range v.Ask {
			ask := got["ask"].(map[string]any)[side].(map[string]any)
			if fmt.Sprint(ask["big_eye_boy"], ask["small_road"], ask["cockroach_pig"]) != fmt.Sprint(want["eye"], want["small"], want["cockroach"]) {
				t.Errorf("%s: ask %s: got %v, want %v", v.ID, side, ask, want)
			}
		}
	}
}

// threes are column, row and mark of cells.
func threes(cells any) [][]any {
	var out [][]any
	for _, c := range cells.([]any) {
		out = append(out, c.([]any)[:3])
	}
	return out
}

func same(a, b [][]any) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

func TestReplayOfAnEvening(t *testing.T) {
	v := replayJSON(t, `
game dai-bacc
decks 8
P P B
shoe
T+kill B+tiger-7+kill P+ox-6 P+natural # a comment
free T
fix 4 B+natural
void misdeal
9S,4H/KD,2C,5S
6.2-7.3
remove 1
insert 2 P
`)
	if v["hands"].(float64) != 7 || v["shoes"].(float64) != 2 {
		t.Errorf("hands %v, shoes %v", v["hands"], v["shoes"])
	}
	bets := v["bets"].(map[string]any)
	if fmt.Sprint(bets["tiger-7"], bets["ox-6"], bets["kill"]) != "3 1 1" {
		t.Errorf("bets %v", bets)
	}
	if n := v["naturals"].(map[string]any); fmt.Sprint(n["player"], n["banker"], n["both"], n["hands"]) != "0 1 0 1" {
		t.Errorf("naturals %v", n)
	}
	if h := v["hands_list"].([]any)[5].(map[string]any); h["irregular"] != "Player has 3 on two cards and must draw a third" {
		t.Errorf("cards drawn against the table: %v", h)
	}
	var list []string
	for _, h := range v["hands_list"].([]any) {
		list = append(list, h.(map[string]any)["token"].(string))
	}
	if got := strings.Join(list, " "); got != "B+kill+tiger-7 P P+ox-6 B+banker-natural T 9S,4H/KD,2C,5S 6.2-7.3" {
		t.Errorf("hands %s", got)
	}
}

// A result that was never confirmed is told, by the text of the board as well, until the
// next key; the hand keyed then is the next one.
func TestReplayOfAForgottenOK(t *testing.T) {
	const forgotten = "set bets off\nP B\nwait 20s\nkey BANKER\nwait 31s\nwait 30s\n"
	for text, want := range map[string]string{
		forgotten: "DEALER, ATTENTION  |NOT SAVED: KEY AGAIN|",
		forgotten + "key PLAYER OK\nexpect list P B P\n": "RECORDED  |3 PLAYER  SAVED     |",
		"P B\nwait 20s\nkey PLAYER\nwait 6s\n":           "DEALER IS ENTERING (WAITING)  |3? PLAYER",
		"P B\nwait 20s\nkey CUT\n":                       "MESSAGE TO THE DEALER  |LAST IS HAND 4",
	} {
		if out, errs, code := command(t, "replay", shoeFile(t, text)); code != exitFine || !strings.Contains(out, want) {
			t.Errorf("%q: exit %d, %s; no %q in\n%s", text, code, errs, want, out)
		}
	}
}

// A technician's and a dealer's mistakes are told with file, line and what was expected.
func TestReplayRefusesWithALine(t *testing.T) {
	for text, want := range map[string]string{
		"P\nX\n":               ":2: \"X\": expected a hand",
		"P+dragon-7\n":         ":1: hand \"P+dragon-7\": ",
		"game chemin-de-fer\n": ":1: game \"chemin-de-fer\" is not known",
		"P\nfix 9 B\n":         ":2: hand 9: this shoe has hands 1 to 1",
		"decks 40\n":           ":1: decks 40: EZ Baccarat Panda 8 is played with 3 to 8",
		"void because\n":       ":1: void \"because\": expected one of",
		"key BANANA\n":         ":1: the keypad has no key \"BANANA\"",
		"P\nexpect hands 2\n":  ":2: expect hands: got \"1\", want \"2\"",
		"wait long\n":          ":1: wait: expected a time",
		"P\ngame dai-bacc\n":   ":2: SHOE IS IN PLAY",
	} {
		_, errs, code := command(t, "replay", shoeFile(t, text))
		if code != exitFailed || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d, %q; expected %q", text, code, errs, want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"version"}, exitFine, "shoeboard "},
		{[]string{"version", "--json"}, exitFine, `"go":`},
		{[]string{"--help"}, exitFine, "Usage: shoeboard"},
		{nil, exitFine, "Usage: shoeboard"},
		{[]string{"fly"}, exitUsage, "unexpected argument fly"},
		{[]string{"replay"}, exitUsage, "<file>"},
		{[]string{"replay", "/nowhere.shoe"}, exitFailed, "no such file"},
	} {
		out, errs, code := command(t, c.args...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%q: exit %d, expected %d and %q in\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
}
