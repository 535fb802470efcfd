package shoe

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// sitting is a random evening on a noisy line, and what was dealt in it.
type sitting struct {
	t      *testing.T
	name   string
	random *rand.Rand
	line   *noisy
	eye    *eye
	copies int // of each frame that the line lets through
	hidden bool
	dealt  []trueHand // hands that came to an end, in order
	d      *angelEye
	hands  *assembler
	at     time.Duration
	sure   int  // hands told as certain
	known  int  // how many of dealt were told as certain, or asked about, up to the last certain one
	asked  bool // since the last certain one
}

func newSitting(t *testing.T, seed uint64, rate float64) *sitting {
	r := rand.New(rand.NewPCG(seed, uint64(rate*1000)))
	s := &sitting{t: t, name: fmt.Sprintf("evening %d, %v damaged", seed, rate), random: r, line: &noisy{random: r, rate: rate},
		eye: newEye(), copies: 1 + r.IntN(3), hidden: r.IntN(2) == 0, d: newAngelEye(), hands: newAssembler(punto, false)}
	s.send('S')
	return s
}

// send sends a frame over the line, cut anywhere, perhaps with a rest after it.
func (s *sitting) send(typ byte, data ...byte) {
	frames := splitBefore(s.eye.send(typ, data...).flush(), enq)[:s.copies]
	if s.random.Float64() < s.line.rate/4 {
		return // all of it is lost
	}
	var stream []byte
	unseen := -1 // the copy whose damage passes for none: two alike would be believed
	if s.random.Float64() < s.line.rate {
		unseen = s.random.IntN(len(frames))
	}
	alone := s.random.IntN(3) == 0 // and no other comes through
	for i, f := range frames {
		switch {
		case i == unseen:
			stream = append(stream, s.passing(f)...)
		case unseen < 0 || !alone:
			stream = append(stream, s.line.damage(f)...)
		}
	}
	for len(stream) > 0 {
		cut := min(len(stream), 1+s.random.IntN(40))
		s.feed(stream[:cut], 5*time.Millisecond)
		stream = stream[cut:]
	}
	if s.random.IntN(4) == 0 {
		s.feed(nil, time.Duration(s.random.IntN(1500))*time.Millisecond)
	}
}

// passing damages a bit of a frame, and its checksum so that it fits.
func (s *sitting) passing(f []byte) []byte {
	body := bytes.Clone(f[1 : len(f)-3])
	body[s.random.IntN(len(body))] ^= 1 << s.random.IntN(7)
	return s.eye.frame(body[0], body[1], body[2:]...)
}

func (s *sitting) feed(b []byte, later time.Duration) {
	s.at += later
	for _, e := range s.d.Feed(b, s.at) {
		for _, told := range s.hands.Feed(e) {
			s.judge(told)
		}
	}
}

// judge: what is told as certain is what was just dealt, and is told once; none before
// it is missing without a question.
func (s *sitting) judge(told hw.Event) {
	switch e := told.(type) {
	case hw.HandSeen:
		if e.Doubt != "" {
			s.asked = true
			return
		}
		n := len(s.dealt)
		if !e.Complete || n == 0 || n == s.known || !reflect.DeepEqual(trueHand{e.Player, e.Banker}, s.dealt[n-1]) {
			s.t.Fatalf("%s: told as certain %s, dealt were %v", s.name, sayHand(e), s.dealt)
		}
		if s.known < n-1 && !s.asked {
			s.t.Fatalf("%s: a hand before %s is missing, and nobody was asked: %v", s.name, sayHand(e), s.dealt)
		}
		s.known, s.asked = n, false
		s.sure++
	case hw.ShoeSeen:
		s.asked = s.asked || e.Doubt != "" || e.Change == hw.PoweredUp
	}
}

func (s *sitting) face(c card.Card) byte {
	if s.hidden {
		return 0x80
	}
	return face(c)
}

// troubles are what may happen at a card: it is read at the second time, put back and
// drawn again, or something else is told.
func (s *sitting) troubles(side hw.Side, place int) {
	switch s.random.IntN(40) {
	case 0:
		s.send('D', spot(side, place), 0x90)
		s.send('E', 0x81)
		s.send('e', 0x81)
	case 1:
		s.send('D', spot(side, place), 0xb1)
		s.send('E', 0x85)
		s.send('e', 0x85)
	case 2:
		s.send('E', 0x87)
		s.send('e', 0x87)
	case 3:
		s.send('L', 0x81)
	case 4:
		s.send('C')
	}
}

// deal deals a hand, of which the first card may have come already, and gives what may
// be carried over to the next.
func (s *sitting) deal(h trueHand, next card.Card, carried bool) (carry bool) {
	h.each(func(side hw.Side, place int, c card.Card) {
		if side == hw.PlayerSide && place == 1 && carried {
			return
		}
		s.troubles(side, place)
		s.send('D', spot(side, place), s.face(c))
	})
	late := s.random.IntN(3)
	over := s.random.IntN(5)
	if over < 2 {
		s.send('E', 0x82)
		s.send('d', 0x90, face(next))
		carry = over == 0
	}
	tell := func(when int) {
		if carry && late == when {
			s.send('R', 0x81, s.face(next))
		}
		if over < 2 && late == when {
			s.send('e', 0x82)
		}
	}
	tell(0)
	if s.hidden {
		h.each(func(side hw.Side, place int, c card.Card) { s.send('I', spot(side, place), face(c)) })
	}
	tell(1)
	s.dealt = append(s.dealt, h)
	s.eye.result(h)
	f := splitBefore(s.eye.flush(), enq)[0]
	s.eye.n = f[1]
	s.send(f[2], f[3:len(f)-3]...)
	tell(2)
	return carry
}

func (s *sitting) random52() card.Card {
	return card.Card{Rank: card.Rank(1 + s.random.IntN(13)), Suit: card.Suit(1 + s.random.IntN(4))}
}

// handOf deals a hand by the rules, perhaps from a first card.
func (s *sitting) handOf(first *card.Card) (h trueHand) {
	h.player, h.banker = dealPunto(func() card.Card {
		if first != nil {
			c := *first
			first = nil
			return c
		}
		return s.random52()
	})
	return h
}

func (s *sitting) play(hands int) {
	var first *card.Card
	for range hands {
		next := s.random52()
		h := s.handOf(first)
		if s.deal(h, next, first != nil) {
			first = &next
		} else {
			first = nil
		}
		switch n := s.random.IntN(20); {
		case n < 5:
			s.send('P')
		case n == 5 && first == nil:
			s.send('S')
		case n == 6 && first == nil:
			s.send('D', 0x81, s.face(next))
			s.send('S')
		}
	}
}

// Whatever happens at the table and on the line, a hand that is told as certain is the
// one that was dealt.
func TestRandomEveningsTellNoWrongHandAsCertain(t *testing.T) {
	for _, rate := range []float64{0, 0.02, 0.1, 0.4} {
		sure, dealt := 0, 0
		for seed := range uint64(framesOfNoise(t) / 200) {
			s := newSitting(t, seed, rate)
			s.play(30)
			sure, dealt = sure+s.sure, dealt+len(s.dealt)
		}
		t.Logf("%v damaged: %d of %d hands certain", rate, sure, dealt)
		if rate == 0 && sure < dealt/5 {
			t.Errorf("on a clean line only %d of %d hands are certain", sure, dealt)
		}
	}
}
