package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
)

// tableFile holds the one fact of a unit in its data folder: which table it stands at.
const tableFile = "table"

// TableNumber is the number of the unit's table as its data folder remembers it, and 1
// where nobody has given any. One that cannot be read, or is none, is an error and never
// table 1: the posted limits hang on it.
func TableNumber(data string) (string, error) {
	path := filepath.Join(data, tableFile)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return "", fmt.Errorf("the table's number is not known: %s is no file (%s): shoeboard config table puts it right", path, kindOf(info.Mode()))
	}
	stored, err := os.ReadFile(path)
	switch number := strings.TrimSpace(string(stored)); {
	case errors.Is(err, fs.ErrNotExist):
		return "1", nil
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("the table's number cannot be read (sudo?): %w", err)
	case err != nil:
		return "", fmt.Errorf("the table's number cannot be read: %w", err)
	case !tableName(number):
		return "", fmt.Errorf("the table's number is not known: %s has %.20q, expected %s", path, number, tableNames)
	default:
		return number, nil
	}
}

// Numbered says whether somebody has given the unit a table's number.
func Numbered(data string) bool {
	_, err := os.Stat(filepath.Join(data, tableFile))
	return !errors.Is(err, fs.ErrNotExist)
}

// CheckTable says that number is none that a table can have.
func CheckTable(number string) error {
	if !tableName(number) {
		return fmt.Errorf("table %q: expected %s", number, tableNames)
	}
	return nil
}

// WriteTable remembers the table's number, whole or not at all.
func WriteTable(dir, number string) error {
	if err := CheckTable(number); err != nil {
		return err
	}
	path := filepath.Join(dir, tableFile)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if err := renameio.WriteFile(path, []byte(number+"\n"), 0o640); err != nil {
		return fmt.Errorf("the table's number cannot be kept (sudo?): %w", err)
	}
	return GiveTo(path, dir)
}

// OwnerOf says whose a file is.
func OwnerOf(path string) (uid, gid int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, fmt.Errorf("%s: the system does not say whose it is", path)
	}
	return int(s.Uid), int(s.Gid), nil
}

// GiveTo makes a file that root wrote belong to whom the folder belongs to, so
// that the core can read it.
func GiveTo(path, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := OwnerOf(folder)
	if err != nil {
		return err
	}
	return os.Lchown(path, uid, gid)
}

// JournalDir is the record's folder in a data folder.
func JournalDir(data string) string { return filepath.Join(data, "journal") }
