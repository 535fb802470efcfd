package strict

import "strings"

// Nearest is the known name that a person most likely meant by word: the one
// that the fewest slips away (a letter too many, missing, wrong, or two
// swapped), if those are at most a third of the letters. Capitals are no slip. The
// first wins among equals.
func Nearest(word string, known []string) (string, bool) {
	best, found := max(1, len(word)/3)+1, ""
	if len(word) > 64 {
		return "", false
	}
	for _, name := range known {
		if d := slips(strings.ToLower(word), strings.ToLower(name)); d < best {
			best, found = d, name
		}
	}
	return found, found != ""
}

// slips counts the single slips that turn a into b.
func slips(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
