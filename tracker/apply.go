package tracker

import (
	"fmt"
	"slices"

	"shoeboard/tracker/game"
)

// Apply folds facts into s in order and returns the new State; s stays as it was. They
// must come from Decide (or from a record that did): a fact that does not fit is an error
// and folds nothing, so that a strange record is reported and never shown. What came before
// it stays folded.
func Apply(s State, events ...Event) (State, error) {
	for _, e := range events {
		next, err := apply(s, e)
		if err != nil {
			return s, err
		}
		next.Seq = max(s.Seq, e.At.Seq)
		s = next
	}
	return s, nil
}

func apply(s State, e Event) (State, error) {
	if err := fits(s, e); err != nil {
		return s, err
	}
	switch e.Kind {
	case PackInstalled:
		p, err := game.Parse([]byte(e.Source))
		if err != nil {
			return s, err
		}
		s.Shoe.Pack = p
	case SettingsApplied:
		if e.Settings == nil {
			return s, fmt.Errorf("settings-applied without settings")
		}
		s.Settings = *e.Settings
	case ReviewSet:
		s.Review = nil
		if e.On {
			shoe, previous := s.Shown()
			s.Review = &Frozen{Shoe: shoe, Previous: previous}
		}
	case TableOpened, TableShut, ShoeStarted, ShoeTakenBack, CutSet:
		return applyShoe(s, e), nil
	case BetsOpened, BetsShut, FreeSet, FreeTakenOff, GamePaused, GameResumed, ShuffleEnded:
		return applyPhase(s, e), nil
	case HandRecorded:
		return record(s, e)
	case HandVoided:
		return void(s, e), nil
	case HandInserted, HandFixed, HandReplaced, HandRemoved:
		return applyFix(s, e)
	case FaultRaised, FaultEnded, FaultAcknowledged:
		return applyFault(s, e), nil
	default:
		if !e.Aside {
			return s, &newerError{fmt.Sprintf("unknown event %q", e.Kind)}
		}
		s.Skipped++
	}
	return s, nil
}

// fits returns why e cannot have happened in s: only what would make no State at all,
// for what was allowed once stays a fact when the rules of Decide have changed.
func fits(s State, e Event) error {
	n := len(s.Shoe.Hands)
	switch {
	case e.Kind == PackInstalled && n > 0:
		return fmt.Errorf("event %s: the shoe has %d hands of another game", e.Kind, n)
	case e.Kind == ShoeTakenBack && s.Finished == nil:
		return fmt.Errorf("event %s: no shoe was finished", e.Kind)
	case e.Kind == GameResumed && s.Phase != Paused:
		return fmt.Errorf("event %s: the game is not paused", e.Kind)
	case e.Kind == FreeSet && e.On && s.Phase == TableClosed:
		return fmt.Errorf("event %s: the table is %s", e.Kind, s.Phase)
	case e.Kind == GamePaused && (s.Phase == Paused || s.Phase == TableClosed):
		return fmt.Errorf("event %s: the table is %s", e.Kind, s.Phase) // no checkpoint could hold it
	case e.Kind == CutSet && e.Hand < 0,
		(e.Kind == BetsOpened || e.Kind == GameResumed || e.Kind == FreeTakenOff) && e.Seconds < 0:
		return fmt.Errorf("event %s: a number below zero", e.Kind)
	case e.Kind == HandRecorded && e.Hand != n+1,
		e.Kind == HandInserted && (e.Hand < 1 || e.Hand > n+1),
		(e.Kind == HandFixed || e.Kind == HandReplaced || e.Kind == HandRemoved) && (e.Hand < 1 || e.Hand > n):
		return fmt.Errorf("event %s: hand %d of %d", e.Kind, e.Hand, n)
	}
	return nil
}

