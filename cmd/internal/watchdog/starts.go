package watchdog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// FailedStarts is how many starts in a row must have failed for a safe start.
const FailedStarts = 3

// Starts counts the starts that did not come to anything. The file is in the
// run-time folder: a power cut is no failed start and a boot begins anew.
type Starts struct{ path string }

// StartsBeside are the starts of the core on that socket, kept beside it.
func StartsBeside(socket string) Starts {
	return Starts{filepath.Join(filepath.Dir(socket), "starts")}
}

// StartsIn are the starts of a process whose run-time folder this is. Without a folder
// nothing is counted: no start is a safe one.
func StartsIn(folder string) Starts {
	if folder == "" {
		return Starts{}
	}
	return Starts{filepath.Join(folder, "starts")}
}

// Begin counts this start and returns how many before it failed in a row. Where
// the count cannot be kept there is no safe mode, and the start goes on.
func (s Starts) Begin() (failed int, err error) {
	if s.path == "" {
		return 0, nil
	}
	text, err := os.ReadFile(s.path)
	if err == nil {
		failed, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	failed = max(failed, 0)
	if err := os.WriteFile(s.path, []byte(strconv.Itoa(failed+1)+"\n"), 0o640); err != nil {
		return failed, fmt.Errorf("failed starts are not counted: %w", err)
	}
	return failed, nil
}

// Well says that this start has come to something.
func (s Starts) Well() error {
	if s.path == "" {
		return nil
	}
	if err := os.Remove(s.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
