package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"shoeboard/cmd/shoeboard/config"
	"shoeboard/hw"
	"shoeboard/hw/clock"
	"shoeboard/hw/shoe"
	"shoeboard/tracker/card"
	"shoeboard/tracker/game"
)

// shoeVerb are a technician's verbs for card-reading shoes.
type shoeVerb struct {
	Monitor  shoeMonitorVerb  `cmd:"" help:"What a shoe sends, live: bytes, events, hands, counts of errors."`
	Simulate shoeSimulateVerb `cmd:"" help:"A shoe that deals on a pseudo terminal."`
}

type shoeMonitorVerb struct {
	Shoe    string  `arg:"" help:"A [[shoe]] of the configuration by its name, or a device: a serial port, tcp://host:port, or a recording."`
	Kind    string  `help:"What it speaks: tsp1, angel-eye, lines, or replay for a recording; without it the configuration's, or tsp1."`
	Baud    int     `help:"Bits a second of a serial port; 0: what the kind has." default:"0"`
	Raw     string  `help:"Keep every byte in this file, for a bug report." type:"path" placeholder:"FILE"`
	Seconds float64 `help:"End after so many seconds; 0: when interrupted." default:"0"`
}

// Run shows what the shoe sends until it is interrupted, or a recording is over.
func (v *shoeMonitorVerb) Run(ctx context.Context, p *program, all *verbs) error {
	cfg, err := p.ofTable(all.Config)
	if err != nil {
		return err
	}
	pack, err := config.Pack(cfg.Game)
	if err != nil {
		return err
	}
	w := v.wiring(cfg)
	used := slices.ContainsFunc(cfg.Shoes, func(s config.Shoe) bool { return s.Device == w.Device })
	if used && w.Kind != "replay" && p.coreAnswers(ctx, cfg.Socket) {
		return fmt.Errorf("%s is the running core's: %s", w.Device, stopTheCore)
	}
	decoder, open, err := w.Shoe()
	if err != nil {
		return err
	}
	if v.Seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(v.Seconds*float64(time.Second)))
		defer cancel()
	}
	m := &monitor{out: p.out, start: clock.Boot(), recorded: w.Kind == "replay", helped: p.hardware().holdsPort(w.Device)}
	keep, done, err := v.recorder(decoder)
	if err != nil {
		return err
	}
	m.keep = keep
	return errors.Join(m.run(ctx, decoder, open, rulesOf(pack)), done())
}

// wiring is the shoe that is meant.
func (v *shoeMonitorVerb) wiring(cfg config.Config) shoe.Wiring {
	for _, s := range cfg.Shoes {
		if s.Name == v.Shoe {
			return shoe.Wiring{Kind: cmp.Or(v.Kind, s.Kind), Device: s.Device, Baud: v.Baud}
		}
	}
	return shoe.Wiring{Kind: cmp.Or(v.Kind, "tsp1"), Device: v.Shoe, Baud: v.Baud}
}

// recorder keeps bytes in the file, if one is wanted.
func (v *shoeMonitorVerb) recorder(d shoe.Decoder) (keep func(time.Duration, []byte) error, done func() error, err error) {
	if v.Raw == "" {
		return func(time.Duration, []byte) error { return nil }, func() error { return nil }, nil
	}
	f, err := os.Create(v.Raw)
	if err != nil {
		return nil, nil, err
	}
	r, err := shoe.NewRecorder(f, kindOfDecoder(d))
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return r.Record, f.Close, nil
}

func kindOfDecoder(d shoe.Decoder) string {
	switch d.(type) {
	case *shoe.AngelEye:
		return "angel-eye"
	case *shoe.Lines:
		return "lines"
	}
	return "tsp1"
}

// rulesOf are the drawing rules of a game, for a shoe's source.
func rulesOf(pack *game.Pack) shoe.Rules {
	return func(player, banker []card.Card) error {
		_, err := pack.FromCards(player, banker)
		return err
	}
}

// holdsPort says who has a port, in words, "" for nobody.
func (h hardware) holdsPort(device string) func() string {
	return func() string {
		held := openDevices(h.proc)
		names := held.words(device)
		if target, err := os.Readlink(device); names == "" && err == nil {
			names = held.words(h.below("/dev/" + baseOf(target)))
		}
		if names != "" {
			names = "; it is held by " + names + "; if that is the core, " + stopTheCore
		}
		return names
	}
}

// monitor writes down what a shoe does: bytes and events on the source's goroutine,
// what the core would be told on another.
type monitor struct {
	mu       sync.Mutex // of out
	out      io.Writer
	start    time.Duration
	recorded bool // it ends with the recording
	keep     func(time.Duration, []byte) error
	kept     error // why keeping failed
	helped   func() string
	last     shoe.Counts
}

// run runs a source on the decoder until ctx ends or a recording is over.
func (m *monitor) run(ctx context.Context, d shoe.Decoder, open func(context.Context) (shoe.Link, error), rules shoe.Rules) error {
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
	s := shoe.New(shoe.Settings{Name: "shoe", Rules: rules, Raw: m.raw}, decoder, open, clock.Boot)
	events := make(chan hw.Event)
	g, runCtx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(events)
		return s.Run(runCtx, events)
	})
	for e := range events {
		m.event(e)
		if n, ok := e.(hw.Notice); ok && n.Change == hw.Went && m.recorded {
			cancel() // it is over
		}
	}
	err := g.Wait()
	c := d.Counts()
	fmt.Fprintf(m.out, "%d frames, %d repeats of them, %d damaged, %d lost, %d bytes of noise\n", c.Frames, c.Repeats, c.Bad, c.Lost, c.Noise)
	if c.Frames == 0 && err == nil {
		err = errors.New("not one good frame came")
	}
	return errors.Join(err, m.kept)
}

func (m *monitor) say(at time.Duration, what, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.out, "%10.3f  %-6s  %s\n", max(at-m.start, 0).Seconds(), what, text)
}

// raw shows and keeps what came.
func (m *monitor) raw(at time.Duration, b []byte) {
	m.say(at, "bytes", fmt.Sprintf("%q", b))
	if err := m.keep(at, b); err != nil && m.kept == nil {
		m.kept = fmt.Errorf("not everything was kept: %w", err)
		m.say(at, "FAULT", m.kept.Error())
	}
}

// decoded shows what the decoder made of it, and what went wrong.
func (m *monitor) decoded(events []shoe.Event, c shoe.Counts, at time.Duration) {
	if c.Bad > m.last.Bad || c.Lost > m.last.Lost || c.Noise > m.last.Noise {
		m.say(at, "FAULT", fmt.Sprintf("damaged frames %d, lost frames %d, bytes of noise %d", c.Bad, c.Lost, c.Noise))
	}
	m.last = c
	for _, e := range events {
		m.say(at, "event", shoeEvent(e))
	}
}

// event shows what the core would be told.
func (m *monitor) event(e hw.Event) {
	switch e := e.(type) {
	case hw.Notice:
		if e.Change == hw.Came {
			m.say(e.At, "line", "the shoe is there")
			return
		}
		m.say(e.At, "line", e.Text+m.helped())
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
	m *monitor
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
