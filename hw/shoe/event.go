package shoe

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// eventKind says what a frame means, in whatever protocol it came.
type eventKind uint8

// The kinds of events.
const (
	kindDrawn    eventKind = iota + 1 // a card left the shoe: Side (0: next of its hand), Place, and Card or Down
	kindCarried                       // as kindDrawn, for a card drawn too early, which belongs to the next hand
	kindTurned                        // the card at Side and Place lies face up: Card
	kindReturned                      // the card at Side and Place went back into the shoe
	kindExtra                         // a card too many was drawn, which belongs to no hand
	kindEnded                         // the hand is over and lies open: Claim
	kindVoid                          // the hand is called off
	kindHide                          // cards lie face down from here on
	kindShow                          // the cards are turned, and lie face up from here on
	kindBegun                         // a new shoe
	kindStarted                       // the shoe was switched on
	kindBurn                          // a card was burned; Card if it was turned
	kindCut                           // the cut card came out
	kindFault                         // the shoe reports a fault: Code, Text
	kindCleared                       // the fault is over: Code, Text
	kindDoubtful                      // something was lost or cannot be believed: Text
	kindOther                         // news for a technician only: Text
)

// event is one report of a shoe.
type event struct {
	Kind      eventKind
	Side      hw.Side
	Place     int       // 1 to 3
	Card      card.Card // no card: could not be read
	Down      bool      // the card lies face down
	Unchecked bool      // the protocol has no checksum for the card
	Claim     claim
	Code      faultCode
	Text      string
	At        time.Duration
}

// String describes an event for a technician. It hides a card that lies face down, though
// the bytes may show it.
func (e event) String() string {
	where := ""
	if e.Side != 0 {
		where = fmt.Sprintf(" %v %d", e.Side, e.Place)
	}
	face := "not read"
	switch {
	case e.Down:
		face = "face down"
	case e.Card != card.Card{}:
		face = e.Card.String()
	}
	fault := strings.TrimSpace(e.Code.String() + " " + e.Text)
	return map[eventKind]string{
		kindDrawn: "card" + where + ": " + face, kindCarried: "card for the next hand" + where + ": " + face,
		kindTurned: "turned" + where + ": " + face, kindReturned: "back in the shoe" + where,
		kindExtra: "a card too many: " + face, kindBurn: "burned " + face, kindEnded: "hand over: " + e.Claim.String(),
		kindVoid: "hand void", kindHide: "cards face down from here", kindShow: "cards turned",
		kindBegun: "new shoe", kindStarted: "switched on", kindCut: "cut card",
		kindFault: "fault: " + fault, kindCleared: "fault over: " + fault,
		kindDoubtful: "doubtful: " + e.Text, kindOther: e.Text,
	}[e.Kind]
}

// claim is what a shoe says of a hand. It is compared with the cards and never believed
// alone.
type claim struct {
	Winner                   byte // 'P', 'B', 'T', or 0: not said
	Forced                   bool // the hand was ended by force
	Pairs                    bool // the next two were said
	PlayerPair, BankerPair   bool
	Totals                   bool // the next two were said
	PlayerTotal, BankerTotal int
}

// String describes a claim for a technician.
func (c claim) String() string {
	text := "not said"
	if c.Winner != 0 {
		text = string(c.Winner)
	}
	if c.Totals {
		text += fmt.Sprintf(", Player %d, Banker %d", c.PlayerTotal, c.BankerTotal)
	}
	for _, more := range []struct {
		said bool
		text string
	}{{c.PlayerPair, "Player pair"}, {c.BankerPair, "Banker pair"}, {c.Forced, "ended by force"}} {
		if more.said {
			text += ", " + more.text
		}
	}
	return text
}

// faultCode is the kind of a fault.
type faultCode uint8

// The faults that shoes are known to report.
const (
	faultOther       faultCode = iota
	faultUnread                // a card could not be read
	faultOverdraw              // a card too many was drawn
	faultWrongButton           // the dealer pressed another result than the cards have
	faultPushedBack            // a card was pushed back into the shoe
	faultBadCard               // a card's code is wrong
	faultSlow                  // no card was drawn for too long
)

// String describes a fault for the dealer and a technician.
func (c faultCode) String() string {
	return [...]string{
		faultOther: "a fault", faultUnread: "a card could not be read", faultOverdraw: "a card too many was drawn",
		faultWrongButton: "a wrong result button was pressed", faultPushedBack: "a card was pushed back",
		faultBadCard: "a card's code is wrong", faultSlow: "no card was drawn for too long",
	}[min(c, faultSlow)]
}

// Counts are what a decoder has counted since it was made.
type Counts struct {
	Frames  int // good frames that were new
	Repeats int // copies of frames that were read before
	Bad     int // frames that were damaged or could not be understood
	Lost    int // frames that never came, by their numbers
	Noise   int // bytes that belong to no frame
}

// decoder makes events of the bytes of one protocol. It is pure: it reads no clock and
// keeps no file.
type decoder interface {
	// Feed decodes bytes that came at a time; without bytes it says that time has passed.
	Feed(b []byte, at time.Duration) []event
	// Reopened says that the line was down: a frame that was half read is void.
	Reopened(at time.Duration)
	// Silence returns how long a shoe that is there can be silent; 0: for ever.
	Silence() time.Duration
	Counts() Counts
}

// decoded is the output of a decoder.
type decoded struct {
	counts Counts
	events []event
	at     time.Duration
}

// Counts returns the counts.
func (d *decoded) Counts() Counts { return d.counts }

func (d *decoded) emit(e event) {
	e.At = d.at
	d.events = append(d.events, e)
}

func (d *decoded) doubt(format string, a ...any) {
	d.emit(event{Kind: kindDoubtful, Text: fmt.Sprintf(format, a...)})
}

// answerer is a decoder whose shoe wants answers. Nothing is ever sent to any other.
type answerer interface {
	// Answer returns what must be sent now, and forgets it.
	Answer() []byte
}

// newDecoder returns the decoder of a kind: "tsp1", "angel-eye" or "lines".
func newDecoder(kind string) (decoder, error) {
	switch kind {
	case "tsp1":
		return newTSP1(), nil
	case "angel-eye":
		return newAngelEye(), nil
	case "lines":
		return newLines(), nil
	}
	return nil, fmt.Errorf("%q is no kind of shoe, expected \"tsp1\", \"angel-eye\" or \"lines\"", kind)
}
