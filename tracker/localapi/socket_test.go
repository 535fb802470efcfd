package localapi

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

func TestListenMakesAndRemovesTheSocket(t *testing.T) {
	path := socketPath(t)
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := info.Mode(), os.ModeSocket|0o660; got != want {
		t.Errorf("mode %v, want %v", got, want)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestListenReplacesWhatADeadCoreLeft(t *testing.T) {
	path := socketPath(t)
	for _, name := range []string{path, path + tempSuffix} {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestListenLeavesAServingCoreAlone(t *testing.T) {
	path := socketPath(t)
	first, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, err = Listen(path)
	if !errors.Is(err, errServing) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want errServing with the path", err)
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the first core is no longer reached: %v", err)
	}
	c.Close()
}

func TestListenDoesNotBreakIntoAnothersStart(t *testing.T) {
	path := socketPath(t)
	unlock, err := lockFolder(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path); !errors.Is(err, errServing) || !strings.Contains(err.Error(), "locked") {
		t.Errorf("error %v, want errServing because of the lock", err)
	}
	unlock()
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// A core whose queue of connections is full refuses nobody, and must not be taken
// for dead.
func TestListenLeavesABusyCoreAlone(t *testing.T) {
	path := socketPath(t)
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: path}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	for { // nobody accepts
		c, err := net.Dial("unix", path)
		if errors.Is(err, unix.EAGAIN) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if _, err := Listen(path); !errors.Is(err, errServing) {
		t.Errorf("error %v, want errServing", err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("its socket was removed: %v", err)
	}
}

func TestListenRefuses(t *testing.T) {
	dir := filepath.Dir(socketPath(t))
	plain := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(plain, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(plain, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, says string }{
		{"a file", plain, "is not a socket"},
		{"a link", link, "is not a socket"},
		{"no folder", filepath.Join(dir, "none", "core.sock"), "make it first"},
		{"too long", filepath.Join(dir, strings.Repeat("x", 120)), "expected at most 103"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Listen(c.path)
			if err == nil {
				l.Close()
				t.Fatal("was allowed")
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	if data, err := os.ReadFile(plain); err != nil || string(data) != "mine" {
		t.Errorf("the file was touched: %q, %v", data, err)
	}
}

func TestCloseLeavesAnothersSocket(t *testing.T) {
	path := socketPath(t)
	first, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	// Someone has moved the socket away by hand and started a second core.
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	second, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the second core's socket went with the first: %v", err)
	}
}

func TestOfManyCoresStartingAtOnceOneServes(t *testing.T) {
	path := socketPath(t)
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	var all sync.WaitGroup
	var serving atomic.Int32
	var won net.Listener
	for range 16 {
		all.Go(func() {
			l, err := Listen(path)
			if err == nil {
				serving.Add(1)
				won = l
			} else if !errors.Is(err, errServing) {
				t.Errorf("loser was told %v", err)
			}
		})
	}
	all.Wait()
	if serving.Load() != 1 {
		t.Fatalf("%d cores serve", serving.Load())
	}
	defer won.Close()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
