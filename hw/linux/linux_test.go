package linux

import (
	"errors"
	"os"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A pipe has deadlines only as long as it is not blocking.
func TestFileKeepsItsDeadlines(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	w.WriteString("four")
	var waiting int32
	if err := Ioctl(r, unix.TIOCINQ, unsafe.Pointer(&waiting)); err != nil || waiting != 4 {
		t.Errorf("%d bytes wait, %v, want 4", waiting, err)
	}
	if err := r.SetReadDeadline(time.Now()); err != nil {
		t.Errorf("deadlines are gone: %v", err)
	}
}

func TestErrorIsTheKernels(t *testing.T) {
	r, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := Ioctl(r, unix.TCGETS, unsafe.Pointer(&unix.Termios{})); !errors.Is(err, unix.ENOTTY) {
		t.Errorf("got %v, want ENOTTY", err)
	}
	r.Close()
	if err := Control(r, func(int) error { return nil }); err == nil {
		t.Error("a closed file was asked")
	}
}

func TestBootTimeRunsForwardFromBoot(t *testing.T) {
	before := BootTime()
	for range 1000 {
		now := BootTime()
		if now < before || now <= 0 {
			t.Fatalf("the clock went from %v to %v", before, now)
		}
		before = now
	}
}
