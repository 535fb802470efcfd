package console

import (
	"slices"
	"strings"
	"testing"
)

// Every word of the state table has an action, and every action a word in it; every row
// has a word for each column.
func TestEveryWordHasAnAction(t *testing.T) {
	used := map[*action]bool{}
	lines := strings.Split(strings.TrimSpace(grammarText), "\n")
	columns := strings.Fields(lines[0])
	if len(lines) != int(states)+1 {
		t.Fatalf("%d states, want %d", len(lines)-1, states)
	}
	for r, line := range lines[1:] {
		words := strings.Fields(line)
		if len(words) != len(columns) {
			t.Fatalf("%q: %d words, want %d", line, len(words), len(columns))
		}
		for i, word := range words[1:] {
			a := grammar[r][Key(columns[i+1])]
			if used[a] = true; a == nil || !slices.Contains(strings.Fields(a.words), word) {
				t.Errorf("%q has no action", word)
			}
		}
	}
	for name, r := range map[string]state{"tableClosed": tableClosed, "saving": saving, "entry": entry, "askVoid": askVoid,
		"noResult": noResult, "fixing": fixing, "lapsed": lapsed, "inMenu": inMenu} {
		if !strings.HasPrefix(lines[r+1], name) {
			t.Errorf("the row of %s is %q", name, lines[r+1])
		}
	}
	words := map[string]bool{}
	for _, a := range actions {
		if !used[a] || a.do == nil && a != asPhase && a != outAct {
			t.Errorf("%q stands nowhere, or does nothing", a.words)
		}
		for _, word := range strings.Fields(a.words) {
			if words[word] || !strings.Contains(grammarText, " "+word) {
				t.Errorf("%q is there twice, or stands nowhere", word)
			}
			words[word] = true
		}
	}
	for _, col := range columns[3:] {
		if !slices.Contains(Keys(), Key(col)) {
			t.Errorf("column %s is no key", col)
		}
	}
}
