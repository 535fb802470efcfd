package linux

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// The times that a Read and a Write of a serial port may take.
const (
	readWait  = 100 * time.Millisecond
	writeWait = 500 * time.Millisecond
	dialWait  = 3 * time.Second
)

// Serial is an opened serial port, one behind a TCP converter, or the master of a pseudo
// terminal.
type Serial struct {
	f      file
	gone   string   // the error of a port that is gone
	slave  *os.File // of a master: keeps the terminal alive while nobody has it open
	sender bool
}

// file is an os.File or a net.Conn.
type file interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// speeds maps bits a second to the kernel's rates.
var speeds = map[int]uint32{
	1200: unix.B1200, 2400: unix.B2400, 4800: unix.B4800, 9600: unix.B9600, 19200: unix.B19200,
	38400: unix.B38400, 57600: unix.B57600, 115200: unix.B115200, 230400: unix.B230400,
}

// OpenSerial opens a port for reading and writing at so many bits a second.
func OpenSerial(path string, baud int) (*Serial, error) { return openSerial(path, baud, unix.O_RDWR) }

// OpenSerialToRead opens a port that can never send.
func OpenSerialToRead(path string, baud int) (*Serial, error) {
	return openSerial(path, baud, unix.O_RDONLY)
}

func openSerial(path string, baud, mode int) (*Serial, error) {
	speed, known := speeds[baud]
	if !known {
		return nil, fmt.Errorf("%s: %d bits a second is no rate of a serial port", path, baud)
	}
	f, err := openTTY(path, mode)
	if err != nil {
		return nil, err
	}
	err = Control(f, func(fd int) error {
		if err := setRaw(fd, speed); err != nil {
			return err
		}
		return unix.IoctlSetInt(fd, unix.TIOCEXCL, 0) // to this program alone
	})
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: not a serial port: %w", path, err)
	}
	return &Serial{f: f, gone: path + " was unplugged", sender: mode == unix.O_RDWR}, nil
}

// DialSerial opens a port behind a converter that passes its bytes on over TCP. The far end
// is probed, so that a converter that vanished is missed within five seconds.
func DialSerial(ctx context.Context, address string) (*Serial, error) {
	d := net.Dialer{Timeout: dialWait, KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 3}}
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &Serial{f: c, gone: c.RemoteAddr().String() + " closed the line", sender: true}, nil
}

// openTTY opens a terminal for the runtime's poller, which waits and keeps the deadlines.
func openTTY(path string, mode int) (*os.File, error) {
	fd, err := unix.Open(path, mode|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// setRaw makes a terminal pass bytes on unchanged.
func setRaw(fd int, speed uint32) error {
	t := &unix.Termios{Cflag: unix.CS8 | unix.CREAD | unix.CLOCAL | speed, Ispeed: speed, Ospeed: speed}
	t.Cc[unix.VMIN] = 1
	return unix.IoctlSetTermios(fd, unix.TCSETS, t)
}

// OpenPTY makes a pseudo terminal and returns its master and the path under which another
// program opens it as a serial port.
func OpenPTY() (*Serial, string, error) {
	f, err := openTTY("/dev/ptmx", unix.O_RDWR)
	if err != nil {
		return nil, "", err
	}
	p, path := &Serial{f: f, gone: "the pseudo terminal is closed", sender: true}, ""
	err = Control(f, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
		path = fmt.Sprintf("/dev/pts/%d", n)
		return err
	})
	if err == nil {
		p.slave, err = openTTY(path, unix.O_RDWR)
	}
	if err == nil {
		err = Control(p.slave, func(fd int) error { return setRaw(fd, unix.B115200) })
	}
	if err != nil {
		return nil, "", errors.Join(err, p.Close())
	}
	return p, path, nil
}

// Read reads what has come, waiting a tenth of a second at most. The error of a port that
// was unplugged says so.
func (p *Serial) Read(b []byte) (int, error) {
	if err := p.f.SetReadDeadline(time.Now().Add(readWait)); err != nil {
		return 0, err
	}
	n, err := p.f.Read(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, nil
	case errors.Is(err, io.EOF) || errors.Is(err, unix.EIO):
		return n, errors.New(p.gone)
	}
	return n, err
}

// Write sends b, waiting half a second at most.
func (p *Serial) Write(b []byte) (int, error) {
	if !p.sender {
		return 0, errors.New("the serial port was opened to read only")
	}
	if err := p.f.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return 0, err
	}
	return p.f.Write(b)
}

// Close closes the port.
func (p *Serial) Close() error {
	err := p.f.Close()
	if p.slave != nil {
		err = errors.Join(err, p.slave.Close())
	}
	return err
}
