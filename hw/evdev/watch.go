package evdev

import (
	"context"
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"
)

// watched are the changes that matter: a node comes, udev gives us the right to
// open it, it goes.
const watched = unix.IN_CREATE | unix.IN_ATTRIB | unix.IN_DELETE | unix.IN_MOVED_TO

// watchFolder signals changes of dir until ctx ends or the folder is removed.
func watchFolder(ctx context.Context, dir string, changes chan<- struct{}) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return
	}
	f := os.NewFile(uintptr(fd), "inotify")
	defer f.Close()
	if _, err := unix.InotifyAddWatch(fd, dir, watched); err != nil {
		return
	}
	stop := context.AfterFunc(ctx, func() { f.Close() })
	defer stop()
	signal(changes) // whatever came before the watch stood
	buf := make([]byte, 64*(unix.SizeofInotifyEvent+unix.NAME_MAX+1))
	for {
		n, err := f.Read(buf)
		if err != nil {
			return
		}
		signal(changes)
		if removed(buf[:n]) {
			return
		}
	}
}

func signal(changes chan<- struct{}) {
	select {
	case changes <- struct{}{}:
	default: // one is waiting already
	}
}

// removed looks through inotify events for the end of the watch.
func removed(b []byte) bool {
	for len(b) >= unix.SizeofInotifyEvent {
		mask, size := binary.NativeEndian.Uint32(b[4:]), binary.NativeEndian.Uint32(b[12:])
		if mask&unix.IN_IGNORED != 0 {
			return true
		}
		b = b[min(len(b), unix.SizeofInotifyEvent+int(size)):]
	}
	return false
}
