package strict

import (
	"fmt"
	"sort"
	"strings"
)

// Error is one thing that is wrong in a file, for the technician who wrote it.
type Error struct {
	File    string `json:"file"`
	Line    int    `json:"line"`            // from 1
	Column  int    `json:"column"`          // from 1, in characters
	Key     string `json:"key,omitempty"`   // "limits.tie.max"; empty for the file as a whole
	Value   string `json:"value,omitempty"` // as in the file, shortened; empty for a table or a missing key
	Problem string `json:"problem,omitempty"`
	// Expected is what would be right, "a whole number of cents".
	Expected string `json:"expected,omitempty"`
	Unknown  bool   `json:"-"` // no field has Key
}

// Error returns the whole message on one line:
//
//	shoeboard.toml:12:5: limits.tie.max = "x": expected a whole number of cents
func (e Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Column)
	if e.Key != "" {
		b.WriteString(e.Key)
		if e.Value != "" {
			b.WriteString(" = " + e.Value)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.Problem != "" && e.Expected != "" {
		b.WriteString(", ")
	}
	if e.Expected != "" {
		b.WriteString("expected " + e.Expected)
	}
	return b.String()
}

// Errors is everything that was found wrong in a file, in the order of the file.
type Errors []Error

// Error returns one message a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the errors as an error, nil when there are none.
func (es Errors) Err() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

// Sort puts the errors into the order of the file.
func (es Errors) Sort() {
	sort.SliceStable(es, func(i, j int) bool {
		a, b := es[i], es[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
}

// shorten returns text on one line, in at most 60 characters that can be printed.
func shorten(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:57]) + "..."
	}
	return text
}

// Nearest returns the known name that a person most likely meant by word: the one
// that the fewest slips away (a letter too many, missing, wrong, or two swapped), if
// those are at most a third of the letters. Capitals are no slip. The first wins among
// equals.
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
