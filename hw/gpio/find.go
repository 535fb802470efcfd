// Package gpio is a small client of the Linux GPIO character device, version 2
// of its interface (Linux 5.10 and later).
//
// Words: a chip is /dev/gpiochipN; a line is one pin of it, known by its name
// ("GPIO17") or as LABEL:OFFSET ("pinctrl-rp1:17"), never by a chip's number,
// which has changed between kernels; Lines are some lines of one chip that this
// program has asked for and holds.
//
// A caller may assume: to list lines changes none of them; outputs have their
// first value from the moment they are outputs; an open output is really open
// (high impedance); an error is never a level; a wait ends, with an edge, with its
// time or with its context. Nothing but the named lines is touched, no standard
// descriptor is closed, and no right but that of group gpio is needed.
//
// This is our own, in place of periph.io's host drivers: those turn an output
// into an input when they are asked for its state, drive a fresh output low
// before its value, spin on a wait without end, lose the order of edges, and close
// descriptor 0 where two names lead to one chip.
package gpio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Chip is what one GPIO chip says of itself.
type Chip struct {
	Path  string // "/dev/gpiochip0"
	Label string // "pinctrl-rp1"
	Lines []Info // by offset
}

// Info is what the kernel says of one line. To ask changes nothing.
type Info struct {
	Name     string // "GPIO17", or empty
	Consumer string // who holds it, if anyone
	Used     bool
	Output   bool
}

// Place is a line that was found: a chip and the line's offset on it.
type Place struct {
	Path   string
	Offset uint32
}

// Find looks a line up by its name, or as LABEL:OFFSET. A name that no chip or
// more than one has is an error that says what there is.
func Find(chips []Chip, line string) (Place, error) {
	places := byName(chips, line)
	if label, number, ok := strings.Cut(line, ":"); ok && len(places) == 0 {
		places = byOffset(chips, label, number)
	}
	switch len(places) {
	case 1:
		return places[0], nil
	case 0:
		if len(chips) == 0 {
			return Place{}, fmt.Errorf("no GPIO line %q, for there is no GPIO chip (is the program's user in group gpio?)", line)
		}
		return Place{}, fmt.Errorf("no GPIO line %q on %s; a line is named as in GPIO17, or LABEL:OFFSET", line, describe(chips))
	}
	return Place{}, fmt.Errorf("GPIO line %q is on %d chips: write it as LABEL:OFFSET with one of %s", line, len(places), describe(chips))
}

func byName(chips []Chip, line string) (places []Place) {
	for _, c := range chips {
		for offset, info := range c.Lines {
			if info.Name == line && line != "" {
				places = append(places, Place{c.Path, uint32(offset)})
			}
		}
	}
	return places
}

func byOffset(chips []Chip, label, number string) (places []Place) {
	offset, err := strconv.ParseUint(number, 10, 32)
	for _, c := range chips {
		if err == nil && c.Label == label && offset < uint64(len(c.Lines)) {
			places = append(places, Place{c.Path, uint32(offset)})
		}
	}
	return places
}

// describe names the chips there are, for a technician.
func describe(chips []Chip) string {
	var names []string
	for _, c := range chips {
		names = append(names, fmt.Sprintf("%s (%d lines)", c.Label, len(c.Lines)))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
