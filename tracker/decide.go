package tracker

import (
	"fmt"
	"time"

	"shoeboard/tracker/game"
)

// Decide returns the facts that follow from commands which are allowed in s, each stamped
// with its command's At, and the State after them. Several commands are one decision: each is
// judged in the State that the ones before it lead to, and a refusal of one refuses all.
// The error is a *Refusal when the dealer may read it. Decide changes nothing.
func Decide(s State, commands ...Command) (facts []Event, after State, err error) {
	after = s
	for _, c := range commands {
		events, err := decide(after, c)
		if err == nil {
			after, err = Apply(after, events...)
		}
		if err != nil {
			return nil, s, err
		}
		facts = append(facts, events...)
	}
	return facts, after, nil
}

func decide(s State, c Command) ([]Event, error) {
	e := Event(c)
	switch c.Kind {
	case PackInstalled:
		return decidePack(s, e)
	case SettingsApplied:
		if c.Settings == nil {
			return nil, fmt.Errorf("settings-applied without settings")
		}
		return []Event{e}, nil
	case ReviewSet:
		if c.On == (s.Review != nil) {
			return nil, refuse("REVIEW IS AS ASKED", "")
		}
		return []Event{e}, nil
	case TableOpened, TableShut, ShoeStarted, ShoeTakenBack, CutSet:
		return decideShoe(s, e)
	case BetsOpened, BetsShut, FreeSet, FreeTakenOff, GamePaused, GameResumed, ShuffleEnded:
		return decidePhase(s, e)
	case HandRecorded, HandInserted, HandFixed, HandReplaced, HandRemoved, HandVoided:
		return decideHand(s, e)
	case FaultRaised, FaultEnded, FaultAcknowledged:
		return decideFault(s, e)
	case Acted:
		return decideAct(e)
	}
	return nil, fmt.Errorf("unknown command %q", c.Kind)
}

// decidePack allows another game only between shoes: a shoe has one game.
func decidePack(s State, e Event) ([]Event, error) {
	if len(s.Shoe.Hands) > 0 || (s.Phase != TableClosed && s.Phase != Shuffling) {
		return nil, refuse("SHOE IS IN PLAY", "GAME AT NEXT SHOE")
	}
	p, err := game.Load("pack", []byte(e.Source))
	if err != nil {
		return nil, err
	}
	e.Reason = p.Digest
	return []Event{e}, nil
}

func decideShoe(s State, e Event) ([]Event, error) {
	closed := s.Phase == TableClosed
	switch {
	case e.Kind == TableOpened && !closed:
		return nil, refuse("TABLE IS OPEN", "")
	case e.Kind == TableOpened && s.Shoe.Pack == nil:
		return nil, refuse("NO GAME INSTALLED", "CALL TECH")
	case e.Kind != TableOpened && closed:
		return nil, refuse("TABLE CLOSED", "HOLD NEW SHOE 2s")
	case e.Kind == TableShut && !s.NoHandYet():
		return nil, refuse("SHOE IS IN PLAY", "NEW SHOE FIRST")
	case e.Kind == ShoeStarted && s.NoHandYet():
		return nil, refuse("SHOE IS NEW", "")
	case e.Kind == ShoeTakenBack && (!s.NoHandYet() || s.Finished == nil):
		return nil, refuse("NO SHOE TO GO BACK", "")
	case e.Kind == CutSet && e.Hand != 0 && e.Hand < s.Shoe.Next():
		return nil, refuse("HAND IS DEALT", "")
	}
	if e.Kind == TableOpened || e.Kind == ShoeStarted {
		e.Hand = shoeNumber(s, e)
	}
	if e.Kind == ShoeTakenBack && s.Free { // it was said of a shoe that is none
		return []Event{{Kind: FreeTakenOff, At: e.At}, e}, nil
	}
	return []Event{e}, nil
}

// shoeNumber counts the shoes of a day. Without a trusted clock there is no day,
// and the count goes on.
func shoeNumber(s State, e Event) int {
	switch {
	case e.Day != "" && e.Day != s.Shoe.Day:
		return 1
	case s.Shoe.Number > 0 && len(s.Shoe.Hands) == 0:
		return s.Shoe.Number
	}
	return s.Shoe.Number + 1
}

