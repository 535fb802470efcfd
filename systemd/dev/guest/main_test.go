//go:build guest

package guest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain is the guest's init: it makes the little of a system that the tests need,
// runs them, and switches the machine off.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(2) // one for the tests, one for awake
	err := setUp()
	code := 1
	if err == nil {
		code = m.Run()
		err = kernelIsWell()
	}
	switch {
	case err != nil:
		fmt.Println("guest:", err)
	case code == 0:
		fmt.Println("guest: ok")
	default:
		fmt.Println("guest: tests failed")
	}
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

func setUp() error {
	for _, fs := range []struct{ kind, path string }{
		{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"},
	} {
		if err := os.MkdirAll(fs.path, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(fs.kind, fs.path, fs.kind, 0, ""); err != nil && err != unix.EBUSY {
			return fmt.Errorf("%s: %w", fs.path, err)
		}
	}
	modules, err := filepath.Glob("/modules/*.ko") // sorted, as they must be loaded
	if err != nil {
		return err
	}
	for _, path := range modules {
		if err := load(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.FinitModule(int(f.Fd()), "", 0)
}

// kernelIsWell says whether the kernel has had to warn of itself or of the bench.
func kernelIsWell() error {
	text, err := os.ReadFile("/proc/sys/kernel/tainted")
	if err != nil {
		return err
	}
	var taint int
	fmt.Sscan(strings.TrimSpace(string(text)), &taint)
	const died, warned = 1 << 7, 1 << 9
	if taint&(died|warned) != 0 {
		return fmt.Errorf("the kernel warned of a fault of its own or of the bench (taint %d)", taint)
	}
	return nil
}
