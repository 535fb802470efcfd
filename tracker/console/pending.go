package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"shoeboard/tracker"
	"shoeboard/tracker/game"
)

// scratch is the written form of what is pending: a scratch, not a fact.
type scratch struct {
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

// Save writes what is pending for the scratch file; nil when nothing is that would
// come back: an entry, a question over an entry (as its proposal), a keyed fix, and
// of another fix, or a key held for one, that it has ended.
func (c Console) Save(t *Context) []byte {
	pack, r := t.State.Shoe.Pack, c.hand
	fixHeld := func(h held) bool { return h.binding.Hold == KeyFix && !h.fired && !h.stuck }
	isOpen := (c.mode == idle || c.mode == noResult) && t.State.Open()
	s := scratch{V: 1, Outcome: uint8(r.Outcome), Early: c.early, New: c.isNew, Past: c.isPast, Hold: c.hold,
		Naturals: letters[[2]bool{r.PlayerNatural, r.BankerNatural}],
		Pairs:    letters[[2]bool{r.PlayerPair, r.BankerPair}]}
	switch {
	case pack == nil:
		return nil
	case c.isKeying():
		s.Cards, s.Mine = c.seen.cards, c.seen.mine
	case c.mode == fixing && c.row(t) == fixKeyed && r.Outcome != game.NoOutcome:
		s.Fix, s.Keyed, s.Free = c.fix, c.keyed, c.fixFree
	case c.isFixing() || c.mode == lapsed || c.mode == askGoesOn || isOpen && slices.ContainsFunc(c.down, fixHeld):
		return []byte(`{"v":1,"lapsed":true}`)
	default:
		return nil
	}
	if r.PlayerCards > 0 {
		s.Totals = []int{int(r.PlayerTotal), int(r.PlayerCards), int(r.BankerTotal), int(r.BankerCards)}
	}
	for i, bet := range pack.Bets {
		if r.Bets.Has(i) {
			s.Bets = append(s.Bets, bet.ID)
		}
	}
	data, _ := json.Marshal(s) // of plain fields: cannot fail
	return data
}

// letters says whose something is: Player's, Banker's.
var letters = map[[2]bool]string{{true, false}: "p", {false, true}: "b", {true, true}: "pb"}

// Restore brings back what Save wrote, marked UNFINISHED, with its 30 s from now. What
// does not fit the table any more is refused and c stays as it was.
func (c Console) Restore(t *Context, data []byte) (Console, error) {
	var s scratch
	err := json.Unmarshal(data, &s)
	var saved pending
	if err == nil {
		saved, err = s.read(t)
	}
	if err != nil {
		return c, fmt.Errorf("pending entry: %w", err)
	}
	c.pending, c.hold = saved, s.Hold
	c.set(t, c.mode, readQuestion)
	return c, nil
}

// read returns what was pending.
func (s scratch) read(t *Context) (p pending, err error) {
	pack, hands := t.State.Shoe.Pack, t.State.Shoe.Hands
	if s.V != 1 || !t.State.Open() || s.Outcome > uint8(game.Tie) || s.Fix < 0 || s.Fix > len(hands) {
		return p, fmt.Errorf("it does not fit this table")
	}
	p = pending{mode: entry, early: s.Early, isNew: s.New, isPast: s.Past, unfinished: true}
	if p.hand, err = s.result(pack); err != nil {
		return p, err
	}
	switch {
	case s.Lapsed:
		return pending{mode: lapsed}, nil
	case s.Totals != nil && !t.Totals && (s.Keyed || s.Fix == 0):
		return p, fmt.Errorf("totals, where results are keyed")
	case s.Fix > 0 && p.hand.Outcome == game.NoOutcome, p.hand == game.Result{}:
		return p, fmt.Errorf("it is empty")
	case s.Fix > 0 && !s.Keyed && s.Free == hands[s.Fix-1].Free:
		return pending{mode: lapsed}, nil
	case s.Fix > 0:
		p.mode, p.fix, p.keyed, p.fixFree = fixing, s.Fix, s.Keyed, s.Free
	case s.Cards != "":
		h, err := tracker.ParseToken(pack, s.Cards)
		if err != nil || h.Cards == "" {
			return p, fmt.Errorf("%q are no cards of a hand", s.Cards)
		}
		p.seen = shoeHand{cards: s.Cards, dealt: h.Result, mine: s.Mine}
	}
	return p, nil
}

// result returns the hand that was being keyed.
func (s scratch) result(pack *game.Pack) (game.Result, error) {
	hand := game.Result{Outcome: game.Outcome(s.Outcome),
		PlayerNatural: strings.Contains(s.Naturals, "p"), BankerNatural: strings.Contains(s.Naturals, "b"),
		PlayerPair: strings.Contains(s.Pairs, "p"), BankerPair: strings.Contains(s.Pairs, "b")}
	if s.Totals != nil {
		return s.fromTotals(pack, hand)
	}
	for _, id := range s.Bets {
		_, i, ok := pack.Bet(id)
		if !ok {
			return hand, fmt.Errorf("%s has no bet %q", pack.ID, id)
		}
		hand.Bets = hand.Bets.With(i)
	}
	if hand.Outcome != game.NoOutcome {
		return hand, pack.Check(pack.Complete(hand))
	}
	if hand.PlayerNatural || hand.BankerNatural || hand.Bets&^pack.Modifiers != 0 {
		return hand, fmt.Errorf("it has no result")
	}
	return hand, nil
}

// fromTotals returns the hand of its totals; the rest follows from them.
func (s scratch) fromTotals(pack *game.Pack, hand game.Result) (game.Result, error) {
	isTotal := func(i int) bool { return s.Totals[i] >= 0 && s.Totals[i] <= 9 && s.Totals[i+1]|1 == 3 }
	if len(s.Totals) != 4 || !isTotal(0) || !isTotal(2) && (s.Totals[2] != 0 || s.Totals[3] != 0) {
		return hand, fmt.Errorf("%v are no totals", s.Totals)
	}
	return settled(pack, game.Result{PlayerPair: hand.PlayerPair, BankerPair: hand.BankerPair,
		PlayerTotal: uint8(s.Totals[0]), PlayerCards: uint8(s.Totals[1]),
		BankerTotal: uint8(s.Totals[2]), BankerCards: uint8(s.Totals[3])}), nil
}
