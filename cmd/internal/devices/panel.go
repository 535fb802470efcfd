package devices

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/hw/linux"
)

// panelUses are what becomes of everything that shows, sounds and switches beside
// keypads and shoes. Lamps, a buzzer and a timer do not answer: that their lines or
// their port are there is all that can be known without lighting them.
func (h Hardware) panelUses(cfg config.Config, chips []linux.Chip, held Holders) (uses []Use) {
	for _, l := range cfg.Lights {
		uses = append(uses, h.lightsUse(l, chips, held))
	}
	for _, b := range cfg.Buzzers {
		u := Use{Section: "buzzer", Name: b.Name, Kind: "line", Device: "active buzzer on " + b.Line}
		uses = append(uses, u.onLines(chips, b.Line))
	}
	for _, e := range cfg.Echoes {
		u := Use{Section: "echo", Name: e.Name, Kind: e.Kind, Device: e.Device}
		uses = append(uses, h.onNode(u, e.Device, held))
	}
	for _, t := range cfg.Timers {
		u := Use{Section: "timer", Name: t.Name, Kind: "max7219", Device: fmt.Sprintf("MAX7219 of %d digits on %s", t.Digits, t.SPI)}
		uses = append(uses, h.onNode(u, t.SPI, held))
	}
	for _, k := range cfg.KeySwitches {
		u := Use{Section: "key_switch", Name: k.Name, Kind: "line", Device: "contact on " + k.Line}
		uses = append(uses, u.onLines(chips, k.Line))
	}
	return uses
}

// lightsUse is what becomes of the lamps of some keys.
func (h Hardware) lightsUse(l config.Lights, chips []linux.Chip, held Holders) Use {
	u := Use{Section: "light", Name: l.Name, Kind: l.Kind}
	switch l.Kind {
	case "registers":
		u.Device = fmt.Sprintf("%d 74HC595 on %s", (len(l.Keys)+7)/8, l.SPI)
	case "pixels":
		u.Device = fmt.Sprintf("%d APA102 on %s", len(l.Keys), l.SPI)
	default:
		u.Device = "lamps on " + strings.Join(l.Lines, " ")
		return u.onLines(chips, l.Lines...)
	}
	return h.onNode(u, l.SPI, held)
}

// onLines is a use of lines of one GPIO chip.
func (u Use) onLines(chips []linux.Chip, names ...string) Use {
	var why []string
	for _, name := range names {
		place, by, err := findLine(chips, name)
		switch {
		case err != nil:
			why = append(why, err.Error())
			continue
		case u.Found != "" && u.Found != place.Path:
			why = append(why, fmt.Sprintf("%s is on %s and the first on %s; they must be on one chip", name, place.Path, u.Found))
			continue
		}
		u.Found, u.HeldBy = place.Path, cmp.Or(by, u.HeldBy)
	}
	u.Why = strings.Join(slices.Compact(why), "; ")
	return u
}

// onNode is a use of a device file of the configuration. It is not opened: that alone
// resets some devices.
func (h Hardware) onNode(u Use, device string, held Holders) Use {
	path := h.Path(device)
	if _, err := os.Stat(path); err != nil {
		u.Why = missing(device)
		if !os.IsNotExist(err) {
			u.Why = err.Error()
		}
		return u
	}
	u.Found = path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		u.Found = target
	}
	u.HeldBy, u.Why = held.words(u.Found), unreadable(u.Found)
	return u
}

// missing says why a device file may not be there.
func missing(device string) string {
	switch {
	case strings.HasPrefix(device, "/dev/spidev"):
		return "there is no such SPI port; is SPI enabled (dtparam=spi=on)?"
	case strings.HasPrefix(device, "/dev/i2c-"):
		return "there is no such I2C bus; is I2C enabled (dtparam=i2c_arm=on)?"
	}
	return "not plugged in"
}
