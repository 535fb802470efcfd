package hwtest

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Chip is an I2C expander by its registers, with a Grid on it: columns on its first
// port, rows on its second. It is a bus with that one device, and its interrupt line.
// Transfers take time; they fail when they are told to.
type Chip struct {
	*Grid
	Addr uint16

	mu    sync.Mutex
	regs  registers
	gone  bool
	fails int           // so many transfers fail
	err   error         // how they fail
	takes time.Duration // how long a failing transfer takes
	deaf  bool          // the interrupt's wire is broken
	stuck bool          // the interrupt's wire touches ground
	open  int
	spent time.Duration // by transfers, and not slept yet
}

// registers are what differs between the chips.
type registers interface {
	reset()         // as after power-on
	write(b []byte) // one message
	read(b []byte)
	interrupts() bool // an interrupt stands; changes are looked for
}

// Transfers take their time three at a time: to sleep is most of what the fake costs.
const (
	txTakes    = 300 * time.Microsecond // a drive and a read at 400 kHz
	txTogether = 3 * txTakes
)

func newChip(g *Grid, addr uint16, r registers) *Chip {
	r.reset()
	return &Chip{Grid: g, Addr: addr, regs: r}
}

// Reset cuts the supply for a moment.
func (c *Chip) Reset() { c.locked(c.regs.reset) }

// Unplug takes the chip off the bus, and its supply with it, or puts it back.
func (c *Chip) Unplug(gone bool) {
	c.Reset()
	c.locked(func() { c.gone = gone })
}

// NAK makes the next n transfers fail at once.
func (c *Chip) NAK(n int) { c.locked(func() { c.fails, c.err, c.takes = n, unix.EREMOTEIO, 0 }) }

// Hang makes the next n transfers fail after the bus's timeout.
func (c *Chip) Hang(n int) {
	c.locked(func() { c.fails, c.err, c.takes = n, unix.ETIMEDOUT, 100*time.Millisecond })
}

// BreakInterrupt breaks or mends the interrupt's wire.
func (c *Chip) BreakInterrupt(broken bool) { c.locked(func() { c.deaf = broken }) }

// GroundInterrupt lets the interrupt's wire touch ground or not.
func (c *Chip) GroundInterrupt(on bool) { c.locked(func() { c.stuck = on }) }

// Open counts one more user; Close one less.
func (c *Chip) Open() *Chip {
	c.locked(func() { c.open++ })
	return c
}

// Close ends the use of the bus or of the interrupt.
func (c *Chip) Close() error {
	c.locked(func() { c.open-- })
	return nil
}

// Opened returns the number of users.
func (c *Chip) Opened() (n int) {
	c.locked(func() { n = c.open })
	return n
}

func (c *Chip) locked(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
}

// TxWrites is one transfer: each of ws is a message, and so is r, if it is not empty.
func (c *Chip) TxWrites(addr uint16, r []byte, ws ...[]byte) error {
	takes, err := c.fault(addr)
	time.Sleep(takes)
	if err != nil {
		return err
	}
	c.locked(func() {
		for _, w := range ws {
			c.regs.write(w)
		}
		if len(r) > 0 {
			c.regs.read(r)
		}
	})
	return nil
}

// fault is what a transfer takes beside the work of the chip, and how it fails.
func (c *Chip) fault(addr uint16) (takes time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spent += txTakes; c.spent >= txTogether {
		takes, c.spent = c.spent, 0
	}
	switch {
	case c.fails > 0:
		c.fails--
		return takes + c.takes, c.err
	case c.gone || addr != c.Addr:
		return takes, unix.EREMOTEIO
	}
	return takes, nil
}

// interruptLow says whether the interrupt's line is low.
func (c *Chip) interruptLow() (low bool) {
	c.locked(func() {
		stands := c.regs.interrupts()
		low = c.stuck || stands && !c.deaf && !c.gone
	})
	return low
}

// Line is the interrupt's line of the chip.
type Line struct{ *Chip }

// Interrupt returns the interrupt's line, one more user.
func (c *Chip) Interrupt() Line { return Line{c.Open()} }

// Low says whether the line is low.
func (l Line) Low() (bool, error) { return l.interruptLow(), nil }

// Wait waits for the line to fall: one that is low already does not.
func (l Line) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	was := l.interruptLow()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return nil
		case <-l.edge:
			now := l.interruptLow()
			if now && !was {
				return nil
			}
			was = now
		}
	}
}
