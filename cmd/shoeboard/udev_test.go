package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// powerSwitch is what systemd's 70-power-switch.rules does: logind takes the power, sleep
// and suspend keys of every device with the tag.
const powerSwitch = `
ACTION=="remove", GOTO="power_switch_end"
SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_SWITCH}=="1", TAG+="power-switch"
SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_KEY}=="1", TAG+="power-switch"
LABEL="power_switch_end"
`

// device is one for which udev goes through its rules: its own properties by the names of
// the keys, and those of the devices above it.
type device struct {
	own    map[string]string
	above  []map[string]string
	tags   []string
	writes map[string]string
}

var ruleToken = regexp.MustCompile(`([A-Z]+(?:\{[^}]*\})?)(==|!=|\+=|-=|=)"([^"]*)"`)

// apply goes through rules as udev(7) says, as far as our rules and the one above use it.
func (d *device) apply(t *testing.T, rules string) {
	t.Helper()
	skipTo := ""
	for line := range strings.Lines(rules) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		tokens := ruleToken.FindAllStringSubmatch(line, -1)
		if rest := strings.Trim(ruleToken.ReplaceAllString(line, ""), ", "); rest != "" || len(tokens) == 0 {
			t.Fatalf("not understood: %s", line)
		}
		if skipTo != "" {
			if tokens[0][1] == "LABEL" && tokens[0][3] == skipTo {
				skipTo = ""
			}
			continue
		}
		if d.matches(tokens) {
			skipTo = d.assign(tokens)
		}
	}
	if skipTo != "" {
		t.Fatalf("no label %s", skipTo)
	}
}

// matches reports whether every condition of a line holds; those with an S are to hold
// together of the device itself or of one above it.
func (d *device) matches(tokens [][]string) bool {
	up := func(props map[string]string) bool {
		return !slices.ContainsFunc(tokens, func(k []string) bool {
			return slices.Contains([]string{"DRIVERS", "KERNELS", "SUBSYSTEMS"}, k[1]) && !holds(props[strings.TrimSuffix(k[1], "S")], k)
		})
	}
	for _, k := range tokens {
		switch {
		case slices.Contains([]string{"DRIVERS", "KERNELS", "SUBSYSTEMS", "GOTO", "LABEL", "TAG"}, k[1]), k[2] == "=":
		case !holds(d.own[k[1]], k):
			return false
		}
	}
	return up(d.own) || slices.ContainsFunc(d.above, up)
}

func holds(value string, k []string) bool {
	want := k[3]
	if strings.HasPrefix(k[1], "TEST") {
		return value != ""
	}
	one := slices.ContainsFunc(strings.Split(want, "|"), func(pattern string) bool { ok, _ := path.Match(pattern, value); return ok })
	return one == (k[2] == "==")
}

func (d *device) assign(tokens [][]string) (skipTo string) {
	for _, k := range tokens {
		switch {
		case k[1] == "GOTO":
			skipTo = k[3]
		case k[1] == "TAG" && k[2] == "+=":
			d.tags = append(d.tags, k[3])
		case k[1] == "TAG" && k[2] == "-=":
			d.tags = slices.DeleteFunc(d.tags, func(tag string) bool { return tag == k[3] })
		case k[2] == "=" && k[1] != "LABEL":
			d.writes[k[1]] = k[3]
		}
	}
	return skipTo
}

// inputRules are all rules of the package with the one of systemd, in the order in which
// udev reads them.
func inputRules(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(unitsDir + "/*-shoeboard-input.rules")
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if name := filepath.Base(files[0]); name < "70-power-switch.rules" {
		t.Errorf("%s comes before systemd's own rule", name)
	}
	theirs := powerSwitch
	for _, file := range []string{"/usr/lib/udev/rules.d/70-power-switch.rules", "/lib/udev/rules.d/70-power-switch.rules"} {
		if text, err := os.ReadFile(file); err == nil {
			theirs = string(text)
		}
	}
	return theirs + "\n" + readUnit(t, filepath.Base(files[0]))
}

