package console

import (
	"encoding/json"
	"fmt"

	"shoeboard/tracker/game"
)

// saved is the written form of what is pending: a scratch, not a fact.
type saved struct {
	V        int      `json:"v"`
	Outcome  uint8    `json:"o,omitempty"`
	Naturals string   `json:"nat,omitempty"`
	Pairs    string   `json:"pairs,omitempty"`
	Bets     []string `json:"bets,omitempty"`
	New      bool     `json:"new,omitempty"`
	Past     bool     `json:"past,omitempty"`
	Hold     bool     `json:"hold,omitempty"`
	Fix      int      `json:"fix,omitempty"`
	Free     bool     `json:"free,omitempty"`
}

// Save is what is pending, for the scratch file; nil when nothing is that would
// come back: an entry, a question over an entry (as its proposal), a keyed fix.
func (c Console) Save(p *game.Pack) []byte {
	switch {
	case c.mode >= entry && c.mode <= askShoeOver:
	case c.mode == fixing && c.keyed:
	default:
		return nil
	}
	s := saved{V: 1, Outcome: uint8(c.hand.Outcome), New: c.isNew, Past: c.isPast, Hold: c.hold, Fix: c.fix, Free: c.fixFree,
		Naturals: letters(c.hand.PlayerNatural, c.hand.BankerNatural), Pairs: letters(c.hand.PlayerPair, c.hand.BankerPair)}
	for i, b := range p.Bets {
		if c.hand.Bets.Has(i) {
			s.Bets = append(s.Bets, b.ID)
		}
	}
	data, _ := json.Marshal(s) // of plain fields: cannot fail
	return data
}

func letters(player, banker bool) string {
	out := ""
	if player {
		out += "p"
	}
	if banker {
		out += "b"
	}
	return out
}

// Restore brings back what Save wrote, marked UNFINISHED, with its 30 s anew. What
// does not fit the table any more is refused and c stays as it was.
func (c Console) Restore(t Table, data []byte) (Console, error) {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return c, fmt.Errorf("pending entry: %w", err)
	}
	p := t.State.Pack()
	if s.V != 1 || p == nil || s.Outcome > uint8(game.Tie) || s.Fix < 0 || s.Fix > len(t.State.Shoe.Hands) || !t.State.Open() {
		return c, fmt.Errorf("pending entry: it does not fit this table")
	}
	hand := game.Result{Outcome: game.Outcome(s.Outcome)}
	hand.PlayerNatural, hand.BankerNatural = has(s.Naturals, 'p'), has(s.Naturals, 'b')
	hand.PlayerPair, hand.BankerPair = has(s.Pairs, 'p'), has(s.Pairs, 'b')
	for _, id := range s.Bets {
		_, i, ok := p.Bet(id)
		if !ok {
			return c, fmt.Errorf("pending entry: %s has no bet %q", p.ID, id)
		}
		hand.Bets = hand.Bets.With(i)
	}
	if hand.Outcome != game.NoOutcome {
		if err := p.Check(p.Complete(hand)); err != nil {
			return c, fmt.Errorf("pending entry: %w", err)
		}
	}
	c.clear()
	c.hand, c.isNew, c.isPast, c.hold, c.unfinished = hand, s.New, s.Past, s.Hold, true
	c.firstKey = t.Now.Mono
	m := entry
	if s.Fix > 0 {
		m, c.fix, c.keyed, c.fixFree = fixing, s.Fix, true, s.Free
	}
	c.set(m, standsAfterQ, t.Now.Mono)
	return c, nil
}

func has(s string, letter rune) bool {
	for _, r := range s {
		if r == letter {
			return true
		}
	}
	return false
}
