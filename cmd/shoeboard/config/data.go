package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
)

// TableNumber is the one fact of a unit: given by the flag and remembered in the
// data folder, else read from there, else 1.
func TableNumber(flag, data string) (string, error) {
	file := filepath.Join(data, "table")
	if flag != "" {
		return flag, WriteTable(data, flag)
	}
	stored, err := os.ReadFile(file)
	if err != nil {
		return "1", nil
	}
	if number := strings.TrimSpace(string(stored)); number != "" {
		return number, nil
	}
	return "1", nil
}

// WriteTable remembers the table's number, whole or not at all.
func WriteTable(dir, number string) error {
	path := filepath.Join(dir, "table")
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
