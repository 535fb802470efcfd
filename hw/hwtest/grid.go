package hwtest

import (
	"fmt"
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
	contacts map[[2]int]contact // by row and column, from 0
	ground   uint8              // rows that touch ground
	noRow    uint8              // rows whose wire is broken
	noCol    uint8
	spikes   [8]time.Duration // until when a row is low by itself
	edge     chan struct{}
}

// contact is a key that moved at a time.
type contact struct {
	down bool
	at   time.Duration
	wild time.Duration // how long it bounces
}

// NewGrid returns a matrix with nothing down.
func NewGrid(diodes bool) *Grid {
	return &Grid{start: time.Now(), diodes: diodes, contacts: map[[2]int]contact{}, edge: make(chan struct{}, 1)}
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
		key := [2]int{row - 1, col - 1}
		if g.contacts[key].down != down {
			g.contacts[key] = contact{down, g.Now(), g.bounce}
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
	for key, c := range g.contacts {
		row, col := uint8(1)<<key[0], uint8(1)<<key[1]
		if !c.closed(now) || row&g.noRow != 0 || col&g.noCol != 0 {
			continue
		}
		if cols&col != 0 {
			low |= row
		}
		if low&row != 0 && !g.diodes {
			cols |= col
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
