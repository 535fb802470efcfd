package gpio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"shoeboard/hw/ioctl"
)

// Flags say how lines are asked for, as in the kernel's gpio.h.
type Flags uint64

// The kernel's flags that are used here. Open drain makes a set bit let go of the
// line: the kernel does so by making it an input where the chip cannot.
const (
	ActiveLow   Flags = 1 << 1
	Input       Flags = 1 << 2
	Output      Flags = 1 << 3
	RisingEdge  Flags = 1 << 4
	FallingEdge Flags = 1 << 5
	OpenDrain   Flags = 1 << 6
	PullUp      Flags = 1 << 8
	PullDown    Flags = 1 << 9
	NoPull      Flags = 1 << 10
)

const (
	infoUsed   = 1 << 0
	infoOutput = 1 << 3
	chipInfo   = 0x8044b401 // GPIO_GET_CHIPINFO_IOCTL
	eventSize  = int(unsafe.Sizeof(unix.GPIOV2LineEvent{}))
)

// Chips asks all chips of a folder (/dev) who they are. A second name of a chip
// (a symbolic link) is left out. The error names the chips that did not answer;
// the others are returned all the same.
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
		c, err := ask(filepath.Join(dir, e.Name()))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		chips = append(chips, c)
	}
	return chips, errors.Join(errs...)
}

// Places finds lines on the chips of a folder, named as for Find. Its error tells of
// chips that did not answer as well.
func Places(dir string, lines ...string) ([]Place, error) {
	chips, chipErr := Chips(dir)
	var places []Place
	for _, line := range lines {
		p, err := Find(chips, line)
		if err != nil {
			return nil, errors.Join(err, chipErr)
		}
		places = append(places, p)
	}
	return places, nil
}

func ask(path string) (Chip, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Chip{}, err
	}
	defer f.Close()
	var info unix.GPIOChipInfo
	if err := ioctl.Do(f, chipInfo, unsafe.Pointer(&info)); err != nil {
		return Chip{}, fmt.Errorf("%s: not a GPIO chip: %w", path, err)
	}
	c := Chip{Path: path, Label: unix.ByteSliceToString(info.Label[:])}
	for offset := range info.Lines {
		line := unix.GPIOV2LineInfo{Offset: offset}
		if err := ioctl.Do(f, unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Pointer(&line)); err != nil {
			return Chip{}, fmt.Errorf("%s line %d: %w", path, offset, err)
		}
		c.Lines = append(c.Lines, Info{
			Name:     unix.ByteSliceToString(line.Name[:]),
			Consumer: unix.ByteSliceToString(line.Consumer[:]),
			Used:     line.Flags&infoUsed != 0,
			Output:   line.Flags&infoOutput != 0,
		})
	}
	return c, nil
}

// Lines are lines of one chip that this program holds. Bit i of a level or a
// mask is line i as asked for. The kernel lets go of them when they are closed
// or the program ends.
type Lines struct{ f *os.File }

// Request asks for lines of one chip under the name consumer; at most 64. An
// output has its bit of values from the start.
func Request(consumer string, places []Place, flags Flags, values uint64) (*Lines, error) {
	if len(places) == 0 || len(places) > 64 {
		return nil, fmt.Errorf("gpio: %d lines asked for, want 1 to 64", len(places))
	}
	chip, err := os.OpenFile(places[0].Path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer chip.Close()
	req, err := request(consumer, places, flags, values)
	if err != nil {
		return nil, err
	}
	if err := ioctl.Do(chip, unix.GPIO_V2_GET_LINE_IOCTL, unsafe.Pointer(req)); err != nil {
		return nil, fmt.Errorf("%s lines %v: %w (EBUSY: another program holds one)", places[0].Path, req.Offsets[:len(places)], err)
	}
	if err := unix.SetNonblock(int(req.Fd), true); err != nil {
		unix.Close(int(req.Fd))
		return nil, err
	}
	return &Lines{os.NewFile(uintptr(req.Fd), consumer)}, nil
}

func request(consumer string, places []Place, flags Flags, values uint64) (*unix.GPIOV2LineRequest, error) {
	req := &unix.GPIOV2LineRequest{Num_lines: uint32(len(places))}
	copy(req.Consumer[:len(req.Consumer)-1], consumer)
	for i, p := range places {
		if p.Path != places[0].Path {
			return nil, fmt.Errorf("gpio: lines on %s and %s; they must be on one chip", places[0].Path, p.Path)
		}
		req.Offsets[i] = p.Offset
	}
	req.Config.Flags = uint64(flags)
	if flags&Output != 0 {
		all := ^uint64(0) >> (64 - len(places))
		req.Config.Num_attrs = 1
		req.Config.Attrs[0] = unix.GPIOV2LineConfigAttribute{Mask: all,
			Attr: unix.GPIOV2LineAttribute{Id: unix.GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, Flags: values & all}}
	}
	return req, nil
}

// Get reads the lines in mask; the other bits are 0.
func (l *Lines) Get(mask uint64) (uint64, error) {
	v := unix.GPIOV2LineValues{Mask: mask}
	err := ioctl.Do(l.f, unix.GPIO_V2_LINE_GET_VALUES_IOCTL, unsafe.Pointer(&v))
	return v.Bits & mask, err
}

// Set sets the outputs in mask to their bit of values.
func (l *Lines) Set(values, mask uint64) error {
	v := unix.GPIOV2LineValues{Bits: values, Mask: mask}
	return ioctl.Do(l.f, unix.GPIO_V2_LINE_SET_VALUES_IOCTL, unsafe.Pointer(&v))
}

// Wait returns after an edge, after d, or when ctx ends, whichever is first; none
// of them is an error. What edges there were is not told: whoever waits reads the
// levels.
func (l *Lines) Wait(ctx context.Context, d time.Duration) error {
	if err := l.f.SetReadDeadline(time.Now().Add(d)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { l.f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if ctx.Err() != nil { // ended before the deadline was set
		return nil
	}
	_, err := l.f.Read(make([]byte, 16*eventSize))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

// Drain forgets the edges that wait to be read.
func (l *Lines) Drain() error {
	return ioctl.Control(l.f, func(fd int) error {
		buf := make([]byte, 16*eventSize)
		for {
			n, err := unix.Read(fd, buf)
			if err == unix.EAGAIN {
				return nil
			}
			if err != nil || n == 0 {
				return err
			}
		}
	})
}

// Close lets go of the lines.
func (l *Lines) Close() error { return l.f.Close() }
