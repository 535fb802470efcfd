package localapi

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// errServing says that another core serves on the socket already.
var errServing = errors.New("another core is already serving here")

const (
	// longestPath limits the path of a Unix socket: sun_path holds 108 bytes with the
	// closing zero.
	longestPath = 107
	// tempSuffix ends the name under which a socket is made ready.
	tempSuffix = ".new"
)

// Listen makes the Unix socket path with mode 0660 and listens on it. Its folder
// must exist. A socket file that a dead core left is replaced; one on which
// somebody listens stays (errServing), and so does anything that is not a socket.
// Closing the listener removes the file.
//
// The socket is made under another name and renamed when it listens and has its
// mode, so that nobody ever opens one that is half made. The lock on the folder
// keeps two cores that start at once from each removing the other's.
func Listen(path string) (net.Listener, error) {
	if len(path)+len(tempSuffix) > longestPath {
		return nil, fmt.Errorf("socket %s: the path has %d bytes, expected at most %d",
			path, len(path), longestPath-len(tempSuffix))
	}
	unlock, err := lockFolder(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("socket %s: %w", path, err)
	}
	defer unlock()
	if err := errors.Join(removeStale(path), removeStale(path+tempSuffix)); err != nil {
		return nil, fmt.Errorf("socket %s: %w", path, err)
	}
	l, err := bind(path)
	if err != nil {
		return nil, fmt.Errorf("socket %s: %w", path, err)
	}
	return l, nil
}

// socket is a listener that removes its file, if that is still its own.
type socket struct {
	*net.UnixListener
	path string
	file os.FileInfo
}

func bind(path string) (*socket, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path + tempSuffix, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	err = os.Chmod(path+tempSuffix, 0o660)
	if err == nil {
		err = os.Rename(path+tempSuffix, path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(path+tempSuffix))
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &socket{UnixListener: l, path: path, file: info}, nil
}

// Close removes the file first: as long as it is there it is listened on, so
// another core leaves it alone and it cannot have become another's between.
func (s *socket) Close() error {
	var err error
	if info, e := os.Lstat(s.path); e == nil && os.SameFile(info, s.file) {
		err = os.Remove(s.path)
	}
	return errors.Join(err, s.UnixListener.Close())
}

// removeStale removes the file of a socket that nobody listens on. Only a refused
// connection proves that; any other answer may be a core that is busy.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is there and is not a socket: move it away, or set another path", filepath.Base(path))
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		c.Close()
		return errServing
	}
	if !errors.Is(err, unix.ECONNREFUSED) {
		return fmt.Errorf("%w, or hangs: %w", errServing, err)
	}
	return os.Remove(path)
}

// lockFolder holds the folder's lock until unlock. The lock goes with the process.
func lockFolder(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder %s does not exist: make it first (systemd: RuntimeDirectory=)", dir)
	}
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w, or just starting: the folder %s is locked", errServing, dir)
		}
		return nil, os.NewSyscallError("flock "+dir, err)
	}
	return func() { f.Close() }, nil
}
