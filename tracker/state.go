package tracker

import (
	"time"

	"shoeboard/tracker/game"
)

// Phase is what the table is doing. Last hand, under review, free hand and shoe
// over are flags over it, not phases.
type Phase uint8

// The phases of a table (design/keying.md, state table).
const (
	TableClosed Phase = iota
	Shuffling
	Betting
	BetsClosed
	Result
	Paused
)

// String returns the phase's word in records and in a Board.
func (p Phase) String() string {
	return [...]string{"table-closed", "shuffling", "betting", "bets-closed", "result", "paused"}[p]
}

// Stamp says where in the record something is and when it happened. Order is
// by Seq, never by a clock.
type Stamp struct {
	Seq     uint64        `json:"seq,omitempty"`     // journal sequence, 0 before it is on disk
	Boot    string        `json:"boot,omitempty"`    // boot id; Mono of two boots cannot be compared
	Mono    time.Duration `json:"mono,omitempty"`    // boot-time clock
	Wall    int64         `json:"wall,omitempty"`    // Unix milliseconds
	Trusted bool          `json:"trusted,omitempty"` // the wall clock had been set
}

// Since returns the time from s to now, and false when the two cannot be compared:
// s is empty or of another boot.
func (s Stamp) Since(now Stamp) (time.Duration, bool) {
	if s.Boot == "" || s.Boot != now.Boot {
		return 0, false
	}
	return now.Mono - s.Mono, true
}

// before returns the moment d before s, within its boot.
func (s Stamp) before(d time.Duration) Stamp {
	d = max(0, min(d, s.Mono))
	s.Mono -= d
	if s.Wall > 0 {
		s.Wall -= d.Milliseconds()
	}
	return s
}

// Hand is one recorded hand.
type Hand struct {
	game.Result
	Cards     string // "2S,4H/KD,2C,5S" when cards were entered, else empty
	Irregular string // what was drawn against the table, one sentence; empty: nothing
	More      string // flags of the token whose bets game.Parse has left out: "+tiger-9"
	Free      bool   // dealt without bets: marks roads and shares, not collection and pace
	Fixed     bool   // corrected since it was first recorded
	At        Stamp  // when it was first recorded
}

// Shoe is one shoe's hands with the game they were dealt under.
type Shoe struct {
	Pack    *game.Pack
	Number  int    // of its day, from 1; 0 before the first
	Day     string // local date of its start, "2026-11-30"; empty when the clock was not trusted
	Started Stamp
	Hands   []Hand
	Last    int // number of the last hand once the cut card has shown, else 0
	Fixes   int // corrections by the dealer in this shoe (replaces do not count)
	Voids   int // hands voided in this shoe
}

// Over reports whether the last hand has been dealt.
func (s Shoe) Over() bool { return s.Last > 0 && len(s.Hands) >= s.Last }

// Unknown returns the places of the shoe's pack that this program does not understand.
func (s Shoe) Unknown() []string {
	if s.Pack == nil {
		return nil
	}
	return s.Pack.Unknown
}

// Lost reports whether nothing is known of the hand but that it was dealt, since its
// record cannot be read.
func (h Hand) Lost() bool { return h.Outcome == game.NoOutcome }

// Lost returns the numbers of the hands that are lost, ascending.
func (s Shoe) Lost() []int {
	var lost []int
	for i := range s.Hands {
		if s.Hands[i].Lost() {
			lost = append(lost, i+1)
		}
	}
	return lost
}

// Next returns the number of the hand being dealt.
func (s Shoe) Next() int { return len(s.Hands) + 1 }

