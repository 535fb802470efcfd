package shoefile

import (
	"os"
	"path/filepath"
	"testing"

	"shoeboard/assets"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
)

func player(t *testing.T, layout string, settings tracker.Settings) *Player {
	t.Helper()
	p, err := NewPlayer(Setup{Pack: pack, Layout: layout, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func pack(id string) ([]byte, bool) {
	_, data, ok := assets.Pack(id)
	return data, ok
}

// Every shoe file of testdata tells a story and what must come of it, on both keypads.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.shoe")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		for _, layout := range console.Layouts() {
			t.Run(filepath.Base(file)+"/"+layout, func(t *testing.T) {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				f, err := Parse(file, string(text))
				if err != nil {
					t.Fatal(err)
				}
				p := player(t, layout, tracker.DefaultSettings())
				if err := p.Play(file, f); err != nil {
					t.Fatal(err)
				}
				for _, err := range p.Failures {
					t.Error(err)
				}
			})
		}
	}
}
