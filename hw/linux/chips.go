package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Chip describes one GPIO chip.
type Chip struct {
	Path  string // "/dev/gpiochip0"
	Label string // "pinctrl-rp1"
	Lines []LineInfo
}

// LineInfo describes one line of a chip.
type LineInfo struct {
	Name     string // "GPIO17", or empty
	Consumer string // who holds it, if anyone
	Used     bool
	Output   bool
}

// Line is one line of a chip; Offset is its index in Chip.Lines.
type Line struct {
	Path   string
	Offset uint32
}

const (
	infoUsed   = 1 << 0
	infoOutput = 1 << 3
	chipInfo   = 0x8044b401 // GPIO_GET_CHIPINFO_IOCTL
)

// Chips describes all chips of a folder (/dev). A second name of a chip (a symbolic link)
// is left out. The error names the chips that did not answer; the others are returned all
// the same.
func Chips(dir string) ([]Chip, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var chips []Chip
	var errs []error
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "gpiochip") || e.Type()&os.ModeSymlink != 0 {
			continue
		}
		c, err := readChip(filepath.Join(dir, e.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		chips = append(chips, c)
	}
	return chips, errors.Join(errs...)
}

func readChip(path string) (Chip, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Chip{}, err
	}
	defer f.Close()
	var info unix.GPIOChipInfo
	if err := Ioctl(f, chipInfo, unsafe.Pointer(&info)); err != nil {
		return Chip{}, fmt.Errorf("%s: not a GPIO chip: %w", path, err)
	}
	c := Chip{Path: path, Label: unix.ByteSliceToString(info.Label[:])}
	for offset := range info.Lines {
		line := unix.GPIOV2LineInfo{Offset: offset}
		if err := Ioctl(f, unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Pointer(&line)); err != nil {
			return Chip{}, fmt.Errorf("%s line %d: %w", path, offset, err)
		}
		c.Lines = append(c.Lines, LineInfo{
			Name:     unix.ByteSliceToString(line.Name[:]),
			Consumer: unix.ByteSliceToString(line.Consumer[:]),
			Used:     line.Flags&infoUsed != 0,
			Output:   line.Flags&infoOutput != 0,
		})
	}
	return c, nil
}

// FindLine returns the line of that name, or of LABEL:OFFSET. A name that no chip or more
// than one has is an error that says what there is.
func FindLine(chips []Chip, name string) (Line, error) {
	label, number, _ := strings.Cut(name, ":")
	var found, placed []Line
	for _, c := range chips {
		for offset, info := range c.Lines {
			line := Line{c.Path, uint32(offset)}
			if info.Name == name && name != "" {
				found = append(found, line)
			}
			if c.Label == label && strconv.Itoa(offset) == number {
				placed = append(placed, line)
			}
		}
	}
	if len(found) == 0 {
		found = placed
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Line{}, fmt.Errorf("GPIO line %q is on %d chips: write it as LABEL:OFFSET with one of %s",
			name, len(found), describe(chips))
	case len(chips) == 0:
		return Line{}, fmt.Errorf("no GPIO line %q: there is no GPIO chip (is the program's user in group gpio?)", name)
	}
	return Line{}, fmt.Errorf("no GPIO line %q on %s; write a line as GPIO17 or as LABEL:OFFSET", name, describe(chips))
}

// describe names the chips for a technician.
func describe(chips []Chip) string {
	var names []string
	for _, c := range chips {
		names = append(names, fmt.Sprintf("%s (%d lines)", c.Label, len(c.Lines)))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
