package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"shoeboard/tracker/journal"
)

// useError is of a command line that would be wrong at any unit: the verb exits with
// exitUsage. What only this unit cannot do, a file that is not there included, is no
// such error.
type useError struct{ error }

func (e useError) Unwrap() error { return e.error }

// wrongUse is a useError: which value, and what is expected.
func wrongUse(format string, a ...any) error { return useError{fmt.Errorf(format, a...)} }

// within expects a value of a flag or argument in a range.
func within[T int | float64](name string, v, low, high T) error {
	if !(v >= low && v <= high) { // NaN is in no range
		return wrongUse("%s %v: expected %v to %v", name, v, low, high)
	}
	return nil
}

// exitOf is the exit code of a verb that ended with err.
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

// parsed is what is wrong with a command line in words, and where its help is. A file
// that is named and not there is not the command line's fault.
func parsed(err error) error {
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
	return wrongUse("%s (%s --help)", plainly(err.Error()), verb)
}

// plainly says in our words what the parser says in a programmer's.
func plainly(text string) string {
	for _, of := range []struct{ theirs, ours string }{
		{`expected \w+ value but got "EOL" \(<EOL>\)`, `expected a value`},
		{`expected \w+ value but got ("[^"]*") \(.*`, `expected a value, got $1`},
		{`expected a valid \d+ bit u?int but got ("[^"]*")`, `expected a whole number, got $1`},
		{`expected a float but got ("[^"]*").*`, `expected a number, got $1`},
		{`expected duration but got ("[^"]*").*`, `expected a time such as 1.5s, got $1`},
		{`,"" but got`, ` but got`},
		{`^\[(<\w+>)\]`, `$1`},
	} {
		text = regexp.MustCompile(of.theirs).ReplaceAllString(text, of.ours)
	}
	return text
}

// besides is the name of the file that renameio writes beside the one that it is to
// become; nobody who named that one knows of it.
var besides = regexp.MustCompile(`/\.([^/\s]*?)\d{15,20}:`)

// complain says why a verb failed, one line for each reason. Who was kept out is told
// how to get in, by the system or by a core that has the record.
func complain(out io.Writer, err error) {
	text := besides.ReplaceAllString(err.Error(), "/$1:")
	switch {
	case strings.Contains(text, "sudo"):
	case errors.Is(err, journal.ErrInUse):
		text += ": if that is the core, sudo systemctl stop shoeboard"
	case errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0:
		text += ": use sudo"
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(out, "shoeboard:", strings.TrimSuffix(line, "\n"))
	}
}

// careful is an output that remembers that it failed, so that a verb whose words went
// nowhere does not end well.
type careful struct {
	io.Writer
	failed error
}

func (c *careful) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if err != nil && c.failed == nil {
		c.failed = err
	}
	return n, err
}
