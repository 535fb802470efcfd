// Package regular opens and reads regular files of a bounded size.
//
// The folders that the program reads may have been changed by somebody else. A caller may
// assume that no call waits for a pipe or a device, that none reads more than it was allowed
// to, and that a link in place of a file is refused where the file is one of ours.
package regular

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

const (
	// Most is enough for every small file of ours, in bytes.
	Most = 1 << 20
	// AnySize is for files of which only a part is read.
	AnySize = 1<<63 - 1
)

const flags = os.O_RDONLY | unix.O_NONBLOCK

// Open opens a file of at most so many bytes. It follows no link at the end of the path.
func Open(path string, most int64) (*os.File, error) {
	f, err := os.OpenFile(path, flags|unix.O_NOFOLLOW, 0)
	return check(f, err, path, most)
}

// OpenIn opens a file below a root as Open does.
func OpenIn(root *os.Root, name string, most int64) (*os.File, error) {
	f, err := root.OpenFile(name, flags|unix.O_NOFOLLOW, 0)
	return check(f, err, name, most)
}

// check closes what is not a file of at most so many bytes.
func check(f *os.File, err error, name string, most int64) (*os.File, error) {
	switch {
	case errors.Is(err, unix.ELOOP):
		return nil, fmt.Errorf("%s is a link: expected a file: remove it", name)
	case errors.Is(err, unix.ENXIO): // a socket
		return nil, fmt.Errorf("%s is not a file: remove it", name)
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a file: remove it", name)
	case info.Size() > most:
		err = fmt.Errorf("%s has %d bytes: expected at most %d", name, info.Size(), most)
	default:
		return f, nil
	}
	return nil, errors.Join(err, f.Close())
}

// Read reads a file as Open opens it.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path, most)
	return read(f, err, most)
}

// ReadIn reads a file below a root as OpenIn opens it.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := OpenIn(root, name, most)
	return read(f, err, most)
}

// OpenLinked opens a file that may be a link, which a person has put there.
func OpenLinked(path string, most int64) (*os.File, error) {
	f, err := os.OpenFile(path, flags, 0)
	return check(f, err, path, most)
}

// ReadLinked reads a file as OpenLinked opens it.
func ReadLinked(path string, most int64) ([]byte, error) {
	f, err := OpenLinked(path, most)
	return read(f, err, most)
}

// read reads at most so many bytes of a file, which may grow meanwhile, and closes it.
func read(f *os.File, err error, most int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	return text, errors.Join(err, f.Close())
}
