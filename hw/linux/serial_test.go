package linux

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pair is a pseudo terminal, opened at both ends.
func pair(t *testing.T, open func(string, int) (*Serial, error)) (master, port *Serial) {
	t.Helper()
	master, path, err := OpenPTY()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	port, err = open(path, 4800)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	return master, port
}

// read reads until want bytes have come or a minute has passed.
func read(t *testing.T, p *Serial, want int) []byte {
	t.Helper()
	var got []byte
	for end := time.Now().Add(time.Minute); len(got) < want && time.Now().Before(end); {
		b := make([]byte, 64)
		n, err := p.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, b[:n]...)
	}
	return got
}

func TestEveryByteGoesThroughAsItIs(t *testing.T) {
	master, port := pair(t, OpenSerial)
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	for _, way := range [][2]*Serial{{master, port}, {port, master}} {
		if _, err := way[0].Write(all); err != nil {
			t.Fatal(err)
		}
		if got := read(t, way[1], len(all)); !bytes.Equal(got, all) {
			t.Errorf("got % x", got)
		}
	}
}

func TestReadReturnsWhenNothingComes(t *testing.T) {
	_, port := pair(t, OpenSerial)
	if n, err := port.Read(make([]byte, 8)); n != 0 || err != nil {
		t.Errorf("read %d bytes and %v, want nothing and no error", n, err)
	}
}

// Public bug report: bugst/go-serial 13 for reads. Its writes wait for ever still.
func TestWriteReturnsWhenTheDeviceTakesNothing(t *testing.T) {
	_, port := pair(t, OpenSerial)
	for range 1000 {
		if _, err := port.Write(make([]byte, 1024)); err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			return
		}
	}
	t.Error("a terminal that nobody reads took a megabyte")
}

// Public bug reports: consrv 3, jacobsa 51: an adapter that vanished was never
// noticed.
func TestUnpluggedPortIsAnError(t *testing.T) {
	master, port := pair(t, OpenSerial)
	master.Close()
	for range 3 {
		if _, err := port.Read(make([]byte, 8)); err != nil {
			if !strings.Contains(err.Error(), "unplugged") {
				t.Errorf("got %v", err)
			}
			return
		}
	}
	t.Error("the port that has gone reads without an error")
}

func TestPortOpenedToReadCannotSend(t *testing.T) {
	master, port := pair(t, OpenSerialToRead)
	if n, err := port.Write([]byte("OP")); n != 0 || err == nil {
		t.Errorf("wrote %d bytes, %v", n, err)
	}
	if n, err := unix.Write(int(port.f.(*os.File).Fd()), []byte("OP")); err == nil {
		t.Errorf("the kernel wrote %d bytes", n)
	}
	if n, _ := master.Read(make([]byte, 8)); n != 0 {
		t.Errorf("the device got %d bytes", n)
	}
}

func TestMasterLivesWhileNobodyHasTheTerminalOpen(t *testing.T) {
	master, path, err := OpenPTY()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	for range 3 {
		port, err := OpenSerial(path, 115200)
		if err != nil {
			t.Fatal(err)
		}
		port.Close()
		if _, err := master.Read(make([]byte, 8)); err != nil {
			t.Fatalf("the master ended with its reader: %v", err)
		}
	}
}

func TestWhatIsNoSerialPortIsAClearError(t *testing.T) {
	file := t.TempDir() + "/tty"
	os.WriteFile(file, nil, 0o600)
	for path, says := range map[string]string{
		file:             "not a serial port",
		file + "missing": "no such file",
	} {
		if _, err := OpenSerial(path, 9600); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want something with %q", path, err, says)
		}
	}
	if _, err := OpenSerial(file, 4801); err == nil || !strings.Contains(err.Error(), "4801") {
		t.Errorf("got %v", err)
	}
}
