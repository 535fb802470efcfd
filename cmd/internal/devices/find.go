package devices

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/hw/evdev"
	"shoeboard/hw/linux"
)

// Hardware is where the devices of a unit are looked for.
type Hardware struct {
	ports.Ports
	sys, proc string
	chips     func(dir string) ([]linux.Chip, error)
	answers   func(bus string, addr uint16, ask []byte) error // asks a chip on a bus to answer
}

// Below are the devices below a folder that stands for "/".
func Below(root string, log *slog.Logger) Hardware {
	return Hardware{Ports: ports.Below(root, log), sys: filepath.Join(root, "sys"), proc: filepath.Join(root, "proc"),
		chips: linux.Chips, answers: chipAnswers}
}

// chipAnswers reads a byte of a chip that has been written ask.
func chipAnswers(bus string, addr uint16, ask []byte) error {
	b, err := linux.OpenI2C(bus)
	if err != nil {
		return err
	}
	return errors.Join(b.Tx(addr, ask, make([]byte, 1)), b.Close())
}

// Inventory looks at everything once.
func (h Hardware) Inventory(cfg config.Config, book *ports.Book) Inventory {
	held := openDevices(h.proc)
	l := Inventory{I2C: h.buses(held), Serial: h.serial(held)}
	inputs := h.inputs()
	for _, in := range inputs {
		l.Inputs = append(l.Inputs, in.found(held))
	}
	chips, err := h.chips(h.Dev)
	l.GPIO = chipsFound(chips, err)
	for _, k := range cfg.Keypads {
		switch k.Kind {
		case "usb":
			l.Configured = append(l.Configured, usbUse(k, inputs, held, book))
		case "matrix":
			l.Configured = append(l.Configured, matrixUse(k, chips))
		default:
			l.Configured = append(l.Configured, h.expanderUse(k, chips, held))
		}
	}
	for _, s := range cfg.Shoes {
		l.Configured = append(l.Configured, h.shoeUse(s, held))
	}
	l.Configured = append(l.Configured, h.panelUses(cfg, chips, held)...)
	return l
}

// input is an input device that was asked who it is.
type input struct {
	path string
	id   evdev.Identity
	err  error
}

// inputs asks all input devices. Without any the list is nil.
func (h Hardware) inputs() []input {
	paths, err := h.Input.Nodes()
	if err != nil {
		return []input{{path: filepath.Join(h.Dev, "input"), err: err}}
	}
	var list []input
	for _, path := range inOrder(paths) {
		id, err := identify(h.Input, path)
		list = append(list, input{path, id, err})
	}
	return list
}

func identify(host evdev.Host, path string) (evdev.Identity, error) {
	dev, err := host.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w (be root, or in group input)", err)
		}
		return evdev.Identity{}, err
	}
	defer dev.Close()
	return dev.Identity()
}

// inOrder sorts event9 before event10.
func inOrder(paths []string) []string {
	number := func(path string) int {
		n, _ := strconv.Atoi(path[strings.LastIndexFunc(path, func(r rune) bool { return r < '0' || r > '9' })+1:])
		return n
	}
	slices.SortFunc(paths, func(a, b string) int {
		if d := number(a) - number(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return paths
}

func (in input) found(held Holders) InputFound {
	d := ports.PadOf(in.id.Match)
	f := InputFound{Path: in.path, Vendor: d.Vendor, Model: d.Product, Device: d.Device, Port: d.Port,
		Kind: kindOf(in.id), HeldBy: held.words(in.path)}
	if in.err != nil {
		f.Why = in.err.Error()
	}
	return f
}

// Key codes of the kernel by which a device is told to be something to press.
const (
	codeQ, codeEnter    = 16, 28
	codeKP0, codeKPOK   = 82, 96
	firstButton         = 0x100 // buttons of mice and joysticks from here on
	fewKeys             = 4     // a power button, a remote control's two keys
	codeCtrl, codeCtrlR = 29, 97
	codeC, codeNumLock  = 46, 69
)

// kindOf says what a device is for its keys. Most pads claim those of a keyboard.
func kindOf(id evdev.Identity) string {
	has := func(code uint16) bool { return slices.Contains(id.Keys, code) }
	keys := 0
	for _, code := range id.Keys {
		if code < firstButton {
			keys++
		}
	}
	switch {
	case keys < fewKeys:
		return "no keys"
	case hasPad(id) && (!has(codeQ) || ports.CallsItselfPad(id.Name)):
		return "numeric pad"
	case has(codeQ) && has(codeEnter):
		return "keyboard"
	}
	return "keys"
}

// chipsFound are the GPIO chips, and those that did not answer.
func chipsFound(chips []linux.Chip, err error) (list []ChipFound) {
	for _, c := range chips {
		f := ChipFound{Path: c.Path, Label: c.Label, Lines: len(c.Lines)}
		for offset, line := range c.Lines {
			if line.Used {
				f.Used = append(f.Used, lineName(c, offset)+" by "+cmp.Or(line.Consumer, "the kernel"))
			}
		}
		list = append(list, f)
	}
	for _, why := range each(err) {
		list = append(list, ChipFound{Why: why})
	}
	return list
}

func lineName(c linux.Chip, offset int) string {
	return cmp.Or(c.Lines[offset].Name, c.Label+":"+strconv.Itoa(offset))
}

// each are the errors that were joined, in words. That a folder is not there is none.
func each(err error) (list []string) {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			list = append(list, e.Error())
		}
		return list
	}
	return []string{err.Error()}
}

// buses are the I2C buses.
func (h Hardware) buses(held Holders) (list []BusFound) {
	for _, path := range h.nodes("i2c-[0-9]*") {
		b := BusFound{Path: path, Name: h.fact("class/i2c-dev", filepath.Base(path), "name"), HeldBy: held.words(path), Why: unreadable(path)}
		list = append(list, b)
	}
	return list
}

// serial are the serial ports that have hardware behind them.
func (h Hardware) serial(held Holders) (list []SerialFound) {
	stable := map[string][]string{}
	for _, link := range h.nodes("serial/by-id/*") {
		if target, err := filepath.EvalSymlinks(link); err == nil {
			stable[target] = append(stable[target], link)
		}
	}
	for _, path := range slices.Concat(h.nodes("ttyUSB*"), h.nodes("ttyACM*"), h.nodes("ttyAMA*"), h.nodes("ttyS[0-9]*")) {
		name := filepath.Base(path)
		if kind := h.fact("class/tty", name, "type"); kind == "0" { // a place for a port that is not there
			continue
		}
		driver, _ := os.Readlink(filepath.Join(h.sys, "class/tty", name, "device/driver"))
		list = append(list, SerialFound{Path: path, Names: stable[path], Driver: baseOf(driver), HeldBy: held.words(path), Why: unreadable(path)})
	}
	return list
}

func baseOf(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// nodes are the devices below /dev that are called so.
func (h Hardware) nodes(pattern string) []string {
	paths, err := filepath.Glob(filepath.Join(h.Dev, pattern))
	if err != nil {
		return nil // only for a wrong pattern
	}
	return inOrder(paths)
}

// fact reads one line that the kernel tells of a device.
func (h Hardware) fact(parts ...string) string {
	data, err := os.ReadFile(filepath.Join(h.sys, filepath.Join(parts...)))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// unreadable says why this user may not use a device. It does not open it: that
// alone resets some devices on serial ports.
func unreadable(path string) string {
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return err.Error()
	}
	return ""
}
