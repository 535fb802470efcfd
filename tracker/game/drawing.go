package game

import (
	"fmt"

	"shoeboard/tracker/card"
)

// Rule says whether a side draws a third card.
type Rule byte

// The rules, by their letters in rule packs.
const (
	Stand  Rule = 'S'
	Draw   Rule = 'H' // hit
	Either Rule = '?' // the side may choose
)

// Row is a rule for each of 0 to 9: totals, or points of a third card.
type Row [10]Rule

// UnmarshalText reads a row of ten letters, "HHHHHHSSSS".
func (r *Row) UnmarshalText(text []byte) error {
	if len(text) != len(r) {
		return fmt.Errorf("has %d letters, expected ten for 0 to 9: H draws, S stands, ? may choose", len(text))
	}
	for i, letter := range text {
		rule := Rule(letter)
		if rule != Stand && rule != Draw && rule != Either {
			return fmt.Errorf("has %q for %d, expected H (draws), S (stands) or ? (may choose)", letter, i)
		}
		r[i] = rule
	}
	return nil
}

// Drawing is the drawing table.
type Drawing struct {
	Player           Row `toml:"player"`             // by Player's total of two
	BankerAfterStand Row `toml:"banker_after_stand"` // by Banker's total of two, when Player stood
	// BankerAfterDraw is by Banker's total of two, 0 to 7, then by the points of Player's
	// third card; on 8 and 9 Banker stands.
	BankerAfterDraw [8]Row `toml:"banker_after_draw"`
	NaturalStops    bool   `toml:"natural_stops"`  // a natural of either side keeps the other from drawing
	NaturalSource   string `toml:"natural_source"` // where NaturalStops comes from
}

// NoThird stands for the points of a third card that was not drawn.
const NoThird = -1

// PlayerRule says what Player does on these totals of two cards.
func (d *Drawing) PlayerRule(player, banker int) Rule {
	if d.stopped(player, banker) {
		return Stand
	}
	return d.Player[player]
}

// BankerRule says what Banker does on these totals of two cards after Player's third
// card of these points, or NoThird.
func (d *Drawing) BankerRule(player, banker, third int) Rule {
	switch {
	case d.stopped(player, banker) || banker >= len(d.BankerAfterDraw):
		return Stand
	case third == NoThird:
		return d.BankerAfterStand[banker]
	}
	return d.BankerAfterDraw[banker][third]
}

// stopped reports whether a natural ends the hand at once.
func (d *Drawing) stopped(player, banker int) bool {
	return d.NaturalStops && max(player, banker) >= 8
}

// points returns the total of cards.
func points(cards []card.Card) int {
	sum := 0
	for _, c := range cards {
		sum += c.Points()
	}
	return sum % 10
}

// pair says what the first two of a side's cards have in common.
func pair(cards []card.Card) Pair {
	a, b := cards[0], cards[1]
	switch {
	case a.Rank != b.Rank:
		return NoPair
	case a.Suit == b.Suit && a.Suit != card.NoSuit:
		return SuitedPair
	}
	return RankPair
}

// dealt makes a hand of cards as they lie, whatever the drawing table says of them.
func dealt(player, banker []card.Card) (Hand, error) {
	if err := whole("Player", player); err != nil {
		return Hand{}, err
	}
	if err := whole("Banker", banker); err != nil {
		return Hand{}, err
	}
	return Hand{
		PlayerTotal: uint8(points(player)), PlayerCards: uint8(len(player)), PlayerPair: pair(player),
		BankerTotal: uint8(points(banker)), BankerCards: uint8(len(banker)), BankerPair: pair(banker),
	}, nil
}

// check says in one sentence what was drawn against the table; nil: nothing.
func (d *Drawing) check(player, banker []card.Card) error {
	p, b, third := points(player[:2]), points(banker[:2]), NoThird
	if rule := d.PlayerRule(p, b); rule.broken(player) {
		return fmt.Errorf("%s has %d on two cards and %s%s", "Player", p, rule.breach(player), d.because(p, b, ""))
	}
	after := " when Player stands"
	if len(player) == 3 {
		third, after = player[2].Points(), " when Player's third card is "
	}
	if rule := d.BankerRule(p, b, third); rule.broken(banker) {
		if len(player) == 3 {
			after += player[2].Rank.String()
		}
		return fmt.Errorf("%s has %d on two cards and %s%s", "Banker", b, rule.breach(banker), d.because(p, b, after))
	}
	return nil
}

// whole says what is wrong with a side's cards as such.
func whole(side string, cards []card.Card) error {
	if len(cards) < 2 || len(cards) > 3 {
		return fmt.Errorf("%s has %d cards; a hand has two or three", side, len(cards))
	}
	for i, c := range cards {
		if c.Rank == card.NoRank || c.Rank > card.King || c.Suit > card.Spades {
			return fmt.Errorf("card %d of %s is not a card", i+1, side)
		}
	}
	return nil
}

// broken reports whether a side's cards go against its rule.
func (r Rule) broken(cards []card.Card) bool {
	return r == Draw && len(cards) == 2 || r == Stand && len(cards) == 3
}

// breach says what a broken rule asked for, and what was drawn instead.
func (r Rule) breach(cards []card.Card) string {
	if r == Draw {
		return "must draw a third"
	}
	return fmt.Sprintf("drew %s but must stand", cards[2])
}

// because says why a rule for a third card held: a natural, or what Player did.
func (d *Drawing) because(player, banker int, after string) string {
	if d.stopped(player, banker) {
		return " because of the natural"
	}
	return after
}

// Deal deals one hand by the table from next, which gives the shoe's next card:
// Player, Banker, Player, Banker, then the third cards. Where the table lets a side
// choose it draws.
func (d *Drawing) Deal(next func() card.Card) (player, banker []card.Card) {
	for range 2 {
		player = append(player, next())
		banker = append(banker, next())
	}
	pt, bt := points(player), points(banker)
	third := NoThird
	if d.PlayerRule(pt, bt) != Stand {
		c := next()
		player, third = append(player, c), c.Points()
	}
	if d.BankerRule(pt, bt, third) != Stand {
		banker = append(banker, next())
	}
	return player, banker
}
