package tracker

import (
	"encoding/json"
	"fmt"

	"shoeboard/tracker/game"
)

// checkpointVersion is the version of the written form of a State. A reader
// refuses what it does not know; fields may be added within a version.
const checkpointVersion = 1

// checkpoint is the written form of a State: hands as tokens, packs by digest
// with their source beside them, so that a start needs nothing but this.
type checkpoint struct {
	V          int               `json:"v"`
	Seq        uint64            `json:"seq"`
	Packs      map[string]string `json:"packs"`
	Settings   Settings          `json:"settings"`
	Shoe       *savedShoe        `json:"shoe"`
	Finished   *savedShoe        `json:"finished,omitempty"`
	Previous   *savedShoe        `json:"previous,omitempty"`
	Phase      Phase             `json:"phase"`
	Behind     Phase             `json:"behind,omitempty"`
	BehindAt   Stamp             `json:"behind_since,omitzero"`
	BetsAt     Stamp             `json:"bets_at,omitzero"`
	BetSeconds int               `json:"bet_seconds,omitempty"`
	Since      Stamp             `json:"since"`
	Saved      Stamp             `json:"saved"`
	AutoOpen   bool              `json:"auto_open,omitempty"`
	Free       bool              `json:"free,omitempty"`
	Void       string            `json:"void,omitempty"`
	Corrected  []int             `json:"corrected,omitempty"`
	Review     *savedReview      `json:"review,omitempty"`
	Faults     []Fault           `json:"faults,omitempty"`
	Skipped    int               `json:"skipped,omitempty"`
	BehindFree *BehindFree       `json:"behind_free,omitempty"`
}

type savedReview struct {
	Shoe     *savedShoe `json:"shoe"`
	Previous *savedShoe `json:"previous,omitempty"`
}

type savedShoe struct {
	Pack    string      `json:"pack"`
	Number  int         `json:"number"`
	Day     string      `json:"day,omitempty"`
	Started Stamp       `json:"started"`
	Last    int         `json:"last,omitempty"`
	Fixes   int         `json:"fixes,omitempty"`
	Voids   int         `json:"voids,omitempty"`
	Hands   []savedHand `json:"hands,omitempty"`
}

type savedHand struct {
	Token string `json:"r"`
	Free  bool   `json:"free,omitempty"`
	Fixed bool   `json:"fixed,omitempty"`
	At    Stamp  `json:"at"`
}

// MarshalCheckpoint writes s whole, for the head of a journal segment.
func MarshalCheckpoint(s State) ([]byte, error) {
	packs := map[string]string{}
	c := checkpoint{
		V: checkpointVersion, Seq: s.Seq, Packs: packs, Settings: s.Settings,
		Shoe: saveShoe(&s.Shoe, packs), Finished: saveShoe(s.Finished, packs), Previous: saveShoe(s.Previous, packs),
		Phase: s.Phase, Behind: s.Behind, BehindAt: s.BehindSince, BetsAt: s.BetsAt, BetSeconds: s.BetSeconds, Since: s.Since, Saved: s.Saved,
		AutoOpen: s.AutoOpen, Free: s.Free, Void: s.Void, Corrected: s.Corrected, Faults: s.Faults, Skipped: s.Skipped, BehindFree: s.BehindFree,
	}
	if r := s.Review; r != nil {
		c.Review = &savedReview{Shoe: saveShoe(&r.Shoe, packs), Previous: saveShoe(r.Previous, packs)}
	}
	return json.Marshal(c)
}

func saveShoe(s *Shoe, packs map[string]string) *savedShoe {
	if s == nil {
		return nil
	}
	out := &savedShoe{Number: s.Number, Day: s.Day, Started: s.Started, Last: s.Last, Fixes: s.Fixes, Voids: s.Voids}
	if s.Pack != nil {
		out.Pack = s.Pack.Digest
		packs[s.Pack.Digest] = string(s.Pack.Source)
	}
	for _, h := range s.Hands {
		out.Hands = append(out.Hands, savedHand{Token: FormatToken(s.Pack, h), Free: h.Free, Fixed: h.Fixed, At: h.At})
	}
	return out
}

