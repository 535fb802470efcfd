//go:build guest

package guest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command has the bench do something; see module/control.c for what.
func command(t *testing.T, format string, a ...any) {
	t.Helper()
	text := fmt.Sprintf(format, a...)
	if err := os.WriteFile("/dev/shoeboard-bench", []byte(text), 0); err != nil {
		t.Fatalf("bench: %s: %v", text, err)
	}
}

// state is a line of what the bench says of itself, without its first word.
func state(t *testing.T, word string) string {
	t.Helper()
	text, err := os.ReadFile("/dev/shoeboard-bench")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), word+" "); ok {
			return rest
		}
	}
	t.Fatalf("the bench says nothing of %s:\n%s", word, text)
	return ""
}

func count(t *testing.T, word string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(state(t, word), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// setKey moves the key "r1c2" of a grid.
func setKey(t *testing.T, grid int, pos string, down bool) {
	t.Helper()
	var row, col, level int
	if _, err := fmt.Sscanf(pos, "r%dc%d", &row, &col); err != nil {
		t.Fatal(err)
	}
	if down {
		level = 1
	}
	command(t, "key %d %d %d %d", grid, row, col, level)
}

// atRest puts the bench as it was, with all keys up and everything there.
func atRest(t *testing.T) {
	t.Helper()
	for grid := 1; grid <= 2; grid++ {
		command(t, "bounce %d 0", grid)
		command(t, "diodes %d 0", grid)
		for n := 1; n <= 8; n++ {
			command(t, "ground %d %d 0", grid, n)
			for col := 1; col <= 8; col++ {
				command(t, "key %d %d %d 0", grid, n, col)
			}
		}
	}
	for _, c := range []string{"lines 1", "chip 0", "gone 0", "nak 0", "hang 0", "wire 0", "fail 0"} {
		command(t, "%s", c)
	}
}

// bus is the path of the bench's I2C bus, whose number is anybody's.
func bus(t *testing.T) string {
	t.Helper()
	names, _ := filepath.Glob("/sys/class/i2c-dev/*/name")
	for _, path := range names {
		if text, _ := os.ReadFile(path); strings.TrimSpace(string(text)) == "shoeboard-bench" {
			return "/dev/" + filepath.Base(filepath.Dir(path))
		}
	}
	t.Fatal("no I2C bus of the bench among ", names)
	return ""
}
