package hwtest

// mcp is an MCP23017.
type mcp struct {
	*Grid
	regs    [22]byte // in the order of IOCON.BANK = 0
	pointer byte
	seen    byte // port B when it was last read: what a change is from
	intf    bool // an interrupt stands
	phantom byte // what floating inputs read
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
	mcpBank                byte = 0x80
)

// NewMCP returns an MCP23017 as it is after power-on.
func NewMCP(g *Grid, addr uint16) *Chip { return newChip(g, addr, &mcp{Grid: g}) }

// Bank1 leaves an MCP23017 in its other register order, as another program might.
func (c *Chip) Bank1() {
	c.locked(func() {
		m := c.regs.(*mcp)
		m.regs[mcpIOCONA], m.regs[mcpIOCONB] = mcpBank, mcpBank
	})
}

func (m *mcp) reset() {
	m.regs = [22]byte{mcpIODIRA: 0xff, mcpIODIRB: 0xff}
	m.intf = false
}

// write: the first byte is a register, and every byte after it is for the next one.
func (m *mcp) write(b []byte) {
	m.pointer = b[0]
	for _, v := range b[1:] {
		m.put(m.order(m.pointer), v)
		m.pointer++
	}
}

func (m *mcp) read(b []byte) {
	for i := range b {
		b[i] = m.get(m.order(m.pointer))
		m.pointer++
	}
}

// order turns a register's address into its place with BANK = 0.
func (m *mcp) order(reg byte) byte {
	if m.regs[mcpIOCONA]&mcpBank == 0 {
		return reg % 22
	}
	if port, i := reg>>4, reg&0xf; port < 2 && i < 11 {
		return 2*i + port
	}
	return 0xff // no register
}

func (m *mcp) put(reg, b byte) {
	switch {
	case reg == mcpIOCONA || reg == mcpIOCONB:
		m.regs[mcpIOCONA], m.regs[mcpIOCONB] = b, b
	case reg == mcpGPIOA || reg == mcpGPIOB:
		m.regs[reg+2] = b // writes the latch
	case reg == 0xff || reg >= mcpINTFB-1 && reg <= mcpINTCAPB:
	default:
		m.regs[reg] = b
	}
	m.interrupts()
}

func (m *mcp) get(reg byte) byte {
	if reg == 0xff {
		return 0
	}
	m.interrupts()
	switch reg {
	case mcpGPIOA: // outputs by their latch, inputs by their pull-up
		return m.regs[mcpOLATA]&^m.regs[mcpIODIRA] | m.regs[mcpIODIRA]
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

// portB reads the rows. Without its pull-up an input that nothing pulls low reads
// anything.
func (m *mcp) portB() byte {
	m.phantom = m.phantom*5 + 37
	high := m.regs[mcpGPPUB] | m.phantom
	return ^m.Low(^m.regs[mcpIODIRA]&^m.regs[mcpOLATA]) & high & m.regs[mcpIODIRB]
}

// interrupts looks for a change of the rows, as the chip does all the time, and keeps
// it until the rows have been read.
func (m *mcp) interrupts() bool {
	now := m.portB()
	if changed := (now ^ m.seen) & m.regs[mcpGPINTENB]; changed != 0 && !m.intf {
		m.intf, m.regs[mcpINTFB], m.regs[mcpINTCAPB] = true, changed, now
	}
	return m.intf
}

// tca is a TCA9555 with pull-ups outside.
type tca struct {
	*Grid
	regs    [8]byte // inputs (unused), outputs, inversions, directions, of both ports
	pointer byte
	seen    [2]byte // the ports when they were last read
}

const tcaOutput, tcaInvert, tcaConfig = 2, 4, 6

// NewTCA returns a TCA9555 as it is after power-on.
func NewTCA(g *Grid, addr uint16) *Chip { return newChip(g, addr, &tca{Grid: g}) }

func (t *tca) reset() {
	t.regs = [8]byte{tcaOutput: 0xff, tcaOutput + 1: 0xff, tcaConfig: 0xff, tcaConfig + 1: 0xff}
	t.seen = [2]byte{0xff, 0xff}
}

// write: the first byte is a register, and the bytes after it are for it and the other
// of its pair in turn.
func (t *tca) write(b []byte) {
	t.pointer = b[0] & 7
	for _, v := range b[1:] {
		if t.pointer > 1 {
			t.regs[t.pointer] = v
		}
		t.pointer ^= 1
	}
}

func (t *tca) read(b []byte) {
	for i := range b {
		if b[i] = t.regs[t.pointer]; t.pointer < 2 {
			now := t.port(t.pointer)
			t.seen[t.pointer], b[i] = now, now^t.regs[tcaInvert+t.pointer]
		}
		t.pointer ^= 1
	}
}

// port reads the columns or the rows: outputs by their latch, inputs by their pull-up.
func (t *tca) port(n byte) byte {
	out, in := t.regs[tcaOutput+n], t.regs[tcaConfig+n]
	if n == 0 {
		return out&^in | in
	}
	low := t.Low(^t.regs[tcaConfig] &^ t.regs[tcaOutput])
	return out&^in | in&^low
}

// interrupts: it stands while an input is not as it was read.
func (t *tca) interrupts() bool {
	changed := byte(0)
	for n := range byte(2) {
		changed |= (t.port(n) ^ t.seen[n]) & t.regs[tcaConfig+n]
	}
	return changed != 0
}

// pcf is a PCF8575.
type pcf struct {
	*Grid
	out  [2]byte // 1: a weak high, and an input
	seen [2]byte // the ports when they were last read or written
}

// NewPCF returns a PCF8575 as it is after power-on.
func NewPCF(g *Grid, addr uint16) *Chip { return newChip(g, addr, &pcf{Grid: g}) }

func (p *pcf) reset() { p.out, p.seen = [2]byte{0xff, 0xff}, [2]byte{0xff, 0xff} }

// write: the bytes are for both ports in turn.
func (p *pcf) write(b []byte) {
	for i, v := range b {
		p.out[i%2] = v
	}
	p.seen = p.ports()
}

func (p *pcf) read(b []byte) {
	p.seen = p.ports()
	for i := range b {
		b[i] = p.seen[i%2]
	}
}

func (p *pcf) ports() [2]byte { return [2]byte{p.out[0], p.out[1] &^ p.Low(^p.out[0])} }

// interrupts: it stands while an input is not as it was read.
func (p *pcf) interrupts() bool { return p.ports() != p.seen }
