// Package road computes the five trend boards of a shoe from the outcomes of its
// hands.
//
// Words: a cell has a column and a row, both from zero, six rows; a run is a
// maximal sequence of equal winners, ties left out; the big road lays runs out;
// a derived road (big eye boy, small road, cockroach pig) compares each run with
// an earlier one and lays out the colours it finds, red for regular and blue for
// irregular; the dragon tail is the part of a run that goes right because it
// cannot go down; an ask mark is the mark that a derived road would get next.
//
// A caller may assume that Fold is a pure function of its arguments: a correction
// is a Fold of the corrected list, and nothing is ever taken back. No two marks of
// a road share a cell, marks are in the order of the hands, and the last one is
// the newest. Coordinates are those of the whole road, whatever of it is shown. A
// caller may not change what Fold returned.
package road

import "shoeboard/tracker/game"

// Rows is the height of every road.
const Rows = 6

// maxHands is how many hands are laid out; a shoe has about a hundred at most,
// and hands beyond this are left out.
const maxHands = 1 << 15

// Options are the conventions in which houses differ.
type Options struct {
	Stay      bool // a dragon tail stays on its row; else it goes down again wherever it can
	OwnColumn bool // ties before the first winner form a column, a run of one; else the first mark has them
}

// Roads are the five roads of a shoe.
type Roads struct {
	BeadPlate    []bead    `json:"bead_plate"`
	BigRoad      []Mark    `json:"big_road"`
	BigEyeBoy    []Derived `json:"big_eye_boy"`
	SmallRoad    []Derived `json:"small_road"`
	CockroachPig []Derived `json:"cockroach_pig"`
	LeadingTies  int       `json:"leading_ties,omitempty"` // before the first winner; in Ties of the first mark too
	Ask          Ask       `json:"ask"`
}

// bead is one hand on the bead plate; the hand is that of its index.
type bead struct {
	Col     uint16       `json:"c"`
	Row     uint8        `json:"r"`
	Outcome game.Outcome `json:"o"`
}

// Mark is one winner on the big road.
type Mark struct {
	Col     uint16       `json:"c"`
	Row     uint8        `json:"r"`
	Outcome game.Outcome `json:"o"`           // Player or Banker; Tie only for the column of leading ties
	Ties    uint16       `json:"t,omitempty"` // strokes through the mark
	Hand    uint16       `json:"h"`           // index of the hand in the list that was folded
}

// Derived is one mark of a derived road.
type Derived struct {
	Col   uint16 `json:"c"`
	Row   uint8  `json:"r"`
	Color Color  `json:"k"`
}

// Color is what a derived road says of a hand.
type Color uint8

// The colours; NoColor where the road has not started.
const (
	NoColor Color = iota
	Red           // regular
	Blue          // irregular
)

// Letter returns "R" or "B", or "" for none.
func (c Color) Letter() string { return [...]string{"", "R", "B", ""}[c&3] }

// Ask holds the marks that the derived roads would get if that side won next.
// The two of a road are opposite, or both NoColor.
type Ask struct {
	Player AskMarks `json:"player"`
	Banker AskMarks `json:"banker"`
}

// AskMarks is one mark for each derived road.
type AskMarks struct {
	BigEyeBoy    Color `json:"big_eye_boy"`
	SmallRoad    Color `json:"small_road"`
	CockroachPig Color `json:"cockroach_pig"`
}

