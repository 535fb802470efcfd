package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/stats"
	"shoeboard/tracker/game"
	"shoeboard/tracker/strict"
)

// lastGood is the copy of the last configuration that was in force, in the data
// folder: what stands in when the file on the boot partition cannot be used.
const lastGood = "config.good.toml"

// loaded is a configuration that can be used.
type loaded struct {
	file  *config.File
	path  string             // the file that was looked at, "" when there is none
	text  []byte             // what file was read from; nil: the built-in defaults
	fault *stats.ConfigFault // why another file stands in for path; nil: path is in force
}

// readConfig reads the configuration in force: the file at path, or without one
// the file that is found. When that is refused, empty, or gone, the last good one
// from the data folder stands in, else the built-in defaults, and fault says why.
// An error is a fault of the program's own rule packs.
func (p *program) readConfig(path, data string) (loaded, error) {
	all, err := packs()
	if err != nil {
		return loaded{}, err
	}
	if path == "" {
		var also []string
		path, also = config.Find(p.configPaths())
		for _, other := range also {
			p.log.Warn("configuration passed over: another one is in force", "passed over", other, "in force", path)
		}
	}
	good, goodErr := readFile(p.goodPath(data), all)
	l, err := readFile(path, all)
	switch {
	case path == "" && goodErr != nil:
		return loaded{file: config.Defaults()}, nil // a new unit
	case path == "":
		err = fmt.Errorf("no configuration: it was there before; put it back, or begin anew with \"shoeboard config init\"")
	case err == nil && len(bytes.TrimSpace(l.text)) == 0 && goodErr == nil:
		err = strict.Errors{{File: path, Line: 1, Column: 1, Problem: "the file is empty", Expected: "the house's settings"}}
	case err == nil:
		return l, nil
	}
	p.log.Error("configuration refused", "err", err)
	if goodErr != nil {
		good = loaded{file: config.Defaults()}
	}
	good.path, good.fault = path, faultOf(path, err)
	return good, nil
}

// goodPath is where the last good configuration is kept. Where the data folder is
// may stand in the very file that is refused: then it is the usual one.
func (p *program) goodPath(data string) string {
	if data == "" {
		data = filepath.Join(p.root, config.Default().Data)
	}
	return filepath.Join(data, lastGood)
}

// readFile reads one file, whole or not at all.
func readFile(path string, all []*game.Pack) (loaded, error) {
	f, err := os.Open(path)
	if err != nil {
		return loaded{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
	if err != nil {
		return loaded{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	file, err := config.Read(path, text, all)
	return loaded{file: file, path: path, text: text}, err
}

// keepGood keeps a configuration that is in force, unless it is kept already. A
// reader finds the old one or the new one.
func (l loaded) keepGood(data string) error {
	if l.text == nil || l.fault != nil {
		return nil
	}
	path := filepath.Join(data, lastGood)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, l.text) {
		return nil
	}
	err := os.MkdirAll(data, 0o750)
	if err == nil {
		err = renameio.WriteFile(path, l.text, 0o640)
	}
	if err != nil {
		return fmt.Errorf("the last good configuration cannot be kept: %w", err)
	}
	return nil
}

// told is a fault of the configuration on one line, with its place.
func told(f *stats.ConfigFault) string {
	switch {
	case f.Line == 0:
		return f.Text
	case f.Key == "":
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s = %s", f.File, f.Line, f.Key, f.Text)
}

// hash names the configuration in force in a status line.
func (l loaded) hash() string {
	if l.text == nil {
		return "defaults"
	}
	return l.file.Hash()
}

// giveTo makes a file that root wrote belong to whom the folder belongs to, so
// that the core can read it.
func giveTo(path, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := ownerOf(folder)
	if err != nil {
		return err
	}
	return os.Lchown(path, uid, gid)
}

var errNoFile = errors.New("there is no configuration: make one with \"shoeboard config init\"")
