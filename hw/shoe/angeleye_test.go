package shoe

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// eye is a shoe of the Angel Eye kind as it was observed, that writes what it sends.
type eye struct {
	n    byte // number of the next frame
	sent []byte
}

func newEye() *eye { return &eye{n: '0'} }

// frame is one copy of a frame.
func (s *eye) frame(n, typ byte, data ...byte) []byte {
	b := append([]byte{n, typ}, data...)
	b = append(b, 0x03)
	sum := byte(0)
	for _, c := range b {
		sum ^= c
	}
	return fmt.Appendf(append([]byte{0x05}, b...), "%02X", sum)
}

// send sends a frame three times.
func (s *eye) send(typ byte, data ...byte) *eye {
	if typ == 'S' {
		s.n = '0'
	}
	s.sent = append(s.sent, bytes.Repeat(s.frame(s.n, typ, data...), 3)...)
	s.n = aeNext(s.n)
	return s
}

// face is a card as the shoe codes it.
func face(c card.Card) byte {
	return 0x80 | map[card.Suit]byte{card.Diamonds: 1, card.Clubs: 2, card.Spades: 3, card.Hearts: 4}[c.Suit]<<4 | byte(c.Rank)
}

func spot(side hw.Side, place int) byte { return 0x80 | byte(side-1)<<4 | byte(place) }

// draw sends the cards of a hand, hidden or open.
func (s *eye) draw(h trueHand, hidden bool) *eye {
	h.each(func(side hw.Side, place int, c card.Card) {
		b := face(c)
		if hidden {
			b = 0x80
		}
		s.send('D', spot(side, place), b)
	})
	return s
}

func (s *eye) show(h trueHand) *eye {
	h.each(func(side hw.Side, place int, c card.Card) { s.send('I', spot(side, place), face(c)) })
	return s
}

// result sends what the cards of a hand come to.
func (s *eye) result(h trueHand) *eye {
	b := map[byte]byte{'P': 0x90, 'T': 0xa0, 'B': 0xc0}[winner(total(h.player), total(h.banker))]
	if pair(h.player) {
		b |= 1
	}
	if pair(h.banker) {
		b |= 2
	}
	return s.send('G', b)
}

func (s *eye) hand(text string) *eye {
	h := hand(text)
	return s.draw(h, false).result(h)
}

// flush returns what was sent.
func (s *eye) flush() []byte {
	b := s.sent
	s.sent = nil
	return b
}

const (
	natural = "7S 2H/JD KC"
	long    = "2S 3H 9C/JD 3C 2D"
	pairs   = "4S 4H/7D 7C"
)

func TestAngelEyeOpenHandIsToldCardByCard(t *testing.T) {
	s := newEye().send('S')
	k := atDesk(t, newAngelEye(), false).feed(s.flush()).expect("powered up")
	for _, text := range []string{long, natural} {
		h := hand(text)
		h.each(func(side hw.Side, place int, c card.Card) {
			k.feed(s.send('D', spot(side, place), face(c)).flush()).expect(fmt.Sprintf("%s%d %s", side.String()[:1], place, c))
		})
		k.feed(s.result(h).flush()).expect(h.String())
		k.feed(s.send('P').flush()).expect()
	}
}

func TestAngelEyeHiddenHandShowsNoCardBeforeItIsTurned(t *testing.T) {
	s, h := newEye().send('S'), hand(long)
	k := atDesk(t, newAngelEye(), false).feed(s.draw(h, true).flush()).expect("powered up")
	k.feed(s.show(h).flush()).expect(h.seen()[:6]...)
	k.feed(s.result(h).flush()).expect(h.String())
}

// A game that deals face down must not show what an open shoe reads while drawing.
func TestAngelEyeOpenShoeInAFaceDownGameShowsNothingBeforeTheEnd(t *testing.T) {
	s, h := newEye().send('S'), hand(long)
	k := atDesk(t, newAngelEye(), true).feed(s.draw(h, false).flush()).expect("powered up")
	k.feed(s.result(h).flush()).expect(h.seen()...)
	k.feed(s.hand(natural).flush()).expect(hand(natural).seen()...)
}

