package devices

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/testkit"
	"shoeboard/hw/evdev"
	"shoeboard/hw/expander"
	"shoeboard/hw/hwtest"
	"shoeboard/hw/linux"
)

// machine is a unit with a pad, a keyboard, a GPIO chip, a bus and a serial adapter,
// of which another process holds the pad and the adapter.
func machine(t *testing.T) (Hardware, *hwtest.Input) {
	root := t.TempDir()
	usb := filepath.Join(root, "dev/ttyUSB0")
	testkit.Plant(t, root, map[string]string{
		"dev/i2c-1": "", "sys/class/i2c-dev/i2c-1/name": "bcm2835 (i2c@7e804000)\n",
		"dev/spidev0.0": "", "dev/spidev0.1": "", "dev/ttyUSB0": "", "sys/class/tty/ttyUSB0/type": "0x0\n",
		"dev/ttyS0": "", "sys/class/tty/ttyS0/type": "0\n",
		"proc/812/comm": "shoeboard\n", "proc/1/comm": "init\n",
	}, map[string]string{
		"dev/serial/by-id/usb-shoe":              "../../ttyUSB0",
		"sys/class/tty/ttyUSB0/device/driver":    "/sys/bus/usb-serial/drivers/ftdi_sio",
		"proc/812/fd/0":                          "/dev/null",
		"proc/812/fd/7":                          "/dev/input/event3",
		"proc/812/fd/8":                          usb,
		"proc/1/fd/0":                            "socket:[123]",
		"proc/self/fd/7":                         "/dev/input/event3",
		fmt.Sprintf("proc/%d/fd/7", os.Getpid()): "/dev/input/event3",
	})
	in := hwtest.NewInput()
	in.Plug("/dev/input/event3", testkit.SomePad("SEM USB Keypad", testkit.PortA))
	in.Plug("/dev/input/event10", testkit.SomePad("Dell Keyboard", testkit.PortB))
	in.Plug("/dev/input/event0", evdev.Identity{Match: evdev.Match{Name: "pwr_button"}, Keys: []uint16{116}})
	chips := []linux.Chip{{Path: "/dev/gpiochip0", Label: "pinctrl-bcm2711", Lines: make([]linux.LineInfo, 28)}}
	for i := range chips[0].Lines {
		chips[0].Lines[i].Name = "GPIO" + strconv.Itoa(i)
	}
	chips[0].Lines[5] = linux.LineInfo{Name: "GPIO5", Used: true, Consumer: "shoeboard keypad rows"}
	chips[0].Lines[24] = linux.LineInfo{Name: "GPIO24", Used: true, Consumer: "shoeboard buzzer"}
	return Hardware{
		Dev: filepath.Join(root, "dev"), Input: in, Log: testkit.Log(),
		sys: filepath.Join(root, "sys"), proc: filepath.Join(root, "proc"),
		chips: func(string) ([]linux.Chip, error) {
			return chips, errors.Join(errors.New("/dev/gpiochip1: permission denied"))
		},
		probe: func(w expander.Wiring) error {
			if w.Addr != 0x20 {
				return fmt.Errorf("%s device %#02x: %w", w.Bus, w.Addr, unix.EREMOTEIO)
			}
			return nil
		},
	}, in
}

