package main

import (
	"shoeboard/stats"
	"shoeboard/stats/road"
)

// roadCells are the roads unscrolled, zero-based, in hand order: [col,row,"B"] and
// on the big road [col,row,"B",ties].
func roadCells(s stats.Shoe) map[string][][]any {
	beads := [][]any{}
	for _, b := range s.Roads.BeadPlate {
		beads = append(beads, []any{b.Col, b.Row, b.Outcome.Letter()})
	}
	big := [][]any{}
	for _, m := range s.Roads.BigRoad {
		big = append(big, []any{m.Col, m.Row, m.Outcome.Letter(), m.Ties})
	}
	return map[string][][]any{"bead_plate": beads, "big_road": big, "big_eye_boy": derivedCells(s.Roads.BigEyeBoy),
		"small_road": derivedCells(s.Roads.SmallRoad), "cockroach_pig": derivedCells(s.Roads.CockroachPig)}
}

func derivedCells(marks []road.Derived) [][]any {
	cells := [][]any{}
	for _, m := range marks {
		cells = append(cells, []any{m.Col, m.Row, m.Color.Letter()})
	}
	return cells
}

// askOf returns the next mark of each derived road after each outcome, null where a road
// has not started.
func askOf(s stats.Shoe) map[string]askMarks {
	of := func(a road.AskMarks) askMarks {
		return askMarks{"big_eye_boy": letter(a.BigEyeBoy), "small_road": letter(a.SmallRoad),
			"cockroach_pig": letter(a.CockroachPig)}
	}
	return map[string]askMarks{"banker": of(s.Roads.Ask.Banker), "player": of(s.Roads.Ask.Player)}
}

func letter(c road.Color) *string {
	if c == road.NoColor {
		return nil
	}
	l := c.Letter()
	return &l
}