// Capture: every frame is sent three times, and the last copy may be glued to the
// next frame.
func TestAngelEyeCopiesCountOnceHoweverTheyAreCut(t *testing.T) {
	s := newEye().send('S').hand(long).send('P').hand(pairs).hand(natural)
	stream := s.flush()
	want := slices.Concat([]string{"powered up"}, hand(long).seen(), hand(pairs).seen(), hand(natural).seen())
	for size := 1; size <= 40; size++ {
		k := atDesk(t, newAngelEye(), false)
		for chunk := range slices.Chunk(stream, size) {
			k.feed(chunk)
		}
		k.expect(want...)
		if c := k.decoder.Counts(); c != (Counts{Frames: 19, Repeats: 38}) {
			t.Fatalf("cut into %d: counted %+v", size, c)
		}
	}
}

// Capture: a run of six equal frames, where the shoe was power-cycled twice.
func TestAngelEyeSixStartsInARowAreOneAndLaterOnesAreNew(t *testing.T) {
	s := newEye()
	k := atDesk(t, newAngelEye(), false).feed(s.send('S').send('S').flush()).expect("powered up")
	k.wait(2 * time.Second).feed(s.send('S').flush()).expect("powered up")
}

// Capture: D, D, then S.
func TestPowerCutInMidHandDiscardsTheHand(t *testing.T) {
	s := newEye().send('S').hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.told = nil
	k.feed(s.send('D', 0x81, 0xb7).send('D', 0x91, 0x9b).send('S').flush())
	k.expect("P1 7S", "B1 JD", "powered up?switched off in mid-hand")
	// Cards of the broken hand may have been drawn meanwhile, so the next is asked about.
	k.feed(s.hand(long).flush()).expect(append(hand(long).seen()[:6], hand(long).String()+"?switched off during the hand before")...)
	k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
}

// A hidden hand that is broken off is told without its faces.
func TestPowerCutBeforeTheCardsAreTurnedTellsNoFace(t *testing.T) {
	s, h := newEye().send('S'), hand(natural)
	k := atDesk(t, newAngelEye(), true).feed(s.draw(h, false).send('S').flush())
	k.expect("powered up", "powered up?switched off in mid-hand")
}

// Capture: E82, d, i, e82, then the cards are shown and the hand ends.
func TestOverdrawnCardIsNoPartOfTheHand(t *testing.T) {
	s, h := newEye().send('S'), hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.draw(h, true).flush()).expect("powered up")
	k.feed(s.send('E', 0x82).send('d', 0x90, 0xa5).send('i', 0x90, 0xa5).send('e', 0x82).flush())
	k.expect("trouble", "overdrawn", "cleared")
	for _, e := range k.told {
		if strings.Contains(fmt.Sprint(e), "5C") {
			t.Errorf("the card too many is told: %+v", e)
		}
	}
	k.feed(s.show(h).result(h).flush()).expect(h.seen()...)
}

// Capture: the overdrawn card becomes the first card of the next hand, with R in
// place of D 81.
func TestOverdrawnCardBeginsTheNextHand(t *testing.T) {
	s, h, next := newEye().send('S'), hand(natural), hand(long)
	k := atDesk(t, newAngelEye(), false)
	k.feed(s.draw(h, false).send('E', 0x82).send('d', 0x90, face(next.player[0])).send('e', 0x82).result(h).flush())
	k.expect(slices.Concat([]string{"powered up"}, h.seen()[:4], []string{"trouble", "overdrawn", "cleared", h.String()})...)
	k.feed(s.send('R', 0x81, face(next.player[0])).flush())
	next.each(func(side hw.Side, place int, c card.Card) {
		if side == hw.BankerSide || place > 1 {
			s.send('D', spot(side, place), face(c))
		}
	})
	k.feed(s.result(next).flush()).expect(next.seen()...)
}

// Capture: six junk bytes between frames.
func TestJunkBetweenFramesIsNothing(t *testing.T) {
	s, h := newEye().send('S'), hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.flush()).feed([]byte{0xff, 0x00, 0x12, 0xfe, 0x80, 0x7f})
	k.feed(s.draw(h, false).result(h).flush()).expect(append([]string{"powered up"}, h.seen()...)...)
	if c := k.decoder.Counts(); c.Noise != 6 || c.Bad != 0 || c.Lost != 0 {
		t.Errorf("counted %+v", c)
	}
}

// Capture: D c0 a2, D d1 9b, D d0 a2 after the start. Only the first is turned.
func TestBurnedCardsAreNoHand(t *testing.T) {
	s := newEye().send('S').send('D', 0xc0, 0xa2).send('D', 0xd1, 0x9b).send('D', 0xd0, 0xa2)
	k := atDesk(t, newAngelEye(), false).feed(s.flush()).expect("powered up", "burned 2C", "burned", "burned")
	k.feed(s.hand(long).flush()).expect(hand(long).seen()...)
}

