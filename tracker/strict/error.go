package strict

import (
	"fmt"
	"sort"
	"strings"
)

// Error is one thing that is wrong in a file, for the technician who wrote it.
type Error struct {
	File     string `json:"file"`
	Line     int    `json:"line"`               // from 1
	Column   int    `json:"column"`             // from 1, in characters
	Key      string `json:"key,omitempty"`      // "limits.tie.max"; empty for the file as a whole
	Value    string `json:"value,omitempty"`    // as it stands in the file, shortened; empty for a table or a key that is missing
	Problem  string `json:"problem,omitempty"`  // what is wrong, when the expectation alone does not say it
	Expected string `json:"expected,omitempty"` // what would be right, "a whole number of cents"
	Unknown  bool   `json:"-"`                  // Key is one that no field knows
}

// Error is the whole message on one line:
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

// Errors is everything that is wrong in a file, in the order of the file.
type Errors []Error

// Error is one message a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Err is the errors as an error, nil when there are none.
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

// shorten is text on one line, in at most 60 characters.
func shorten(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:57]) + "..."
	}
	return text
}
