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

// String is the phase's word in records and in a Board.
func (p Phase) String() string {
	return [...]string{"table-closed", "shuffling", "betting", "bets-closed", "result", "paused"}[p]
}

// Stamp says where in the record something stands and when it happened. Order is
// by Seq, never by a clock.
type Stamp struct {
	Seq     uint64        `json:"seq,omitempty"`     // journal sequence, 0 before it is on disk
	Boot    string        `json:"boot,omitempty"`    // boot id; Mono of two boots cannot be compared
	Mono    time.Duration `json:"mono,omitempty"`    // boot-time clock
	Wall    int64         `json:"wall,omitempty"`    // Unix milliseconds
	Trusted bool          `json:"trusted,omitempty"` // the wall clock had been set
}

// Since is the time from s to now, and false when the two cannot be compared:
// s is empty or of another boot.
func (s Stamp) Since(now Stamp) (time.Duration, bool) {
	if s.Boot == "" || s.Boot != now.Boot {
		return 0, false
	}
	return now.Mono - s.Mono, true
}

// Hand is one recorded hand.
type Hand struct {
	game.Result
	Cards string // "2S,4H/KD,2C,5S" when cards were entered, else empty
	// Irregular says in one sentence what was drawn against the table; empty: nothing.
	Irregular string
	// More is what the token of a recorded hand says that its pack does not: the flags of
	// bets that game.Parse has left out, "+tiger-9".
	More  string
	Free  bool  // dealt without bets: marks roads and shares, not collection and pace
	Fixed bool  // corrected since it was first recorded
	At    Stamp // when it was first recorded
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

// Over says that the last hand has been dealt.
func (s Shoe) Over() bool { return s.Last > 0 && len(s.Hands) >= s.Last }

// Unknown returns the places of the shoe's pack that this program does not understand.
func (s Shoe) Unknown() []string {
	if s.Pack == nil {
		return nil
	}
	return s.Pack.Unknown
}

// Next is the number of the hand being dealt.
func (s Shoe) Next() int { return len(s.Hands) + 1 }

// State is everything that the record says of the table.
type State struct {
	Seq      uint64 // journal sequence of the last event folded in
	Settings Settings
	Shoe     Shoe  // the shoe in play
	Finished *Shoe // the shoe just ended, whose board stays until SHUFFLING ends
	Previous *Shoe // the shoe before the one shown
	Phase    Phase
	Behind   Phase // under Paused
	// BehindSince is when the phase behind a pause began.
	BehindSince Stamp
	// BetsAt is when the bets last opened or closed, or the game went on after a pause.
	BetsAt Stamp
	// BetSeconds is the length of the countdown that runs while Betting; 0: untimed.
	BetSeconds int
	// Since is when Phase began; a countdown runs from it.
	Since Stamp
	// Saved is when this shoe's last hand was recorded; a fix does not move it.
	Saved Stamp
	// AutoOpen says that bets show as open again by themselves 20 s after Since.
	AutoOpen bool
	Free     bool // the hand being dealt is a free hand
	// BehindFree is the phase that FREE HAND closed, for when it is taken off; nil: it
	// closed none.
	BehindFree *BehindFree
	Void       string // reason of the void that the bar shows: "misdeal", "exposed card", "floor"
	// Corrected are the numbers of the hands fixed since the last record.
	Corrected []int
	// Review holds the shoe as it stood when the review froze the board; nil: none.
	Review *Frozen
	// Faults are those that stand, at most MaxFaults, in the order in which they were raised.
	Faults []Fault
	// Skipped is how many asides of kinds that this program does not know were passed over.
	Skipped int
}

// BehindFree is a phase as it stood when FREE HAND was announced.
type BehindFree struct {
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

// Pack is the game in force, nil before the first pack was installed.
func (s State) Pack() *game.Pack { return s.Shoe.Pack }

// Last is the last recorded hand of the shoe in play, and false when there is none.
func (s State) Last() (Hand, bool) {
	if n := len(s.Shoe.Hands); n > 0 {
		return s.Shoe.Hands[n-1], true
	}
	return Hand{}, false
}

// Open says whether a result may be recorded: in every phase but table closed.
func (s State) Open() bool { return s.Phase != TableClosed && s.Pack() != nil }

// NoHandYet says that the table shuffles and nothing of the new shoe is recorded.
func (s State) NoHandYet() bool { return s.Phase == Shuffling && len(s.Shoe.Hands) == 0 }

// NextCut is what the cut card comes to when it shows now (rules/catalogue.md, "Cut
// card"): first the number of the last hand after it, then this hand (it came
// first in the hand), then 0: it was a mistake.
func (s State) NextCut() int {
	n := s.Shoe.Next()
	after := n + s.Pack().HandsAfterCut
	switch s.Shoe.Last {
	case n:
		return 0
	case after:
		return n
	}
	return after
}