const fullHouse = `
[[keypad]]
name = "pad"
[[keypad]]
name = "moved"
vendor = "1a2c"
product = "2124"
device = "Dell Keyboard"
port = "usb-9/input0"
[[keypad]]
name = "wired"
kind = "matrix"
layout = "small"
rows = ["GPIO5", "GPIO6"]
columns = ["GPIO12", "GPIO99"]
[[keypad]]
name = "chip"
kind = "expander"
layout = "matrix-4x5"
interrupt = "GPIO4"
[[keypad]]
name = "lost"
kind = "expander"
layout = "matrix-4x5"
address = 0x27
[[shoe]]
name = "shoe"
kind = "tsp1"
device = "/dev/serial/by-id/usb-shoe"
[[shoe]]
name = "far"
kind = "angel-eye"
device = "tcp://10.0.0.9:4001"
[[shoe]]
name = "gone"
kind = "tsp1"
device = "/dev/serial/by-id/usb-other"
[[light]]
name = "lamps"
lines = ["GPIO22", "GPIO23"]
keys = ["BANKER", "PLAYER"]
[[light]]
name = "chain"
kind = "registers"
keys = ["BANKER", "PLAYER", "TIE", "OK", "CLEAR", "BETS", "VOID", "FREE", "CUT"]
[[light]]
name = "strip"
kind = "pixels"
spi = "/dev/spidev0.7"
keys = ["OK"]
[[buzzer]]
line = "GPIO24"
[[echo]]
name = "lines"
device = "/dev/ttyS0"
[[echo]]
name = "oled"
kind = "ssd1306"
device = "/dev/i2c-9"
[[timer]]
[[key_switch]]
line = "GPIO77"
[keymap.small.keys]
r1c1 = { tap = "BANKER" }
r1c2 = { tap = "PLAYER" }
r2c1 = { tap = "TIE" }
r2c2 = { tap = "OK" }
`

