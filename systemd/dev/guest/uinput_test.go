//go:build guest

package guest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"shoeboard/hw/debounce"
	"shoeboard/hw/evdev"
	"shoeboard/hw/hwtest"
)

// The kernel's uinput.h.
const (
	uiCreate  = 0x5501
	uiSetup   = 0x405c5503 // with a struct of 92 bytes
	uiSetEv   = 0x40045564
	uiSetKey  = 0x40045565
	uiSetPhys = 0x4008556c
	uiSysName = 0x8040552c // 64 bytes
)

// padKeys are the keys of a numeric pad, and their codes.
var padKeys = map[string]uint16{"NUMLOCK": 69, "KP7": 71, "KP1": 79, "KP2": 80, "KP3": 81, "KP0": 82, "KPENTER": 96, "HOME": 102}

// pad is a keypad made through uinput, whose node is in a folder of ours: like udev
// it shows the node when it is ready, here with keys that are down already.
type pad struct {
	t    *testing.T
	dir  string
	port string
	f    *os.File
	node string
	down map[string]bool
}

func newPad(t *testing.T, port string) *pad {
	p := &pad{t: t, dir: t.TempDir(), port: port, down: map[string]bool{}}
	p.plug()
	t.Cleanup(p.unplug)
	return p
}

func (p *pad) ioctl(request, arg uintptr) {
	p.t.Helper()
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, p.f.Fd(), request, arg); errno != 0 {
		p.t.Fatalf("uinput: ioctl %#x: %v", request, errno)
	}
}

func (p *pad) plug() {
	p.t.Helper()
	var err error
	if p.f, err = os.OpenFile("/dev/uinput", os.O_RDWR, 0); err != nil {
		p.t.Fatal(err)
	}
	p.ioctl(uiSetEv, 1)
	for _, code := range padKeys {
		p.ioctl(uiSetKey, uintptr(code))
	}
	phys := append([]byte(p.port), 0)
	p.ioctl(uiSetPhys, uintptr(unsafe.Pointer(&phys[0])))
	setup := make([]byte, 92)
	for i, v := range []uint16{3, 0x1a2c, 0x2124, 0x110} {
		binary.NativeEndian.PutUint16(setup[2*i:], v)
	}
	copy(setup[8:], "SEM USB Keypad")
	p.ioctl(uiSetup, uintptr(unsafe.Pointer(&setup[0])))
	p.ioctl(uiCreate, 0)
	for name, down := range p.down {
		if down {
			p.send(name, 1)
		}
	}
	p.show()
}

// show makes the node, which devtmpfs has under its own name, appear in the folder.
func (p *pad) show() {
	p.t.Helper()
	name := make([]byte, 64)
	p.ioctl(uiSysName, uintptr(unsafe.Pointer(&name[0])))
	input, _, _ := bytes.Cut(name, []byte{0})
	events, _ := filepath.Glob(fmt.Sprintf("/sys/class/input/%s/event*", input))
	if len(events) != 1 {
		p.t.Fatalf("%s has the nodes %v", input, events)
	}
	text, err := os.ReadFile(events[0] + "/dev")
	if err != nil {
		p.t.Fatal(err)
	}
	var major, minor uint32
	fmt.Sscanf(strings.TrimSpace(string(text)), "%d:%d", &major, &minor)
	p.node = filepath.Join(p.dir, filepath.Base(events[0]))
	if err := unix.Mknod(p.node, unix.S_IFCHR|0o600, int(unix.Mkdev(major, minor))); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pad) unplug() {
	if p.f == nil {
		return
	}
	os.Remove(p.node)
	p.f.Close()
	p.f = nil
}

func (p *pad) set(name string, down bool) {
	p.down[name] = down
	if p.f == nil {
		return
	}
	p.send(name, map[bool]int32{true: 1}[down])
}

// send writes one key and its report.
func (p *pad) send(name string, value int32) {
	p.t.Helper()
	code, known := padKeys[name]
	if !known {
		p.t.Fatalf("no key %s on the pad", name)
	}
	b := make([]byte, 2*24) // struct input_event: a key, and a report of zeros
	binary.NativeEndian.PutUint16(b[16:], 1)
	binary.NativeEndian.PutUint16(b[18:], code)
	binary.NativeEndian.PutUint32(b[20:], uint32(value))
	if _, err := p.f.Write(b); err != nil {
		p.t.Fatal(err)
	}
}

// source is the source that means the pad in its port.
func (p *pad) source() *evdev.Pad {
	return evdev.New(evdev.Settings{Name: "pad-1", Times: debounce.Pads(),
		Match: evdev.Match{Vendor: 0x1a2c, Product: 0x2124, Name: "SEM USB Keypad", Port: p.port}}, evdev.Kernel{Dir: p.dir})
}

func (p *pad) bench() *hwtest.Bench {
	return &hwtest.Bench{Source: p.source(), Keys: []string{"KP1", "KP2", "KPENTER"}, Lag: padLag,
		Set: p.set, Plug: p.plug, Unplug: p.unplug}
}
