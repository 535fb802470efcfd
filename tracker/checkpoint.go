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
// with their source beside them, so that a start needs only this.
type checkpoint struct {
	V        int               `json:"v"`
	Seq      uint64            `json:"seq"`
	Packs    map[string]string `json:"packs"`
	Settings Settings          `json:"settings"`
	Shoe     *savedShoe        `json:"shoe"`
	Finished *savedShoe        `json:"finished,omitempty"`
	Previous *savedShoe        `json:"previous,omitempty"`
	State                      // all else
	Review   *savedReview      `json:"review,omitempty"`
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
	c := checkpoint{V: checkpointVersion, Seq: s.Seq, Packs: packs, Settings: s.Settings, State: s,
		Shoe: saveShoe(&s.Shoe, packs), Finished: saveShoe(s.Finished, packs), Previous: saveShoe(s.Previous, packs)}
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
	err := json.Unmarshal(data, &c)
	if err == nil {
		err = c.check()
	}
	l := loader{packs: map[string]*game.Pack{"": nil}}
	if err == nil {
		err = l.load(c.Packs)
	}
	if err != nil {
		return State{}, fmt.Errorf("checkpoint: %w", err)
	}
	s := c.State
	s.Seq, s.Settings, s.Faults = c.Seq, c.Settings, bounded(s.Faults)
	s.Shoe, s.Finished, s.Previous = *l.shoe(c.Shoe), l.shoe(c.Finished), l.shoe(c.Previous)
	if c.Review != nil {
		s.Review = &Frozen{Shoe: *l.shoe(c.Review.Shoe), Previous: l.shoe(c.Review.Previous)}
	}
	if l.err != nil {
		return State{}, fmt.Errorf("checkpoint: %w", l.err)
	}
	return s, nil
}

// check returns an error for what no State has.
func (c *checkpoint) check() error {
	free := c.BehindFree
	switch {
	case c.V > checkpointVersion:
		return &newerError{fmt.Sprintf("version %d, expected %d", c.V, checkpointVersion)}
	case c.V != checkpointVersion:
		return fmt.Errorf("version %d, expected %d", c.V, checkpointVersion)
	case c.Phase > Paused || c.Behind >= Paused || (c.Phase == Paused) != (c.Behind != TableClosed):
		return fmt.Errorf("phase %d over %d is not known", c.Phase, c.Behind)
	case c.Shoe == nil || c.Review != nil && c.Review.Shoe == nil:
		return fmt.Errorf("a shoe is missing")
	case free != nil && (free.Phase >= Paused || free.Phase == TableClosed):
		return fmt.Errorf("phase %d behind a free hand is not known", free.Phase)
	case c.BetSeconds < 0 || c.Shoe.Last < 0 || free != nil && free.Seconds < 0:
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

// load reads the packs, by their digests.
func (l *loader) load(sources map[string]string) error {
	for digest, source := range sources {
		p, err := game.Parse([]byte(source))
		if err != nil {
			return err
		}
		if p.Digest != digest {
			return fmt.Errorf("pack %q has the digest %s", digest, p.Digest)
		}
		l.packs[digest] = p
	}
	return nil
}

func (l *loader) shoe(in *savedShoe) *Shoe {
	if in == nil {
		return nil
	}
	pack, ok := l.packs[in.Pack]
	if !ok && l.err == nil {
		l.err = fmt.Errorf("pack %q is missing", in.Pack)
	}
	s := &Shoe{Pack: pack, Number: in.Number, Day: in.Day, Started: in.Started,
		Last: in.Last, Fixes: in.Fixes, Voids: in.Voids}
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