// A sleep key on the second interface of a keypad, or the button of a television's remote,
// switched the unit off: systemd gives its tag to whatever has a key, and our rule took it
// from keyboards alone.
func TestOnlyTheBoardsOwnButtonSwitchesTheUnitOff(t *testing.T) {
	usb := []map[string]string{{"DRIVER": "usbhid", "SUBSYSTEM": "usb"}, {"DRIVER": "usb", "SUBSYSTEM": "usb"}, {"DRIVER": "xhci_hcd", "SUBSYSTEM": "platform"}}
	input := func(props ...string) map[string]string {
		own := map[string]string{"ACTION": "add", "SUBSYSTEM": "input", "KERNEL": "event4"}
		for _, p := range props {
			own["ENV{"+p+"}"] = "1"
		}
		return own
	}
	rules := inputRules(t)
	for name, c := range map[string]struct {
		own   map[string]string
		above []map[string]string
		keeps bool
	}{
		"the keypad":                        {input("ID_INPUT_KEY", "ID_INPUT_KEYBOARD"), usb, false},
		"the keypad's second interface":     {input("ID_INPUT_KEY"), usb, false},
		"a lid switch on USB":               {input("ID_INPUT_SWITCH"), usb, false},
		"a remote over CEC":                 {input("ID_INPUT_KEY"), []map[string]string{{"SUBSYSTEM": "rc"}, {"DRIVER": "vc4_hdmi", "SUBSYSTEM": "platform"}}, false},
		"a keyboard over Bluetooth":         {input("ID_INPUT_KEY", "ID_INPUT_KEYBOARD"), []map[string]string{{"DRIVER": "hid-generic", "SUBSYSTEM": "hid"}}, false},
		"USB that calls itself pwr_button":  {input("ID_INPUT_KEY"), append([]map[string]string{{"ATTR{name}": "pwr_button", "SUBSYSTEM": "input", "KERNEL": "input3"}}, usb...), false},
		"the button of a Pi 5":              {input("ID_INPUT_KEY"), []map[string]string{{"KERNEL": "input0", "SUBSYSTEM": "input"}, {"KERNEL": "pwr_button", "SUBSYSTEM": "platform", "DRIVER": "gpio-keys"}}, true},
		"the button of a PC":                {input("ID_INPUT_KEY"), []map[string]string{{"KERNEL": "LNXPWRBN:00", "SUBSYSTEM": "acpi", "DRIVER": "button"}}, true},
		"the button of a PC by its control": {input("ID_INPUT_KEY"), []map[string]string{{"KERNEL": "PNP0C0C:00", "SUBSYSTEM": "acpi", "DRIVER": "button"}}, true},
	} {
		d := &device{own: c.own, above: c.above, writes: map[string]string{}}
		d.apply(t, rules)
		if slices.Contains(d.tags, "power-switch") != c.keeps {
			t.Errorf("%s: tags %v", name, d.tags)
		}
		if len(d.writes) > 0 {
			t.Errorf("%s: writes %v", name, d.writes)
		}
	}
}

// What the kernel or a list of models has put to sleep stays awake when it is a keypad, and
// nothing else is touched.
func TestKeypadsAreNotSuspended(t *testing.T) {
	rules := inputRules(t)
	for name, c := range map[string]struct {
		own   map[string]string
		awake bool
	}{
		"a keypad":                  {map[string]string{"ACTION": "add", "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_interface", "ATTR{bInterfaceClass}": "03", "TEST": "1"}, true},
		"a stick":                   {map[string]string{"ACTION": "add", "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_interface", "ATTR{bInterfaceClass}": "08", "TEST": "1"}, false},
		"a keypad that goes":        {map[string]string{"ACTION": "remove", "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_interface", "ATTR{bInterfaceClass}": "03", "TEST": "1"}, false},
		"a keypad without the file": {map[string]string{"ACTION": "add", "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_interface", "ATTR{bInterfaceClass}": "03"}, false},
	} {
		d := &device{own: c.own, writes: map[string]string{}}
		d.apply(t, rules)
		if got := d.writes["ATTR{../power/control}"] == "on"; got != c.awake || len(d.writes) > 1 {
			t.Errorf("%s: writes %v", name, d.writes)
		}
	}
}
