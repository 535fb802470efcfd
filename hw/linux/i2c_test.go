package linux

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The offsets are those of the kernel's structures: three 16-bit words, then a
// pointer at its own alignment.
func TestLayoutOfI2CIsTheKernels(t *testing.T) {
	word := unsafe.Sizeof(uintptr(0))
	if got := unsafe.Offsetof(i2cMessage{}.buf); got != 8 {
		t.Errorf("the buffer is at %d, want 8", got)
	}
	if got := unsafe.Sizeof(i2cMessage{}); got != 8+word {
		t.Errorf("a message has %d bytes, want %d", got, 8+word)
	}
	if got := unsafe.Offsetof(i2cTransfer{}.n); got != word {
		t.Errorf("the count is at %d, want %d", got, word)
	}
}

func TestWhatIsNoBusIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i2c-1")
	if _, err := OpenI2C(path); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "group i2c") {
		t.Errorf("a missing bus: %v", err)
	}
	os.WriteFile(path, nil, 0o600)
	if _, err := OpenI2C(path); !errors.Is(err, unix.ENOTTY) {
		t.Errorf("a file: %v, want ENOTTY", err)
	}
}

func TestTransferThatFailsSaysWhere(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "i2c-1"))
	if err != nil {
		t.Fatal(err)
	}
	b := &I2C{f}
	defer b.Close()
	err = b.Tx(0x20, []byte{0x12}, make([]byte, 2))
	if !errors.Is(err, unix.ENOTTY) || !strings.Contains(err.Error(), "i2c-1 device 0x20") {
		t.Errorf("got %v", err)
	}
	if err := b.Tx(0x20, nil, nil); err == nil {
		t.Error("a transfer of nothing succeeded")
	}
	if err := b.TxWrites(0x20, nil, []byte{1}, make([]byte, 1<<16)); err == nil || !strings.Contains(err.Error(), "65536") {
		t.Errorf("a transfer that is too long: %v", err)
	}
}
