package shoe

import (
	"fmt"
	"strings"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// The bytes and measures of the Angel Eye's frames, as they were observed.
const (
	enq         = 0x05
	etx         = 0x03
	aeLongest   = 14                     // bytes after ENQ; the longest seen has 11
	aeCopyLives = time.Second            // a copy later than that is a frame of its own
	aeOnce      = 150 * time.Millisecond // that a second copy is waited for
	aeMost      = 4                      // readings kept that have no second copy yet
	aeRound     = 30 * time.Second       // no table deals a round in less
)

// angelEye decodes the reports of shoes that speak as the Angel Eye II was observed to: each
// frame three times, with a checksum of eight bits and a number of one digit. A frame is
// believed when two copies of it agree, because eight bits let one damaged copy in two
// hundred pass; one that was read only once puts its hand in doubt.
//
// The line is RS-232, 4800 bits a second, eight data bits, no parity, and needs a converter
// with RS-232 levels; with a straight cable pins 8 and 9 of the shoe must be left open, or
// its board can be damaged. All this was observed and read, not told by the maker, whose
// papers the operator should have.
//
// The numbers go round from 9 to 1, so that they do not show that exactly nine frames are
// missing, or eighteen. Nine are about a round, and take the time of one: a pause of half a
// minute in mid-hand puts the hand in doubt, and so does one in which the line was disturbed.
// One case remains: a silent cut that began and ended between two hands, with nine frames of
// whole hands in it. The hands after it are right; those in it are lost. Time shows nothing
// there, because tables rest; the dealer, to whom no hand was proposed, has to key them.
type angelEye struct {
	frame  []byte // after ENQ, or nil
	known  bool   // expect is known
	expect byte   // the number that must come next, '1' to '9'
	last   string // the frame accepted last
	lastAt time.Duration
	seen   []reading
	inHand bool          // cards of a hand have come, and not its end
	noisy  time.Duration // when something came in a pause that was no frame, or 0
	decoded
}

// reading is a good frame of which one copy has come.
type reading struct {
	frame string // number, type and data
	at    time.Duration
}

var _ decoder = (*angelEye)(nil)

func newAngelEye() *angelEye { return &angelEye{} }

// Silence returns 0: such a shoe is silent between hands.
func (d *angelEye) Silence() time.Duration { return 0 }

// Reopened forgets a half-read frame, and which number comes next.
func (d *angelEye) Reopened(time.Duration) {
	d.frame, d.known, d.seen, d.inHand, d.noisy = nil, false, nil, false, 0
}

// Feed decodes bytes.
func (d *angelEye) Feed(b []byte, at time.Duration) []event {
	d.events, d.at = nil, at
	before := d.counts.Bad + d.counts.Noise
	for _, c := range b {
		d.feed(c)
	}
	if d.counts.Bad+d.counts.Noise > before && d.noisy == 0 && d.at-d.lastAt > aeCopyLives {
		d.noisy = d.at
	}
	for len(d.seen) > 0 && d.at-d.seen[0].at >= aeOnce {
		d.single()
	}
	return d.events
}

func (d *angelEye) feed(c byte) {
	switch {
	case c == enq:
		if d.frame != nil {
			d.counts.Bad++
		}
		d.frame = make([]byte, 0, aeLongest)
	case d.frame == nil:
		d.counts.Noise++
	case len(d.frame) == aeLongest:
		d.frame = nil
		d.counts.Bad++
	default:
		if d.frame = append(d.frame, c); len(d.frame) > 2 && d.frame[len(d.frame)-3] == etx {
			frame := d.frame
			d.frame = nil
			d.whole(frame)
		}
	}
}

// whole checks the bytes between ENQ and the end of the checksum.
func (d *angelEye) whole(b []byte) {
	body, sum := b[:len(b)-2], byte(0)
	for _, c := range body {
		sum ^= c
	}
	frame := string(body[:len(body)-1])
	if !strings.EqualFold(fmt.Sprintf("%02X", sum), string(b[len(b)-2:])) || !aeWellFormed(frame) {
		d.counts.Bad++
		return
	}
	d.vote(frame)
}

// aeWellFormed reports whether a frame has the form of its type. A later shoe may add data to
// a type that has none.
func aeWellFormed(f string) bool {
	if len(f) < 2 || f[0] < '0' || f[0] > '9' {
		return false
	}
	size, fixed := map[byte]int{'G': 1, 'E': 1, 'e': 1, 'D': 2, 'I': 2, 'R': 2, 'd': 2, 'i': 2}[f[1]]
	if !fixed {
		return f[1] >= 'A' && f[1] <= 'z'
	}
	for _, c := range []byte(f[2:]) {
		if c < 0x80 {
			return false
		}
	}
	return len(f) == 2+size
}

// vote counts one good copy of a frame.
func (d *angelEye) vote(f string) {
	if f == d.last && d.at-d.lastAt <= aeCopyLives {
		d.counts.Repeats++
		d.counts.Bad += len(d.seen) // copies follow each other, so what came between was none
		d.seen, d.lastAt = nil, d.at
		return
	}
	for i, r := range d.seen {
		if r.frame == f {
			d.counts.Repeats++
			d.confirm(i)
			return
		}
	}
	if len(d.seen) == aeMost {
		d.seen = d.seen[1:]
		d.counts.Bad++
	}
	d.seen = append(d.seen, reading{f, d.at})
	if before := d.seen[0].frame; len(d.seen) > 1 && f[0] == aeNext(before[0]) && d.due(before, d.seen) {
		d.single() // the next one has begun, so no second copy of it will come
	}
}

// confirm accepts a frame of which two copies agree, and before it the one that is just
// missing, if a single copy of that was read.
func (d *angelEye) confirm(i int) {
	r, before := d.seen[i], d.seen[:i]
	d.seen = nil
	for n, b := range before {
		if d.due(b.frame, before) && aeNext(b.frame[0]) == r.frame[0] {
			d.once(b.frame)
			d.counts.Bad += len(before) - 1
			before = before[:n]
			break
		}
	}
	d.counts.Bad += len(before)
	d.accept(r.frame)
}

// single accepts or drops the oldest reading that has no second copy.
func (d *angelEye) single() {
	r := d.seen[0]
	if d.due(r.frame, d.seen) {
		d.seen = d.seen[1:]
		d.once(r.frame)
		return
	}
	d.seen = d.seen[1:]
	d.counts.Bad++
}

// due reports whether f has the number that must come next, and is alone with it. The shoe's
// start comes at any time.
func (d *angelEye) due(f string, all []reading) bool {
	same := 0
	for _, r := range all {
		if r.frame[0] == f[0] {
			same++
		}
	}
	return same == 1 && (strings.HasPrefix(f, "0S") || d.known && f[0] == d.expect)
}

func (d *angelEye) once(f string) {
	d.doubt("a frame of the shoe was read only once")
	d.accept(f)
}

func aeNext(n byte) byte { return '1' + (n-'0')%9 }

// accept accepts a frame and counts those that are missing before it. Number 0 is the first
// after power-up and follows no other.
func (d *angelEye) accept(f string) {
	e, pause := aeEvent(f[1], f[2:]), d.at-d.lastAt
	d.last, d.lastAt = f, d.at
	d.counts.Frames++
	if lost := int(f[0]-d.expect+9) % 9; d.known && f[0] != '0' && lost > 0 {
		d.counts.Lost += lost
		d.doubt("%d frames of the shoe are missing", lost)
	}
	if d.known && f[0] != '0' && pause >= aeRound {
		d.paused(e, pause)
	}
	d.known, d.expect, d.noisy = true, aeNext(f[0]), 0
	if f[0] == '0' && f[1] != 'S' {
		d.emit(event{Kind: kindStarted, Text: "the shoe was switched on"})
	}
	switch e.Kind {
	case kindDrawn, kindTurned:
		d.inHand = true
	case kindEnded, kindStarted:
		d.inHand = false
	}
	d.emit(e)
}

// paused doubts a frame after a pause in which a round could be lost. Noise that damaged the
// copies of the frames around the pause proves nothing about the pause.
func (d *angelEye) paused(e event, pause time.Duration) {
	first := e.Kind == kindDrawn && e.Side == hw.PlayerSide && e.Place == 1
	switch {
	case d.noisy > 0 && d.at-d.noisy > aeCopyLives:
		d.doubt("the line to the shoe was disturbed in a pause of %.0f s; hands may be missing", pause.Seconds())
	case d.inHand && !first && (e.Kind == kindDrawn || e.Kind == kindTurned || e.Kind == kindEnded):
		d.doubt("the shoe paused for %.0f s in mid-hand; a hand may be missing", pause.Seconds())
	}
}

// aeEvent returns the event of a frame.
func aeEvent(typ byte, data string) event {
	switch typ {
	case 'S':
		return event{Kind: kindStarted, Text: "the shoe was switched on"}
	case 'C':
		return event{Kind: kindCut, Text: "the cut card came out"}
	case 'D':
		return aeDrawn(data[0], data[1])
	case 'R':
		return aeCarried(data[0], data[1])
	case 'I':
		return aeTurned(data[0], data[1])
	case 'd':
		why := []string{"was locked", "reported a fault", "was being set"}
		return event{Kind: kindExtra, Text: "a card was drawn while the shoe " + why[min(int(data[0]>>4&7), 2)]}
	case 'G':
		return aeEnded(data[0])
	case 'E', 'e':
		return aeFault(typ, data[0])
	case 'P':
		return event{Kind: kindOther, Text: "stand-by"}
	case 'i':
		return event{Kind: kindOther, Text: "the card too many was shown or taken back"}
	case 'L':
		return event{Kind: kindOther, Text: "the lock was turned"}
	case 'M':
		return event{Kind: kindOther, Text: "a setting of the shoe was changed"}
	}
	return event{Kind: kindOther, Text: fmt.Sprintf("type %q is not known", typ)}
}

// aeDrawn reads a card that left the shoe: for a side, or to be burned. Of the burned ones
// only the first is turned.
func aeDrawn(where, face byte) event {
	e := aeFace(face)
	switch what := where >> 4 & 7; {
	case what == 4:
		return event{Kind: kindBurn, Card: e.Card, Text: "first card burned"}
	case what == 2 || what == 5:
		return event{Kind: kindBurn, Text: "burned"}
	case what > 1 || where&15 < 1 || where&15 > 3:
		return event{Kind: kindDoubtful, Text: fmt.Sprintf("a card was drawn for the unknown place %02x", where)}
	}
	e.Kind, e.Side, e.Place = kindDrawn, hw.Side(where>>4&7)+hw.PlayerSide, int(where&15)
	return e
}

// aeCarried reads the card too many, which belongs to the next hand.
func aeCarried(where, face byte) event {
	e := aeDrawn(where, face)
	if e.Kind == kindDrawn {
		e.Kind = kindCarried
	}
	return e
}

func aeTurned(where, face byte) event {
	e := aeDrawn(where, face)
	switch {
	case e.Kind == kindDrawn && !e.Down:
		e.Kind = kindTurned
		return e
	case e.Kind == kindDoubtful:
		return e
	}
	return event{Kind: kindOther, Text: "a card of no hand was shown"}
}

// aeFace reads the byte of a card. 80 is one that is not shown yet.
func aeFace(b byte) event {
	suit, rank := b>>4&7, card.Rank(b&15)
	if b == 0x80 {
		return event{Down: true}
	}
	if rank < card.Ace || rank > card.King || suit > 4 {
		return event{}
	}
	suits := [...]card.Suit{card.NoSuit, card.Diamonds, card.Clubs, card.Spades, card.Hearts}
	return event{Card: card.Card{Rank: rank, Suit: suits[suit]}}
}

func aeEnded(b byte) event {
	c := claim{Pairs: true, PlayerPair: b&1 != 0, BankerPair: b&2 != 0}
	switch b >> 4 & 7 {
	case 1:
		c.Winner = 'P'
	case 2:
		c.Winner = 'T'
	case 4, 5: // 5: with six points, in one of the sources
		c.Winner = 'B'
	default:
		c = claim{Forced: true}
	}
	return event{Kind: kindEnded, Claim: c}
}

func aeFault(typ, b byte) event {
	codes := [...]faultCode{1: faultUnread, 2: faultOverdraw, 3: faultWrongButton,
		4: faultPushedBack, 5: faultPushedBack, 6: faultBadCard, 7: faultSlow}
	n := int(b & 0x3f)
	e := event{Kind: kindFault}
	if n < len(codes) {
		e.Code = codes[n]
	}
	e.Text = fmt.Sprintf("%s (%d)", e.Code, n)
	if typ == 'e' {
		e.Kind, e.Text = kindCleared, "cleared: "+e.Text
	}
	return e
}
