package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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

// Lock makes the folder if need be and takes its lock file with flock.
func (d Dir) Lock() (io.Closer, error) {
	if err := os.MkdirAll(string(d), 0o750); err != nil {
		return nil, err
	}
	if err := syncDir(filepath.Dir(string(d))); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(d.path(lockName), os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, err
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

// Create makes or empties a file.
func (d Dir) Create(name string) (File, error) {
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
