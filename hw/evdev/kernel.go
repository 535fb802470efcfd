package evdev

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"shoeboard/hw"
	"shoeboard/hw/linux"
)

// hostWord is the size of a C long of this program: the kernel writes records in the form of
// the program that reads, so a 32-bit program on a 64-bit kernel gets the short one.
const hostWord = wordSize(unsafe.Sizeof(uintptr(0)))

// Kernel is the Host of this machine. Dir is the folder of the nodes, /dev/input.
type Kernel struct{ Dir string }

var _ Host = Kernel{}

// Nodes lists the event nodes. A folder that is not there has none: the kernel
// removes it with the last device.
func (k Kernel) Nodes() ([]string, error) {
	entries, err := os.ReadDir(k.Dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "event") {
			paths = append(paths, filepath.Join(k.Dir, e.Name()))
		}
	}
	return paths, nil
}

// Open opens a node for reading.
func (k Kernel) Open(path string) (Device, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	// Non-blocking, so that the runtime's poller waits and Close ends a Read.
	return &node{os.NewFile(uintptr(fd), path), newDecoder(hostWord)}, nil
}

// Now reads the boot-time clock.
func (k Kernel) Now() time.Duration { return linux.BootTime() }

// node is an event device of the kernel.
type node struct {
	*os.File
	decoder *decoder
}

// Records waits for the next records.
func (n *node) Records() ([]Record, error) {
	for buf := make([]byte, 64*24); ; { // the kernel's whole buffer at once
		size, err := n.Read(buf)
		if records := n.decoder.feed(buf[:size]); len(records) > 0 || err != nil {
			return records, err
		}
	}
}

// The ioctl numbers of the kernel's input.h, equal on amd64, arm and arm64.
const (
	iocRead      = 2 << 30
	iocWrite     = 1 << 30
	eviocgID     = iocRead | 8<<16 | 'E'<<8 | 0x02
	eviocgName   = iocRead | 'E'<<8 | 0x06 // with the buffer's length
	eviocgPhys   = iocRead | 'E'<<8 | 0x07
	eviocgKey    = iocRead | 'E'<<8 | 0x18
	eviocgBitKey = iocRead | 'E'<<8 | (0x20 + evKey)
	eviocGrab    = iocWrite | 4<<16 | 'E'<<8 | 0x90
	eviocsClock  = iocWrite | 4<<16 | 'E'<<8 | 0xa0
	keyBytes     = 0x300 / 8 // KEY_CNT bits
)

// Identity reads how the device describes itself.
func (n *node) Identity() (Identity, error) {
	id, err := n.get(eviocgID, 8) // bus, vendor, product, version
	if err != nil {
		return Identity{}, err
	}
	name, err := n.get(eviocgName, 256)
	if err != nil {
		return Identity{}, err
	}
	phys, err := n.get(eviocgPhys, 256)
	if err != nil && err != unix.ENOENT { // a device without a port has none
		return Identity{}, err
	}
	keys, err := n.get(eviocgBitKey, keyBytes)
	if err != nil {
		return Identity{}, err
	}
	return identity(id, name, phys, keys), nil
}

// Grab sets the clock and grabs the device. The clock comes first, because the
// kernel drops what is queued when it changes.
func (n *node) Grab() error {
	return linux.Control(n.File, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, eviocsClock, unix.CLOCK_BOOTTIME); err != nil {
			return fmt.Errorf("boot-time clock refused: %w", err)
		}
		return unix.IoctlSetInt(fd, eviocGrab, 1)
	})
}

// Held returns the codes of the keys that are down.
func (n *node) Held() ([]uint16, error) {
	bits, err := n.get(eviocgKey, keyBytes)
	return codes(bits), err
}

// get does an ioctl that fills a buffer of size bytes.
func (n *node) get(request uintptr, size int) ([]byte, error) {
	buf := make([]byte, size)
	request |= uintptr(size&0x3fff) << 16
	return buf, linux.Ioctl(n.File, request, unsafe.Pointer(&buf[0]))
}

// watched are the changes that matter: a node comes, udev gives us the right to open it, it
// goes.
const watched = unix.IN_CREATE | unix.IN_ATTRIB | unix.IN_DELETE | unix.IN_MOVED_TO

// Watch signals when something in the folder came, went or changed its rights.
func (k Kernel) Watch(ctx context.Context) <-chan struct{} {
	changes := make(chan struct{}, 1)
	go func() {
		defer close(changes)
		hw.Keep(ctx, func() error { return watchFolder(ctx, k.Dir, changes) }, func(error) {})
	}()
	return changes
}

// watchFolder signals once for what came before the watch, and once for the first change
// after; then it returns. It fails while the folder is not there.
func watchFolder(ctx context.Context, dir string, changes chan<- struct{}) error {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), "inotify")
	defer f.Close()
	if _, err := unix.InotifyAddWatch(fd, dir, watched); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { f.Close() })
	defer stop()
	signal(changes)
	_, err = f.Read(make([]byte, 64*(unix.SizeofInotifyEvent+unix.NAME_MAX+1)))
	signal(changes)
	return err
}

func signal(changes chan<- struct{}) {
	select {
	case changes <- struct{}{}:
	default: // one is waiting already
	}
}
