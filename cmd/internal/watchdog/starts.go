package watchdog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"shoeboard/tracker/regular"
)

// FailedStarts is how many starts in a row must have failed for a safe start.
const FailedStarts = 3

// Starts counts the failed starts of a process whose run-time folder it names: a power
// cut is no failed start, because a boot empties the folder. Without a folder ("") it
// counts nothing, and no start is a safe one.
type Starts string

func (s Starts) file() string { return filepath.Join(string(s), "starts") }

// Begin counts this start and returns how many before it failed in a row. Where
// the count cannot be kept there is no safe mode, and the start goes on.
func (s Starts) Begin() (failed int, err error) {
	if s == "" {
		return 0, nil
	}
	text, err := regular.Read(s.file(), regular.Most)
	if err == nil {
		failed, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	failed = max(failed, 0)
	if err := os.WriteFile(s.file(), []byte(strconv.Itoa(failed+1)+"\n"), 0o640); err != nil {
		return failed, fmt.Errorf("failed starts are not counted: %w", err)
	}
	return failed, nil
}

// Healthy notes that this start is healthy.
func (s Starts) Healthy() error {
	if s == "" {
		return nil
	}
	if err := os.Remove(s.file()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
