package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/tracker/regular"
)

const (
	lockName    = "lock"
	maxFile     = 64 << 20 // no segment comes near; a larger file is not read to its end
	sectorBytes = 4096     // what is given up around a place that cannot be read
)

// Dir is a folder of the real file system.
type Dir string

func (d Dir) path(name string) string { return filepath.Join(string(d), name) }

// Lock makes the folder if need be and takes its lock file with flock. Where the medium takes
// nothing it locks what there is: what can be read of the record is wanted all the same.
func (d Dir) Lock() (io.Closer, error) {
	err := d.makeFolder()
	var f *os.File
	if err == nil {
		err = d.clearLock()
	}
	if err == nil {
		f, err = os.OpenFile(d.path(lockName), os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o640)
	}
	if isStorage(err) {
		f, err = d.openUnwritable()
	}
	if f == nil || err != nil {
		return nothing{}, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w (%s)", ErrInUse, d.path(lockName))
		}
		return nil, &os.PathError{Op: "flock", Path: d.path(lockName), Err: err}
	}
	return f, nil
}

// clearLock puts aside what is in the place of the lock and is no file: nobody holds that.
func (d Dir) clearLock() error {
	info, err := os.Lstat(d.path(lockName))
	if err != nil || info.Mode().IsRegular() {
		return nil // opening it tells what is wrong
	}
	return os.Rename(d.path(lockName), d.path(fmt.Sprintf("%s.damaged-%d", lockName, time.Now().UnixNano())))
}

// makeFolder makes the folder and its name durable.
func (d Dir) makeFolder() error {
	if err := os.MkdirAll(string(d), 0o750); err != nil {
		return err
	}
	return syncDir(filepath.Dir(string(d)))
}

// isStorage reports whether an error says that the medium takes nothing: it is read-only,
// full, broken or missing.
func isStorage(err error) bool {
	for _, cause := range []error{unix.EROFS, unix.ENOSPC, unix.EDQUOT, unix.EIO, unix.ENOENT, unix.ENOTDIR} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// openUnwritable opens the lock of a folder in which nothing can be made, or the folder
// itself; nil when there is neither, so that nobody can have it in use.
func (d Dir) openUnwritable() (*os.File, error) {
	for _, path := range []string{d.path(lockName), string(d)} {
		f, err := os.Open(path)
		if err == nil || !isStorage(err) {
			return f, err
		}
	}
	return nil, nil
}

// nothing is a lock on a folder that is not there.
type nothing struct{}

// Close does nothing.
func (nothing) Close() error { return nil }

// listed is how many names are read at a time: five years of a table are 54,000 files.
const listed = 1000

// List names the plain files of the folder; a folder that is missing is empty.
func (d Dir) List() ([]string, error) {
	f, err := os.Open(string(d))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	var names []string
	for {
		found, err := f.ReadDir(listed)
		for _, e := range found {
			if e.Type().IsRegular() {
				names = append(names, e.Name())
			}
		}
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Read reads around places that the medium refuses, 4096 bytes at a time, so
// that one bad sector does not cost the shoe.
func (d Dir) Read(name string) ([]byte, error) {
	f, err := regular.Open(d.path(name), regular.AnySize)
	if err != nil {
		if info, err2 := os.Stat(d.path(name)); err2 == nil {
			return make([]byte, min(info.Size(), maxFile)), err
		}
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := readAround(f, int(min(info.Size(), maxFile)))
	if info.Size() > maxFile {
		err = errors.Join(err, fmt.Errorf("%s: %d bytes are too many, the first %d were read",
			d.path(name), info.Size(), maxFile))
	}
	return data, err
}

func readAround(f io.ReaderAt, size int) (data []byte, refused error) {
	data = make([]byte, size)
	for at := 0; at < len(data); {
		n, err := f.ReadAt(data[at:], int64(at))
		at += n
		if errors.Is(err, io.EOF) {
			return data[:at], refused
		}
		if err != nil {
			refused = err
			at = min((at/sectorBytes+1)*sectorBytes, len(data))
		}
	}
	return data, refused
}

// Create makes or empties a file, in a folder that may have been missing at the start.
func (d Dir) Create(name string) (File, error) {
	if _, err := os.Stat(string(d)); errors.Is(err, os.ErrNotExist) {
		if err := d.makeFolder(); err != nil {
			return nil, err
		}
	}
	return d.open(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
}

// Open opens a file that exists.
func (d Dir) Open(name string) (File, error) { return d.open(name, os.O_RDWR) }

func (d Dir) open(name string, flags int) (File, error) {
	f, err := os.OpenFile(d.path(name), flags, 0o640)
	if err != nil {
		return nil, err
	}
	return dirFile{f}, nil
}

// Rename renames within the folder.
func (d Dir) Rename(from, to string) error { return os.Rename(d.path(from), d.path(to)) }

// SyncDir syncs the folder itself.
func (d Dir) SyncDir() error { return syncDir(string(d)) }

func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// dirFile is an os.File with fdatasync, which leaves out times that nobody
// needs and so costs one flush instead of two.
type dirFile struct{ *os.File }

func (f dirFile) Datasync() error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
	}
}
