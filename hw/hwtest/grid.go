package hwtest

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Grid is an electrical model of a key matrix: rows pulled up, columns driven low
// or open, contacts between them that bounce, with or without diodes, and wires
// that break, touch ground or catch a spike. Positions are "r1c1" and on.
type Grid struct {
	mu       sync.Mutex
	start    time.Time
	diodes   bool
	bounce   time.Duration
	contacts []contact // those that have ever moved
	ground   uint8     // rows that touch ground
	noRow    uint8     // rows whose wire is broken
	noCol    uint8
	spikes   [8]time.Duration // until when a row is low by itself
	edge     chan struct{}
}

// contact is a key that moved at a time.
type contact struct {
	row, col uint8 // their bits
	down     bool
	at       time.Duration
	wild     time.Duration // how long it bounces
}

// NewGrid returns a matrix with nothing down.
func NewGrid(diodes bool) *Grid {
	return &Grid{start: time.Now(), diodes: diodes, edge: make(chan struct{}, 1)}
}

// Now returns the time since the grid was made, plus an hour.
func (g *Grid) Now() time.Duration { return time.Since(g.start) + time.Hour }

// Bounce sets how long the contacts bounce that move from now on.
func (g *Grid) Bounce(d time.Duration) { g.change(func() { g.bounce = d }) }

// Set moves a key.
func (g *Grid) Set(pos string, down bool) {
	var row, col int
	if n, err := fmt.Sscanf(pos, "r%dc%d", &row, &col); n != 2 {
		panic(fmt.Sprintf("hwtest: no key %q: %v", pos, err))
	}
	g.change(func() {
		c := contact{1 << (row - 1), 1 << (col - 1), down, g.Now(), g.bounce}
		i := slices.IndexFunc(g.contacts, func(o contact) bool { return o.row == c.row && o.col == c.col })
		switch {
		case i < 0 && down:
			g.contacts = append(g.contacts, c)
		case i >= 0 && g.contacts[i].down != down:
			g.contacts[i] = c
		}
	})
}

// Ground lets a row, counted from 1, touch ground or not.
func (g *Grid) Ground(row int, on bool) { g.change(func() { setBit(&g.ground, row, on) }) }

// BreakRow breaks or mends the wire of a row, counted from 1.
func (g *Grid) BreakRow(row int, on bool) { g.change(func() { setBit(&g.noRow, row, on) }) }

// BreakCol breaks or mends the wire of a column, counted from 1.
func (g *Grid) BreakCol(col int, on bool) { g.change(func() { setBit(&g.noCol, col, on) }) }

// Spike pulls a row, counted from 1, low for d.
func (g *Grid) Spike(row int, d time.Duration) {
	g.change(func() { g.spikes[row-1] = g.Now() + d })
}

func setBit(bits *uint8, n int, on bool) {
	*bits &^= 1 << (n - 1)
	if on {
		*bits |= 1 << (n - 1)
	}
}

func (g *Grid) change(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	do()
	select {
	case g.edge <- struct{}{}:
	default:
	}
}

// Low returns which rows are low with these columns driven low, all others open.
func (g *Grid) Low(driven uint8) uint8 {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.Now()
	low := g.ground
	for r, until := range g.spikes {
		if now < until {
			low |= 1 << r
		}
	}
	low &^= g.noRow
	cols := driven &^ g.noCol
	for before := uint16(0); before != uint16(low)|uint16(cols)<<8; {
		before = uint16(low) | uint16(cols)<<8
		low, cols = g.spread(low, cols, now)
	}
	return low
}

// spread lets low columns pull rows low through closed contacts, and, where no
// diode forbids it, low rows pull open columns.
func (g *Grid) spread(low, cols uint8, now time.Duration) (uint8, uint8) {
	for _, c := range g.contacts {
		if !c.closed(now) || c.row&g.noRow != 0 || c.col&g.noCol != 0 {
			continue
		}
		if cols&c.col != 0 {
			low |= c.row
		}
		if low&c.row != 0 && !g.diodes {
			cols |= c.col
		}
	}
	return low, cols
}

// closed says whether the contact is closed; while it bounces it changes by whole
// and half milliseconds in a way that looks random.
func (c contact) closed(now time.Duration) bool {
	since := now - c.at
	if since >= c.wild || since < 500*time.Microsecond {
		return c.down
	}
	n := uint32(since/(500*time.Microsecond)) + uint32(c.at/time.Millisecond)
	return (n*2654435761)>>16&1 == 0
}
