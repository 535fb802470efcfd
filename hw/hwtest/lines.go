package hwtest

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"shoeboard/hw/linux"
)

// Lines are the wires of a Grid as a GPIO chip of a Raspberry Pi shows them, for package
// matrix: a line is pulled down unless it is asked for otherwise. They can be unplugged,
// made to fail for a time, and count how they are used.
type Lines struct {
	*Grid
	mu     sync.Mutex
	sag    uint8 // columns that are pulled down when they are open
	driven uint8
	gone   bool
	fails  int // so many operations fail
	uses   int
	opened int
}

// NewLines returns the wires of g, their columns asked for with these flags.
func NewLines(g *Grid, columns linux.Flags) *Lines {
	l := &Lines{Grid: g}
	if columns&linux.PullUp == 0 {
		l.sag = 0xff
	}
	return l
}

// Open opens them, or fails while they are unplugged.
func (l *Lines) Open() (*Lines, error) {
	if err := l.use(func() { l.opened++ }); err != nil {
		return nil, err
	}
	return l, nil
}

// Unplug makes everything fail until Plug.
func (l *Lines) Unplug(gone bool) { l.locked(func() { l.gone = gone }) }

// Fail makes the next n operations fail.
func (l *Lines) Fail(n int) { l.locked(func() { l.fails = n }) }

// Uses returns the number of operations since it was last called.
func (l *Lines) Uses() (n int) {
	l.locked(func() { n, l.uses = l.uses, 0 })
	return n
}

// Opened returns how many are open.
func (l *Lines) Opened() (n int) {
	l.locked(func() { n = l.opened })
	return n
}

func (l *Lines) locked(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

func (l *Lines) use(do func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.uses++
	if l.fails > 0 {
		l.fails--
		return unix.EIO
	}
	if l.gone {
		return unix.ENODEV
	}
	do()
	return nil
}

// Arm drives all columns and forgets edges.
func (l *Lines) Arm() error {
	return l.use(func() {
		l.driven = 0xff
		select {
		case <-l.edge:
		default:
		}
	})
}

// Wait waits for an edge.
func (l *Lines) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-l.edge:
	case <-timer.C:
	case <-ctx.Done():
	}
	return l.use(func() {})
}

// Drive drives columns.
func (l *Lines) Drive(cols uint8) error { return l.use(func() { l.driven = cols }) }

// Settle takes 50 µs.
func (l *Lines) Settle() { time.Sleep(50 * time.Microsecond) }

// Rows reads the rows. One that a key joins to a column which is pulled down stands at half
// the supply, between two pulls alike: it is taken for low, the worse of the two readings.
func (l *Lines) Rows() (low uint8, err error) {
	err = l.use(func() { low = l.Low(l.driven | l.sag) })
	return low, err
}

// Close closes them.
func (l *Lines) Close() error {
	l.locked(func() { l.opened-- })
	return nil
}
