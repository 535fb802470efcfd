package matrix

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/linux"
)

// How the lines are requested. Rows are pulled up inside the chip (about 50 kOhm; leads
// over 30 cm want 10 kOhm outside, and no capacitor: a row has to rise within Settle).
// Columns are open drains, which the kernel makes of any output by letting it go as an
// input. An open column is pulled up as well: most lines of a Raspberry Pi are pulled down
// unless somebody requests otherwise, and a key that joins such a column to a row holds the row at half
// the supply, which reads as anything.
const (
	rowFlags    = linux.Input | linux.PullUp | linux.FallingEdge
	ColumnFlags = linux.Output | linux.OpenDrain | linux.PullUp
)

// Wiring says on which GPIO lines the matrix is.
type Wiring struct {
	Dir    string        // the folder of the chips, /dev
	Rows   []string      // names of lines, as for linux.FindLine
	Cols   []string      // the same
	Settle time.Duration // 50 µs; up to 1 ms for long leads
}

// Open requests the lines. It can be called again after they have gone.
func (w Wiring) Open() (Lines, error) {
	rows, err := linux.RequestLines(w.Dir, "shoeboard keypad rows", rowFlags, 0, w.Rows...)
	if err != nil {
		return nil, err
	}
	cols, err := linux.RequestLines(w.Dir, "shoeboard keypad columns", ColumnFlags, ^uint64(0), w.Cols...)
	if err != nil {
		rows.Close()
		return nil, err
	}
	return &wires{rows, cols, 1<<len(w.Rows) - 1, 1<<len(w.Cols) - 1, w.Settle}, nil
}

// lineSet is the part of linux.Lines that wires use.
type lineSet interface {
	Get(mask uint64) (uint64, error)
	Set(values, mask uint64) error
	Wait(ctx context.Context, d time.Duration) error
	Drain() error
	Close() error
}

// wires are Lines on a GPIO chip.
type wires struct {
	rows, cols       lineSet
	rowMask, colMask uint64
	settle           time.Duration
}

// Arm drives the columns before it drains: the edges that it makes itself are
// forgotten, and those of a key that goes down after are kept.
func (w *wires) Arm() error {
	if err := w.Drive(0xff); err != nil {
		return err
	}
	w.Settle()
	return w.rows.Drain()
}

func (w *wires) Wait(ctx context.Context, d time.Duration) error { return w.rows.Wait(ctx, d) }

// Drive sets all columns in one call; a set bit lets go.
func (w *wires) Drive(cols uint8) error { return w.cols.Set(^uint64(cols), w.colMask) }

// Settle sleeps in the kernel: a timer of the runtime takes a millisecond at least.
func (w *wires) Settle() {
	ts := unix.NsecToTimespec(int64(w.settle))
	_ = unix.Nanosleep(&ts, nil) // cut short by a signal, the next scan sees it
}

func (w *wires) Rows() (uint8, error) {
	levels, err := w.rows.Get(w.rowMask)
	if err != nil {
		return 0, err
	}
	return uint8(^levels & w.rowMask), nil
}

func (w *wires) Close() error { return errors.Join(w.rows.Close(), w.cols.Close()) }
