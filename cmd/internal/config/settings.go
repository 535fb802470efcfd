package config

import (
	"time"
	_ "time/tzdata" // a unit may have no time zones of its own

	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Settings returns the part that the rules of the table need, which is recorded.
func (c Config) Settings() tracker.Settings {
	s := tracker.Settings{
		Table: c.Table, Venue: c.Venue, Decks: c.Decks,
		Bets: tracker.BetsMode(c.Bets), BetSeconds: c.BetSeconds, Reopen: c.Reopen, AutoOpen: c.AutoOpen,
		MinHand: c.MinHand, Entry: tracker.EntryMode(c.Entry), Confirm: c.Confirm, DealerFix: c.DealerFix,
		Tail: c.Roads.Tail, LeadingTie: c.Roads.LeadingTie, AskMarks: c.Roads.AskMarks,
		Message: c.Texts.Message, InfoLine: c.Texts.InfoLine, CareLine: c.Texts.CareLine,
	}
	for _, l := range c.Limits {
		s.Limits = append(s.Limits, tracker.Limit{Bets: l.Bets, Min: l.Min.cents(), Max: l.Max.cents()})
	}
	for _, r := range c.Collections[c.Collection].Rates {
		s.Collection = append(s.Collection, tracker.Rate{
			From: r.From.cents(), To: r.To.cents(), Bets: r.Bets, PlayerDealer: r.PlayerDealer, Fee: r.Fee.cents(),
		})
	}
	return s
}

// clockTime is the form of a time of day.
const clockTime = "15:04"

// DayEnded reports whether the gaming day has ended in the last so many minutes; now is the
// house's time.
func (c Config) DayEnded(now time.Time, within int) bool {
	end, err := time.Parse(clockTime, c.DayEnds)
	if err != nil {
		return false
	}
	minutes := (now.Hour()-end.Hour())*60 + now.Minute() - end.Minute()
	return (minutes+24*60)%(24*60) < within
}

// Location returns the time zone of the house. Read refuses a zone that is not known.
func (c Config) Location() *time.Location { return Location(c.Zone, time.UTC) }

// Location returns the time zone of an IANA name, or other for "" and for one that is
// not known.
func Location(zone string, other *time.Location) *time.Location {
	where, err := time.LoadLocation(zone)
	if zone == "" || err != nil {
		return other
	}
	return where
}

// Keymap returns what every position of a keypad means in a game.
func (c Config) Keymap(k Keypad, p *game.Pack) console.Map {
	own, ok := c.Keymaps[k.Layout]
	if !ok {
		m, _ := console.Layout(k.Layout, p)
		return m
	}
	return own.over(p)
}

// Caps returns the map as it is printed on the keys: digits where totals are keyed.
func (c Config) Caps(k Keypad, p *game.Pack) console.Map {
	m := c.Keymap(k, p)
	if c.Entry == string(tracker.EntryTotals) {
		return m.ByTotals()
	}
	return m
}

// over returns the venue's own map over its base.
func (m keymap) over(p *game.Pack) console.Map {
	keys, ok := console.Layout(m.Base, p)
	if !ok {
		keys = console.Map{}
	}
	for pos, k := range m.Keys {
		if k.Tap == "" && k.Hold == "" {
			delete(keys, pos)
			continue
		}
		b := console.Binding{Tap: console.Key(k.Tap), Hold: console.Key(k.Hold), Bet: k.Bet, Digit: k.Digit}
		if k.Hold != "" {
			b.After = k.holdTime()
		}
		keys[pos] = b
	}
	return keys
}

// holdTime returns how long a key is held: as written, else 2 s for a new shoe and 1 s
// for everything else.
func (k mappedKey) holdTime() time.Duration {
	switch {
	case k.After > 0:
		return time.Duration(k.After * float64(time.Second))
	case k.Hold == string(console.KeyNewShoe):
		return 2 * time.Second
	}
	return time.Second
}
