package shoe

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// framesOfNoise is how many frames each noisy line carries: 20,000, or what FRAMES
// says ("FRAMES=1000000 go test -run Noise ./hw/shoe").
func framesOfNoise(t testing.TB) int {
	text := os.Getenv("FRAMES")
	if text == "" {
		return 20_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("FRAMES=%q is no number", text)
	}
	return n
}

// noisy is a line that damages what goes over it.
type noisy struct {
	random *rand.Rand
	rate   float64  // of frames that are damaged
	old    [][]byte // frames that were sent, for late repeats
	resend bool     // old frames may come again
	cuts   bool     // the wire may be off for a while
	off    int      // for so many frames more
}

// damage sends one copy of a frame, and perhaps harms it.
func (n *noisy) damage(frame []byte) []byte {
	n.old = append(n.old[max(0, len(n.old)-100):], frame)
	if n.cuts && n.random.Float64() < n.rate/50 {
		n.off = 1 + n.random.IntN(60)
	}
	if n.off > 0 {
		n.off--
		return nil
	}
	if n.random.Float64() >= n.rate {
		return frame
	}
	b := slices.Clone(frame)
	at := n.random.IntN(len(b))
	switch n.random.IntN(8) {
	case 0: // one bit
		b[at] ^= 1 << n.random.IntN(8)
	case 1: // some bits
		for range 2 + n.random.IntN(6) {
			b[n.random.IntN(len(b))] ^= 1 << n.random.IntN(8)
		}
	case 2: // lost bytes
		b = slices.Delete(b, at, min(len(b), at+1+n.random.IntN(4)))
	case 3: // the rest is lost
		b = b[:at]
	case 4: // all of it is lost
		return nil
	case 5: // noise in the middle
		b = slices.Insert(b, at, n.noise()...)
	case 6: // noise about it
		b = slices.Concat(n.noise(), b, n.noise())
	case 7: // again
		b = slices.Concat(b, b)
		if n.resend {
			b = append(b, n.old[n.random.IntN(len(n.old))]...)
		}
	}
	return b
}

func (n *noisy) noise() []byte {
	b := make([]byte, 1+n.random.IntN(12))
	for i := range b {
		b[i] = byte(n.random.IntN(256))
		if n.random.IntN(8) == 0 { // what frames are made of
			b[i] = "\x05\x03$*,\r\n0D"[n.random.IntN(9)]
		}
	}
	return b
}

// shoeLine is a protocol under test: it puts a true hand into copies of frames.
type shoeLine struct {
	name    string
	decoder func() decoder
	resend  bool
	frames  func(h trueHand) [][]byte // every copy apart
}

func noisyLines() []func() shoeLine {
	tsp := func(name string, copies int, hidden bool) func() shoeLine {
		return func() shoeLine {
			s := newDevice("0001")
			s.copies = copies
			s.flush()
			return shoeLine{name, func() decoder { return newTSP1() }, true, func(h trueHand) [][]byte {
				if hidden {
					s.send("HIDE").draw(h, true).send("SHOW")
				}
				return splitBefore(s.draw(h, false).result(h).send("BEAT", "IDLE", "7").flush(), '$')
			}}
		}
	}
	eye := func(name string, hidden bool) func() shoeLine {
		return func() shoeLine {
			s := newEye()
			s.n = '1'
			return shoeLine{name, func() decoder { return newAngelEye() }, false, func(h trueHand) [][]byte {
				if s.draw(h, hidden); hidden {
					s.show(h)
				}
				return splitBefore(s.result(h).send('P').flush(), enq)
			}}
		}
	}
	return []func() shoeLine{
		tsp("tsp1 that listens to nobody", 1, false), tsp("tsp1 three times", 3, false), tsp("tsp1 hidden", 3, true),
		eye("angel eye open", false), eye("angel eye hidden", true),
	}
}

// splitBefore cuts a stream before every byte that begins a frame.
func splitBefore(stream []byte, begin byte) (frames [][]byte) {
	for i, b := range stream {
		if b == begin {
			frames = append(frames, nil)
		}
		frames[len(frames)-1] = append(frames[len(frames)-1], stream[i])
	}
	return frames
}

// watch looks at what is told while hands are dealt.
type watch struct {
	t                *testing.T
	name             string
	certain, doubted int
	wrong            int  // cards told that were not dealt
	asked            bool // since the last certain hand
	missed           bool // a hand since the last certain one was not told as certain
}

// check: of a hand that was just dealt at most one certain telling, and it is true;
// and no hand goes missing without a question before the next certain one.
func (w *watch) check(truth trueHand, told []hw.Event) {
	found := false
	for _, e := range told {
		switch e := e.(type) {
		case hw.CardSeen:
			cards := [2][]card.Card{truth.player, truth.banker}[e.Side-1]
			if e.Place > len(cards) || cards[e.Place-1] != e.Card {
				w.wrong++
			}
		case hw.HandSeen:
			switch {
			case e.Doubt != "":
				w.doubted++
				w.asked = true
			case found || !e.Complete || !reflect.DeepEqual(trueHand{e.Player, e.Banker}, truth):
				w.t.Fatalf("%s: told as certain %s, dealt was %s", w.name, sayHand(e), truth)
			case w.missed && !w.asked:
				w.t.Fatalf("%s: a hand before %s is missing, and nobody was asked", w.name, truth)
			default:
				found, w.asked, w.missed = true, false, false
				w.certain++
			}
		case hw.ShoeSeen:
			w.asked = w.asked || e.Doubt != "" || e.Change == hw.PoweredUp
		}
	}
	w.missed = w.missed || !found
}

