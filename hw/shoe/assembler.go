package shoe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// Rules checks whether cards are a finished hand. The error is one sentence on the card that
// was drawn wrongly or is missing.
type Rules func(player, banker []card.Card) error

// assembler makes hands of events. It is pure. The events that it returns have no source,
// number or time yet.
type assembler struct {
	rules    Rules
	faceDown bool // the game deals face down
	hidden   bool // no face is public now
	hand     [2][3]place
	doubts   []string      // of the hand in play, or otherwise of the next
	lost     bool          // frames of the hand in play are missing
	again    bool          // a card of the hand in play was pushed back or not read, and may come again
	carried  []event       // cards of the next hand that came during this one
	astray   string        // why it is not known which hand comes next
	late     time.Duration // what comes may have been sent at any time after it, 0: it was sent now
	since    time.Duration // late, when the hand in play began
	bare     bool          // the shoe says no places
	blind    bool          // cards came without a checksum
	faults   []faultCode   // not cleared yet
	cut      bool          // the cut card has come
	dealt    bool          // cards have come since the shoe began
	out      []hw.Event
}

// place is where a card may lie.
type place struct {
	drawn, shown bool
	down         bool // face down, so that card is not known
	card         card.Card
}

// hasOther reports whether the place has a card already, so that e is another one.
func (p *place) hasOther(e event) bool { return p.drawn && (!p.down || e.Down) }

// The reasons of doubts that need no detail.
const (
	noChecksum  = "the reader sends no checksum; compare the cards with the table"
	afterLoss   = "the hand before it was not read to its end"
	afterPower  = "the shoe was switched off during the hand before it"
	cutOff      = "the shoe was switched off in mid-hand"
	noCutBefore = "no cut card came before it"
	besideDoubt = "its first card came while the hand before it was in doubt"
)

// mostDoubts are said of one hand; more would help nobody.
const mostDoubts = 4

// newAssembler returns an assembler for a game with these rules. If the game deals face down,
// a face that the shoe knows is held back until the shoe reports that it is turned or that the
// hand is over.
func newAssembler(rules Rules, faceDown bool) *assembler {
	return &assembler{rules: rules, faceDown: faceDown, hidden: faceDown}
}

// Feed handles one event and returns the events that follow from it.
func (a *assembler) Feed(e event) []hw.Event {
	a.out = nil
	switch e.Kind {
	case kindDrawn:
		a.drawn(e)
	case kindCarried:
		a.carry(e)
	case kindTurned:
		a.turned(e)
	case kindReturned:
		a.returned(e)
	case kindEnded:
		a.ended(e.Claim)
	case kindVoid:
		a.void(e)
	case kindHide:
		a.breakOff("the next hand began before the shoe had ended it")
		a.hidden = true
	case kindShow:
		a.hidden = false
		a.reveal()
	case kindDoubtful:
		a.doubt(e.Text)
	default:
		a.shoe(e)
	}
	return a.out
}

// shoe handles the events that belong to no hand.
func (a *assembler) shoe(e event) {
	switch e.Kind {
	case kindStarted:
		a.started(e)
	case kindBegun:
		a.carried = nil
		a.breakOff("a new shoe began in mid-hand")
		a.begun(e)
	case kindBurn:
		if a.open() {
			a.doubt("a card was burned during the hand")
		}
		a.out = append(a.out, hw.ShoeSeen{Change: hw.Burned, Card: e.Card, Text: e.Text})
	case kindCut:
		a.cut = true
		a.tell(hw.CutCard, e)
	case kindExtra:
		a.tell(hw.Overdrawn, e)
	case kindFault:
		a.fault(e.Code)
		a.tell(hw.ShoeTrouble, e)
	case kindCleared:
		a.faults = slices.DeleteFunc(a.faults, func(c faultCode) bool { return c == e.Code })
		a.tell(hw.ShoeCleared, e)
	}
}

// fault records a fault that begins.
func (a *assembler) fault(c faultCode) {
	a.faults = append(a.faults, c)
	switch c {
	case faultPushedBack, faultUnread, faultBadCard:
		if a.open() {
			a.again = true
			a.doubt(c.String())
		}
	}
}

// Broken records that the line is down, so that hands may be dealt unseen: every hand is
// doubtful until Align or a new shoe.
func (a *assembler) Broken() {
	if a.open() {
		a.doubt(hw.LineWasDown)
	}
	a.astray = hw.LineWasDown
}

// Late says that events from now on may have been sent at any time after since, while the line
// was down; 0: they come as they are sent. The hand in play is late too.
func (a *assembler) Late(since time.Duration) {
	if a.late = since; a.open() && a.since == 0 {
		a.since = since
	}
}

// Align says that the table's record and the shoe agree again: the next first card is that of
// the table's next hand. It has no effect unless that was in doubt, and none while hands come
// late, which may be in the record or not.
func (a *assembler) Align() {
	if a.astray == "" || a.late > 0 {
		return
	}
	a.astray = ""
	if a.bare {
		a.clear()
		a.doubts, a.lost = nil, false
	}
}

func (a *assembler) tell(c hw.ShoeChange, e event) {
	a.out = append(a.out, hw.ShoeSeen{Change: c, Text: e.Text, Since: a.late})
}