func applyShoe(s State, e Event) State {
	switch e.Kind {
	case TableOpened:
		s = enter(s, Shuffling, e.At)
		s.Shoe.Number, s.Shoe.Day, s.Shoe.Started = e.Hand, e.Day, e.At
	case TableShut:
		s = enter(s, TableClosed, e.At)
		s.Free = false
	case ShoeStarted:
		if len(s.Shoe.Hands) > 0 {
			old := s.Shoe
			s.Finished = &old
		}
		s.Shoe = Shoe{Pack: s.Shoe.Pack, Number: e.Hand, Day: e.Day, Started: e.At}
		s.Saved, s.Corrected, s.Free = Stamp{}, nil, false
		s = enter(s, Shuffling, e.At)
	case ShoeTakenBack:
		pack := s.Shoe.Pack
		s.Shoe, s.Finished = *s.Finished, nil
		if s.Shoe.Pack == nil {
			s.Shoe.Pack = pack
		}
		s.Saved, s.Corrected = s.Shoe.RecordedAt(), nil
		s = enter(s, Result, e.At)
	case CutSet:
		s.Shoe.Last = e.Hand
	}
	return s
}

// enter begins a phase. Leaving SHUFFLING puts the finished shoe in its place as
// the previous one.
func enter(s State, p Phase, at Stamp) State {
	if p != Shuffling && p != TableClosed && p != Paused && s.Finished != nil {
		s.Previous, s.Finished = s.Finished, nil
	}
	if (s.Phase == Betting) != (p == Betting) {
		s.BetsAt = at
	}
	s.Phase, s.Behind, s.Since, s.BehindSince = p, TableClosed, at, Stamp{}
	s.Void, s.AutoOpen, s.BehindFree = "", false, nil
	if p != Betting && p != Paused {
		s.BetSeconds = 0
	}
	return s
}

func applyPhase(s State, e Event) State {
	switch e.Kind {
	case BetsOpened:
		s = enter(s, Betting, e.At)
		s.BetSeconds, s.Free = e.Seconds, false
	case ShuffleEnded:
		s = enter(s, Result, e.At)
		s.Free = false
	case BetsShut:
		s = enter(s, BetsClosed, e.At)
	case GamePaused:
		behind, since, void, free := s.Phase, s.Since, s.Void, s.BehindFree
		s = enter(s, Paused, e.At)
		s.Behind, s.BehindSince, s.Void, s.BehindFree = behind, since, void, free
	case GameResumed:
		s = resume(s, e)
	case FreeSet:
		s = applyFree(s, e)
	case FreeTakenOff:
		s = takeFreeOff(s, e)
	}
	return s
}

// resume returns to the phase behind a pause. An open countdown starts again; bets
// that were closed have been since before the pause.
func resume(s State, e Event) State {
	behind, since, void, free := s.Behind, s.BehindSince, s.Void, s.BehindFree
	s = enter(s, behind, e.At)
	s.Void, s.BetSeconds, s.BetsAt, s.BehindFree = void, e.Seconds, e.At, free
	if behind != Betting {
		s.Since = since
	}
	return s
}

// applyFree shows FREE HAND at once and closes the bets. A record of it being taken off
// opens nothing; takeFreeOff returns to the phase behind.
func applyFree(s State, e Event) State {
	s.Free = e.On
	behind := &behindFree{Phase: s.Phase, Since: s.Since, Seconds: s.BetSeconds, AutoOpen: s.AutoOpen, Void: s.Void}
	switch {
	case !e.On:
		s.BehindFree = nil
	case s.Phase == Paused:
		if s.Behind != Shuffling && s.Behind != BetsClosed {
			if behind.Phase, behind.Since = s.Behind, s.BehindSince; s.Behind == Betting {
				behind.Since = Stamp{} // a countdown starts again after a pause
			}
			s.Behind, s.BehindSince, s.BetSeconds, s.BehindFree = BetsClosed, e.At, 0, behind
		}
	case s.Phase != BetsClosed && s.Phase != Shuffling:
		s = enter(s, BetsClosed, e.At)
		s.BehindFree = behind
	}
	return s
}

// takeFreeOff returns to the phase that FREE HAND closed, behind a pause too. A countdown
// goes on with what was left of it.
func takeFreeOff(s State, e Event) State {
	b := s.BehindFree
	s.Free, s.BehindFree, s.BetsAt = false, nil, e.At
	switch {
	case b == nil:
	case s.Phase == Paused:
		s.Behind, s.BehindSince, s.BetSeconds, s.Void = b.Phase, b.Since, b.Seconds, b.Void
	default:
		s = enter(s, b.Phase, e.At)
		s.AutoOpen, s.Void, s.BetSeconds = b.AutoOpen, b.Void, e.Seconds
		if b.Phase != Betting || b.Seconds == 0 {
			s.Since = b.Since
		}
	}
	return s
}

