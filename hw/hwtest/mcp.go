package hwtest

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// MCP is an MCP23017 by its registers, with a Grid on it: columns on port A, rows
// on port B. It is an I2C bus with that one device, and its interrupt line.
// Transfers take time; they fail when they are told to.
type MCP struct {
	*Grid
	Addr uint16

	mu      sync.Mutex
	regs    [22]byte // in the order of IOCON.BANK = 0
	seen    byte     // port B when it was last read: what a change is from
	intf    bool     // an interrupt stands
	gone    bool
	fails   int           // so many transfers fail
	err     error         // how they fail
	takes   time.Duration // how long a failing transfer takes
	deaf    bool          // the interrupt's wire is broken
	stuck   bool          // the interrupt's wire touches ground
	phantom byte          // what floating inputs read
	open    int
}

// Registers of the chip, with BANK = 0.
const (
	mcpIODIRA, mcpIODIRB        = 0x00, 0x01
	mcpGPINTENB                 = 0x05
	mcpIOCONA, mcpIOCONB        = 0x0a, 0x0b
	mcpGPPUA, mcpGPPUB          = 0x0c, 0x0d
	mcpINTFB                    = 0x0f
	mcpINTCAPA, mcpINTCAPB      = 0x10, 0x11
	mcpGPIOA, mcpGPIOB          = 0x12, 0x13
	mcpOLATA                    = 0x14
	txTakes                     = 300 * time.Microsecond // a read at 400 kHz
	mcpBank                byte = 0x80
)

// NewMCP returns a chip as it is after power-on.
func NewMCP(g *Grid, addr uint16) *MCP {
	m := &MCP{Grid: g, Addr: addr}
	m.Reset()
	return m
}

// Reset cuts the supply for a moment.
func (m *MCP) Reset() {
	m.locked(func() {
		m.regs = [22]byte{mcpIODIRA: 0xff, mcpIODIRB: 0xff}
		m.intf = false
	})
}

// Bank1 leaves the chip in its other register order, as another program might.
func (m *MCP) Bank1() { m.locked(func() { m.regs[mcpIOCONA], m.regs[mcpIOCONB] = mcpBank, mcpBank }) }

// Unplug takes the chip off the bus, and its supply with it, or puts it back.
func (m *MCP) Unplug(gone bool) {
	m.Reset()
	m.locked(func() { m.gone = gone })
}

// NAK makes the next n transfers fail at once.
func (m *MCP) NAK(n int) { m.locked(func() { m.fails, m.err, m.takes = n, unix.EREMOTEIO, 0 }) }

// Hang makes the next n transfers fail after the bus's timeout.
func (m *MCP) Hang(n int) {
	m.locked(func() { m.fails, m.err, m.takes = n, unix.ETIMEDOUT, 100*time.Millisecond })
}

// BreakInterrupt breaks or mends the interrupt's wire.
func (m *MCP) BreakInterrupt(broken bool) { m.locked(func() { m.deaf = broken }) }

// GroundInterrupt lets the interrupt's wire touch ground or not.
func (m *MCP) GroundInterrupt(on bool) { m.locked(func() { m.stuck = on }) }

// Open counts one more user; Close one less.
func (m *MCP) Open() *MCP {
	m.locked(func() { m.open++ })
	return m
}

// Close ends the use of the bus or of the interrupt.
func (m *MCP) Close() error {
	m.locked(func() { m.open-- })
	return nil
}

// Opened returns the number of users.
func (m *MCP) Opened() (n int) {
	m.locked(func() { n = m.open })
	return n
}

func (m *MCP) locked(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
}

// Tx is one transfer: the first byte written is a register, and every byte after
// it, written or read, is of the next one.
func (m *MCP) Tx(addr uint16, w, r []byte) error {
	time.Sleep(txTakes)
	takes, err := m.fault(addr)
	time.Sleep(takes)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	reg := w[0]
	for _, b := range w[1:] {
		m.write(m.order(reg), b)
		reg++
	}
	for i := range r {
		r[i] = m.read(m.order(reg))
		reg++
	}
	return nil
}

func (m *MCP) fault(addr uint16) (time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.fails > 0:
		m.fails--
		return m.takes, m.err
	case m.gone || addr != m.Addr:
		return 0, unix.EREMOTEIO
	}
	return 0, nil
}

// order turns a register's address into its place with BANK = 0.
func (m *MCP) order(reg byte) byte {
	if m.regs[mcpIOCONA]&mcpBank == 0 {
		return reg % 22
	}
	if port, i := reg>>4, reg&0xf; port < 2 && i < 11 {
		return 2*i + port
	}
	return 0xff // no register
}

func (m *MCP) write(reg, b byte) {
	switch {
	case reg == mcpIOCONA || reg == mcpIOCONB:
		m.regs[mcpIOCONA], m.regs[mcpIOCONB] = b, b
	case reg == mcpGPIOA || reg == mcpGPIOB:
		m.regs[reg+2] = b // writes the latch
	case reg == 0xff || reg >= mcpINTFB-1 && reg <= mcpINTCAPB:
	default:
		m.regs[reg] = b
	}
	m.sense()
}

func (m *MCP) read(reg byte) byte {
	if reg == 0xff {
		return 0
	}
	m.sense()
	switch reg {
	case mcpGPIOA:
		return m.portA()
	case mcpGPIOB, mcpINTCAPB:
		v := m.regs[mcpINTCAPB]
		if reg == mcpGPIOB {
			v = m.portB()
		}
		m.seen, m.intf, m.regs[mcpINTFB] = m.portB(), false, 0
		return v
	}
	return m.regs[reg]
}

// columns returns which columns are driven low.
func (m *MCP) columns() byte { return ^m.regs[mcpIODIRA] & ^m.regs[mcpOLATA] }

// portA reads the columns: outputs by their latch, inputs by their pull-up.
func (m *MCP) portA() byte {
	return m.regs[mcpOLATA]&^m.regs[mcpIODIRA] | m.regs[mcpIODIRA]
}

// portB reads the rows. Without its pull-up an input that nothing pulls low reads
// anything.
func (m *MCP) portB() byte {
	m.phantom = m.phantom*5 + 37
	high := m.regs[mcpGPPUB] | m.phantom
	return ^m.Low(m.columns()) & high & m.regs[mcpIODIRB]
}

// sense looks for a change of the rows, as the chip does all the time.
func (m *MCP) sense() {
	now := m.portB()
	if changed := (now ^ m.seen) & m.regs[mcpGPINTENB]; changed != 0 && !m.intf {
		m.intf, m.regs[mcpINTFB], m.regs[mcpINTCAPB] = true, changed, now
	}
}

// interruptLow says whether the interrupt's line is low.
func (m *MCP) interruptLow() (low bool) {
	m.locked(func() {
		m.sense()
		low = m.stuck || m.intf && !m.deaf && !m.gone
	})
	return low
}

// Line is the interrupt's line of the chip.
type Line struct{ *MCP }

// Interrupt returns the interrupt's line, one more user.
func (m *MCP) Interrupt() Line { return Line{m.Open()} }

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