// Capture: the last hand was left unfinished.
func TestHandLeftUnfinishedIsNoHand(t *testing.T) {
	s := newEye().send('S').send('D', 0x81, 0xb7).send('D', 0x91, 0x9b)
	atDesk(t, newAngelEye(), false).feed(s.flush()).wait(time.Minute).expect("powered up", "P1 7S", "B1 JD")
}

func TestNewShoeIsTheCutCardAndThenAStart(t *testing.T) {
	s := newEye().send('S').hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.told = nil
	k.feed(s.send('S').flush()).expect("powered up") // alone it is none
	k.feed(s.send('C').hand(long).flush()).expect(append([]string{"cut"}, hand(long).seen()...)...)
	k.wait(2 * time.Second).feed(s.send('S').flush()).expect("new shoe")
	k.wait(2 * time.Second).feed(s.send('S').flush()).expect("powered up")
	k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
}

func TestCutCardAndPowerCutInMidHandIsNoNewShoe(t *testing.T) {
	s := newEye().send('S').send('C').send('D', 0x81, 0xb7).send('S')
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.expect("powered up", "cut", "P1 7S", "powered up?switched off in mid-hand")
}

// A shoe reader's project had phantom rounds because it began the next round by a
// timer.
func TestNoHandBeginsWithoutPlayersFirstCard(t *testing.T) {
	s, h := newEye().send('S'), hand(long)
	k := atDesk(t, newAngelEye(), false).feed(s.send('P').result(h).send('P').flush()).wait(time.Minute)
	k.expect("powered up", "hand / broken?not seen; it says Banker") // the dealer is asked; nothing is made up
	s.send('D', 0x91, 0x9b).send('D', 0x82, 0xc3).result(h)
	k.feed(s.flush()).expect("B1 JD", "P2 3H", "hand - 3H/JD broken?its first card was not seen")
	k.feed(s.hand(natural).flush()).expect(hand(natural).seen()...)
}

func TestForcedEndIsAsked(t *testing.T) {
	s := newEye().send('S').draw(hand(natural), false).send('G', 0xf0).send('G', 0xf0)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.expect(append(append([]string{"powered up"}, hand(natural).seen()[:4]...), hand(natural).String()+"?by force")...)
}

func TestResultThatTheCardsContradictIsAsked(t *testing.T) {
	h := hand("4S 4H/KD KC")
	for result, doubt := range map[byte]string{0x93: "", 0xc0: "?say Player, the shoe Banker", 0xa0: "?the shoe Tie", 0x90: "?pairs", 0x91: "?pairs"} {
		s := newEye().send('S').draw(h, false).send('G', result)
		k := atDesk(t, newAngelEye(), false).feed(s.flush())
		k.told = k.told[5:]
		k.expect(h.String() + doubt)
	}
}

func TestHandAgainstTheDrawingRulesIsAsked(t *testing.T) {
	for text, doubt := range map[string]string{
		"4S 4H 2D/7D 7C": "Player has 8 on two cards", "2S 3H/JD 3C": "Player has 5 on two cards", "2S 3H 8C/JD 3C 2D": "Banker has 3 on two cards",
	} {
		s, h := newEye().send('S'), hand(text)
		k := atDesk(t, newAngelEye(), false).feed(s.draw(h, false).result(h).flush())
		k.told = k.told[len(k.told)-1:]
		k.expect(h.String() + " broken?" + doubt)
	}
}

func TestMissingFrameIsAskedAndTheHandAfterTheNextIsCertain(t *testing.T) {
	for drop := range 5 { // of D D D D G
		s, h := newEye().send('S'), hand(natural)
		k := atDesk(t, newAngelEye(), false).feed(s.flush())
		k.feed(dropFrame(s.draw(h, false).result(h).flush(), drop)).feed(s.hand(long).flush())
		asked := slices.ContainsFunc(k.told, func(e hw.Event) bool {
			seen, ok := e.(hw.HandSeen)
			return ok && seen.Doubt != ""
		})
		if !asked || slices.Contains(sayAll(k.told), h.String()) {
			t.Errorf("frame %d is missing: told %q", drop, sayAll(k.told))
		}
		k.told = nil
		k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
	}
}

// dropFrame leaves the n-th frame out of a stream, with its copies.
func dropFrame(stream []byte, n int) []byte {
	var kept []byte
	for i, frame := range bytes.Split(stream, []byte{0x05})[1:] {
		if i/3 != n {
			kept = append(append(kept, 0x05), frame...)
		}
	}
	return kept
}

