// Package ioctl asks the kernel's device files what reading and writing cannot say.
//
// A caller may assume: the file stays in the runtime's poller, so that its deadlines
// and its Close keep working (os.File.Fd would make it blocking for good); the file is
// not closed under a request; an error is the kernel's.
package ioctl

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Do does one request whose argument is what arg points to.
func Do(f *os.File, request uintptr, arg unsafe.Pointer) error {
	return Control(f, func(fd int) error {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg)); errno != 0 {
			return errno
		}
		return nil
	})
}

// Control runs do with the file's descriptor, which is only good meanwhile.
func Control(f *os.File, do func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var doErr error
	if err := raw.Control(func(fd uintptr) { doErr = do(int(fd)) }); err != nil {
		return err
	}
	return doErr
}
