package devices

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/cmd/internal/ports"
	"shoeboard/hw/evdev"
	"shoeboard/hw/linux"
)

// usbUse is what becomes of a USB keypad of the configuration.
func usbUse(k config.Keypad, inputs []input, held Holders, book *ports.Book) Use {
	m, err := book.Find(k)
	u := Use{Section: "keypad", Name: k.Name, Kind: k.Kind, Device: padWords(m)}
	if err != nil {
		u.Why = err.Error() + "; "
	}
	var elsewhere, denied []string
	standIn := ""
	for _, in := range inputs {
		switch {
		case in.err != nil:
			denied = append(denied, in.path)
		case means(m, in.id):
			u.Found, u.HeldBy = in.path, held.words(in.path)
			return u
		case standIn == "" && !ports.Whole(m) && ports.Fits(m, in.id.Match) && hasPad(in.id):
			standIn = in.path
		case ports.Whole(m) && samePad(m, in.id.Match):
			elsewhere = append(elsewhere, fmt.Sprintf("one is in port %s: hold OK on it for %v", in.id.Port, ports.AcceptHold))
		}
	}
	if standIn != "" {
		u.Device += " (a keyboard stands in)"
		u.Found, u.HeldBy = standIn, held.words(standIn)
		return u
	}
	u.Why += "not plugged in"
	if len(elsewhere) > 0 {
		u.Why = strings.Join(elsewhere, ", ")
	}
	if len(denied) > 0 {
		u.Why += "; could not look at " + strings.Join(denied, ", ")
	}
	return u
}

// padWords is which pad is meant, in words.
func padWords(m evdev.Match) string {
	id := ports.PadOf(m)
	var words []string
	for _, part := range [][2]string{{"", id.Device}, {"vendor ", id.Vendor}, {"product ", id.Product}, {"port ", id.Port}} {
		if part[1] != "" {
			words = append(words, part[0]+part[1])
		}
	}
	if len(words) == 0 {
		return "any numeric pad"
	}
	return strings.Join(words, ", ")
}

// means says that a keypad of the configuration that means m is this device.
func means(m evdev.Match, id evdev.Identity) bool {
	if ports.Whole(m) {
		return id.Match == m
	}
	return ports.Fits(m, id.Match) && kindOf(id) == "numeric pad"
}

// hasPad says that a device has the keys of a numeric pad, as many keyboards have.
func hasPad(id evdev.Identity) bool {
	return slices.Contains(id.Keys, codeKP0) && slices.Contains(id.Keys, codeKPOK)
}

// samePad says that a and b are of one make.
func samePad(a, b evdev.Match) bool {
	a.Port, b.Port = "", ""
	return a == b
}

// matrixUse is what becomes of a matrix on the unit's own pins.
func matrixUse(k config.Keypad, chips []linux.Chip) Use {
	u := Use{Section: "keypad", Name: k.Name, Kind: k.Kind, Device: "rows " + strings.Join(k.Rows, " ") + ", columns " + strings.Join(k.Columns, " ")}
	return u.onLines(chips, slices.Concat(k.Rows, k.Columns)...)
}

// findLine finds a line and who holds it.
func findLine(chips []linux.Chip, name string) (linux.Line, string, error) {
	place, err := linux.FindLine(chips, name)
	if err != nil {
		return place, "", err
	}
	c := chips[slices.IndexFunc(chips, func(c linux.Chip) bool { return c.Path == place.Path })]
	line := c.Lines[place.Offset]
	if line.Used {
		return place, cmp.Or(line.Consumer, "the kernel"), nil
	}
	return place, "", nil
}

// expanderUse is what becomes of a matrix on an expander.
func (h Hardware) expanderUse(k config.Keypad, chips []linux.Chip, held Holders) Use {
	bus := h.Path(k.Bus)
	u := Use{Section: "keypad", Name: k.Name, Kind: k.Kind, Device: fmt.Sprintf("%s at %#02x on %s", strings.ToUpper(k.Chip), k.Address, k.Bus),
		HeldBy: held.words(bus)}
	var why []string
	if err := h.answers(bus, uint16(k.Address), asks(k.Chip)); err != nil {
		why = append(why, err.Error())
	} else {
		u.Found = bus
	}
	if k.Interrupt != "" {
		u.Device += ", interrupt on " + k.Interrupt
		if _, _, err := findLine(chips, k.Interrupt); err != nil {
			why = append(why, err.Error())
		}
	}
	u.Why = strings.Join(why, "; ")
	return u
}

// asks is what a chip is written before it is read, to change nothing of it: the number
// of a register that tells directions, or nothing where there are no registers.
func asks(chip string) []byte {
	switch chip {
	case "tca9555":
		return []byte{6}
	case "pcf8575":
		return nil
	}
	return []byte{0}
}

// shoeUse is what becomes of a card-reading shoe. One on the network is not called.
func (h Hardware) shoeUse(s config.Shoe, held Holders) Use {
	u := Use{Section: "shoe", Name: s.Name, Kind: s.Kind, Device: s.Device}
	if strings.HasPrefix(s.Device, "tcp://") {
		return u
	}
	return h.onNode(u, s.Device, held)
}
