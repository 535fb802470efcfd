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

	"shoeboard/cmd/internal/datadir"
	"shoeboard/stats"
	"shoeboard/tracker/game"
	"shoeboard/tracker/regular"
	"shoeboard/tracker/strict"
)

// LastGood is the copy of the last configuration that was in force, in the data
// folder. It is used when the file on the boot partition cannot be.
const LastGood = "config.good.toml"

// Loaded is a configuration that can be used.
type Loaded struct {
	File    *File
	Path    string             // of the file that was read, "" when there is none
	Text    []byte             // of File; nil: the built-in defaults
	Fault   *stats.ConfigFault // why File is not Path; nil: Path is in force
	Ignored []string           // other files that are there and not read

	usual string // the data folder of a unit that names none; "": not known
}

// Source is where the configuration of a unit is looked for.
type Source struct {
	Root string       // folder that stands for "/"
	Log  *slog.Logger // of files that are ignored or refused
}

// paths returns where a file is looked for, the first before the second: the boot
// partition, which any computer can write, and the usual place.
func (s Source) paths() []string {
	return []string{filepath.Join(s.Root, "/boot/firmware/shoeboard.toml"),
		filepath.Join(s.Root, "/etc/shoeboard/shoeboard.toml")}
}

// Find returns the path that is in force, the first that is there, and those that are
// there too and are ignored. A path that cannot be examined is in force, so that it is
// not ignored silently.
func (s Source) Find() (inForce string, ignored []string) {
	for _, path := range s.paths() {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if inForce == "" {
			inForce = path
		} else {
			ignored = append(ignored, path)
		}
	}
	return inForce, ignored
}

// Read reads the configuration in force: the file at path, or without one
// the file that is found. When that is refused, empty, or gone, it returns the last good
// copy from the data folder, else the built-in defaults, and Fault says why.
// An error is a fault of the program's own rule packs.
func (s Source) Read(path, data string) (Loaded, error) {
	all, err := Packs()
	if err != nil {
		return Loaded{}, err
	}
	var ignored []string
	if path == "" {
		path, ignored = s.Find()
		for _, other := range ignored {
			s.Log.Warn("ignoring a configuration file: another takes precedence", "ignored", other, "in force", path)
		}
	}
	good, goodErr := readGood(s.goodPath(data), all)
	l, err := ReadFile(path, all)
	switch {
	case path == "" && (errors.Is(goodErr, fs.ErrNotExist) || errors.Is(goodErr, fs.ErrPermission)):
		return Loaded{File: Defaults()}, nil // a new unit, or a user who may not read the copy
	case path == "" && goodErr != nil:
		err = fmt.Errorf("no configuration file, and the saved copy is invalid: %s; "+
			"create one with \"shoeboard config init\"", FaultText(faultOf(s.goodPath(data), goodErr)))
	case path == "":
		err = fmt.Errorf("the configuration file is gone; \"sudo install -m 644 %s %s\" restores the saved copy, "+
			"\"shoeboard config init\" makes a new one", s.goodPath(data), s.paths()[1])
	case err == nil && len(bytes.TrimSpace(bytes.TrimPrefix(l.Text, byteOrderMark))) == 0 && goodErr == nil:
		err = strict.Errors{{File: path, Line: 1, Column: 1,
			Problem: "the file is empty", Expected: "the house's settings"}}
	case err == nil:
		l.Ignored, l.usual = ignored, filepath.Join(s.Root, Default().Data)
		return l, nil
	}
	s.Log.Error("configuration refused", "err", err)
	if goodErr != nil {
		good = Loaded{File: Defaults()}
	}
	good.Path, good.Fault, good.Ignored = path, faultOf(path, err), ignored
	return good, nil
}

// goodPath returns where the last good copy is kept. The path of the data folder
// may be in the very file that is refused: then it is the usual one.
func (s Source) goodPath(data string) string {
	if data == "" {
		data = filepath.Join(s.Root, Default().Data)
	}
	return filepath.Join(data, LastGood)
}

// ReadFile reads one file, whole or not at all.
func ReadFile(path string, all []*game.Pack) (Loaded, error) {
	text, err := readText(path)
	if err != nil {
		return Loaded{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	file, err := Read(path, text, all)
	return Loaded{File: file, Path: path, Text: text}, err
}

// readGood reads the last good copy. One that an older program accepted with fewer checks
// stays good enough.
func readGood(path string, all []*game.Pack) (Loaded, error) {
	text, err := readText(path)
	if err != nil {
		return Loaded{}, err
	}
	file, errs := parse(path, text, all, false)
	return Loaded{File: file, Path: path, Text: text}, errs.Err()
}

// kindOf names a thing that is in the place of a file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	}
	return "a device or a socket"
}

// readText reads a file up to the first byte that is too much.
func readText(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return nil, fmt.Errorf("%s is %s: remove it and put the file there", path, kindOf(info.Mode()))
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) { // the core is not root
		return nil, fmt.Errorf("%w: sudo chmod 644 %s", err, path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
}

// KeepGood saves a copy of a configuration that is in force, unless it is saved already. A
// reader finds the old one or the new one. Where the file names another data folder than
// the usual one, the usual one has a copy too: a refused file does not name a folder.
func (l Loaded) KeepGood(data string) error {
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
		return fmt.Errorf("the copy of the configuration cannot be saved: %w", err)
	}
	return nil
}

// keep writes the last good copy into a folder, as a file of the folder's owner:
// root's would be one that the core cannot read.
func keep(text []byte, folder string) error {
	path := filepath.Join(folder, LastGood)
	if old, err := regular.Read(path, strict.MaxBytes); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := renameio.WriteFile(path, text, 0o640); err != nil {
		return err
	}
	return datadir.GiveTo(path, folder)
}

// Hash returns the name of the configuration in force in a status line.
func (l Loaded) Hash() string {
	if l.Text == nil {
		return "defaults"
	}
	return l.File.Hash()
}
