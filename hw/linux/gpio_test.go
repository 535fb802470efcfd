package linux

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// chip makes a chip whose lines are named GPIO0, GPIO1 and so on.
func chip(path, label string, names ...string) Chip {
	c := Chip{Path: path, Label: label}
	for _, n := range names {
		c.Lines = append(c.Lines, LineInfo{Name: n})
	}
	return c
}

// Public bug reports: raspberrypi/linux 6144, gpiozero 1166, SignalK 1788,
// WiringPi 280. The chip of the header was gpiochip4 and became gpiochip0.
func TestLinesAreFoundWhateverTheChipsNumber(t *testing.T) {
	header := []string{"ID_SDA", "ID_SCL", "GPIO2", "GPIO3"}
	for _, number := range []string{"/dev/gpiochip0", "/dev/gpiochip4", "/dev/gpiochip512"} {
		chips := []Chip{chip("/dev/gpiochip10", "gpio-brcmstb@107d508500", "-", "2712_BOOT_CS_N"), chip(number, "pinctrl-rp1", header...)}
		for _, line := range []string{"GPIO3", "pinctrl-rp1:3"} {
			if got, err := FindLine(chips, line); err != nil || got != (Line{number, 3}) {
				t.Errorf("%s is found at %v %v", line, got, err)
			}
		}
	}
}

func TestLineThatIsNotThereIsAClearError(t *testing.T) {
	two := []Chip{chip("/dev/gpiochip0", "a", "X"), chip("/dev/gpiochip1", "b", "X", "")}
	for _, c := range []struct {
		chips []Chip
		line  string
		says  string
	}{
		{nil, "GPIO17", "group gpio"},
		{two, "GPIO17", `no GPIO line "GPIO17" on a (1 lines), b (2 lines)`},
		{two, "X", "on 2 chips"},
		{two, "", "no GPIO line"},
		{two, "b:2", "no GPIO line"},
		{two, "b:-1", "no GPIO line"},
		{two, "17", "LABEL:OFFSET"},
	} {
		if _, err := FindLine(c.chips, c.line); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want something with %q", c.line, err, c.says)
		}
	}
}

// Public bug report: periph/host 70. A second name of a chip led to descriptor 0
// being closed.
func TestSecondNameOfAChipIsLeftOutAndStandardInputStays(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "gpiochip0"), nil, 0o600)
	os.Symlink("gpiochip0", filepath.Join(dir, "gpiochip4"))
	var before, after unix.Stat_t
	unix.Fstat(0, &before)
	chips, err := Chips(dir)
	unix.Fstat(0, &after)
	if before.Ino != after.Ino || before.Rdev != after.Rdev {
		t.Error("descriptor 0 is another file now")
	}
	if len(chips) != 0 || !errors.Is(err, unix.ENOTTY) || strings.Contains(err.Error(), "gpiochip4") {
		t.Errorf("got %v %v, want that gpiochip0 alone is no chip", chips, err)
	}
}

// The sizes are those of the kernel's structures, on 32 bits as on 64.
func TestLayoutOfGPIOIsTheKernels(t *testing.T) {
	for what, sizes := range map[string][2]uintptr{
		"chip info":      {unsafe.Sizeof(unix.GPIOChipInfo{}), 0x44},
		"line info":      {unsafe.Sizeof(unix.GPIOV2LineInfo{}), 0x100},
		"request":        {unsafe.Sizeof(unix.GPIOV2LineRequest{}), 0x250},
		"request config": {unsafe.Offsetof(unix.GPIOV2LineRequest{}.Config), 0x120},
		"request fd":     {unsafe.Offsetof(unix.GPIOV2LineRequest{}.Fd), 0x24c},
		"config attrs":   {unsafe.Offsetof(unix.GPIOV2LineConfig{}.Attrs), 0x20},
		"event":          {uintptr(eventSize), 0x30},
		"values":         {unsafe.Sizeof(unix.GPIOV2LineValues{}), 0x10},
	} {
		if sizes[0] != sizes[1] {
			t.Errorf("%s is %#x bytes, the kernel's %#x", what, sizes[0], sizes[1])
		}
	}
}

