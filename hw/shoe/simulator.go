package shoe

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/card"
)

// Simulator is a shoe that speaks TSP1 and deals for ever, for demonstrations and tests
// without a shoe.
type Simulator struct {
	Name  string
	Decks int    // 1 to 99
	Seed  uint64 // of the cards: the same seed deals the same shoes
	Boot  uint16 // boot id; it must differ from that of the run before
	// Deal deals one hand by the game's rules from next, which gives the shoe's
	// next card.
	Deal     func(next func() card.Card) (player, banker []card.Card)
	Pace     time.Duration // between two cards
	Between  time.Duration // between two hands
	FaceDown bool          // cards lie face down until the hand ends
	OneWay   bool          // it hears nothing, and sends each frame three times
	Now      func() time.Duration
}

// The times of the device's side of TSP1.
const (
	simBeat    = 2 * time.Second
	simResend  = 250 * time.Millisecond
	simResends = 3
	simCopies  = 20 * time.Millisecond // between the copies of a one-way device
	simCutAt   = 16                    // cards left when the cut card comes
)

// step is a frame, without its number, that is due a time after the one before it.
type step struct {
	after time.Duration
	frame frame
}

// simulation is the state of one Simulator.Run.
type simulation struct {
	Simulator
	ctx    context.Context
	line   Link
	random *rand.Rand
	cards  []card.Card
	over   bool // the cut card has come
	script []step
	due    time.Duration

	sent    []frame // the last ones that can be repeated, oldest first
	seq     int     // of the last one
	acked   int
	resends int
	resent  time.Duration
	beat    time.Duration
	lines   tspLines
	counts  Counts // of what the host sent
}

// Run deals until ctx ends or the line fails. The line's Read must return by itself (see
// Link).
func (s Simulator) Run(ctx context.Context, line Link) error {
	sim := &simulation{Simulator: s, ctx: ctx, line: line, random: newRandom(s.Seed), due: s.Now()}
	boot := fmt.Sprintf("%04X", s.Boot)
	err := sim.send(frame{typ: "HELO", fields: []string{strconv.Itoa(tspVersion), s.Name, "1.0.0", boot}})
	sim.shoe()
	for buf := make([]byte, 1024); err == nil && ctx.Err() == nil; {
		var n int
		if n, err = line.Read(buf); err == nil {
			err = sim.hear(buf[:n])
		}
		if err == nil {
			err = sim.act()
		}
	}
	return err
}

// act sends the frames that are due.
func (s *simulation) act() error {
	for s.ctx.Err() == nil && s.Now() >= s.due {
		if len(s.script) == 0 {
			s.hand()
		}
		next := s.script[0]
		s.script = s.script[1:]
		if err := s.number(next.frame); err != nil {
			return err
		}
		if len(s.script) == 0 {
			s.hand()
		}
		s.due = s.Now() + s.script[0].after
	}
	if s.Now()-s.beat >= simBeat {
		s.beat = s.Now()
		left := s.Decks*52 - len(s.cards)
		return s.number(frame{typ: "BEAT", fields: []string{"DEAL", strconv.Itoa(left)}})
	}
	return s.resend()
}

func (s *simulation) plan(after time.Duration, typ string, fields ...string) {
	s.script = append(s.script, step{after, frame{typ: typ, fields: fields}})
}

// shoe shuffles a new shoe and burns.
func (s *simulation) shoe() {
	s.cards, s.over = card.Shuffled(s.Decks, s.random.Shuffle), false
	s.plan(s.Between, "SHOE", strconv.Itoa(s.Decks))
	first := s.next()
	for range first.Rank.Burn() {
		s.next()
	}
	s.plan(s.Pace, "BURN", first.String(), strconv.Itoa(first.Rank.Burn()))
}

// next draws the next card. A shoe that runs out within its last hand, which none does whose
// cut card is in its place, gives aces.
func (s *simulation) next() card.Card {
	if len(s.cards) == 0 {
		return card.Card{Rank: card.Ace, Suit: card.Spades}
	}
	c := s.cards[0]
	s.cards = s.cards[1:]
	return c
}

// hand plans the next hand, or after the last hand a new shoe.
func (s *simulation) hand() {
	if s.over {
		s.shoe()
		return
	}
	if len(s.cards) < simCutAt {
		s.over = true
		s.plan(0, "CUT")
	}
	player, banker := s.Deal(s.next)
	pause := s.Between
	if s.FaceDown {
		s.plan(pause, "HIDE")
		s.deal(player, banker, s.Pace, true)
		s.plan(s.Pace, "SHOW")
		pause = s.Pace
	}
	s.deal(player, banker, pause, false)
	p, b, pairs := total(player), total(banker), 0
	if pair(player) {
		pairs |= 1
	}
	if pair(banker) {
		pairs |= 2
	}
	s.plan(s.Pace, "HAND", string(winner(p, b)), strconv.Itoa(pairs), strconv.Itoa(p), strconv.Itoa(b))
}

// deal plans the cards in the order of dealing.
func (s *simulation) deal(player, banker []card.Card, pause time.Duration, down bool) {
	for place := range 3 {
		for side, cards := range [][]card.Card{player, banker} {
			if place >= len(cards) {
				continue
			}
			face := cards[place].String()
			if down {
				face = "XX"
			}
			s.plan(pause, "CARD", hw.Side(side + 1).String()[:1], strconv.Itoa(place+1), face)
			pause = s.Pace
		}
	}
}

// number gives a frame its number, keeps it and sends it.
func (s *simulation) number(f frame) error {
	s.seq = s.seq%tspLast + 1
	f.seq = s.seq
	s.sent = append(s.sent[max(0, len(s.sent)-tspKept+1):], f)
	s.resends, s.resent = 0, s.Now()
	return s.send(f)
}

// send sends a frame, three times if nobody can request it again. A host that reads nothing
// is no error.
func (s *simulation) send(f frame) error {
	copies := 1
	if s.OneWay {
		copies = 3
	}
	for i := range copies {
		if i > 0 {
			hw.Pause(s.ctx, simCopies)
		}
		if _, err := s.line.Write(f.encode()); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
	}
	return nil
}

// hear reads the host's frames.
func (s *simulation) hear(b []byte) error {
	if s.OneWay {
		return nil
	}
	for _, c := range b {
		line, whole := s.lines.feed(c, &s.counts)
		if !whole {
			continue
		}
		f, err := parseFrame(line)
		switch {
		case err != nil:
			s.counts.Bad++
		case f.typ == "ACK" && ahead(f.seq, s.seq) <= 0:
			s.acked = f.seq
		case f.typ == "SYNC":
			if err := s.sync(f.seq); err != nil {
				return err
			}
		}
	}
	return nil
}

// sync repeats every kept frame after last, and before them tells of frames that are gone.
func (s *simulation) sync(last int) error {
	if len(s.sent) > 0 && ahead(s.sent[0].seq, last) > 1 {
		if err := s.send(frame{typ: "GAP", seq: s.sent[0].seq}); err != nil {
			return err
		}
	}
	for _, f := range s.sent {
		if ahead(f.seq, last) <= 0 {
			continue
		}
		if err := s.send(f); err != nil {
			return err
		}
	}
	return nil
}

// resend repeats the frame sent last while the host has not acknowledged it.
func (s *simulation) resend() error {
	if s.OneWay || s.seq == 0 || s.acked == s.seq || s.resends == simResends || s.Now()-s.resent < simResend {
		return nil
	}
	s.resends++
	s.resent = s.Now()
	return s.send(s.sent[len(s.sent)-1])
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
