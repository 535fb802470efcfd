package hw

import (
	"time"

	"shoeboard/tracker/card"
)

// Side is the hand to which a shoe dealt a card. hw knows nothing more of baccarat.
type Side uint8

// The two sides.
const (
	PlayerSide Side = iota + 1
	BankerSide
)

// String returns "Player" or "Banker".
func (s Side) String() string {
	switch s {
	case PlayerSide:
		return "Player"
	case BankerSide:
		return "Banker"
	}
	return "nobody"
}

// CardSeen is a card of the hand in play that lies face up on the table. No event shows a card
// that is face down.
type CardSeen struct {
	Source string
	Side   Side
	Place  int       // 1 to 3
	Card   card.Card // no card: the shoe could not read it
	Seq    uint64
	At     time.Duration
}

// HandSeen is a hand that is over, with its cards in the order they were dealt. Its result is
// computed from the cards, and never the shoe's.
//
// Since is 0 when the hand came as it was dealt. Otherwise it may be late, because the line
// or the program was down and the shoe has repeated it: it was dealt at some time after
// Since, or before the program started, and may be on the table's record already.
type HandSeen struct {
	Source         string
	Player, Banker []card.Card // no card: one that was not read, or never turned
	Complete       bool        // the cards make a finished hand by the drawing rules
	Doubt          string      // why the dealer must be asked, in words; empty if the hand is certain
	Since          time.Duration
	Seq            uint64
	At             time.Duration
}

// LineWasDown is the whole Doubt of a hand whose cards are certain, if only the table knows
// whether hands before it are missing.
const LineWasDown = "the line to the shoe was down; hands may be missing"

// ShoeChange is something that a shoe did besides dealing.
type ShoeChange uint8

// The changes of a shoe.
const (
	NewShoe     ShoeChange = iota + 1 // a new shoe has begun
	PoweredUp                         // the shoe was switched on; what it did before is unknown
	Burned                            // a card was burned; Card is the first of the shoe, which is turned
	CutCard                           // the cut card came out
	HandVoid                          // the hand in play was called off; its cards do not count
	Overdrawn                         // a card too many was drawn; it belongs to no hand yet
	ShoeTrouble                       // the shoe reports a fault, in Text
	ShoeCleared                       // the fault of Text is over
)

// ShoeSeen is a change of the shoe itself.
type ShoeSeen struct {
	Source string
	Change ShoeChange
	Card   card.Card     // for Burned, or no card
	Text   string        // one sentence for a technician
	Doubt  string        // why the dealer must be asked whether it is so; mostly empty
	Since  time.Duration // as of a hand
	Seq    uint64
	At     time.Duration
}

func (CardSeen) event() {}
func (HandSeen) event() {}
func (ShoeSeen) event() {}
