package update

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"
)

// lock keeps others from the folder until it is closed: a package that was checked must
// be the one that is installed, whatever is asked for on the keypad and over SSH at once.
func (u *Updater) lock() (io.Closer, error) {
	f, err := os.OpenFile(u.file("lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another update is being done: wait until it has ended (%w)", err), f.Close())
	}
	return f, nil
}

// copyTo copies a file, whole or not at all, through no more memory than it takes.
func copyTo(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := renameio.NewPendingFile(to, renameio.WithPermissions(0o600), renameio.WithTempDir(filepath.Dir(to)))
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Cleanup())
	}
	return out.CloseAtomicallyReplace()
}

// making is how a folder begins in which a package is packed.
const making = "making"

// tidy takes away what a power cut has left half made. The caller holds the lock.
func (u *Updater) tidy() error { return removeAll(u.dir, making+"*", ".*", "new.deb*") }

// fetched is how a folder begins for a package that comes from a stick.
const fetched = "stick"

// Fetching makes a folder below root for a package that has yet to be checked; the caller
// removes it. Only the helper of the keypad's menu may have one, and it has one at a time.
func Fetching(root string) (dir string, err error) {
	return os.MkdirTemp(filepath.Join(root, Folder), fetched)
}

// Unfetch takes away what Fetching has made before the power was cut.
func Unfetch(root string) error { return removeAll(filepath.Join(root, Folder), fetched+"*") }

// removeAll removes what has such names in a folder.
func removeAll(dir string, patterns ...string) (err error) {
	for _, pattern := range patterns {
		left, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are right
		for _, path := range left {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}