// doubt records why the hand in play, or otherwise the next, is not certain. If hands come
// late, it is then also unknown which hands they are.
func (a *assembler) doubt(why string) {
	if len(a.doubts) < mostDoubts && !slices.Contains(a.doubts, why) {
		a.doubts = append(a.doubts, why)
	}
	a.lost = a.lost || a.open()
	if a.bare || a.late > 0 {
		a.astray = why
	}
}

// drawn lays a card in its place. Player's first card begins a hand. So does a card for a place
// that has one, unless a card was pushed back or not read: then hands ran together.
func (a *assembler) drawn(e event) {
	if e.Side == 0 {
		a.next(e)
		return
	}
	p := a.at(e)
	first := e.Side == hw.PlayerSide && e.Place == 1
	taken := p.hasOther(e)
	if taken && !a.again || first && !p.drawn && a.open() {
		a.breakOff("the next hand began before the shoe had ended it")
		taken = p.hasOther(e) // by a card carried over
	}
	if taken {
		a.doubt(fmt.Sprintf("two cards came for %s's card %d", e.Side, e.Place))
	}
	if !a.open() {
		a.hidden = a.hidden || a.faceDown
		if !first {
			a.doubt("its first card was not seen")
		}
	}
	a.lay(p, e)
	if !a.hidden {
		a.reveal()
	}
}

// carry keeps a card of the next hand until the one in play is over.
func (a *assembler) carry(e event) {
	if a.open() {
		a.carried = append(a.carried, e)
		return
	}
	a.drawn(e)
}

// turned shows a card that had been drawn face down.
func (a *assembler) turned(e event) {
	p := a.at(e)
	switch {
	case !p.drawn:
		a.doubt(fmt.Sprintf("%s's card %d was turned but not drawn", e.Side, e.Place))
	case !p.down && p.card != e.Card:
		a.doubt(fmt.Sprintf("two cards came for %s's card %d", e.Side, e.Place))
	}
	a.lay(p, e)
	a.show(e.Side, e.Place)
}

func (a *assembler) lay(p *place, e event) {
	if !a.open() {
		a.since = a.late
	}
	*p = place{drawn: true, down: e.Down, card: e.Card, shown: p.shown && p.card == e.Card && !p.down}
	a.dealt = true
	a.blind = a.blind || e.Unchecked
}

// void calls the hand off. One of which frames are missing leaves the next in doubt.
func (a *assembler) void(e event) {
	lost := a.lost
	a.clear()
	a.doubts, a.lost = nil, false
	if lost {
		a.doubts = []string{afterLoss}
	}
	a.tell(hw.HandVoid, e)
}

// returned takes a card out of the hand.
func (a *assembler) returned(e event) {
	if p := a.at(e); p.drawn {
		*p = place{}
		a.doubt("a card was put back into the shoe")
		a.tell(hw.ShoeTrouble, e)
	}
}

func (a *assembler) at(e event) *place {
	return &a.hand[max(e.Side, 1)-1][min(max(e.Place, 1), 3)-1]
}

func (a *assembler) open() bool {
	for _, side := range a.hand {
		for _, p := range side {
			if p.drawn {
				return true
			}
		}
	}
	return false
}

// reveal sends all faces that are known and were not sent yet, in the order of dealing.
func (a *assembler) reveal() {
	for n := 1; n <= 3; n++ {
		a.show(hw.PlayerSide, n)
		a.show(hw.BankerSide, n)
	}
}

func (a *assembler) show(side hw.Side, n int) {
	if p := &a.hand[side-1][n-1]; p.drawn && !p.down && !p.shown {
		p.shown = true
		a.out = append(a.out, hw.CardSeen{Side: side, Place: n, Card: p.card})
	}
}

func (a *assembler) clear() { a.hand, a.again = [2][3]place{}, false }

// started handles a shoe that was switched on. It is a new shoe only after the cut card, and
// not in the middle of a hand. The cards of that hand are no hand: it is dealt on, or dealt
// again, and the dealer is asked about the next event.
func (a *assembler) started(e event) {
	a.faults, a.carried = nil, nil
	if a.open() {
		a.clear()
		a.doubts, a.lost = []string{afterPower}, false
		a.out = append(a.out, hw.ShoeSeen{Change: hw.PoweredUp, Text: e.Text, Doubt: cutOff, Since: a.late})
		return
	}
	if a.cut {
		a.begun(e)
		return
	}
	a.tell(hw.PoweredUp, e)
}

// begun handles a new shoe. The dealer is asked about one without a cut card before it, and
// about one before which hands may be missing.
func (a *assembler) begun(e event) {
	why := a.doubts
	if a.astray != "" {
		why = append(why, a.astray)
	}
	if a.dealt && !a.cut {
		why = append(why, noCutBefore)
	}
	said := hw.ShoeSeen{Change: hw.NewShoe, Text: e.Text, Doubt: strings.Join(why, "; "), Since: a.late}
	a.doubts, a.lost, a.astray, a.faults = nil, false, "", nil
	a.cut, a.dealt = false, false
	a.out = append(a.out, said)
}