// Fold lays out the roads of a shoe. Hands are in deal order, each Player, Banker
// or Tie.
func Fold(hands []game.Outcome, o Options) *Roads {
	hands = hands[:min(len(hands), maxHands)]
	r := &Roads{BeadPlate: make([]bead, len(hands)), BigRoad: make([]Mark, 0, len(hands))}
	for i, outcome := range hands {
		r.BeadPlate[i] = bead{Col: uint16(i / Rows), Row: uint8(i % Rows), Outcome: outcome}
	}
	var columns [256]uint8 // enough for any shoe, and not on the heap
	taken := columns[:]
	if len(hands) >= len(columns) {
		taken = make([]uint8, len(hands)+1)
	}
	var lengths [128]uint16
	last, runs := r.bigRoad(hands, o, taken, lengths[:0])

	marks := make([]Derived, 3*len(hands))
	for k, road := range [...]*[]Derived{&r.BigEyeBoy, &r.SmallRoad, &r.CockroachPig} {
		clear(taken)
		from := k * len(hands)
		*road = derive(runs, k+1, layout{taken: taken, stay: o.Stay, head: -1}, marks[from:from:from+len(hands)])
	}
	r.Ask = Ask{Player: ask(runs, last == game.Player), Banker: ask(runs, last == game.Banker)}
	return r
}

// bigRoad lays out the big road, and gives the last run's winner and the lengths
// of all runs, appended to runs.
func (r *Roads) bigRoad(
	hands []game.Outcome, o Options, taken []uint8, runs []uint16,
) (last game.Outcome, lengths []uint16) {
	l := layout{taken: taken, stay: o.Stay, head: -1}
	for i, outcome := range hands {
		newest := len(r.BigRoad) - 1
		if outcome == game.Tie {
			if last != game.Player && last != game.Banker {
				r.LeadingTies++
			}
			if newest >= 0 {
				r.BigRoad[newest].Ties++
				continue
			}
			if !o.OwnColumn {
				continue
			}
		}
		if outcome != last {
			runs = append(runs, 0)
		}
		runs[len(runs)-1]++
		m := Mark{Outcome: outcome, Hand: uint16(i)}
		m.Col, m.Row = l.place(outcome != last)
		if newest < 0 {
			m.Ties = uint16(r.LeadingTies)
		}
		r.BigRoad = append(r.BigRoad, m)
		last = outcome
	}
	return last, runs
}

// derive lays out the derived road that compares with the run k before.
func derive(runs []uint16, k int, l layout, marks []Derived) []Derived {
	last := NoColor
	for n := k; n < len(runs); n++ {
		for m := range int(runs[n]) {
			color := compare(runs, n, m, k)
			if color == NoColor {
				continue
			}
			d := Derived{Color: color}
			d.Col, d.Row = l.place(color != last)
			marks = append(marks, d)
			last = color
		}
	}
	return marks
}

// compare returns the colour of mark m of run n in the derived road k, both from zero.
// Run n need not be there yet.
func compare(runs []uint16, n, m, k int) Color {
	regular := false
	switch {
	case m == 0 && n-1-k >= 0:
		regular = runs[n-1] == runs[n-1-k]
	case m > 0 && n-k >= 0:
		regular = m != int(runs[n-k])
	default:
		return NoColor
	}
	if regular {
		return Red
	}
	return Blue
}

// ask returns the next mark of each derived road if the last run went on, or if a new
// one began.
func ask(runs []uint16, goesOn bool) AskMarks {
	n, m := len(runs), 0
	if goesOn {
		n, m = n-1, int(runs[n-1])
	}
	return AskMarks{compare(runs, n, m, 1), compare(runs, n, m, 2), compare(runs, n, m, 3)}
}

// layout places marks on a grid: each run in a new column, downwards, and right
// where it can go no further.
type layout struct {
	taken    []uint8 // by column, a bit for each row
	stay     bool    // once right, always right
	head     int     // column of the run's first mark; -1 before the first run
	col, row int
	turned   bool
}

// place returns the cell of the next mark, which begins a run or goes on with it. A
// run begins in the first column right of the last one's head whose top is free.
func (l *layout) place(begins bool) (col uint16, row uint8) {
	switch {
	case begins:
		for l.head++; l.taken[l.head]&1 != 0; l.head++ {
		}
		l.col, l.row, l.turned = l.head, 0, false
	case l.row+1 < Rows && l.taken[l.col]>>(l.row+1)&1 == 0 && !(l.stay && l.turned):
		l.row++
	default:
		l.col++
		l.turned = true
	}
	l.taken[l.col] |= 1 << l.row
	return uint16(l.col), uint8(l.row)
}
