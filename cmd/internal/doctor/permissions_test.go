package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What somebody wrote as root into the data folder is named, with what puts it right.
func TestDoctorFindsWhatIsAnothers(t *testing.T) {
	data := t.TempDir()
	write := func(names ...string) {
		for _, name := range names {
			path := filepath.Join(data, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	me := os.Getuid()
	write("lost+found/of the file system", "journal/0000000000000001.jrn", "journal/0000000000000009.jrn", "journal/lock")
	if name := foreignFile(data, me); name != "" {
		t.Errorf("%s is another's", name)
	}
	if got := foreignFile(data, me+1); got != filepath.Join(data, "journal") {
		t.Errorf("not the record but %q is another's", got)
	}
	if f := checkOwner(filepath.Join(data, "none")); f.Verdict != Unknown {
		t.Errorf("%+v", f)
	}
}

// Every fault that a board can show has something to do.
func TestEveryFaultHasItsRemedy(t *testing.T) {
	other := remedy("something-new")
	for _, code := range []string{"not-recording", "keypad-missing", "keypad-pad", "keypad-unknown-pad", "clock-not-set", "config", "table-unknown",
		"take-over", "record", "records-missing", "hands-lost", "game-newer", "history", "safe-mode", "screen-safe", "no-start", "game-waits", "stick", "device-echo", "shoe-reader-lost",
		"shoe-ahead", "shoe-differs", "shoe-doubt", "shoe-overdrawn", "shoe-restarted", "shoe-trouble-shoe", "no-monitor", "no-screen", "no-space",
		"read-only", "storage-mmcblk0p2", "worn-mmcblk0", "too-hot", "under-voltage", "update-failed"} {
		if do := remedy(code); do == other || do == "" {
			t.Errorf("%s: %q", code, do)
		}
	}
	for range 20 { // the order of a map
		if do := remedy("keypad-unknown-pad"); !strings.HasPrefix(do, "unplug the foreign keyboard") {
			t.Fatal(do)
		}
	}
}
