// Package serial is a serial port of the kernel (/dev/ttyUSB0, or better its name
// under /dev/serial/by-id), and the pseudo terminal that stands in for one.
//
// Words: eight data bits, no parity, one stop bit, no flow control: what shoes and
// line displays speak. A master is the far end of a pseudo terminal.
//
// A caller may assume: Read waits at most a tenth of a second and then returns
// nothing and no error, so that one goroutine can serve a port and still see its
// context end; Write waits at most half a second for a device that takes nothing;
// a port that was unplugged is an error of the next Read; a port opened read-only
// cannot send, whatever is written to it; Close ends both.
//
// It is our own on x/sys, because the Write of go.bug.st/serial v1.8.0 waits for
// ever for a device that takes nothing, and goes on waiting after Close: a line
// display that hangs would hold its goroutine until the program ends.
package serial

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// The times that a Read and a Write may take.
const (
	readWait  = 100 * time.Millisecond
	writeWait = 500 * time.Millisecond
)

// Port is an opened port or a master.
type Port struct {
	f      *os.File
	slave  *os.File // of a master: keeps the terminal alive while nobody has it open
	sender bool
}

// speeds are the rates that a port can be set to, in bits a second.
var speeds = map[int]uint32{
	1200: unix.B1200, 2400: unix.B2400, 4800: unix.B4800, 9600: unix.B9600, 19200: unix.B19200,
	38400: unix.B38400, 57600: unix.B57600, 115200: unix.B115200, 230400: unix.B230400,
}

// Open opens a port for reading and writing at so many bits a second.
func Open(path string, baud int) (*Port, error) { return open(path, baud, unix.O_RDWR) }

// OpenToRead opens a port that can never send.
func OpenToRead(path string, baud int) (*Port, error) { return open(path, baud, unix.O_RDONLY) }

func open(path string, baud, mode int) (*Port, error) {
	speed, known := speeds[baud]
	if !known {
		return nil, fmt.Errorf("%s: %d bits a second is no rate of a serial port", path, baud)
	}
	fd, err := unix.Open(path, mode|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	if err := setRaw(fd, speed); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("%s: not a serial port: %w", path, err)
	}
	// Non-blocking, so that the runtime's poller waits and keeps the times.
	return &Port{f: os.NewFile(uintptr(fd), path), sender: mode == unix.O_RDWR}, nil
}

// setRaw makes a terminal hand bytes on as they are, to this program alone.
func setRaw(fd int, speed uint32) error {
	t := &unix.Termios{Cflag: unix.CS8 | unix.CREAD | unix.CLOCAL | speed, Ispeed: speed, Ospeed: speed}
	t.Cc[unix.VMIN] = 1
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return err
	}
	return unix.IoctlSetInt(fd, unix.TIOCEXCL, 0)
}

// OpenPTY makes a pseudo terminal and returns its master and the path under which
// another program opens it as a serial port.
func OpenPTY() (*Port, string, error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, "", &os.PathError{Op: "open", Path: "/dev/ptmx", Err: err}
	}
	p := &Port{f: os.NewFile(uintptr(fd), "pty"), sender: true}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, "", errors.Join(err, p.Close())
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, "", errors.Join(err, p.Close())
	}
	path := fmt.Sprintf("/dev/pts/%d", n)
	slave, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, "", errors.Join(err, p.Close())
	}
	p.slave = os.NewFile(uintptr(slave), path)
	t := &unix.Termios{Cflag: unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200}
	t.Cc[unix.VMIN] = 1
	if err := unix.IoctlSetTermios(slave, unix.TCSETS, t); err != nil {
		return nil, "", errors.Join(err, p.Close())
	}
	return p, path, nil
}

// Read reads what has come, waiting a tenth of a second at most. The error of a
// port that was unplugged says so.
func (p *Port) Read(b []byte) (int, error) {
	if err := p.f.SetReadDeadline(time.Now().Add(readWait)); err != nil {
		return 0, err
	}
	n, err := p.f.Read(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, nil
	case errors.Is(err, io.EOF) || errors.Is(err, unix.EIO):
		return n, fmt.Errorf("%s was unplugged", p.f.Name())
	}
	return n, err
}

// Write sends b, waiting half a second at most.
func (p *Port) Write(b []byte) (int, error) {
	if !p.sender {
		return 0, fmt.Errorf("%s was opened to read only", p.f.Name())
	}
	if err := p.f.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return 0, err
	}
	return p.f.Write(b)
}

// Close closes the port.
func (p *Port) Close() error {
	err := p.f.Close()
	if p.slave != nil {
		err = errors.Join(err, p.slave.Close())
	}
	return err
}
