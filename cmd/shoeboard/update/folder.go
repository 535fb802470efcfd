package update

import (
	"errors"
	"fmt"
	"io"
	"os"

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
	out, err := renameio.NewPendingFile(to, renameio.WithPermissions(0o600))
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Cleanup())
	}
	return out.CloseAtomicallyReplace()
}