func TestInventorySaysWhatTheConfigurationUsesAndWhatFailed(t *testing.T) {
	h, _ := machine(t)
	l := h.Inventory(testkit.Config(t, fullHouse), NewEnrolments(t.TempDir()))
	uses := map[string]Use{}
	for _, u := range l.Configured {
		uses[u.Name] = u
	}
	usb, spi := filepath.Join(h.Dev, "ttyUSB0"), filepath.Join(h.Dev, "spidev0.0")
	for name, want := range map[string]struct{ found, heldBy, why string }{
		"pad":   {"/dev/input/event3", "shoeboard (process 812)", ""},
		"moved": {"", "", "one stands in, in port " + testkit.PortB},
		"wired": {"/dev/gpiochip0", "shoeboard keypad rows", `no GPIO line "GPIO99"`},
		"chip":  {filepath.Join(h.Dev, "i2c-1"), "", ""},
		"lost":  {"", "", "device 0x27"},
		"shoe":  {usb, "shoeboard (process 812)", ""},
		"far":   {"", "", ""},
		"gone":  {"", "", "not plugged in"},

		"lamps":      {"/dev/gpiochip0", "", ""},
		"chain":      {spi, "", ""},
		"strip":      {"", "", "is SPI enabled"},
		"buzzer":     {"/dev/gpiochip0", "shoeboard buzzer", ""},
		"lines":      {filepath.Join(h.Dev, "ttyS0"), "", ""},
		"oled":       {"", "", "is I2C enabled"},
		"timer":      {filepath.Join(h.Dev, "spidev0.1"), "", ""},
		"key-switch": {"", "", `no GPIO line "GPIO77"`},
	} {
		got := uses[name]
		if got.Found != want.found || got.HeldBy != want.heldBy || !strings.Contains(got.Why, want.why) || (got.Why == "") != (want.why == "") {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestInventoryOfDevices(t *testing.T) {
	h, in := machine(t)
	in.Plug("/dev/input/event11", testkit.SomePad("Mine", testkit.PortB)).Deny(true)
	l := h.Inventory(testkit.Config(t, ""), NewEnrolments(t.TempDir()))
	var kinds []string
	for _, d := range l.Inputs {
		kinds = append(kinds, filepath.Base(d.Path)+" "+d.Kind)
	}
	if got, want := strings.Join(kinds, ", "), "event0 no keys, event3 numeric pad, event10 keyboard, event11 no keys"; got != want {
		t.Errorf("input devices are %s, want %s", got, want)
	}
	if why := l.Inputs[3].Why; !strings.Contains(why, "group input") || l.Inputs[1].HeldBy != "shoeboard (process 812)" {
		t.Errorf("event11 failed: %q; event3 is held by %q", why, l.Inputs[1].HeldBy)
	}
	if len(l.GPIO) != 2 || l.GPIO[0].Used[0] != "GPIO5 by shoeboard keypad rows" || !strings.Contains(l.GPIO[1].Why, "gpiochip1") {
		t.Errorf("GPIO chips: %+v", l.GPIO)
	}
	if len(l.I2C) != 1 || l.I2C[0].Name != "bcm2835 (i2c@7e804000)" {
		t.Errorf("I2C buses: %+v", l.I2C)
	}
	if len(l.Serial) != 1 || l.Serial[0].Driver != "ftdi_sio" || filepath.Base(l.Serial[0].Names[0]) != "usb-shoe" {
		t.Errorf("serial ports: %+v", l.Serial)
	}
}

// Where any pad will do the core takes a keyboard as well, until a pad comes.
func TestInventoryNamesAKeyboardThatStandsIn(t *testing.T) {
	h, in := machine(t)
	in.Unplug("/dev/input/event3")
	use := h.Inventory(testkit.Config(t, ""), NewEnrolments(t.TempDir())).Configured[0]
	if use.Found != "/dev/input/event10" || use.Why != "" || use.Device != "any numeric pad (a keyboard stands in)" {
		t.Errorf("%+v", use)
	}
}

func TestInventoryInWords(t *testing.T) {
	h, _ := machine(t)
	var out bytes.Buffer
	if err := h.Inventory(testkit.Config(t, fullHouse), NewEnrolments(t.TempDir())).Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"SEM USB Keypad"`, "1a2c:2124", "numeric pad; held by shoeboard (process 812)",
		"in use: GPIO5 by shoeboard keypad rows", "keypad lost", "FAILED", "tcp://10.0.0.9:4001", "light chain", "2 74HC595 on /dev/spidev0.0", "1 APA102", "MAX7219 of 4 digits", "active buzzer on GPIO24", "contact on GPIO77"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said in\n%s", want, out.String())
		}
	}
}

func TestErrorsOneByOne(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	for _, c := range []struct {
		err  error
		want string
	}{{nil, ""}, {a, "a"}, {errors.Join(a, b), "a b"}, {fs.ErrNotExist, ""}} {
		if got := strings.Join(each(c.err), " "); got != c.want {
			t.Errorf("%v one by one: %q, want %q", c.err, got, c.want)
		}
	}
}

// A file of enrolments that is corrupt is named for a pad that is missing, wherever one of
// its kind is, and for none that is there.
func TestACorruptFileOfEnrolmentsIsNamedForAMissingPad(t *testing.T) {
	enrolled := NewEnrolments(t.TempDir())
	if err := os.WriteFile(enrolled.Path, []byte(`{"pads": [{"keyp`), 0o644); err != nil {
		t.Fatal(err)
	}
	there, moved := testkit.SomePad("SEM USB Keypad", testkit.PortA), testkit.SomePad("SEM USB Keypad", testkit.PortB)
	k := testkit.PadNamed("pad")
	k.Vendor, k.Product = config.USBID(there.Vendor), config.USBID(there.Product)
	k.Device, k.Port = there.Name, there.Port
	for _, c := range []struct {
		inputs []input
		want   []string
	}{
		{[]input{{path: "/dev/input/event3", id: there}}, nil},
		{[]input{{path: "/dev/input/event3", id: moved}}, []string{"is corrupt", "stands in, in port"}},
		{nil, []string{"is corrupt", "; not plugged in"}},
	} {
		u := uses{inputs: c.inputs, enrolled: enrolled}.usb(Use{}, k)
		if c.want == nil && u.Why != "" {
			t.Errorf("a pad that is there: %q", u.Why)
		}
		for _, want := range c.want {
			if !strings.Contains(u.Why, want) {
				t.Errorf("%q does not say %q", u.Why, want)
			}
		}
	}
}
