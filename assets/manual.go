package assets

import (
	"embed"
	"strings"
)

//go:embed manual/*.md
var manualFiles embed.FS

// ManualSubjects lists the subjects of the manual, in alphabetical order.
func ManualSubjects() []string {
	entries, _ := manualFiles.ReadDir("manual") // it is built in
	subjects := make([]string, len(entries))
	for i, entry := range entries {
		subjects[i] = strings.TrimSuffix(entry.Name(), ".md")
	}
	return subjects
}

// Manual returns the text of a subject of the manual; ok is false when there is none.
func Manual(subject string) (text string, ok bool) {
	data, err := manualFiles.ReadFile("manual/" + subject + ".md")
	return string(data), err == nil
}
