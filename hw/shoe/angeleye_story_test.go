package shoe

import (
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// carriedOver sends that a card drawn too early is the next hand's first, and the rest
// of that hand.
func (s *eye) carriedOver(next trueHand, hidden bool) *eye {
	b := face(next.player[0])
	if hidden {
		b = 0x80
	}
	return s.send('R', 0x81, b).restOf(next, hidden)
}

// restOf sends the cards of a hand but its first.
func (s *eye) restOf(h trueHand, hidden bool) *eye {
	h.each(func(side hw.Side, place int, c card.Card) {
		b := face(c)
		if hidden {
			b = 0x80
		}
		if side == hw.BankerSide || place > 1 {
			s.send('D', spot(side, place), b)
		}
	})
	return s
}

// The card too many may be named the next hand's before the hand in play has been
// shown and ended; it is held back until then.
func TestOverdrawnCardIsKeptForTheNextHandWhileOneIsInPlay(t *testing.T) {
	h, next := hand(natural), hand(long)
	for _, hidden := range []bool{false, true} {
		s := newEye().send('S').draw(h, hidden)
		s.send('E', 0x82).send('d', 0x90, face(next.player[0]))
		b := face(next.player[0])
		if hidden {
			b = 0x80
		}
		s.send('R', 0x81, b).send('e', 0x82)
		if hidden {
			s.show(h)
		}
		k := atDesk(t, newAngelEye(), false).feed(s.result(h).flush())
		first := "P1 2S" // lies open with the end of the hand before it
		want := slices.Concat([]string{"powered up"}, h.seen()[:4], []string{"trouble", "overdrawn", "cleared", h.String(), first})
		if hidden {
			want = slices.Concat([]string{"powered up", "trouble", "overdrawn", "cleared"}, h.seen())
		}
		k.expect(want...)
		s.restOf(next, hidden)
		if hidden {
			k.feed(s.show(next).result(next).flush()).expect(next.seen()...)
		} else {
			k.feed(s.result(next).flush()).expect(next.seen()[1:]...)
		}
	}
}

// The fault of a card too many may be over only after the hand's end: the hand is
// whole by the rules without it.
func TestOverdrawThatIsClearedLateLeavesTheHandCertain(t *testing.T) {
	s, h, next := newEye().send('S'), hand(natural), hand(long)
	s.draw(h, true).send('E', 0x82).send('d', 0x90, face(next.player[0])).show(h).result(h)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.expect(append([]string{"powered up", "trouble", "overdrawn"}, h.seen()...)...)
	k.feed(s.carriedOver(next, true).send('e', 0x82).show(next).result(next).flush())
	k.expect(append([]string{"cleared"}, next.seen()...)...)
}

// The end of the hand in play is lost after a card was carried over.
func TestCarriedCardBeginsTheNextHandEvenIfTheEndWasLost(t *testing.T) {
	s, h, next := newEye().send('S'), hand(natural), hand(long)
	s.draw(h, false).send('R', 0x81, face(next.player[0]))
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.told = nil
	k.feed(dropFrame(s.result(h).restOf(next, false).result(next).flush(), 0))
	k.expect(slices.Concat([]string{h.String() + " broken?frames of the shoe are missing"}, next.seen()[:6], []string{next.String() + "?not read to its end"})...)
	k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
}

// A carried card that was read only once may be wrong, and it is the next hand's.
func TestCarriedCardThatWasReadOnceIsAskedInItsOwnHand(t *testing.T) {
	s, h, next := newEye().send('S'), hand(natural), hand(long)
	k := atDesk(t, newAngelEye(), false).feed(s.draw(h, false).flush())
	k.feed(s.frame(s.n, 'R', 0x81, face(next.player[0]))).wait(300 * time.Millisecond)
	s.n = aeNext(s.n)
	k.told = nil
	k.feed(s.result(h).restOf(next, false).result(next).flush())
	k.expect(slices.Concat([]string{h.String() + "?read only once"}, next.seen()[:6], []string{next.String() + "?the hand before it was in doubt"})...)
	k.feed(s.hand(pairs).flush()).expect(hand(pairs).seen()...)
}

// A power cut takes what was carried over with it, and another first card beside the
// carried one is asked about.
func TestCarriedCardIsGoneAfterAPowerCutAndIsNeverCoveredInSilence(t *testing.T) {
	s, h := newEye().send('S'), hand(natural)
	k := atDesk(t, newAngelEye(), false).feed(s.draw(h, false).send('R', 0x81, 0xb2).send('S').hand(long).hand(pairs).flush())
	k.expect(slices.Concat([]string{"powered up"}, h.seen()[:4], []string{"powered up?switched off in mid-hand"},
		hand(long).seen()[:6], []string{hand(long).String() + "?switched off during the hand before"}, hand(pairs).seen())...)

	s = newEye().send('S').draw(h, false).send('R', 0x81, 0xb9).result(h).hand(long).hand(pairs)
	k = atDesk(t, newAngelEye(), false).feed(s.flush())
	k.expect(slices.Concat([]string{"powered up"}, h.seen(), []string{"P1 9S", "hand 9S/ broken?began before the shoe had ended it"},
		hand(long).seen(), hand(pairs).seen())...)
}

// A card that could not be read is read again, or is not; either way the dealer is
// asked about that hand alone.
func TestUnreadCardIsAskedAndTheNextHandIsCertain(t *testing.T) {
	h := hand(natural)
	for _, again := range []bool{true, false} {
		s := newEye().send('S').send('D', 0x81, face(h.player[0])).send('D', 0x91, 0x90).send('E', 0x81).send('e', 0x81)
		if again {
			s.send('D', 0x91, face(h.banker[0]))
		}
		s.send('D', 0x82, face(h.player[1])).send('D', 0x92, face(h.banker[1])).result(h).hand(long)
		k := atDesk(t, newAngelEye(), false).feed(s.flush())
		told := sayAll(k.told)
		end := slices.IndexFunc(told, func(s string) bool { return strings.HasPrefix(s, "hand ") })
		if end < 0 || !strings.Contains(told[end], "?") || !strings.Contains(told[end], "could not be read") {
			t.Fatalf("read again %v: told %q, want one hand that is asked about", again, told)
		}
		if rest := told[end+1:]; !slices.Equal(rest, hand(long).seen()) {
			t.Errorf("read again %v: after it told %q", again, rest)
		}
	}
}

// A shoe that was switched off and on twice in mid-hand has lost one hand, no more.
func TestTwoPowerCutsInMidHandDiscardOneHand(t *testing.T) {
	s := newEye().send('S').send('D', 0x81, 0xb7).send('D', 0x91, 0x9b).send('S').send('S')
	k := atDesk(t, newAngelEye(), false).feed(s.flush()).wait(2 * time.Second).feed(s.send('S').flush())
	k.expect("powered up", "P1 7S", "B1 JD", "powered up?switched off in mid-hand", "powered up")
}

// A start of which one copy came through is a start: else the hand of before the power
// cut would run into the one after it.
func TestStartThatWasReadOnceIsAStart(t *testing.T) {
	s := newEye().send('S').send('D', 0x81, 0xb7).send('D', 0x91, 0x9b)
	k := atDesk(t, newAngelEye(), false).feed(s.flush()).feed(s.frame('0', 'S')).wait(300 * time.Millisecond)
	k.expect("powered up", "P1 7S", "B1 JD", "powered up?switched off in mid-hand")
	s.n = '1'
	k.feed(s.hand(long).hand(pairs).flush())
	k.expect(append(append(hand(long).seen()[:6], hand(long).String()+"?switched off"), hand(pairs).seen()...)...)
}

// A copy of a capture that keeps each frame once, or a converter that drops copies:
// every hand is read, and asked about.
func TestStreamOfSingleFramesIsReadInOrderAndAskedAbout(t *testing.T) {
	s := newEye().send('S').hand(natural).hand(long).send('P')
	var once []byte
	for i, f := range splitBefore(s.flush(), enq) {
		if i%3 == 0 {
			once = append(once, f...)
		}
	}
	k := atDesk(t, newAngelEye(), false).feed(once).wait(time.Second)
	k.expect(slices.Concat([]string{"powered up"}, hand(natural).seen()[:4], []string{hand(natural).String() + "?read only once"},
		hand(long).seen()[:6], []string{hand(long).String() + "?read only once"})...)
	if c := k.decoder.Counts(); c.Bad != 0 || c.Lost != 0 || c.Frames != 14 {
		t.Errorf("counted %+v", c)
	}
}

// No source says that the digits are capital letters everywhere.
func TestChecksumInSmallLettersIsOne(t *testing.T) {
	s := newEye()
	low := strings.ToLower(string(s.frame('0', 'C'))[4:])
	stream := strings.Repeat(string(s.frame('0', 'C'))[:4]+low, 3)
	atDesk(t, newAngelEye(), false).feed([]byte(stream)).expect("powered up", "cut")
}

// Only some shoes were observed: another may say more of its start, its rest and its cut card.
func TestStartRestAndCutCardMaySayMore(t *testing.T) {
	s := newEye().send('S', []byte("204")...).hand(natural).send('P', 0x81).send('C', 0x80).hand(long)
	k := atDesk(t, newAngelEye(), false).feed(s.flush())
	k.expect(slices.Concat([]string{"powered up"}, hand(natural).seen(), []string{"cut"}, hand(long).seen())...)
	k.wait(2 * time.Second).feed(s.send('S', []byte("204")...).flush()).expect("new shoe")
	if c := k.decoder.Counts(); c.Bad != 0 || c.Lost != 0 {
		t.Errorf("counted %+v", c)
	}
}

// A tap on the line hears another host as well: its commands, and what the shoe answers.
func TestCommandsOfAnotherHostOnTheLineAreNothing(t *testing.T) {
	s, other := newEye().send('S'), []byte("\x02OPLK02\x031B\x06\x15\x13")
	var stream []byte
	for _, f := range splitBefore(s.draw(hand(long), true).show(hand(long)).result(hand(long)).flush(), enq) {
		stream = append(append(stream, f...), other...)
	}
	k := atDesk(t, newAngelEye(), false).feed(stream).expect(append([]string{"powered up"}, hand(long).seen()...)...)
	if c := k.decoder.Counts(); c.Bad != 0 || c.Lost != 0 {
		t.Errorf("counted %+v", c)
	}
}

// Each news that is no card's and no hand's is told to nobody at the table and breaks
// no hand, wherever it comes.
func TestNewsForTechniciansBreaksNoHand(t *testing.T) {
	news := map[byte][]byte{'L': {0x81}, 'M': []byte("120015"), 'P': nil, 'i': {0x90, 0xa5}, 'Z': {0x81, 0x82, 0x83}}
	for typ, data := range news {
		for at := range 6 {
			s, n := newEye().send('S'), 0
			other := func() {
				if n++; n-1 == at {
					s.send(typ, data...)
				}
			}
			hand(natural).each(func(side hw.Side, place int, c card.Card) {
				other()
				s.send('D', spot(side, place), face(c))
			})
			other()
			s.result(hand(natural))
			other()
			k := atDesk(t, newAngelEye(), false).feed(s.flush())
			k.expect(append([]string{"powered up"}, hand(natural).seen()...)...)
		}
	}
}

// Banker with six points is told as another result by one kind of shoe.
func TestBankerWithSixIsBanker(t *testing.T) {
	h := hand("KS 5H KC/6D KC")
	s := newEye().send('S').draw(h, false).send('G', 0xd0)
	atDesk(t, newAngelEye(), false).feed(s.flush()).expect(append([]string{"powered up"}, h.seen()...)...)
}

// evening is a capture as the facts of one tell it: each frame three times, with junk
// between two of them, the shoe switched off and on twice in a row and in the
// middle of a hand, a card too many that is put aside and one that is carried over,
// hands with and without the news of rest after them, and a last hand without an end.
func evening() (stream []byte, want []string) {
	s := newEye().send('S').send('S')
	want = append(want, "powered up")
	s.send('D', 0xc0, 0xa2).send('D', 0xd1, 0x9b).send('D', 0xd0, 0xa2)
	want = append(want, "burned 2C", "burned", "burned")
	play := func(text string, rest bool) {
		h := hand(text)
		s.draw(h, true).show(h).result(h)
		if rest {
			s.send('P')
		}
		want = append(want, h.seen()...)
	}
	for i, text := range []string{long, natural, pairs, "2S 3H 8C/JD 3C", "KS 5H KC/6D KC"} {
		play(text, i%2 == 0)
	}
	s.sent = append(s.sent, 0xff, 0x00, 0x12, 0xfe, 0x80, 0x7f)
	play(natural, true)

	aside := hand(pairs)
	s.draw(aside, true).send('E', 0x82).send('d', 0x90, 0xa5).send('i', 0x90, 0xa5).send('e', 0x82).show(aside).result(aside)
	want = slices.Concat(want, []string{"trouble", "overdrawn", "cleared"}, aside.seen())

	h, next := hand(natural), hand(long)
	s.draw(h, true).send('E', 0x82).send('d', 0x90, face(next.player[0])).send('e', 0x82).show(h).result(h)
	want = slices.Concat(want, []string{"trouble", "overdrawn", "cleared"}, h.seen())
	s.carriedOver(next, true).show(next).result(next).send('P')
	want = append(want, next.seen()...)

	s.send('D', 0x81, 0x80).send('D', 0x91, 0x80).send('S')
	want = append(want, "powered up?switched off in mid-hand")
	s.draw(h, true).show(h).result(h)
	want = append(append(want, h.seen()[:4]...), h.String()+"?switched off during the hand before")
	for range 6 {
		play("7S KH/6D KC", true)
		play("2S 2H KC/6D KC", false)
	}
	s.send('D', 0x81, 0x80).send('D', 0x91, 0x80)
	return s.flush(), want
}

// However the bytes of the evening are cut into reads, it is the same evening, and
// nothing in it is counted as bad or missing but the junk.
func TestEveningOfAHiddenShoe(t *testing.T) {
	stream, want := evening()
	frames := len(splitBefore(stream, enq))
	for _, size := range []int{1, 2, 3, 7, 8, 23, 64, 4096, len(stream)} {
		k := atDesk(t, newAngelEye(), false)
		for chunk := range slices.Chunk(stream, size) {
			k.feed(chunk)
		}
		k.wait(time.Minute).expect(want...)
		c := k.decoder.Counts()
		if c.Bad != 0 || c.Lost != 0 || c.Noise != 6 || c.Frames+c.Repeats != frames {
			t.Errorf("reads of %d bytes: counted %+v of %d frames", size, c, frames)
		}
	}
}

// At 4800 bits a second a byte takes two milliseconds: a card is told with the second
// copy of its frame, some forty milliseconds after it began.
func TestCardIsToldWithinFortyMillisecondsOfItsFirstByte(t *testing.T) {
	k := atDesk(t, newAngelEye(), false).feed(newEye().send('S').flush()).expect("powered up")
	d := k.decoder
	at := k.at + time.Second
	for i, b := range newEye().send('S').send('D', 0x81, 0xb7).flush()[18:] {
		if events := d.Feed([]byte{b}, at+time.Duration(i+1)*10*time.Second/4800); len(events) > 0 {
			if took := time.Duration(i+1) * 10 * time.Second / 4800; took > 40*time.Millisecond {
				t.Errorf("told after %v", took)
			}
			return
		}
	}
	t.Fatal("nothing was told of the card")
}