// One damaged copy in two hundred passes an eight-bit checksum, so one alone is not
// believed.
func TestDamagedCopyThatPassesTheChecksumIsOutvoted(t *testing.T) {
	s := newEye().send('S')
	right, wrong := s.frame('1', 'D', 0x81, 0xb7), s.frame('1', 'D', 0x81, 0xb6)
	for _, order := range [][][]byte{{wrong, right, right}, {right, wrong, right}, {right, right, wrong}} {
		k := atDesk(t, newAngelEye(), false).feed(newEye().send('S').flush()).feed(slices.Concat(order...)).wait(time.Second)
		k.expect("powered up", "P1 7S")
	}
}

func TestFrameReadOnceMakesItsHandDoubtful(t *testing.T) {
	s, h := newEye().send('S'), hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	once := s.frame('1', 'D', 0x81, 0xb7)
	s.n = '2'
	h.each(func(side hw.Side, place int, c card.Card) {
		if side != hw.PlayerSide || place != 1 {
			s.send('D', spot(side, place), face(c))
		}
	})
	k.feed(once).wait(300 * time.Millisecond).feed(s.result(h).flush())
	k.expect(append(append([]string{"powered up"}, h.seen()[:4]...), h.String()+"?read only once")...)
}

func TestLineThatWasDownLeavesHandsInDoubtUntilAligned(t *testing.T) {
	s := newEye().send('S').hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.told = nil
	down := func() {
		k.decoder.Reopened(k.at)
		k.hands.Broken()
	}
	k.feed(s.send('D', 0x81, 0xb7).flush())
	down()
	s.hand(long) // unseen
	s.flush()
	k.feed(s.hand(pairs).flush())
	k.expect(slices.Concat([]string{"P1 7S", "hand 7S/ broken?line to the shoe was down"}, hand(pairs).seen()[:4], []string{hand(pairs).String() + "?was down"})...)
	k.feed(s.hand(long).flush()).expect(append(hand(long).seen()[:6], hand(long).String()+"?was down")...)
	k.hands.Align() // the dealer confirmed
	k.feed(s.hand(long).flush()).expect(hand(long).seen()...)
	down()
	k.feed(s.send('C').send('S').hand(long).flush())
	k.expect(append([]string{"cut", "new shoe?was down"}, hand(long).seen()...)...)
}

func TestCardPutBackIsAsked(t *testing.T) {
	s, h := newEye().send('S'), hand(natural)
	s.send('D', 0x81, 0xb7).send('E', 0x85).send('e', 0x85).send('D', 0x91, 0x9b).send('D', 0x82, 0xc2).send('D', 0x92, 0xad).result(h)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.expect("powered up", "P1 7S", "trouble", "cleared", "B1 JD", "P2 2H", "B2 KC", h.String()+"?pushed back")
	s.send('D', 0x81, 0x99).send('E', 0x85).send('D', 0x81, 0xb7).send('e', 0x85).send('D', 0x91, 0x9b).send('D', 0x82, 0xc2).send('D', 0x92, 0xad).result(h)
	k.feed(s.flush()).expect("P1 9D", "trouble", "P1 7S", "cleared", "B1 JD", "P2 2H", "B2 KC", h.String()+"?pushed back; two cards came")
}

// The last hand's end and the next one's first card are lost: the hands run together.
func TestHandsThatRunTogetherAreAskedOneByOne(t *testing.T) {
	s := newEye().send('S').draw(hand(natural), false)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.told = nil
	k.feed(dropFrame(dropFrame(s.result(hand(natural)).hand(long).flush(), 0), 0))
	k.expect("hand 7S 2H/JD KC broken?2 frames of the shoe are missing", "B1 JD", "P2 3H", "B2 3C", "P3 9C", "B3 2D",
		"hand - 3H 9C/JD 3C 2D broken?the hand before it was not read to its end; its first card was not seen")
	k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
}

func TestEveryCardByteIsRead(t *testing.T) {
	seen := map[card.Card]bool{}
	for b := 0x81; b <= 0xff; b++ {
		e := aeFace(byte(b))
		if e.Down {
			t.Errorf("%02x lies face down", b)
		}
		if e.Card.Rank != card.NoRank {
			seen[e.Card] = true
		}
	}
	if len(seen) != 13*5 {
		t.Errorf("%d cards, want 52 and 13 without suit", len(seen))
	}
	if c := aeFace(0xbd).Card; c != (card.Card{Rank: card.King, Suit: card.Spades}) {
		t.Errorf("bd is %v", c)
	}
}
