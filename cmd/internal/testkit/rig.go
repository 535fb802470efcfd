// Package testkit is what the tests of the packages below cmd share: a record
// that is written by the rules without a table, pads, configurations by their text,
// and what waits and compares.
//
// A caller may assume that whatever goes wrong here fails his test. Only tests import
// this package.
package testkit

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"shoeboard/cmd/internal/config"
)

// Log is a log that keeps nothing.
func Log() *slog.Logger { return slog.New(slog.DiscardHandler) }

// Patience is how long a test waits for what must come. It is far longer than that
// takes on the busiest machine, for a test does not judge how soon.
const Patience = time.Minute

// Eventually looks until it is so, and returns how long that took.
func Eventually(t testing.TB, what string, so func() bool) time.Duration {
	t.Helper()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		took := time.Since(start) // before the look, which may take long itself
		if so() {
			return took
		}
		if took > Patience {
			t.Fatalf("%s: not within %v", what, Patience)
		}
	}
}

// Config is a configuration by its text.
func Config(t *testing.T, text string) config.Config {
	t.Helper()
	all, err := config.Packs()
	if err != nil {
		t.Fatal(err)
	}
	f, err := config.Read("venue.toml", []byte(text), all)
	if err != nil {
		t.Fatal(err)
	}
	return f.Table("1")
}

// Text is what a verb has written so far; the verb writes while the test reads.
type Text struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write adds what is written.
func (x *Text) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.b.Write(p)
}

// String is what has been written so far.
func (x *Text) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.b.String()
}

// Expect wants all of these words to be said, whatever the spaces between them.
func Expect(t *testing.T, said string, want ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(said), " ")
	for _, w := range want {
		if !strings.Contains(flat, w) {
			t.Errorf("%q is not said in\n%s", w, said)
		}
	}
}

// Plant makes files and links of a machine below root.
func Plant(t *testing.T, root string, files, links map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(target, path)); err != nil {
			t.Fatal(err)
		}
	}
}
