package specimen

import "testing"

func TestSpecimensHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if s.Name == "" || s.Title == "" || seen[s.Name] {
			t.Errorf("specimen %q, %q", s.Name, s.Title)
		}
		seen[s.Name] = true
	}
}
