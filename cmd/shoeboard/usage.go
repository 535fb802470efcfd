package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/datadir"
	"shoeboard/cmd/internal/doctor"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/localapi"
)

// usageError marks a command line that would be wrong on any unit: the verb exits with
// exitUsage. What only this unit cannot do, as with a file that does not exist, is no
// such error.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// wrongUse returns a usageError: which value, and what is expected.
func wrongUse(format string, a ...any) error { return usageError{fmt.Errorf(format, a...)} }

// within expects a value of a flag or argument in a range.
func within[T int | float64](name string, v, low, high T) error {
	if !(v >= low && v <= high) { // NaN is in no range
		return wrongUse("%s %v: expected %v to %v", name, v, low, high)
	}
	return nil
}

// exitOf returns the exit code of a verb that ended with err.
func exitOf(err error) int {
	var wrong usageError
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

// socketFlag is the flag of the verbs that talk to a running core.
type socketFlag struct {
	Socket string `help:"Socket of the core; the default is the configuration's." type:"path" placeholder:"PATH"`
}

// client returns the client of the core.
func (f socketFlag) client(p *program, all *verbs) (localapi.Client, error) {
	return p.client(f.Socket, all.Config)
}

// dataFlag is the flag of the verbs that read the data folder.
type dataFlag struct {
	Data string `help:"Data folder; the default is the configuration's." type:"path" placeholder:"DIR"`
}

// exists expects the data folder that --data names to exist. That of the configuration
// need not exist yet.
func (f dataFlag) exists() error {
	if f.Data == "" {
		return nil
	}
	_, err := os.ReadDir(f.Data)
	return err
}

// jsonFlag is the flag of the verbs that can print JSON.
type jsonFlag struct {
	JSON bool `help:"Print JSON."`
}

// unitFlags are the flags of the verbs that examine the whole unit.
type unitFlags struct {
	jsonFlag
	dataFlag
	socketFlag
}

// collect reads the unit.
func (f unitFlags) collect(ctx context.Context, p *program, all *verbs) (*doctor.Unit, error) {
	if err := f.exists(); err != nil {
		return nil, err
	}
	return doctor.Collect(ctx, p.root, all.Config, f.Data, f.Socket)
}

// client returns the client of the core at socket, or without one at the configuration's.
func (p *program) client(socket, path string) (localapi.Client, error) {
	p.reported = true
	if socket != "" {
		return localapi.Client{Path: socket}, nil
	}
	l, err := p.readConfig(path, "")
	if err != nil {
		return localapi.Client{}, err
	}
	return localapi.Client{Path: l.File.Table("").Socket}, nil
}

// checkTable expects the number of a table where one is given.
func checkTable(number string) error {
	if err := datadir.CheckTable(number); number != "" && err != nil {
		return usageError{err}
	}
	return nil
}

// substituted returns a sentence that names what was used instead of a refused
// configuration.
func substituted(l config.Loaded) string {
	instead := "the last good copy is in force (" + l.Hash() + ")"
	if l.Text == nil {
		instead = "the built-in settings are in force"
	}
	return fmt.Sprintf("the configuration is refused, %s: %s", instead, config.FaultText(l.Fault))
}