// State is everything that the record says of the table. Shoes are written in their own
// form, see checkpoint.
type State struct {
	Seq      uint64   `json:"seq"` // journal sequence of the last event folded in
	Settings Settings `json:"settings"`
	Shoe     Shoe     `json:"-"` // the shoe in play; its Pack is the game in force
	Finished *Shoe    `json:"-"` // the shoe just ended, whose board stays until SHUFFLING ends
	Previous *Shoe    `json:"-"` // the shoe before the one shown
	Review   *Frozen  `json:"-"` // the shoe as it was when the review froze the board; nil: none

	Phase       Phase `json:"phase"`
	Since       Stamp `json:"since"`                 // when Phase began; a countdown runs from it
	Behind      Phase `json:"behind,omitempty"`      // under Paused
	BehindSince Stamp `json:"behind_since,omitzero"` // when the phase behind a pause began
	BetsAt      Stamp `json:"bets_at,omitzero"`      // when bets last opened or closed, or a pause ended
	BetSeconds  int   `json:"bet_seconds,omitempty"` // countdown that runs while Betting; 0: untimed
	Saved       Stamp `json:"saved"`                 // of this shoe's last hand; a fix does not move it
	AutoOpen    bool  `json:"auto_open,omitempty"`   // bets show as open by themselves some time after Since

	Free       bool        `json:"free,omitempty"`        // the hand being dealt is a free hand
	BehindFree *behindFree `json:"behind_free,omitempty"` // the phase that FREE HAND closed; nil: none
	Void       string      `json:"void,omitempty"`        // reason of the void that the bar shows, see Reasons
	Corrected  []int       `json:"corrected,omitempty"`   // numbers of the hands fixed since the last record
	Faults     []Fault     `json:"faults,omitempty"`      // at most MaxFaults, in the order in which they were raised
	Skipped    int         `json:"skipped,omitempty"`     // asides of unknown kinds that were passed over
}

// behindFree holds a phase as it was when FREE HAND was announced.
type behindFree struct {
	Phase    Phase  `json:"phase"`
	Since    Stamp  `json:"since"`
	Seconds  int    `json:"s,omitempty"` // of the countdown that ran
	AutoOpen bool   `json:"auto_open,omitempty"`
	Void     string `json:"void,omitempty"`
}

// Frozen is the board as the review found it.
type Frozen struct {
	Shoe     Shoe
	Previous *Shoe
}

// Last returns the last recorded hand of the shoe in play, and false when there is none.
func (s State) Last() (Hand, bool) {
	if n := len(s.Shoe.Hands); n > 0 {
		return s.Shoe.Hands[n-1], true
	}
	return Hand{}, false
}

// Open reports whether a result may be recorded: in every phase but table closed.
func (s State) Open() bool { return s.Phase != TableClosed && s.Shoe.Pack != nil }

// NoHandYet reports whether the table shuffles and nothing of the new shoe is recorded.
func (s State) NoHandYet() bool { return s.Phase == Shuffling && len(s.Shoe.Hands) == 0 }

// Shown returns the shoe whose board the players see, and the shoe before it: the finished
// shoe until SHUFFLING ends. A review freezes both.
func (s State) Shown() (shoe Shoe, previous *Shoe) {
	switch {
	case s.Review != nil:
		return s.Review.Shoe, s.Review.Previous
	case s.Finished != nil:
		return *s.Finished, s.Previous
	}
	return s.Shoe, s.Previous
}

// CountdownEnd returns when the countdown that runs in this boot ends, and false when none
// does.
func (s State) CountdownEnd(boot string) (time.Duration, bool) {
	end := s.Since.Mono + time.Duration(s.BetSeconds)*time.Second
	return end, s.Phase == Betting && s.BetSeconds > 0 && s.Since.Boot == boot
}

// NextCut returns what the cut card comes to when it shows now (rules/catalogue.md, "Cut
// card"): first the number of the last hand after it, then this hand (it came
// first in the hand), then 0: it was a mistake.
func (s State) NextCut() int {
	n := s.Shoe.Next()
	after := n + s.Shoe.Pack.HandsAfterCut
	switch s.Shoe.Last {
	case n:
		return 0
	case after:
		return n
	}
	return after
}