func decidePhase(s State, e Event) ([]Event, error) {
	switch {
	case s.Phase == TableClosed:
		return nil, refuse("TABLE CLOSED", "HOLD NEW SHOE 2s")
	case e.Kind == BetsOpened && s.Phase == Betting:
		return nil, refuse("BETS ARE OPEN", "")
	case e.Kind == BetsShut && s.Phase != Betting:
		return nil, refuse("BETS ARE CLOSED", "")
	case e.Kind == ShuffleEnded && s.Phase != Shuffling:
		return nil, refuse("SHUFFLING IS OVER", "")
	case e.Kind == FreeSet && e.On == s.Free, e.Kind == FreeTakenOff && !s.Free:
		return nil, refuse("FREE IS AS ASKED", "")
	case e.Kind == GamePaused && s.Phase == Paused:
		return nil, refuse("GAME IS PAUSED", "")
	case e.Kind == GameResumed && s.Phase != Paused:
		return nil, refuse("GAME GOES ON", "")
	case e.Kind == FreeTakenOff:
		e.Seconds = secondsLeft(s)
	case e.Kind == GameResumed && s.Behind == Betting:
		e.Seconds = s.BetSeconds
	}
	return []Event{e}, nil
}

// secondsLeft returns what was left of the countdown when FREE HAND closed the bets, at
// least 1 s, and 0 when none ran. Where that is not known, after a restart or a pause, it
// starts again.
func secondsLeft(s State) int {
	b := s.BehindFree
	if b == nil || b.Phase != Betting || b.Seconds == 0 {
		return 0
	}
	ran, known := b.Since.Since(s.Since)
	if !known || s.Phase != BetsClosed {
		return b.Seconds
	}
	return max(1, b.Seconds-int((ran+time.Second-1)/time.Second))
}

func decideHand(s State, e Event) ([]Event, error) {
	if !s.Open() {
		return nil, refuse("TABLE CLOSED", "HOLD NEW SHOE 2s")
	}
	if e.Kind == HandVoided {
		return []Event{e}, nil
	}
	n := len(s.Shoe.Hands)
	if e.Kind == HandRecorded || e.Kind == HandInserted {
		if e.Hand == 0 {
			e.Hand = n + 1
		}
		if e.Hand < 1 || e.Hand > n+1 || (e.Kind == HandRecorded && e.Hand != n+1) {
			return nil, fmt.Errorf("hand %d: the next hand is %d", e.Hand, n+1)
		}
	} else if err := completeFix(s, &e); err != nil {
		return nil, err
	}
	if e.Kind == HandRemoved {
		return []Event{e}, nil
	}
	h, err := ParseToken(s.Shoe.Pack, e.Token)
	if err != nil {
		return nil, err
	}
	if e.Token = FormatToken(s.Shoe.Pack, h); e.Token == e.Was && e.Free == s.Shoe.Hands[e.Hand-1].Free {
		return nil, refuse("UNCHANGED", "")
	}
	if e.Kind == HandReplaced && s.Free { // it was said of the hand that this one turned out to be
		return []Event{{Kind: FreeTakenOff, Seconds: secondsLeft(s), At: e.At}, e}, nil
	}
	return []Event{e}, nil
}

// completeFix names the hand that a correction is of (the last one when none is
// named) and keeps its old value.
func completeFix(s State, e *Event) error {
	n := len(s.Shoe.Hands)
	if e.Hand == 0 {
		e.Hand = n
	}
	if n == 0 {
		return refuse("NO HAND TO FIX", "")
	}
	if e.Hand < 1 || e.Hand > n {
		return fmt.Errorf("hand %d: this shoe has hands 1 to %d", e.Hand, n)
	}
	e.Was = FormatToken(s.Shoe.Pack, s.Shoe.Hands[e.Hand-1])
	return nil
}

// Reasons returns the reasons for which a hand is voided, in the order that the VOID
// key offers them.
func Reasons() []string { return []string{"misdeal", "exposed card", "floor"} }
