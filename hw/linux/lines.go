package linux

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Flags say how lines are requested, as in the kernel's gpio.h.
type Flags uint64

// The kernel's flags that are used here. Open drain makes a set bit let go of the line: the
// kernel makes it an input where the chip cannot do it.
const (
	ActiveLow   Flags = 1 << 1
	Input       Flags = 1 << 2
	Output      Flags = 1 << 3
	FallingEdge Flags = 1 << 5
	OpenDrain   Flags = 1 << 6
	PullUp      Flags = 1 << 8
	PullDown    Flags = 1 << 9
)

const eventSize = int(unsafe.Sizeof(unix.GPIOV2LineEvent{}))

// Lines are lines of one chip that this program holds. Bit i of a level or a mask is the
// i-th line of the request. The kernel releases them when they are closed or the program
// ends.
type Lines struct{ f *os.File }

// RequestLines requests lines of one chip under the name consumer, 1 to 64 of them, named
// as for FindLine; dir is the folder of the chips, /dev. An output has its bit of values
// from the start. The error includes those of chips that did not answer.
func RequestLines(dir, consumer string, flags Flags, values uint64, names ...string) (*Lines, error) {
	chips, chipErr := Chips(dir)
	var lines []Line
	for _, name := range names {
		l, err := FindLine(chips, name)
		if err != nil {
			return nil, errors.Join(err, chipErr)
		}
		lines = append(lines, l)
	}
	req, err := newRequest(consumer, lines, flags, values)
	if err != nil {
		return nil, err
	}
	chip, err := os.OpenFile(lines[0].Path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer chip.Close()
	if err := Ioctl(chip, unix.GPIO_V2_GET_LINE_IOCTL, unsafe.Pointer(req)); err != nil {
		return nil, fmt.Errorf("%s lines %v: %w (EBUSY: another program holds one)",
			chip.Name(), req.Offsets[:len(lines)], err)
	}
	if err := unix.SetNonblock(int(req.Fd), true); err != nil {
		unix.Close(int(req.Fd))
		return nil, err
	}
	return &Lines{os.NewFile(uintptr(req.Fd), consumer)}, nil
}

// RequestOutputs requests lines as outputs that are off. With activeLow a line is on when
// it is low.
func RequestOutputs(dir, consumer string, activeLow bool, names ...string) (*Lines, error) {
	flags := Output
	if activeLow {
		flags |= ActiveLow
	}
	return RequestLines(dir, consumer, flags, 0, names...)
}

func newRequest(consumer string, lines []Line, flags Flags, values uint64) (*unix.GPIOV2LineRequest, error) {
	if len(lines) == 0 || len(lines) > 64 {
		return nil, fmt.Errorf("GPIO: %d lines requested, want 1 to 64", len(lines))
	}
	req := &unix.GPIOV2LineRequest{Num_lines: uint32(len(lines))}
	copy(req.Consumer[:len(req.Consumer)-1], consumer)
	for i, l := range lines {
		if l.Path != lines[0].Path {
			return nil, fmt.Errorf("GPIO: lines on %s and %s; they must be on one chip", lines[0].Path, l.Path)
		}
		req.Offsets[i] = l.Offset
	}
	req.Config.Flags = uint64(flags)
	if flags&Output != 0 {
		all := ^uint64(0) >> (64 - len(lines))
		req.Config.Num_attrs = 1
		req.Config.Attrs[0] = unix.GPIOV2LineConfigAttribute{Mask: all,
			Attr: unix.GPIOV2LineAttribute{Id: unix.GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, Flags: values & all}}
	}
	return req, nil
}

// Get reads the lines in mask; the other bits are 0.
func (l *Lines) Get(mask uint64) (uint64, error) {
	v := unix.GPIOV2LineValues{Mask: mask}
	err := Ioctl(l.f, unix.GPIO_V2_LINE_GET_VALUES_IOCTL, unsafe.Pointer(&v))
	return v.Bits & mask, err
}

// Set sets the outputs in mask to their bit of values.
func (l *Lines) Set(values, mask uint64) error {
	v := unix.GPIOV2LineValues{Bits: values, Mask: mask}
	return Ioctl(l.f, unix.GPIO_V2_LINE_SET_VALUES_IOCTL, unsafe.Pointer(&v))
}

// Wait returns after an edge, after d, or when ctx ends, whichever is first; none of them is
// an error. It does not tell which edges there were: the caller reads the levels.
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

// Drain discards the edges that wait to be read.
func (l *Lines) Drain() error {
	return Control(l.f, func(fd int) error {
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

// Close releases the lines.
func (l *Lines) Close() error { return l.f.Close() }