// Flips, drops, repeats, splits and noise: no wrong hand is certain, none is lost in
// silence, and no card is shown that was not dealt.
func TestNoiseMakesNoWrongHandCertain(t *testing.T) {
	for i, build := range noisyLines() {
		for _, rate := range []float64{0.002, 0.05, 0.4} {
			line := build()
			n := &noisy{random: rand.New(rand.NewPCG(uint64(i), uint64(rate*1000))), rate: rate, resend: line.resend, cuts: line.resend}
			w := &watch{t: t, name: fmt.Sprintf("%s, %v damaged", line.name, rate)}
			frames := noisyHands(w, line, n, framesOfNoise(t)/3)
			hands := w.certain + w.doubted
			t.Logf("%s: %d frames, %d hands certain, %d doubtful, %d wrong cards shown", w.name, frames, w.certain, w.doubted, w.wrong)
			if w.wrong > frames/10_000 { // of hands that ran together on a line that is hardly one
				t.Errorf("%s: %d cards were shown that were not dealt", w.name, w.wrong)
			}
			if hands == 0 || rate < 0.01 && w.certain < hands*3/4 {
				t.Errorf("%s: only %d of %d hands are certain", w.name, w.certain, hands)
			}
		}
	}
}

// noisyHands deals until so many copies of frames have been sent.
func noisyHands(w *watch, line shoeLine, n *noisy, frames int) (sent int) {
	d := line.decoder()
	hands, at := newAssembler(punto, false), time.Duration(0)
	for sent < frames {
		var truth trueHand
		truth.player, truth.banker = dealPunto(func() card.Card {
			return card.Card{Rank: card.Rank(1 + n.random.IntN(13)), Suit: card.Suit(1 + n.random.IntN(4))}
		})
		var stream []byte
		for _, f := range line.frames(truth) {
			sent++
			stream = append(stream, n.damage(f)...)
		}
		var told []hw.Event
		feed := func(b []byte, later time.Duration) {
			at += later
			for _, e := range d.Feed(b, at) {
				told = append(told, hands.Feed(e)...)
			}
		}
		for len(stream) > 0 {
			cut := min(len(stream), 1+n.random.IntN(40))
			feed(stream[:cut], 5*time.Millisecond)
			stream = stream[cut:]
		}
		for range 12 {
			feed(nil, 100*time.Millisecond)
		}
		w.check(truth, told)
	}
	return sent
}

// However much noise comes before a frame, the frame is read. Of an Angel Eye it is
// the second copy that counts.
func TestNoiseIsOverWithTheNextFrame(t *testing.T) {
	n := &noisy{random: rand.New(rand.NewPCG(7, 7))}
	for range 2000 {
		var noise []byte
		for range n.random.IntN(10) {
			noise = append(noise, n.noise()...)
		}
		d := newTSP1()
		d.Feed(noise, 0)
		if got := d.Feed(frame{typ: "CUT", seq: 5}.encode(), 0); len(got) != 1 || got[0].Kind != kindCut {
			t.Fatalf("after % x: %+v", noise, got)
		}
		e := newAngelEye()
		e.Feed(noise, 0)
		copies := newEye().send('C').flush()
		if got := e.Feed(copies[:2*len(copies)/3], 0); len(got) == 0 || got[len(got)-1].Kind != kindCut {
			t.Fatalf("after % x: %+v", noise, got)
		}
	}
}

// Whatever is sent again, and however often, counts once.
func TestNoiseOfRepeatsCountsNothingTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for _, build := range noisyLines() {
		line := build()
		d := line.decoder()
		var old [][]byte
		k := atDesk(t, d, false)
		for range 200 {
			var truth trueHand
			truth.player, truth.banker = dealPunto(func() card.Card { return card.Card{Rank: card.Rank(1 + random.IntN(13)), Suit: card.Hearts} })
			for _, f := range line.frames(truth) {
				old = append(old[max(0, len(old)-300):], f)
				for range 2 + random.IntN(5) {
					k.feed(f)
				}
				if line.resend {
					k.feed(old[random.IntN(len(old))])
				}
			}
			k.expect(truth.seen()...)
		}
		if c := d.Counts(); c.Bad+c.Lost+c.Noise != 0 {
			t.Errorf("%s: counted %+v", line.name, c)
		}
	}
}

// BenchmarkDecoders measures what a clean hand costs, from bytes to hand.
func BenchmarkDecoders(b *testing.B) {
	for _, build := range noisyLines() {
		line := build()
		d, hands := line.decoder(), newAssembler(punto, false)
		b.Run(line.name, func(b *testing.B) {
			frames, at := 0, time.Duration(0)
			for b.Loop() {
				for _, f := range line.frames(hand(long)) {
					frames++
					at += time.Millisecond
					for _, e := range d.Feed(f, at) {
						hands.Feed(e)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(frames), "ns/frame")
		})
	}
}
