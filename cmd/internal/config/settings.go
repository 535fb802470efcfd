package config

import (
	"time"
	_ "time/tzdata" // a unit may have no time zones of its own

	"shoeboard/tracker"
)

// Settings is the part that the rules of the table need, which is recorded.
func (c Config) Settings() tracker.Settings {
	s := tracker.Settings{
		Table: c.Table, Venue: c.Venue, Decks: c.Decks,
		Bets: tracker.BetsMode(c.Bets), BetSeconds: c.BetSeconds, Reopen: c.Reopen, AutoOpen: c.AutoOpen,
		MinHand: c.MinHand, Entry: tracker.EntryMode(c.Entry), Confirm: c.Confirm, DealerFix: c.DealerFix,
		Tail: c.Roads.Tail, LeadingTie: c.Roads.LeadingTie, AskMarks: c.Roads.AskMarks,
		Message: c.Texts.Message, InfoLine: c.Texts.InfoLine, CareLine: c.Texts.CareLine,
	}
	for _, l := range c.Limits {
		s.Limits = append(s.Limits, tracker.Limit{Bets: l.Bets, Min: l.Min.Cents(), Max: l.Max.Cents()})
	}
	for _, r := range c.Collections[c.Collection].Rates {
		s.Collection = append(s.Collection, tracker.Rate{
			From: r.From.Cents(), To: r.To.Cents(), Bets: r.Bets, PlayerDealer: r.PlayerDealer, Fee: r.Fee.Cents(),
		})
	}
	return s
}

// Location is the time zone of the house.
func (c Config) Location() *time.Location {
	return Location(c.Zone, time.UTC) // a wrong one is refused in the reading; UTC rather than no board
}

// Location is the time zone of that IANA name, or other for "" and for one that is
// not known.
func Location(zone string, other *time.Location) *time.Location {
	where, err := time.LoadLocation(zone)
	if zone == "" || err != nil {
		return other
	}
	return where
}
