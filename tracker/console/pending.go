package console

import (
	"encoding/json"
	"fmt"
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// saved is the written form of what is pending: a scratch, not a fact.
type saved struct {
	V        int      `json:"v"`
	Outcome  uint8    `json:"o,omitempty"`
	Naturals string   `json:"nat,omitempty"`
	Pairs    string   `json:"pairs,omitempty"`
	Totals   []int    `json:"t,omitempty"` // Player's total and cards, Banker's the same
	Bets     []string `json:"bets,omitempty"`
	Early    bool     `json:"early,omitempty"`
	New      bool     `json:"new,omitempty"`
	Past     bool     `json:"past,omitempty"`
	Hold     bool     `json:"hold,omitempty"`
	Fix      int      `json:"fix,omitempty"`
	Keyed    bool     `json:"keyed,omitempty"`
	Free     bool     `json:"free,omitempty"`
	Lapsed   bool     `json:"lapsed,omitempty"`
	Cards    string   `json:"cards,omitempty"`
	Mine     bool     `json:"mine,omitempty"`
}

// Save is what is pending, for the scratch file; nil when nothing is that would
// come back: an entry, a question over an entry (as its proposal), a keyed fix, and
// of another fix, or a key held for one, that it has ended.
func (c Console) Save(t *Context) []byte {
	s := saved{V: 1, Outcome: uint8(c.hand.Outcome), Early: c.early, New: c.isNew, Past: c.isPast, Hold: c.hold,
		Naturals: letters(c.hand.PlayerNatural, c.hand.BankerNatural), Pairs: letters(c.hand.PlayerPair, c.hand.BankerPair)}
	switch {
	case t.State.Pack() == nil:
		return nil
	case c.keying():
		s.Cards, s.Mine = c.seen.cards, c.seen.mine
	case c.mode == fixing && c.row(t) == rowFixKeyed && c.hand.Outcome != game.NoOutcome:
		s.Fix, s.Keyed, s.Free = c.fix, c.keyed, c.fixFree
	case c.fixes() || c.mode == lapsed || c.mode == askGoesOn || c.holdsFix(t):
		s = saved{V: 1, Lapsed: true}
	default:
		return nil
	}
	if r := c.hand; r.PlayerCards > 0 && !s.Lapsed {
		s.Totals = []int{int(r.PlayerTotal), int(r.PlayerCards), int(r.BankerTotal), int(r.BankerCards)}
	}
	for i, b := range t.State.Pack().Bets {
		if c.hand.Bets.Has(i) && !s.Lapsed {
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
func (c Console) Restore(t *Context, data []byte) (Console, error) {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return c, fmt.Errorf("pending entry: %w", err)
	}
	p := t.State.Pack()
	if s.V != 1 || p == nil || s.Outcome > uint8(game.Tie) || s.Fix < 0 || s.Fix > len(t.State.Shoe.Hands) || !t.State.Open() {
		return c, fmt.Errorf("pending entry: it does not fit this table")
	}
	hand, err := s.result(p)
	seen, why := s.read(p)
	switch {
	case why != nil:
		return c, fmt.Errorf("pending entry: %w", why)
	case err != nil:
		return c, fmt.Errorf("pending entry: %w", err)
	case s.Totals != nil && !byTotals(t) && (s.Keyed || s.Fix == 0):
		return c, fmt.Errorf("pending entry: totals, where results are keyed")
	case s.Fix > 0 && hand.Outcome == game.NoOutcome, s.Fix == 0 && !s.Lapsed && hand == game.Result{}:
		return c, fmt.Errorf("pending entry: it is empty")
	}
	c.clear()
	if s.Lapsed || s.Fix > 0 && !s.Keyed && s.Free == t.State.Shoe.Hands[s.Fix-1].Free {
		c.mode = lapsed
		return c, nil
	}
	c.hand, c.early, c.isNew, c.isPast, c.hold, c.unfinished = hand, s.Early, s.New, s.Past, s.Hold, true
	c.seen = seen
	m := entry
	if s.Fix > 0 {
		m, c.fix, c.keyed, c.fixFree = fixing, s.Fix, s.Keyed, s.Free
	}
	c.set(m, standsAfterQ, t.Now.Mono)
	return c, nil
}

// read is the hand as a shoe read it.
func (s saved) read(p *game.Pack) (shoeHand, error) {
	if s.Cards == "" || s.Fix > 0 {
		return shoeHand{}, nil
	}
	h, err := tracker.ParseToken(p, s.Cards)
	if err != nil || h.Cards == "" {
		return shoeHand{}, fmt.Errorf("%q are no cards of a hand", s.Cards)
	}
	seen := read(p, s.Cards, h.Result)
	seen.mine = s.Mine
	return seen, nil
}

// result is the hand that was being keyed.
func (s saved) result(p *game.Pack) (game.Result, error) {
	hand := game.Result{Outcome: game.Outcome(s.Outcome),
		PlayerNatural: strings.Contains(s.Naturals, "p"), BankerNatural: strings.Contains(s.Naturals, "b"),
		PlayerPair: strings.Contains(s.Pairs, "p"), BankerPair: strings.Contains(s.Pairs, "b")}
	if s.Totals != nil {
		return s.totalled(p, hand)
	}
	for _, id := range s.Bets {
		_, i, ok := p.Bet(id)
		if !ok {
			return hand, fmt.Errorf("%s has no bet %q", p.ID, id)
		}
		hand.Bets = hand.Bets.With(i)
	}
	if hand.Outcome == game.NoOutcome {
		if hand.PlayerNatural || hand.BankerNatural || hand.Bets != modifiersOf(p, hand.Bets) {
			return hand, fmt.Errorf("it has no result")
		}
		return hand, nil
	}
	return hand, p.Check(p.Complete(hand))
}

// totalled is the hand of its totals; what follows from them is made anew.
func (s saved) totalled(p *game.Pack, hand game.Result) (game.Result, error) {
	within := func(i, least, most int) bool { return s.Totals[i] >= least && s.Totals[i] <= most }
	if len(s.Totals) != 4 || !within(0, 0, 9) || !within(1, 2, 3) ||
		!(within(2, 0, 9) && within(3, 2, 3)) && !(within(2, 0, 0) && within(3, 0, 0)) {
		return hand, fmt.Errorf("%v are no totals", s.Totals)
	}
	return settled(p, game.Result{PlayerPair: hand.PlayerPair, BankerPair: hand.BankerPair,
		PlayerTotal: uint8(s.Totals[0]), PlayerCards: uint8(s.Totals[1]),
		BankerTotal: uint8(s.Totals[2]), BankerCards: uint8(s.Totals[3])}), nil
}
