// Package linux is the client of the kernel's devices that hw needs: GPIO lines, I2C
// buses, SPI and serial ports, pseudo terminals, and the boot-time clock.
//
// Words: a chip is a GPIO chip, /dev/gpiochipN; a line is one pin of it, known by its
// name ("GPIO17") or as LABEL:OFFSET ("pinctrl-rp1:17"), never by a chip's number, which
// has changed between kernels; Lines are some lines of one chip that this program holds.
//
// A caller may assume:
//
//   - GPIO (version 2 of the character device, Linux 5.10 and later): listing lines
//     changes none of them; an output has its first value from the moment it is an output;
//     an open output is at high impedance; an error is never a level; a wait ends, with an
//     edge, with its time or with its context. Only the named lines are touched, no
//     standard descriptor is closed, and no right beyond group gpio is needed.
//   - I2C: a transfer happens whole, without another master's between its write and its
//     read, or fails with an error that says where; no answer is ENXIO or EREMOTEIO, as the
//     adapter has it; a bus that hangs is given up after a tenth of a second. What was read
//     before an error is worth nothing.
//   - SPI: only the named port is touched, and no other driver of periph's is started.
//   - Serial (8N1, no flow control, as shoes and line displays speak): Read waits at most a
//     tenth of a second and then returns no bytes and no error, so that one goroutine can
//     serve a port and see its context end; Write waits at most half a second; a port that
//     was unplugged is an error of the next Read; a port opened read-only cannot send.
//   - All: files stay in the runtime's poller, so that deadlines and Close keep working
//     (os.File.Fd would make them blocking for good).
//
// GPIO is our own, in place of periph.io's host drivers: those turn an output into an
// input when its state is read, drive a fresh output low before its value, spin on a wait
// without end, lose the order of edges, and close descriptor 0 where two names lead to one
// chip. It does not implement periph's conn/gpio either: PinIn.Read cannot report an error,
// and a level that was not read must not be invented. Serial is our own because the Write
// of go.bug.st/serial v1.8.0 waits for ever for a device that takes nothing, and goes on
// waiting after Close.
package linux

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// BootTime returns the time since the machine booted (CLOCK_BOOTTIME). It never goes back,
// is the same in every process, and counts while the machine sleeps. BootTime panics where
// the kernel has no such clock, because no time of day may stand in for it.
func BootTime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		panic("linux: no CLOCK_BOOTTIME: " + err.Error())
	}
	return time.Duration(ts.Nano())
}

// Ioctl does one request whose argument is what arg points to. Its error is the kernel's.
func Ioctl(f *os.File, request uintptr, arg unsafe.Pointer) error {
	return Control(f, func(fd int) error {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg)); errno != 0 {
			return errno
		}
		return nil
	})
}

// Control calls do with the file's descriptor, which is valid during the call only.
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
