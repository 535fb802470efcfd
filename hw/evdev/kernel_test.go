package evdev

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestIdentityReadsTheKernelsAnswers(t *testing.T) {
	keys := make([]byte, keyBytes)
	keys[79/8] |= 1 << (79 % 8)
	keys[96/8] |= 1 << (96 % 8)
	got := identity([]byte{3, 0, 0x2c, 0x1a, 0x24, 0x21, 0x10, 1}, []byte("Pad\x00rest"), []byte("usb-1.2/input0\x00"), keys)
	want := Match{Vendor: 0x1a2c, Product: 0x2124, Name: "Pad", Port: "usb-1.2/input0"}
	if got.Match != want || !slices.Equal(got.Keys, []uint16{79, 96}) {
		t.Errorf("got %+v", got)
	}
}

// The numbers are those that the kernel's macros give, computed apart from ours.
func TestIoctlNumbers(t *testing.T) {
	for got, want := range map[uintptr]uintptr{
		eviocgID: 0x80084502, eviocgName | 256<<16: 0x81004506, eviocgPhys | 256<<16: 0x81004507,
		eviocgKey | 96<<16: 0x80604518, eviocgBitKey | 96<<16: 0x80604521,
		eviocGrab: 0x40044590, eviocsClock: 0x400445a0,
	} {
		if got != want {
			t.Errorf("ioctl %#x, want %#x", got, want)
		}
	}
}

// fifo makes a node that can be written like a device.
func fifo(t *testing.T, path string) *os.File {
	t.Helper()
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(path, os.O_RDWR, 0) // both ways, so that no open waits
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestKernelListsEventNodesOnly(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"event0", "event12", "mouse0", "mice"} {
		os.WriteFile(filepath.Join(dir, name), nil, 0o600)
	}
	got, err := Kernel{dir}.Nodes()
	if want := []string{filepath.Join(dir, "event0"), filepath.Join(dir, "event12")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v %v, want %v", got, err, want)
	}
	if got, err := (Kernel{filepath.Join(dir, "none")}).Nodes(); got != nil || err != nil {
		t.Errorf("a missing folder gives %v %v, want nothing", got, err)
	}
}

func TestCloseEndsAReadThatWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "event0")
	w := fifo(t, path)
	dev, err := Kernel{filepath.Dir(path)}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	chunks := reading(dev)
	w.Write(append(inputEvent(hostWord, 0, evKey, 79, 1), inputEvent(hostWord, 0, evSyn, synReport, 0)...))
	if c := <-chunks; len(c.records) != 1 || c.records[0] != (Record{What: KeyDown, Code: 79}) {
		t.Fatalf("read %v %v", c.records, c.err)
	}
	dev.Close()
	if c := <-chunks; !errors.Is(c.err, fs.ErrClosed) {
		t.Errorf("the read ended with %v, want closed", c.err)
	}
	if _, open := <-chunks; open {
		t.Error("the reader goes on")
	}
}

func TestWhatIsNoInputDeviceIsAnErrorNotAPad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "event0")
	fifo(t, path)
	dev, err := Kernel{filepath.Dir(path)}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	if _, err := dev.Identity(); !errors.Is(err, unix.ENOTTY) {
		t.Errorf("identity: %v, want ENOTTY", err)
	}
	if err := dev.Grab(); err == nil {
		t.Error("a pipe was grabbed")
	}
	if _, err := dev.Held(); err == nil {
		t.Error("a pipe has keys")
	}
}

// expectSignal waits for a change, generously: the disk may be slow, and one
// attempt to watch a missing folder takes a second.
func expectSignal(t *testing.T, changes <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-changes:
	case <-time.After(20 * time.Second):
		t.Fatalf("no signal: %s", what)
	}
}

func TestWatchSignalsNodesAndSurvivesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "input")
	ctx, cancel := context.WithCancel(context.Background())
	changes := Kernel{dir}.Watch(ctx)
	os.Mkdir(dir, 0o700)
	expectSignal(t, changes, "the folder came")
	node := filepath.Join(dir, "event0")
	os.WriteFile(node, nil, 0o000)
	expectSignal(t, changes, "a node came")
	os.Chmod(node, 0o600)
	expectSignal(t, changes, "its rights changed")
	os.RemoveAll(dir)
	expectSignal(t, changes, "the folder went")
	os.Mkdir(dir, 0o700)
	expectSignal(t, changes, "the folder came again")
	cancel()
	for range changes { // ends only when the watch has ended
	}
}
