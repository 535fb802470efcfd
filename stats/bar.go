package stats

import (
	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// barOf is what the phase bar says of a state; shoe is the one shown.
func barOf(s tracker.State, shoe Shoe) Bar {
	bar := Bar{Kind: barKind(s), Reason: s.Void}
	if bar.Kind != BarVoid {
		bar.Reason = ""
	}
	n := len(shoe.Marks)
	if n == 0 {
		return bar
	}
	if shoe.Marks[n-1].Outcome == game.NoOutcome { // it is lost
		if bar.Kind == BarResult {
			bar.Kind = BarEmpty
		}
		return bar
	}
	bar.Last, bar.LastNo = &shoe.Marks[n-1], n
	bar.Free = bar.Last.Free && bar.Kind == BarResult
	bar.Run, bar.RunSide = runOf(shoe.Marks)
	return bar
}

func barKind(s tracker.State) BarKind {
	switch {
	case s.Review != nil:
		return BarReview
	case s.Phase == tracker.Paused:
		return BarPaused
	case s.Phase == tracker.TableClosed:
		return BarClosedTable
	case s.Free:
		return BarFree
	case s.Phase == tracker.Shuffling:
		return BarShuffling
	case s.Phase == tracker.Betting:
		return BarPlaceBets
	case s.Phase == tracker.BetsClosed:
		return BarNoMoreBets
	case s.Void != "":
		return BarVoid
	case len(s.Shoe.Hands) == 0:
		return BarEmpty
	}
	return BarResult
}

// runOf is the current run of equal winners, ties left out.
func runOf(marks []Mark) (length int, side string) {
	winner := game.NoOutcome
	for i := len(marks) - 1; i >= 0; i-- {
		o := marks[i].Outcome
		switch {
		case o == game.Tie:
			continue
		case winner == game.NoOutcome:
			winner = o
		}
		if o == game.NoOutcome || o != winner {
			break
		}
		length++
	}
	if winner == game.NoOutcome {
		return 0, ""
	}
	return length, winner.String()
}