func TestRequestCarriesFirstValuesForOutputsOnly(t *testing.T) {
	places := []Line{{"/dev/gpiochip0", 5}, {"/dev/gpiochip0", 6}, {"/dev/gpiochip0", 13}}
	req, err := newRequest("shoeboard a very long consumer name indeed", places, Output|OpenDrain, ^uint64(0))
	if err != nil {
		t.Fatal(err)
	}
	attr := req.Config.Attrs[0]
	if req.Num_lines != 3 || req.Offsets[2] != 13 || req.Config.Num_attrs != 1 || attr.Mask != 7 || attr.Attr.Flags != 7 ||
		attr.Attr.Id != unix.GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES || req.Consumer[31] != 0 {
		t.Errorf("request is %+v", req)
	}
	if req, _ := newRequest("x", places, Input|PullUp, 0); req.Config.Num_attrs != 0 || req.Config.Flags != 0x104 {
		t.Errorf("request is %+v", req)
	}
	places[1].Path = "/dev/gpiochip1"
	if _, err := newRequest("x", places, Input, 0); err == nil {
		t.Error("lines of two chips were asked for together")
	}
	if _, err := newRequest("x", nil, Input, 0); err == nil {
		t.Error("no lines were asked for and got")
	}
}

// pipe is Lines on a pipe in place of the kernel's events.
func pipe(t *testing.T) (*Lines, *os.File) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_NONBLOCK|unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	l, w := &Lines{os.NewFile(uintptr(fds[0]), "lines")}, os.NewFile(uintptr(fds[1]), "events")
	t.Cleanup(func() { l.Close(); w.Close() })
	return l, w
}

// Public bug reports: periph/host 78 and periph/conn 40. A wait must neither
// spin nor last for ever, whatever came before it.
func TestWaitEndsWithAnEdgeItsTimeOrItsContext(t *testing.T) {
	l, w := pipe(t)
	ctx, cancel := context.WithCancel(context.Background())
	event := make([]byte, eventSize)

	w.Write(event)
	if err := l.Wait(ctx, time.Hour); err != nil {
		t.Errorf("an edge: %v", err)
	}
	start := time.Now()
	if err := l.Wait(ctx, 50*time.Millisecond); err != nil || time.Since(start) < 50*time.Millisecond {
		t.Errorf("no edge: %v after %v", err, time.Since(start))
	}
	w.Write(event)
	w.Write(event)
	if err := l.Drain(); err != nil {
		t.Errorf("drain: %v", err)
	}
	go func() {
		time.Sleep(20 * time.Millisecond)
		cancel()
	}()
	if err := l.Wait(ctx, time.Hour); err != nil || ctx.Err() == nil {
		t.Errorf("the context ended: %v, or a drained edge was left", err)
	}
	if err := l.Wait(ctx, time.Hour); err != nil {
		t.Errorf("the context had ended before: %v", err)
	}
}

func TestErrorIsNoLevel(t *testing.T) {
	l, w := pipe(t)
	if bits, err := l.Get(1); err == nil || bits != 0 {
		t.Errorf("a pipe has levels %b", bits)
	}
	if err := l.Set(1, 1); err == nil {
		t.Error("a pipe was set")
	}
	w.Close()
	if err := l.Wait(context.Background(), time.Hour); err == nil {
		t.Error("a chip that has gone is waited for without an error")
	}
	l.Close()
	if _, err := l.Get(1); err == nil {
		t.Error("closed lines have levels")
	}
}

func TestMissingLineIsAClearError(t *testing.T) {
	if _, err := RequestOutputs(t.TempDir(), "lights", false, "GPIO5"); err == nil || !strings.Contains(err.Error(), "GPIO5") {
		t.Errorf("got %v", err)
	}
}
