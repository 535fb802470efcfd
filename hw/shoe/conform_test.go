package shoe

import (
	"strings"
	"testing"
	"time"

	"shoeboard/hw/hwtest"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name string
		sure bool
		shoe func() (d decoder, deal, end func(h trueHand) []byte)
	}{
		{"tsp1", true, func() (decoder, func(trueHand) []byte, func(trueHand) []byte) {
			s := newDevice("0001")
			return newTSP1(), func(h trueHand) []byte { return s.draw(h, false).flush() }, func(h trueHand) []byte { return s.result(h).flush() }
		}},
		{"angel-eye", true, func() (decoder, func(trueHand) []byte, func(trueHand) []byte) {
			s := newEye().send('S')
			return newAngelEye(), func(h trueHand) []byte { return s.draw(h, false).flush() }, func(h trueHand) []byte { return s.result(h).flush() }
		}},
		{"lines", false, func() (decoder, func(trueHand) []byte, func(trueHand) []byte) {
			return newLines(), func(h trueHand) []byte { return nil }, func(h trueHand) []byte { return []byte(strings.TrimPrefix(h.String(), "hand ") + "\n") }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hwtest.ConformShoes(t, func(t *testing.T) *hwtest.ShoeBench {
				s, start := &socket{}, time.Now()
				s.plug()
				d, deal, end := c.shoe()
				source := newSource(Settings{Name: "shoe", Rules: punto}, d, s.open, func() time.Duration { return time.Since(start) + time.Hour })
				hands, n := []trueHand{hand(natural), hand(long), hand(pairs)}, 0
				return &hwtest.ShoeBench{
					Source: source, Sure: c.sure, Plug: s.plug, Unplug: s.unplug,
					Deal: func() { n++; s.say(deal(hands[n%3])) },
					End:  func() { s.say(end(hands[n%3])) },
				}
			})
		})
	}
}
