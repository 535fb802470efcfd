package localapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"shoeboard/stats"
	"shoeboard/stats/road"
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

const (
	// maxBoard limits the JSON of a Board, in bytes. A full shoe with its roads and the
	// previous one takes less than a tenth of it.
	maxBoard = 1 << 20
	// leanText is how much of a text is left on a Board that would have been too large,
	// in bytes.
	leanText = 80
)

// encode returns a Board as the line that every reader takes. Of one that would be too
// large for them it leaves texts out, and where that does not do all but who and where the
// table is: a screen that shows less is better than one that shows nothing.
func encode(b *stats.Board) ([]byte, error) {
	data, err := json.Marshal(b)
	size := len(data)
	for _, leaner := range []func(stats.Board) stats.Board{withoutTexts, withoutShoe} {
		if err != nil || len(data) < maxBoard {
			break
		}
		less := leaner(*b)
		less.StatusLine = fmt.Sprintf("the board has %d bytes, texts are left out: %s", size, clip(b.StatusLine))
		data, err = json.Marshal(&less)
	}
	return append(data, '\n'), err
}

func clip(text string) string { return tracker.Plain(text, leanText) }

// withoutTexts returns a Board whose texts are short, and that lacks what only adds to it.
func withoutTexts(b stats.Board) stats.Board {
	b.Table, b.Venue, b.Zone, b.Test = clip(b.Table), clip(b.Venue), clip(b.Zone), clip(b.Test)
	b.Limits, b.Collection, b.Keypad, b.Menu, b.Attract = nil, nil, nil, nil, stats.Attract{}
	b.Bar.Reason, b.Previous = clip(b.Bar.Reason), nil
	b.Dealer.Lines = [2]string{clip(b.Dealer.Lines[0]), clip(b.Dealer.Lines[1])}
	b.Faults, b.EndedFaults = shortFaults(b.Faults), shortFaults(b.EndedFaults)
	if f := b.ConfigFault; f != nil {
		b.ConfigFault = &stats.ConfigFault{File: clip(f.File), Line: f.Line, Key: clip(f.Key), Text: clip(f.Text)}
	}
	return b
}

// shortFaults returns as many faults as can be recorded, with short texts.
func shortFaults(all []stats.Fault) []stats.Fault {
	var short []stats.Fault
	for _, f := range all[:min(len(all), tracker.MaxFaults)] {
		f.Code, f.Text, f.By = clip(f.Code), clip(f.Text), clip(f.By)
		short = append(short, f)
	}
	return short
}

// withoutShoe returns what is left of a Board when its game or its shoe is what is too
// large.
func withoutShoe(b stats.Board) stats.Board {
	b = withoutTexts(b)
	d := b.Dealer
	return stats.Board{
		Version: b.Version, Seq: b.Seq, Table: b.Table, Venue: b.Venue, Zone: b.Zone,
		Phase: clip(b.Phase), Bar: stats.Bar{Kind: stats.BarEmpty}, ClockTrusted: b.ClockTrusted, Saving: b.Saving,
		Faults: b.Faults, EndedFaults: b.EndedFaults, ConfigFault: b.ConfigFault,
		Dealer: stats.Dealer{Lines: d.Lines, Entering: d.Entering, Asking: d.Asking, Refused: d.Refused,
			OnScreen: d.OnScreen},
	}
}

// decodeBoard reads a Board and refuses one that this program would show wrongly.
func decodeBoard(data []byte) (*stats.Board, error) {
	if len(data) > maxBoard {
		return nil, fmt.Errorf("the core sent a board of %d bytes, expected at most %d", len(data), maxBoard)
	}
	b := new(stats.Board)
	if err := json.Unmarshal(data, b); err != nil {
		return nil, fmt.Errorf("the core sent something that is not a board: %w", err)
	}
	if b.Version != stats.BoardVersion {
		return nil, fmt.Errorf("the core sent a board of version %d, this program reads version %d: "+
			"start both again from the same package", b.Version, stats.BoardVersion)
	}
	if err := errors.Join(checkShoe(b, &b.Shoe), checkShoe(b, b.Previous)); err != nil {
		return nil, fmt.Errorf("the core sent an inconsistent board: %w", err)
	}
	return b, nil
}

func checkShoe(b *stats.Board, s *stats.Shoe) error {
	if s == nil {
		return nil
	}
	if len(s.Bets) != len(b.Game.Bets) {
		return fmt.Errorf("shoe %d counts %d bets, the game has %d", s.Number, len(s.Bets), len(b.Game.Bets))
	}
	for i, m := range s.Marks {
		lost := m.Outcome == game.NoOutcome && slices.Contains(s.Lost, i+1)
		if m.Outcome > game.Tie || m.Outcome == game.NoOutcome && !lost {
			return fmt.Errorf("hand %d of shoe %d has outcome %d, expected 1 to 3", i+1, s.Number, m.Outcome)
		}
	}
	return checkRoads(s)
}

// checkRoads looks at what a reader takes for an index: the rows, and the hands
// that marks stand for.
func checkRoads(s *stats.Shoe) error {
	if s.Roads == nil {
		return nil
	}
	if len(s.Roads.BeadPlate) > len(s.Marks) {
		return fmt.Errorf("shoe %d has %d beads for %d hands", s.Number, len(s.Roads.BeadPlate), len(s.Marks))
	}
	rows := make([]uint8, 0, 5*len(s.Marks))
	for _, m := range s.Roads.BeadPlate {
		rows = append(rows, m.Row)
	}
	for _, m := range s.Roads.BigRoad {
		rows = append(rows, m.Row)
		if int(m.Hand) >= len(s.Marks) {
			return fmt.Errorf("shoe %d has a mark for hand %d of %d", s.Number, m.Hand+1, len(s.Marks))
		}
	}
	for _, derived := range [][]road.Derived{s.Roads.BigEyeBoy, s.Roads.SmallRoad, s.Roads.CockroachPig} {
		for _, m := range derived {
			rows = append(rows, m.Row)
		}
	}
	if len(rows) > 0 && slices.Max(rows) >= road.Rows {
		return fmt.Errorf("shoe %d has a mark in row %d, expected at most %d", s.Number, slices.Max(rows)+1, road.Rows)
	}
	return nil
}
