package game

import "shoeboard/tracker/card"

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
