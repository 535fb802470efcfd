package tracker

import "slices"

// mostLost bounds how many hands in a row are taken for lost: eight decks hold 416 cards,
// and a hand takes at least four of them.
const mostLost = 416 / 4

// RecordedAt returns when the newest hand was recorded of which that is known, nothing when
// there is none: a hand that was lost has no time, put in or not.
func (s Shoe) RecordedAt() Stamp {
	for _, h := range slices.Backward(s.Hands) {
		if !h.Lost() && h.At != (Stamp{}) {
			return h.At
		}
	}
	return Stamp{}
}

// Refold does what Apply does, for a start, which has to go on whatever the record holds.
// Where e does not fit, since something before it cannot be read, the error says why, and
// the State returned holds what e makes certain all the same: how many hands were dealt,
// with lost ones in the place of those that cannot be read. An event that makes nothing
// certain leaves s as it was.
func Refold(s State, e Event) (State, error) {
	next, why := Apply(s, e)
	if why == nil {
		return next, nil
	}
	roomy := makeRoom(s, e)
	next, err := Apply(roomy, e)
	if err != nil { // the hand was dealt, whatever it came to
		e.Token = LostToken
		next, err = Apply(roomy, e)
	}
	if err != nil {
		return s, why
	}
	return next, why
}

// WithoutGame returns s as a table on which the next shoe can begin when no game is known:
// closed, with the hands that were dealt in the finished shoe.
func (s State) WithoutGame() State {
	if len(s.Shoe.Hands) > 0 {
		s = nextShoe(s, s.Since)
	}
	return enter(s, TableClosed, s.Since)
}

// makeRoom returns s with the hands that stood before e, lost ones where they are
// missing. A hand 1 after others begins a shoe. Any other record of a hand whose number
// was given before says that one was taken out since; nobody knows which, so all are lost.
func makeRoom(s State, e Event) State {
	n, before := len(s.Shoe.Hands), e.Hand-1
	switch e.Kind {
	case PackInstalled: // only for a shoe without a hand
		if n > 0 {
			return nextShoe(s, e.At)
		}
		return s
	case HandRecorded:
	case HandInserted:
		before = max(n, before)
	case HandFixed, HandReplaced, HandRemoved:
		before = max(n, e.Hand)
	default:
		return s
	}
	switch {
	case e.Hand < 1 || before-n > mostLost:
		return s
	case before == 0 && n > 0:
		return nextShoe(s, e.At)
	}
	hands := make([]Hand, before)
	if before >= n {
		copy(hands, s.Shoe.Hands)
	}
	if s.Shoe.Hands = hands; s.Phase == Shuffling && before > 0 {
		s = enter(s, Result, e.At)
	}
	return s
}

// nextShoe returns s with a shoe begun, of which no record tells.
func nextShoe(s State, at Stamp) State {
	return applyShoe(s, Event{Kind: ShoeStarted, Hand: s.Shoe.Number + 1, Day: s.Shoe.Day, At: at})
}
