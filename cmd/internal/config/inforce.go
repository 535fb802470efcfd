package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"shoeboard/stats"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// LastGood is the copy of the last configuration that was in force, in the data
// folder: what stands in when the file on the boot partition cannot be used.
const LastGood = "config.good.toml"

// InForce is a configuration that can be used.
type InForce struct {
	File  *File
	Path  string             // the file that was looked at, "" when there is none
	Text  []byte             // what File was read from; nil: the built-in defaults
	Fault *stats.ConfigFault // why another file stands in for Path; nil: Path is in force
	Over  []string           // other files that are there and not read

	usual string // the data folder of a unit that names none; "": not known
}

// Source is where the configuration of a unit is looked for.
type Source struct {
	Root string       // folder that stands for "/"
	Log  *slog.Logger // of what is passed over or refused
}

// Read reads the configuration in force: the file at path, or without one
// the file that is found. When that is refused, empty, or gone, the last good one
// from the data folder stands in, else the built-in defaults, and Fault says why.
// An error is a fault of the program's own rule packs.
func (s Source) Read(path, data string) (InForce, error) {
	all, err := Packs()
	if err != nil {
		return InForce{}, err
	}
	var also []string
	if path == "" {
		path, also = Find(s.Paths())
		for _, other := range also {
			s.Log.Warn("configuration passed over: another one is in force", "passed over", other, "in force", path)
		}
	}
	// what was in force under a program that looked less closely stays good enough
	good, goodErr := readFile(s.goodPath(data), all, false)
	l, err := ReadFile(path, all)
	switch {
	case path == "" && (errors.Is(goodErr, fs.ErrNotExist) || errors.Is(goodErr, fs.ErrPermission)):
		return InForce{File: Defaults()}, nil // a new unit, or who asks may not look
	case path == "" && goodErr != nil:
		err = fmt.Errorf("no configuration, and the last good one is of no use: %s; \"shoeboard config init\" begins anew", Told(faultOf(s.goodPath(data), goodErr)))
	case path == "":
		err = fmt.Errorf("no configuration: it was there before; \"sudo install -m 644 %s %s\" puts the last good one back, \"shoeboard config init\" begins anew", s.goodPath(data), s.Paths()[1])
	case err == nil && len(bytes.TrimSpace(bytes.TrimPrefix(l.Text, byteOrderMark))) == 0 && goodErr == nil:
		err = strict.Errors{{File: path, Line: 1, Column: 1, Problem: "the file is empty", Expected: "the house's settings"}}
	case err == nil:
		l.Over, l.usual = also, filepath.Join(s.Root, Default().Data)
		return l, nil
	}
	s.Log.Error("configuration refused", "err", err)
	if goodErr != nil {
		good = InForce{File: Defaults()}
	}
	good.Path, good.Fault, good.Over = path, faultOf(path, err), also
	return good, nil
}

// goodPath is where the last good configuration is kept. Where the data folder is
// may stand in the very file that is refused: then it is the usual one.
func (s Source) goodPath(data string) string {
	if data == "" {
		data = filepath.Join(s.Root, Default().Data)
	}
	return filepath.Join(data, LastGood)
}

// ReadFile reads one file, whole or not at all.
func ReadFile(path string, all []*game.Pack) (InForce, error) { return readFile(path, all, true) }

func readFile(path string, all []*game.Pack, together bool) (InForce, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return InForce{}, fmt.Errorf("the configuration cannot be read: %s is no file (%s): remove it and put the file there", path, kindOf(info.Mode()))
	}
	if err == nil && info.Size() > strict.MaxBytes {
		return InForce{}, strict.Errors{{File: path, Line: 1, Column: 1, Problem: fmt.Sprintf("the file has %d bytes", info.Size()),
			Expected: fmt.Sprintf("a configuration, which has at most %d", strict.MaxBytes)}}
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) { // the core is not root
		return InForce{}, fmt.Errorf("the configuration cannot be read: %w: sudo chmod 644 %s", err, path)
	}
	if err != nil {
		return InForce{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
	if err != nil {
		return InForce{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	file, errs := readAll(path, text, all, together)
	if len(errs) > 0 {
		return InForce{Path: path, Text: text}, errs
	}
	return InForce{File: file, Path: path, Text: text}, nil
}

// kindOf is what stands where a file should.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	}
	return "a device or a socket"
}

// KeepGood keeps a configuration that is in force, unless it is kept already. A reader
// finds the old one or the new one. Where the file says that the data folder is another
// than the usual one, the usual one has a copy too: a file that is refused says nothing.
func (l InForce) KeepGood(data string) error {
	if l.Text == nil || l.Fault != nil {
		return nil
	}
	err := os.MkdirAll(data, 0o750)
	if err == nil {
		err = keep(l.Text, data)
	}
	if _, none := os.Stat(l.usual); err == nil && none == nil && l.usual != data && l.File.Table("").Data == data {
		err = keep(l.Text, l.usual)
	}
	if err != nil {
		return fmt.Errorf("the last good configuration cannot be kept: %w", err)
	}
	return nil
}

// keep writes the last good configuration into a folder, as a file of the folder's owner:
// root's would be one that the core cannot read.
func keep(text []byte, folder string) error {
	path := filepath.Join(folder, LastGood)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := renameio.WriteFile(path, text, 0o640); err != nil {
		return err
	}
	return GiveTo(path, folder)
}

// Told is a fault of the configuration on one line, with its place.
func Told(f *stats.ConfigFault) string {
	switch {
	case f.Line == 0:
		return f.Text
	case f.Key == "":
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s = %s", f.File, f.Line, f.Key, f.Text)
}

// Hash names the configuration in force in a status line.
func (l InForce) Hash() string {
	if l.Text == nil {
		return "defaults"
	}
	return l.File.Hash()
}

func faultOf(path string, err error) *stats.ConfigFault {
	var errs strict.Errors
	if errors.As(err, &errs) && len(errs) > 0 {
		e := errs[0]
		return &stats.ConfigFault{File: e.File, Line: e.Line, Key: e.Key, Text: sentence(e)}
	}
	return &stats.ConfigFault{File: path, Text: err.Error()}
}

// sentence is an error without its place, which the board shows beside it.
func sentence(e strict.Error) string {
	text := e.Value
	for _, part := range []string{e.Problem, e.Expected} {
		if part == "" {
			continue
		}
		if part == e.Expected {
			part = "expected " + part
		}
		if text != "" {
			text += ", "
		}
		text += part
	}
	return text
}

// Paths are the places of a configuration below the root.
func (s Source) Paths() []string {
	var paths []string
	for _, path := range Paths() {
		paths = append(paths, filepath.Join(s.Root, path))
	}
	return paths
}