// UnmarshalCheckpoint reads a State back. It fails on a version, pack or hand
// that it does not know, and never returns half a State. Of faults it keeps what it can.
func UnmarshalCheckpoint(data []byte) (State, error) {
	var c checkpoint
	if err := json.Unmarshal(data, &c); err != nil {
		return State{}, fmt.Errorf("checkpoint: %w", err)
	}
	if err := c.check(); err != nil {
		return State{}, fmt.Errorf("checkpoint: %w", err)
	}
	l := loader{packs: map[string]*game.Pack{"": nil}}
	for digest, source := range c.Packs {
		p, err := game.Parse([]byte(source))
		if err != nil {
			return State{}, fmt.Errorf("checkpoint: %w", err)
		}
		if p.Digest != digest {
			return State{}, fmt.Errorf("checkpoint: pack %q has the digest %s", digest, p.Digest)
		}
		l.packs[digest] = p
	}
	s := State{
		Seq: c.Seq, Settings: c.Settings, Phase: c.Phase, Behind: c.Behind, BehindSince: c.BehindAt, BetsAt: c.BetsAt, BetSeconds: c.BetSeconds, Since: c.Since,
		Saved: c.Saved, AutoOpen: c.AutoOpen, Free: c.Free, Void: c.Void, Corrected: c.Corrected, Faults: bounded(c.Faults), Skipped: c.Skipped, BehindFree: c.BehindFree,
		Shoe: *l.shoe(c.Shoe), Finished: l.shoe(c.Finished), Previous: l.shoe(c.Previous),
	}
	if c.Review != nil {
		s.Review = &Frozen{Shoe: *l.shoe(c.Review.Shoe), Previous: l.shoe(c.Review.Previous)}
	}
	if l.err != nil {
		return State{}, fmt.Errorf("checkpoint: %w", l.err)
	}
	return s, nil
}

// check says what cannot be of a State.
func (c *checkpoint) check() error {
	switch {
	case c.V > checkpointVersion:
		return &NewerError{fmt.Sprintf("version %d, expected %d", c.V, checkpointVersion)}
	case c.V != checkpointVersion:
		return fmt.Errorf("version %d, expected %d", c.V, checkpointVersion)
	case c.Phase > Paused || c.Behind >= Paused || (c.Phase == Paused) != (c.Behind != TableClosed):
		return fmt.Errorf("phase %d over %d is not known", c.Phase, c.Behind)
	case c.Shoe == nil || c.Review != nil && c.Review.Shoe == nil:
		return fmt.Errorf("a shoe is missing")
	case c.BehindFree != nil && (c.BehindFree.Phase >= Paused || c.BehindFree.Phase == TableClosed):
		return fmt.Errorf("phase %d behind a free hand is not known", c.BehindFree.Phase)
	case c.BehindFree != nil && c.BehindFree.Seconds < 0:
		return fmt.Errorf("a countdown below zero")
	case c.BetSeconds < 0 || c.Shoe.Last < 0:
		return fmt.Errorf("a number below zero")
	}
	for _, n := range c.Corrected {
		if n < 1 || n > len(c.Shoe.Hands) {
			return fmt.Errorf("hand %d is marked, the shoe has %d", n, len(c.Shoe.Hands))
		}
	}
	return nil
}

// loader reads shoes and keeps the first error.
type loader struct {
	packs map[string]*game.Pack
	err   error
}

func (l *loader) shoe(in *savedShoe) *Shoe {
	if in == nil {
		return nil
	}
	pack, ok := l.packs[in.Pack]
	if !ok && l.err == nil {
		l.err = fmt.Errorf("pack %q is missing", in.Pack)
	}
	s := &Shoe{Pack: pack, Number: in.Number, Day: in.Day, Started: in.Started, Last: in.Last, Fixes: in.Fixes, Voids: in.Voids}
	for _, sh := range in.Hands {
		h, err := ReadToken(pack, sh.Token)
		if err != nil && l.err == nil {
			l.err = err
		}
		h.Free, h.Fixed, h.At = sh.Free, sh.Fixed, sh.At
		s.Hands = append(s.Hands, h)
	}
	return s
}
