package devices

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw/evdev"
	"shoeboard/hw/linux"
)

// Inventory examines everything once.
func (h Hardware) Inventory(cfg config.Config, enrolled *Enrolments) Inventory {
	held, inputs := openDevices(h.proc), h.inputs()
	chips, err := h.chips(h.Dev)
	l := Inventory{I2C: h.buses(held), Serial: h.serial(held), GPIO: chipsFound(chips, err),
		Configured: uses{h, inputs, chips, held, enrolled}.of(cfg)}
	for _, in := range inputs {
		d := idOf(in.id.Match)
		f := inputFound{Path: in.path, Vendor: d.Vendor, Model: d.Product, Device: d.Device, Port: d.Port,
			Kind: in.id.Kind(), HeldBy: held.words(in.path)}
		if in.err != nil {
			f.Why = in.err.Error()
		}
		l.Inputs = append(l.Inputs, f)
	}
	return l
}

// input is an input device and its identity.
type input struct {
	path string
	id   evdev.Identity
	err  error
}

// inputs identifies all input devices. Without any the list is nil.
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
		return cmp.Or(number(a)-number(b), strings.Compare(a, b))
	})
	return paths
}

// chipsFound lists the GPIO chips, and those that did not answer.
func chipsFound(chips []linux.Chip, err error) (list []chipFound) {
	for _, c := range chips {
		f := chipFound{Path: c.Path, Label: c.Label, Lines: len(c.Lines)}
		for offset, line := range c.Lines {
			if line.Used {
				name := cmp.Or(line.Name, c.Label+":"+strconv.Itoa(offset))
				f.Used = append(f.Used, name+" by "+consumer(line))
			}
		}
		list = append(list, f)
	}
	for _, why := range each(err) {
		list = append(list, chipFound{Why: why})
	}
	return list
}

// consumer returns who holds a line, "" for nobody.
func consumer(l linux.LineInfo) string {
	if !l.Used {
		return ""
	}
	return cmp.Or(l.Consumer, "the kernel")
}

// each returns the errors that were joined. A folder that does not exist is no error.
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

// buses lists the I2C buses.
func (h Hardware) buses(held holders) (list []busFound) {
	for _, path := range h.nodes("i2c-[0-9]*") {
		name := h.fact("class/i2c-dev", filepath.Base(path), "name")
		list = append(list, busFound{Path: path, Name: name, HeldBy: held.words(path), Why: unreadable(path)})
	}
	return list
}

// serial lists the serial ports that have hardware behind them.
func (h Hardware) serial(held holders) (list []serialFound) {
	stable := map[string][]string{}
	for _, link := range h.nodes("serial/by-id/*") {
		if target, err := filepath.EvalSymlinks(link); err == nil {
			stable[target] = append(stable[target], link)
		}
	}
	ports := slices.Concat(h.nodes("ttyUSB*"), h.nodes("ttyACM*"), h.nodes("ttyAMA*"), h.nodes("ttyS[0-9]*"))
	for _, path := range ports {
		name := filepath.Base(path)
		if kind := h.fact("class/tty", name, "type"); kind == "0" { // a place for a port that is not there
			continue
		}
		driver := ""
		if link, err := os.Readlink(filepath.Join(h.sys, "class/tty", name, "device/driver")); err == nil {
			driver = filepath.Base(link)
		}
		list = append(list, serialFound{Path: path, Names: stable[path], Driver: driver,
			HeldBy: held.words(path), Why: unreadable(path)})
	}
	return list
}

// nodes lists the devices below /dev whose path matches.
func (h Hardware) nodes(pattern string) []string {
	paths, err := filepath.Glob(filepath.Join(h.Dev, pattern))
	if err != nil {
		return nil // only for a wrong pattern
	}
	return inOrder(paths)
}

// fact reads one line of the kernel's about a device.
func (h Hardware) fact(parts ...string) string {
	data, err := os.ReadFile(filepath.Join(h.sys, filepath.Join(parts...)))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// unreadable returns why this user may not use a device. It does not open it: that alone
// resets some devices on serial ports.
func unreadable(path string) string {
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return err.Error()
	}
	return ""
}

// holder is a process that has a device open.
type holder struct {
	pid  int
	name string
}

// holders maps a path, or gpioLines for lines of a GPIO chip, to the processes that have it
// open. Processes of other users are visible to root only.
type holders map[string][]holder

// gpioLines is the kernel's name for requested GPIO lines, of whatever chip.
const gpioLines = "anon_inode:gpio-line"

// openDevices examines all processes but this one.
func openDevices(proc string) holders {
	held := holders{}
	links, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "fd", "*"))
	if err != nil {
		return held
	}
	for _, link := range links {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(link))))
		target, linkErr := os.Readlink(link)
		device := strings.Contains(target, "/dev/") || target == gpioLines
		if err != nil || linkErr != nil || pid == os.Getpid() || !device {
			continue
		}
		by := holder{pid, "process"}
		if name, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "comm")); err == nil {
			by.name = strings.TrimSpace(string(name))
		}
		if !slices.Contains(held[target], by) {
			held[target] = append(held[target], by)
		}
	}
	for list := range maps.Values(held) {
		slices.SortFunc(list, func(a, b holder) int { return cmp.Compare(a.pid, b.pid) })
	}
	return held
}

// words names the processes that hold a device, "" for none.
func (h holders) words(path string) string {
	var names []string
	for _, by := range h[path] {
		names = append(names, fmt.Sprintf("%s (process %d)", by.name, by.pid))
	}
	return strings.Join(names, ", ")
}
