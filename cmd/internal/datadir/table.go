// Package datadir knows the data folder of a unit: which table it is of, where the record
// is, and whose files are in it.
//
// A caller may assume that a table's number which cannot be read is an error and never
// table 1, for the posted limits hang on it, and that root leaves no file of its own in
// the folder of another user.
package datadir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/google/renameio/v2"

	"shoeboard/tracker/history"
	"shoeboard/tracker/journal"
	"shoeboard/tracker/regular"
)

// tableFile holds the number of the unit's table.
const tableFile = "table"

// Journal returns the folder of the record.
func Journal(data string) string { return filepath.Join(data, "journal") }

// ReadTable returns the number of the unit's table as its data folder has it, "" where
// nobody has given any: the unit is table 1 then.
func ReadTable(data string) (string, error) {
	path := filepath.Join(data, tableFile)
	stored, err := regular.Read(path, regular.Most)
	number := strings.TrimSpace(string(stored))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("the table's number cannot be read (sudo?): %w", err)
	case err != nil:
		return "", fmt.Errorf("the table's number cannot be read: %w: shoeboard config table puts it right", err)
	case !isTable(number):
		return "", fmt.Errorf("the table's number is not known: %s has %.20q, expected %s", path, number, tableForm)
	}
	return number, nil
}

// TableOf returns the table that a data folder is of: as the folder says; where that
// cannot be read as the record said last; "?" where there is neither. The error says why
// the folder does not say.
func TableOf(data string) (number string, err error) {
	if number, err = ReadTable(data); err == nil {
		return cmp.Or(number, "1"), nil
	}
	if found, err := journal.Look(journal.Dir(Journal(data))); err == nil { // else the core tells when it opens it
		state, _ := history.Restore(found)
		number = state.Settings.Table
	}
	if !isTable(number) {
		number = "?" // the record may be another's
	}
	return number, err
}

const tableForm = "up to 8 digits and letters"

func isTable(name string) bool {
	other := func(r rune) bool { return r > 'z' || !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return name != "" && len(name) <= 8 && !strings.ContainsFunc(name, other)
}

// CheckTable returns an error for a number that no table can have.
func CheckTable(number string) error {
	if !isTable(number) {
		return fmt.Errorf("table %q: expected %s", number, tableForm)
	}
	return nil
}

// WriteTable keeps the table's number, whole or not at all, unless it is kept already.
func WriteTable(data, number string) error {
	if err := CheckTable(number); err != nil {
		return err
	}
	if kept, err := ReadTable(data); err == nil && kept == number {
		return nil
	}
	if err := os.MkdirAll(data, 0o750); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	path := filepath.Join(data, tableFile)
	if err := renameio.WriteFile(path, []byte(number+"\n"), 0o640); err != nil {
		return fmt.Errorf("the table's number cannot be kept (sudo?): %w", err)
	}
	return GiveTo(path, data)
}
