package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/core"
	"shoeboard/cmd/internal/secret"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/cmd/internal/transfer"
	"shoeboard/stats"
)

// keys presses keys at the core that runs in the site, as slowly as an OK needs.
func (s site) keys(names string) {
	s.t.Helper()
	for _, word := range strings.Fields(names) {
		name, hold, err := parseKey(word)
		if err != nil {
			s.t.Fatal(err)
		}
		if name == "OK" {
			pause(s.t.Context(), betweenKeys)
		}
		for _, down := range []bool{true, false} {
			if err := s.client().Press(s.t.Context(), name, down); err != nil {
				s.t.Fatal(err)
			}
			pause(s.t.Context(), hold)
		}
		pause(s.t.Context(), tapTime)
	}
}

// page waits for a page of the menu with this title and these words on it.
func (s site) page(title string, words ...string) *stats.Menu {
	s.t.Helper()
	b := s.board("page "+title, func(b *stats.Board) bool {
		if b.Menu == nil || b.Menu.Title != title || b.Menu.Working {
			return false
		}
		for _, w := range words {
			if !strings.Contains(strings.Join(b.Menu.Lines, "\n"), w) {
				return false
			}
		}
		return true
	})
	return b.Menu
}

// A technician at a unit that runs: the menu opens on the closed table, says who the
// unit is although no helper of root's is there, refuses what needs a stick, and moves
// the unit to another table, for which the core ends in order and starts anew.
func TestMenuOfAUnit(t *testing.T) {
	s := newSite(t)
	stop := s.runCore("--socket-keys")
	s.board("the first board", func(b *stats.Board) bool { return b.Bar.Kind == stats.BarClosedTable })
	s.keys("FLOOR 1")
	s.page("STATUS", "Table 1, ez-baccarat-panda-8", "Address: The helper does not", "Serial "+core.ID(), "Configuration ")
	s.keys("CLEAR 2")
	s.page("DOCTOR", "Faults ", "FAULT keypad")
	s.keys("CLEAR 8 2 OK")
	if m := s.page("BUNDLE", "No stick is plugged in"); !m.Failed {
		t.Errorf("%+v", m)
	}
	s.keys("CLEAR CLEAR 7 2 7 OK")
	testkit.Eventually(t, "the core ends", func() bool {
		_, err := s.client().Board(t.Context())
		return err != nil
	})
	if code := stop(); code != exitFine || s.read("var/lib/shoeboard/table") != "27\n" {
		t.Fatalf("ended with %d, table %q", code, s.read("var/lib/shoeboard/table"))
	}
	s.runCore()
	s.board("table 27", func(b *stats.Board) bool { return b.Table == "27" && b.Menu == nil })
}

// content is everything in a folder, by path.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A card that another unit wrote: the spare asks before anything else, touches nothing
// before it is answered, keeps the table shut after a no, and after a yes goes on where
// the other unit stopped.
func TestCardOfAnotherUnit(t *testing.T) {
	s := newSite(t)
	stop := s.runCore("--socket-keys")
	s.board("the first board", func(b *stats.Board) bool { return true })
	s.keys("NEW_SHOE:2.1 OK BANKER OK")
	s.board("a hand", func(b *stats.Board) bool { return b.Shoe.Hands == 1 })
	stop()
	data := s.path("var/lib/shoeboard")
	all, err := transfer.Begin(data, "10000000abcd", transfer.Slot{}, secret.Key{})
	if err != nil || len(all) != 1 || all[0].Yes("10000000abcd") != nil {
		t.Fatalf("the card does not become another unit's: %+v, %v", all, err)
	}
	record := content(t, filepath.Join(data, "journal"))

	manager := listenAsManager(t, 0)
	s.runCore("--socket-keys")
	manager.until(t, "READY=1")
	m := s.page("TAKE OVER TABLE 1?", "10000000abcd", core.ID())
	if !m.Asking {
		t.Errorf("%+v", m)
	}
	s.board("why nothing is recorded", func(b *stats.Board) bool {
		return slices.ContainsFunc(b.Faults, func(f stats.Fault) bool { return f.Code == "take-over" && strings.Contains(f.Text, "table 1 over") })
	})
	s.keys("TIE CLEAR")
	s.page("TABLE 1 NOT TAKEN OVER", "Nothing is recorded")
	s.keys("FLOOR")
	s.page("TAKE OVER TABLE 1?")
	if now := content(t, filepath.Join(data, "journal")); len(now) != len(record) {
		t.Errorf("%d files, there were %d", len(now), len(record))
	} else {
		for path, text := range record {
			if now[path] != text {
				t.Errorf("%s was changed before the answer", path)
			}
		}
	}
	s.keys("OK")
	s.board("the other unit's hand", func(b *stats.Board) bool {
		return b.Menu == nil && b.Shoe.Hands == 1 && b.Phase == "result" && !hasFault(b, "take-over")
	})
	if heard := manager.until(t, "READY=1"); slices.ContainsFunc(heard, func(text string) bool { return strings.HasPrefix(text, "STOPPING") }) {
		t.Errorf("the manager heard %q, and would kill the core", heard)
	}
	s.keys("BETS")
	s.board("the game goes on", func(b *stats.Board) bool { return b.Phase == "betting" })
}
