package main

import "shoeboard/cmd/internal/config"

// exampleHouse gives a demo limits and fees to show. A unit never invents them:
// they are the venue's facts.
func exampleHouse(c config.Config) config.Config {
	bonus := []string{"dragon-7", "panda-8"}
	c.Limits = []config.Limit{{Bets: []string{"player", "banker"}, Min: 10, Max: 1000}}
	if c.Game == "dai-bacc" {
		bonus = []string{"kill", "ox-6", "tiger-7"}
	} else {
		c.Limits = append(c.Limits, config.Limit{Bets: []string{"tie"}, Min: 1, Max: 100})
	}
	for _, id := range bonus {
		c.Limits = append(c.Limits, config.Limit{Bets: []string{id}, Min: 1, Max: 50})
	}
	c.Collection = "example"
	c.Collections = map[string]config.Collection{"example": {Rates: []config.Rate{
		{From: 10, To: 100, Fee: 1}, {From: 101, To: 500, Fee: 2}, {From: 501, To: 1000, Fee: 4},
		{Bets: bonus, Fee: 1}, {PlayerDealer: true, Fee: 5},
	}}}
	return c
}
