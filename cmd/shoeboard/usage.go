package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"shoeboard/tracker/journal"
)

// useError marks a command line that would be wrong on any unit: the verb exits with
// exitUsage. What only this unit cannot do, as with a file that does not exist, is no
// such error.
type useError struct{ error }

func (e useError) Unwrap() error { return e.error }

// wrongUse returns a useError: which value, and what is expected.
func wrongUse(format string, a ...any) error { return useError{fmt.Errorf(format, a...)} }

// within expects a value of a flag or argument in a range.
func within[T int | float64](name string, v, low, high T) error {
	if !(v >= low && v <= high) { // NaN is in no range
		return wrongUse("%s %v: expected %v to %v", name, v, low, high)
	}
	return nil
}

// exitOf returns the exit code of a verb that ended with err.
func exitOf(err error) int {
	var wrong useError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &wrong):
		return exitUsage
	}
	return exitFailed
}

// parseError returns the error of a command line, with the verb that has its help. A file
// that does not exist is not the command line's fault.
func parseError(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	verb := "shoeboard"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		for _, step := range parse.Context.Path {
			if step.Command != nil {
				verb = step.Command.FullPath()
			}
		}
	}
	return wrongUse("%w (%s --help)", err, verb)
}

// complain prints why a verb failed, one line for each reason, and what to do about a
// missing permission or a record that a core has open.
func complain(out io.Writer, err error) {
	text := err.Error()
	switch {
	case strings.Contains(text, "sudo"):
	case errors.Is(err, journal.ErrInUse):
		text += ": if that is the core: sudo systemctl stop shoeboard"
	case errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0:
		text += ": use sudo"
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(out, "shoeboard:", strings.TrimSuffix(line, "\n"))
	}
}

// checkedWriter remembers that it failed, so that a verb whose output is lost fails.
type checkedWriter struct {
	io.Writer
	failed error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if err != nil && c.failed == nil {
		c.failed = err
	}
	return n, err
}

// writeJSON writes v as JSON that a person can read too.
func writeJSON(out io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := out.Write(b.Bytes())
	return err
}