// record adds a hand to the shoe. In mode close bets show as open again by themselves after
// a result, but not after a pause, nor after the answer to HAND 49 HAS NO RESULT.
func record(s State, e Event) (State, error) {
	h, err := ReadToken(s.Shoe.Pack, e.Token)
	if err != nil {
		return s, fmt.Errorf("event %s: %w", e.Kind, err)
	}
	h.Free, h.At = e.Free, e.At
	auto := s.Settings.Bets == BetsClose && !e.Hold && s.Phase != Paused
	s = enter(s, Result, e.At)
	s.Shoe.Hands = append(slices.Clip(s.Shoe.Hands), h)
	s.Saved, s.Corrected, s.Free = e.At, nil, false
	if s.Shoe.Last > 0 && e.Hand > s.Shoe.Last {
		s.Shoe.Last = 0 // play went on past it: the cut card was a mistake
	}
	s.AutoOpen = auto && !s.Shoe.Over()
	return s, nil
}

// void ends a hand that has no result; bets open by themselves as after one.
func void(s State, e Event) State {
	auto := s.Settings.Bets == BetsClose && !e.Hold && s.Phase != Paused && !s.Shoe.Over()
	s = enter(s, Result, e.At)
	s.Void, s.Free, s.AutoOpen = e.Reason, false, auto
	s.Shoe.Voids++
	return s
}

// applyFix corrects the hands that are recorded.
func applyFix(s State, e Event) (State, error) {
	n := len(s.Shoe.Hands)
	if e.Kind == HandRemoved {
		if s.Shoe.Hands = slices.Delete(slices.Clone(s.Shoe.Hands), e.Hand-1, e.Hand); n == 1 {
			s.Shoe.Hands = nil
		}
		if e.Hand == n {
			s.Saved = s.Shoe.RecordedAt()
		}
		return afterFix(s, e), nil
	}
	h, err := ReadToken(s.Shoe.Pack, e.Token)
	if err != nil {
		return s, fmt.Errorf("event %s: %w", e.Kind, err)
	}
	h.Free, h.At, h.Fixed = e.Free, e.At, true
	s.Shoe.Hands = slices.Clone(s.Shoe.Hands)
	if e.Kind == HandInserted {
		if e.By != "" && e.Hand == n+1 {
			s.Saved = Stamp{} // the last hand is none that the dealer saved: no doubles question is of it
		}
		s.Shoe.Hands = slices.Insert(s.Shoe.Hands, e.Hand-1, h)
		if s.Phase == Shuffling {
			s = enter(s, Result, e.At)
		}
		return afterFix(s, e), nil
	}
	h.At = s.Shoe.Hands[e.Hand-1].At
	s.Shoe.Hands[e.Hand-1] = h
	if e.Kind == HandReplaced {
		s.Free, s.BehindFree = false, nil // it was said of the hand that this one turned out to be
	}
	return afterFix(s, e), nil
}

// afterFix marks a correction until the next record and counts the dealer's fixes, not
// those of the floor, which come with a name.
func afterFix(s State, e Event) State {
	switch {
	case e.By != "":
		s.Shoe.Last = s.Shoe.lastAfter(e)
	case e.Kind != HandReplaced:
		s.Shoe.Fixes++
	}
	s.Corrected = marksAfter(s.Corrected, e)
	return s
}

// marksAfter returns the marked hands by their numbers after a correction, and marks its own.
func marksAfter(old []int, e Event) (marked []int) {
	for _, n := range old {
		switch {
		case e.Kind == HandRemoved && n == e.Hand:
			continue
		case e.Kind == HandRemoved && n > e.Hand:
			n--
		case e.Kind == HandInserted && n >= e.Hand:
			n++
		}
		marked = append(marked, n)
	}
	if e.Kind != HandRemoved && !slices.Contains(marked, e.Hand) {
		marked = append(marked, e.Hand)
	}
	return marked
}

// lastAfter returns the number that the shoe's last hand has after the floor has put a hand
// in before it, or taken one out: as many are to be dealt as before. A hand put in after
// all others is one of those.
func (s Shoe) lastAfter(e Event) int {
	switch {
	case s.Last == 0:
	case e.Kind == HandRemoved:
		return max(1, s.Last-1)
	case e.Kind == HandInserted && e.Hand < len(s.Hands):
		return s.Last + 1
	}
	return s.Last
}
