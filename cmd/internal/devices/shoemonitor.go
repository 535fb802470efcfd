package devices

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/hw"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
)

// HoldsPort says who has a port, in words, "" for nobody.
func (h Hardware) HoldsPort(device string) func() string {
	return func() string {
		held := openDevices(h.proc)
		names := held.words(device)
		if target, err := os.Readlink(device); names == "" && err == nil {
			names = held.words(h.Path("/dev/" + baseOf(target)))
		}
		if names != "" {
			names = "; it is held by " + names + "; if that is the core, " + StopTheCore
		}
		return names
	}
}

// ShoeMonitor writes down what a shoe does: bytes and events on the source's goroutine,
// what the core would be told on another.
type ShoeMonitor struct {
	mu     sync.Mutex // of out
	Out    io.Writer
	Now    func() time.Duration // the boot-time clock, or that of a recording
	start  time.Duration
	Keep   func(time.Duration, []byte) error
	kept   error // why keeping failed
	Helped func() string
	last   shoe.Counts
}

// Run runs a source on the decoder until ctx ends or a recording is over.
func (m *ShoeMonitor) Run(ctx context.Context, d shoe.Decoder, open func(context.Context) (shoe.Link, error), rules shoe.Rules) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	spied := &spiedDecoder{d, m}
	var decoder shoe.Decoder = spied
	if a, asks := d.(shoe.Answerer); asks {
		decoder = struct {
			*spiedDecoder
			shoe.Answerer
		}{spied, a}
	}
	m.start = m.Now()
	s := shoe.New(shoe.Settings{Name: "shoe", Rules: rules, Raw: m.raw}, decoder, open, m.Now)
	events := make(chan hw.Event)
	g, runCtx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(events)
		return s.Run(runCtx, events)
	})
	for e := range events {
		m.event(e)
		if n, ok := e.(hw.Notice); ok && n.Change == hw.Went && n.Text == shoe.Over {
			cancel()
		}
	}
	err := g.Wait()
	c := d.Counts()
	fmt.Fprintf(m.Out, "%d frames, %d repeats of them, %d damaged, %d lost, %d bytes of noise\n", c.Frames, c.Repeats, c.Bad, c.Lost, c.Noise)
	if c.Frames == 0 && err == nil {
		err = errors.New("not one good frame came")
	}
	return errors.Join(err, m.kept)
}

func (m *ShoeMonitor) say(at time.Duration, what, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.Out, "%10.3f  %-6s  %s\n", max(at-m.start, 0).Seconds(), what, text)
}

// raw shows and keeps what came.
func (m *ShoeMonitor) raw(at time.Duration, b []byte) {
	m.say(at, "bytes", fmt.Sprintf("%q", b))
	if err := m.Keep(at, b); err != nil && m.kept == nil {
		m.kept = fmt.Errorf("not everything was kept: %w", err)
		m.say(at, "FAULT", m.kept.Error())
	}
}

// decoded shows what the decoder made of it, and what went wrong.
func (m *ShoeMonitor) decoded(events []shoe.Event, c shoe.Counts, at time.Duration) {
	if c.Bad > m.last.Bad || c.Lost > m.last.Lost || c.Noise > m.last.Noise {
		m.say(at, "FAULT", fmt.Sprintf("damaged frames %d, lost frames %d, bytes of noise %d", c.Bad, c.Lost, c.Noise))
	}
	m.last = c
	for _, e := range events {
		m.say(at, "event", shoeEvent(e))
	}
}

// event shows what the core would be told.
func (m *ShoeMonitor) event(e hw.Event) {
	switch e := e.(type) {
	case hw.Notice:
		if e.Change == hw.Came {
			m.say(e.At, "line", "the shoe is there")
			return
		}
		m.say(e.At, "line", e.Text+m.Helped())
	case hw.HandSeen:
		verdict := "certain"
		if e.Doubt != "" {
			verdict = "the dealer is asked: " + e.Doubt
		}
		m.say(e.At, "HAND", fmt.Sprintf("Player %s, Banker %s: %s", cardsText(e.Player), cardsText(e.Banker), verdict))
	case hw.ShoeSeen:
		m.say(e.At, "SHOE", shoeSeen(e))
	}
}

// spiedDecoder is a decoder of which every event is shown.
type spiedDecoder struct {
	shoe.Decoder
	m *ShoeMonitor
}

// Feed decodes and shows.
func (s *spiedDecoder) Feed(b []byte, at time.Duration) []shoe.Event {
	events := s.Decoder.Feed(b, at)
	s.m.decoded(events, s.Counts(), at)
	return events
}

// shoeEvent is an event in words. A card that lies face down is not said, though the
// bytes may have it.
func shoeEvent(e shoe.Event) string {
	where := ""
	if e.Side != 0 {
		where = fmt.Sprintf(" %v %d", e.Side, e.Place)
	}
	face := cardText(e.Card)
	if e.Down {
		face = "face down"
	}
	switch e.Kind {
	case shoe.Drawn:
		return "card" + where + ": " + face
	case shoe.Carried:
		return "card for the next hand" + where + ": " + face
	case shoe.Turned:
		return "turned" + where + ": " + face
	case shoe.Returned:
		return "back in the shoe" + where
	case shoe.Extra:
		return "a card too many: " + face
	case shoe.Ended:
		return "hand over: " + claimText(e.Claim)
	case shoe.Burn:
		return "burned " + face
	case shoe.Fault:
		return strings.TrimSpace("fault: " + e.Code.String() + " " + e.Text)
	case shoe.Cleared:
		return strings.TrimSpace("fault over: " + e.Code.String() + " " + e.Text)
	case shoe.Doubtful:
		return "doubtful: " + e.Text
	case shoe.Other:
		return e.Text
	}
	return map[shoe.Kind]string{shoe.Void: "hand void", shoe.Hide: "cards face down from here", shoe.Show: "cards turned",
		shoe.Begun: "new shoe", shoe.Started: "switched on", shoe.Cut: "cut card"}[e.Kind]
}

// claimText is what a shoe says of a hand.
func claimText(c shoe.Claim) string {
	text := "not said"
	if c.Winner != 0 {
		text = string(c.Winner)
	}
	if c.Totals {
		text += fmt.Sprintf(", Player %d, Banker %d", c.PlayerTotal, c.BankerTotal)
	}
	if c.PlayerPair {
		text += ", Player pair"
	}
	if c.BankerPair {
		text += ", Banker pair"
	}
	if c.Forced {
		text += ", ended by force"
	}
	return text
}

// shoeSeen is a change of the shoe in words.
func shoeSeen(e hw.ShoeSeen) string {
	words := []string{map[hw.ShoeChange]string{hw.NewShoe: "new shoe", hw.PoweredUp: "switched on", hw.Burned: "burned",
		hw.CutCard: "cut card", hw.HandVoid: "hand void", hw.Overdrawn: "a card too many", hw.ShoeTrouble: "fault",
		hw.ShoeCleared: "fault over"}[e.Change]}
	if e.Change == hw.Burned {
		words[0] += " " + cardText(e.Card)
	}
	if e.Text != "" {
		words = append(words, e.Text)
	}
	if e.Doubt != "" {
		words = append(words, "the dealer is asked: "+e.Doubt)
	}
	return strings.Join(words, "; ")
}

func cardText(c card.Card) string {
	if c == (card.Card{}) {
		return "not read"
	}
	return c.String()
}

func cardsText(cards []card.Card) string {
	var words []string
	for _, c := range cards {
		words = append(words, cardText(c))
	}
	if len(words) == 0 {
		return "no card"
	}
	return strings.Join(words, " ")
}
