package transfer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shoeboard/cmd/internal/datadir"
)

// word leaves such a word in a unit's mirror on a stick.
func (u unit) word(slot Slot, p passed) {
	u.t.Helper()
	text, err := json.Marshal(p)
	u.must(err)
	u.must(os.WriteFile(filepath.Join(slot.Dir, home(u.id), passedFile), text, 0o644))
}

// Somebody wrote a megabyte, and a message to the players, where a stick says which unit
// has taken the table over. What is no unit's word says nothing; what could be one says
// nothing of its own.
func TestAStickHasNoWordsOfItsOwn(t *testing.T) {
	u, slot := newUnit(t, "10000000aaaa", "14"), newStick(t)
	u.shoes(2, 3)
	u.mirrored(slot)
	good := passed{Table: "14", From: u.id, By: "10000000bbbb", To: "0000000000000001.jrn", Size: 4}
	for _, c := range []struct {
		harm func(*passed)
		want string
	}{
		{func(*passed) {}, "Unit 10000000bbbb has taken table 14 over from this one."},
		{func(p *passed) { p.By = "PAYS-2-TO-1-ON-TIE" }, "Another unit has taken table 14 over from this one."},
		{func(p *passed) { p.By = strings.Repeat("<", 250_000) }, ""},
		{func(p *passed) { p.By = strings.Repeat("b", 41) }, ""},
		{func(p *passed) { p.By = "THIS TABLE PAYS 2 TO 1 ON TIE." }, ""},
		{func(p *passed) { p.By = "1000\u202ebbbb" }, ""},
		{func(p *passed) { p.By = "" }, ""},
		{func(p *passed) { p.By = u.id }, ""},
		{func(p *passed) { p.From = "10000000cccc" }, ""},
		{func(p *passed) { p.Table = "14 PAYS" }, ""},
		{func(p *passed) { p.To = "../../etc/passwd" }, ""},
		{func(p *passed) { p.Size = -1 }, ""},
	} {
		p := good
		c.harm(&p)
		u.word(slot, p)
		u.says(fmt.Sprintf("by %.30q to %q", p.By, p.To), slot, c.want)
	}
	u.must(os.WriteFile(filepath.Join(slot.Dir, home(u.id), passedFile), []byte(strings.Repeat(" ", mostPassed)+`{"table":"14","from":"10000000aaaa","by":"10000000bbbb"}`), 0o644))
	u.says("in a file that is too long", slot, "")
}

// The fault of a stick is over when the stick is gone.
func TestTheStickIsPulledOut(t *testing.T) {
	u, slot := newUnit(t, "10000000aaaa", "14"), newStick(t)
	u.shoes(2, 3)
	u.mirrored(slot)
	u.word(slot, passed{Table: "14", From: u.id, By: "10000000bbbb"})
	m, _ := u.mirroring(slot)
	shown := map[string]string{}
	m.Fault = func(code, text string) { shown[code] = text }
	m.step(t.Context(), 0)
	if shown[FaultTwice] == "" {
		t.Fatal("the fault is not raised")
	}
	m.Slot = Slot{Dir: filepath.Join(t.TempDir(), "none")}
	m.step(t.Context(), time.Second)
	if shown[FaultTwice] != "" {
		t.Errorf("without the stick the board says %q", shown[FaultTwice])
	}
	m.Slot = slot
	m.step(t.Context(), 2*time.Second)
	if shown[FaultTwice] == "" {
		t.Error("with the stick again it is not raised")
	}
}

// A manifest that no unit would write names no table to take over.
func TestAManifestOfWords(t *testing.T) {
	dead, slot := newUnit(t, "10000000aaaa", "14"), newStick(t)
	dead.shoes(2, 3)
	dead.mirrored(slot)
	path := filepath.Join(slot.Dir, home(dead.id), manifestFile)
	good, err := os.ReadFile(path)
	dead.must(err)
	for what, text := range map[string]string{
		"a message for a table's number": strings.Replace(string(good), `"table": "14"`, `"table": "PAYS 2 TO 1"`, 1),
		"two words for a unit":           strings.Replace(string(good), `"unit": "10000000aaaa"`, `"unit": "10000000 aaaa"`, 1),
		"a size below nothing":           strings.Replace(string(good), `"size": `, `"size": -`, 1),
		"a megabyte":                     strings.Repeat(" ", mostManifest) + string(good),
	} {
		if text == string(good) {
			t.Fatalf("%s: nothing is changed", what)
		}
		dead.must(os.WriteFile(path, []byte(text), 0o644))
		if q := spare(t, "10000000bbbb").questions(slot); len(q) > 0 {
			t.Errorf("%s: asks %+v", what, q)
		}
	}
	dead.must(os.WriteFile(path, good, 0o644))
	if q := spare(t, "10000000bbbb").questions(slot); len(q) != 1 {
		t.Errorf("as it was: asks %+v", q)
	}
}

// The record that a folder has may be another's: its table's number is one, or "?".
func TestTheRecordsNumberIsANumber(t *testing.T) {
	for number, want := range map[string]string{"14": "14", "PAYS 2 TO 1 ON TIE": "?", strings.Repeat("1", 9): "?"} {
		u := spare(t, "10000000aaaa")
		u.pack, u.no = newUnit(t, u.id, "1").pack, number
		u.must(os.MkdirAll(datadir.Journal(u.data), 0o750))
		u.shoes(2)
		u.must(os.WriteFile(filepath.Join(u.data, tableFile), []byte("not a number\n"), 0o640))
		if got, err := datadir.TableOf(u.data); got != want || err == nil {
			t.Errorf("%q: %q, %v", number, got, err)
		}
	}
}
