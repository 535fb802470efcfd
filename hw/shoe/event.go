package shoe

import (
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// Kind says what a frame means, in whatever protocol it came.
type Kind uint8

// The kinds of events.
const (
	Drawn    Kind = iota + 1 // a card left the shoe: Side, Place, and Card or Down; without Side it is the next of its hand
	Carried                  // as Drawn, but the card was drawn too early and is one of the next hand's
	Turned                   // the card at Side and Place lies face up: Card
	Returned                 // the card at Side and Place went back into the shoe
	Extra                    // a card too many was drawn, which is no part of the hand
	Ended                    // the hand is over and lies open: Claim
	Void                     // the hand is called off
	Hide                     // cards lie face down from here on
	Show                     // the cards are turned, and lie face up from here on
	Begun                    // a new shoe
	Started                  // the shoe was switched on
	Burn                     // a card was burned; Card if it was turned
	Cut                      // the cut card came out
	Fault                    // the shoe reports a fault: Code, Text
	Cleared                  // the fault is over: Code, Text
	Doubtful                 // something was lost or cannot be believed: Text
	Other                    // news for a technician only: Text
)

// Event is one thing that a shoe said.
type Event struct {
	Kind      Kind
	Side      hw.Side
	Place     int       // 1 to 3
	Card      card.Card // no card: could not be read
	Down      bool      // the card lies face down
	Unchecked bool      // nothing in the protocol would show that the card was misread
	Claim     Claim
	Code      Code
	Text      string
	At        time.Duration
}

// Claim is what a shoe says of a hand. It is compared with the cards and never
// believed alone.
type Claim struct {
	Winner                   byte // 'P', 'B', 'T', or 0: not said
	Forced                   bool // the hand was ended by force
	Pairs                    bool // the next two were said
	PlayerPair, BankerPair   bool
	Totals                   bool // the next two were said
	PlayerTotal, BankerTotal int
}

// Code is the kind of a fault.
type Code uint8

// The faults that shoes are known to report.
const (
	OtherFault  Code = iota
	Unread           // a card could not be read
	Overdraw         // a card too many was drawn
	WrongButton      // the dealer pressed another result than the cards have
	PushedBack       // a card was pushed back into the shoe
	BadCard          // a card's code is wrong
	Slow             // no card was drawn for too long
)

// String says a fault in words.
func (c Code) String() string {
	return [...]string{
		OtherFault: "a fault", Unread: "a card could not be read", Overdraw: "a card too many was drawn",
		WrongButton: "a wrong result button was pressed", PushedBack: "a card was pushed back",
		BadCard: "a card's code is wrong", Slow: "no card was drawn for too long",
	}[min(c, Slow)]
}

// Counts are what a decoder has counted since it was made.
type Counts struct {
	Frames  int // good frames that were new
	Repeats int // copies of frames that had been taken
	Bad     int // frames that were damaged or could not be understood
	Lost    int // frames that never came, by their numbers
	Noise   int // bytes that belong to no frame
}

// Decoder makes events of the bytes of one protocol. It is pure: it reads no clock
// and keeps no file.
type Decoder interface {
	// Feed takes bytes that came at a time, or none to say that time has passed.
	Feed(b []byte, at time.Duration) []Event
	// Reopened says that the line was down: what it had half read is void.
	Reopened(at time.Duration)
	// Silence is how long a shoe that is there can be silent; 0 says for ever.
	Silence() time.Duration
	// Counts are for technicians.
	Counts() Counts
}

// Answerer is a decoder whose shoe wants answers. All others send nothing, ever.
type Answerer interface {
	// Answer returns what is to be sent now, and forgets it.
	Answer() []byte
}
