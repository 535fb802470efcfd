package console

import (
	"slices"
	"testing"
)

// Every word of the state table has an action, and every action a word in it.
func TestEveryWordHasAnAction(t *testing.T) {
	used := map[action]bool{}
	for r, line := range grammar() {
		for col, a := range line {
			used[a] = true
			if a == refused && grammarText()[r][col] != "-" {
				t.Errorf("row %d, column %d: %q has no action", r, col, grammarText()[r][col])
			}
		}
	}
	words := map[string]bool{}
	for a, m := range actions {
		if words[m.word] || !used[action(a)] || m.do == nil && !slices.Contains([]action{asPhase, outAct}, action(a)) {
			t.Errorf("%q is there twice, stands nowhere, or does nothing", m.word)
		}
		words[m.word] = true
	}
}
