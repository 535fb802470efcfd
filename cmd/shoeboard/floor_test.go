package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/stats"
)

// The floor over SSH puts hands right by their numbers; the board follows, the record says
// who and what was, and a refusal changes nothing.
func TestTheFloorCorrectsBySSH(t *testing.T) {
	s := newSite(t)
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("SUDO_USER", "anna")
	s.write("etc/shoeboard/shoeboard.toml", "min_hand = 0\n")
	data, socket := s.path("var/lib/shoeboard"), s.path("run/core.sock")
	if code, _, told := s.do("fix", "1", "P", "--socket", socket); code != exitFailed || !strings.Contains(told, "no core is running here") {
		t.Errorf("without a core: exit %d, %s", code, told)
	}
	stop := s.runCore("--table", "14", "--socket-keys")
	s.board("a board", func(*stats.Board) bool { return true })
	s.keys("NEW_SHOE:2.2 OK PLAYER OK BANKER OK")
	s.board("two hands", func(b *stats.Board) bool { return b.Shoe.Hands == 2 })
	for _, c := range []struct{ args, want string }{
		{"fix 1 b d7", "hand 1: P is now B+dragon-7. The shoe has 2 hands. Recorded in the name of anna."},
		{"insert 2 T --by bert --free", "hand 2: T is inserted, a free hand. The shoe has 3 hands. Recorded in the name of bert."},
		{"fix 2 P", "hand 2: T is now P, a free hand. The shoe has 3 hands. Recorded in the name of anna."},
		{"fix 2 P --not-free", "hand 2: P is now P, not a free hand. The shoe has 3 hands. Recorded in the name of anna."},
		{"remove 3", "hand 3: B is removed. The shoe has 2 hands. Recorded in the name of anna."},
	} {
		if out := s.fine(append(strings.Fields(c.args), "--socket", socket)...); out != c.want+"\n" {
			t.Errorf("%s: %q, expected %q", c.args, out, c.want)
		}
	}
	for args, want := range map[string]string{"fix 9 P": "this shoe has hands 1 to 2", "fix 1 P d7": "cannot be in one hand", "remove 0": "numbered from 1", "fix 1 B D7": "hand 1 is B+dragon-7 already: nothing was changed"} {
		if code, _, told := s.do(append(strings.Fields(args), "--socket", socket)...); code == exitFine || !strings.Contains(told, want) {
			t.Errorf("%s: exit %d, %s", args, code, told)
		}
	}
	b := s.board("what came of it", func(b *stats.Board) bool { return b.Shoe.Banker.N == 1 && b.Shoe.Player.N == 1 })
	if b.Shoe.Free != 0 || b.Shoe.Hands != 2 || len(b.Marked) == 0 {
		t.Errorf("%+v, marked %v", b.Shoe, b.Marked)
	}
	if testkit.Eventually(t, "the echo", func() bool {
		b, err := s.client().Board(t.Context())
		return err == nil && b.Dealer.Lines[0] == "FLOOR REMOVED 3"
	}); stop() != exitFine {
		t.Error("the core did not end well")
	}
	names, _ := filepath.Glob(filepath.Join(datadir.Journal(data), "*.jrn"))
	record, err := os.ReadFile(slices.Max(names))
	if err != nil || !strings.Contains(string(record), `"n":2,"r":"T","free":true,"by":"bert"`) || !strings.Contains(string(record), `"was":"B","by":"anna"`) {
		t.Errorf("the record does not say who and what was: %v", err)
	}
}
