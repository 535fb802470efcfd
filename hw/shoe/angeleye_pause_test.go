package shoe

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// timedFrame is a frame with its copies, and when it comes.
type timedFrame struct {
	copies []byte
	at     time.Duration
	hand   int  // that it belongs to
	ends   bool // it is that hand's last
}

// afternoon are hands as a table deals them: a card every two seconds, and half a minute
// for bets between hands.
func afternoon(random *rand.Rand, hidden bool, hands int) (frames []timedFrame, dealt []string) {
	s, at := newEye(), time.Minute
	s.n = '1'
	for n := range hands {
		var h trueHand
		h.player, h.banker = dealPunto(func() card.Card {
			return card.Card{Rank: card.Rank(1 + random.IntN(13)), Suit: card.Suit(1 + random.IntN(4))}
		})
		if s.draw(h, hidden); hidden {
			s.show(h)
		}
		s.result(h)
		if random.IntN(3) == 0 {
			s.send('P')
		}
		sent := splitBefore(s.flush(), enq)
		for i := 0; i < len(sent); i += 3 {
			frames = append(frames, timedFrame{slices.Concat(sent[i : i+3]...), at, n, i+3 == len(sent)})
			at += 2 * time.Second
		}
		dealt = append(dealt, strings.TrimPrefix(h.String(), "hand "))
		at += 30 * time.Second
	}
	return frames, dealt
}

// certainOf are the hands that are told as certain of frames, and whether one was asked about.
func certainOf(frames []timedFrame) (certain []string, asked bool) {
	d, a := newAngelEye(), newAssembler(punto, false)
	for _, f := range frames {
		for _, e := range d.Feed(f.copies, f.at) {
			for _, told := range a.Feed(e) {
				if h, is := told.(hw.HandSeen); is && h.Doubt == "" {
					certain = append(certain, strings.TrimPrefix(sayHand(h), "hand "))
				} else if is {
					asked = true
				}
			}
		}
	}
	return certain, asked
}

// The numbers of nine lost frames, or eighteen, seem to go on. No hand that such a cut has
// mixed of two is certain, and only where it took whole hands and nothing else is nobody
// asked.
func TestNineLostFramesMakeNoWrongHandCertain(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	silent := 0
	for i := range 24 {
		frames, dealt := afternoon(random, i%4 != 0, 8)
		if certain, asked := certainOf(frames); asked || !slices.Equal(certain, dealt) {
			t.Fatalf("of %q without a cut are certain %q; asked %v", dealt, certain, asked)
		}
		for _, lost := range []int{9, 18} {
			for at := 1; frames[at+lost].hand < 6; at++ { // what is cut must be seen to go on
				certain, asked := certainOf(slices.Concat(frames[:at], frames[at+lost:]))
				for _, c := range certain {
					if !slices.Contains(dealt, c) {
						t.Fatalf("%d lost from %d on: %s is certain, dealt were %q", lost, at, c, dealt)
					}
				}
				whole := frames[at-1].ends && frames[at+lost-1].ends
				if !asked && !whole && frames[at-1].hand != frames[at+lost].hand {
					last := frames[at-1]
					if g := last.copies[2]; g != 'G' && g != 'P' {
						t.Fatalf("%d lost from %d on, in mid-hand, and nobody was asked: %q of %q", lost, at, certain, dealt)
					}
				}
				if !asked {
					silent++
				}
			}
		}
	}
	t.Logf("%d cuts took whole hands between two others, and nobody was asked", silent)
}

// A plug that is pulled between two hands is heard.
func TestLineThatWasDisturbedInALongPauseIsAsked(t *testing.T) {
	for _, c := range []struct {
		noise time.Duration // after the hand before
		pause time.Duration
		asked bool
	}{
		{10 * time.Second, 40 * time.Second, true},
		{10 * time.Second, 20 * time.Second, false}, // no hand takes so little
		{100 * time.Millisecond, 40 * time.Second, false},
		{39*time.Second + 900*time.Millisecond, 40 * time.Second, false}, // a copy of the frame itself
	} {
		s := newEye().send('S').hand(natural)
		k := atDesk(t, newAngelEye(), false).feed(s.flush())
		k.told = nil
		k.at += c.noise
		k.feed([]byte("\x00\xff"))
		k.at += c.pause - c.noise
		h := hand(pairs).seen()
		if c.asked {
			h[len(h)-1] += "?disturbed in a pause of 40 s"
		}
		k.feed(s.hand(pairs).flush()).expect(h...)
	}
}

// A pause of half a minute is asked about in mid-hand, and never between hands.
func TestPauseInMidHandIsAsked(t *testing.T) {
	for at := range 6 {
		for _, pause := range []time.Duration{29 * time.Second, 31 * time.Second} {
			s, h := newEye().send('S').hand(natural), hand(natural)
			k := atDesk(t, newAngelEye(), false).feed(s.flush())
			k.told = nil
			for i := range 5 {
				if i == at {
					k.at += pause
				}
				frames := splitBefore(newEyeAt(s.n).draw(h, false).result(h).flush(), enq)
				k.feed(slices.Concat(frames[3*i : 3*i+3]...))
			}
			want := h.seen()
			if pause > aeRound && at > 0 && at < 5 {
				want[len(want)-1] += "?paused for 31 s in mid-hand"
			}
			k.expect(want...)
		}
	}
}

func newEyeAt(n byte) *eye { return &eye{n: n} }
