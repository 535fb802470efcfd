package table

import (
	"maps"
	"time"

	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Light says why a key is lit.
type Light uint8

// The reasons, the strongest last.
const (
	Unlit    Light = iota
	Active         // what the key turns on is on: FREE, BETS, PAUSE
	Proposed       // it is part of what is being keyed
	Waiting        // OK or CLEAR, which something waits for
	Alarm          // REVIEW: under review; FLOOR: no screen shows the board
	Pressed        // it is down
)

// Panel is what stands beside the screen, on the dealer's own devices.
type Panel struct {
	Lines   [2]string        // of the echo
	Blink   bool             // what is pending has waited for long
	Seconds int              // of the running countdown, less than 0: none
	Lit     map[string]Light // the keys that are lit, by key name or a bet's id
}

// same says whether q shows nothing new.
func (p Panel) same(q Panel) bool {
	return p.Lines == q.Lines && p.Blink == q.Blink && p.Seconds == q.Seconds && maps.Equal(p.Lit, q.Lit)
}

// Panel is what the dealer's own devices show now.
func (d *Desk) Panel(now tracker.Stamp) Panel {
	e := d.Echo(now)
	p := Panel{Lines: e.Lines, Blink: e.Blink, Seconds: -1, Lit: map[string]Light{}}
	light := func(name string, l Light) { p.Lit[name] = max(p.Lit[name], l) }
	if end, ok := d.deadline(now); ok && d.state.Phase == tracker.Betting {
		p.Seconds = int((max(0, end-now.Mono) + time.Second - 1) / time.Second)
	}
	for key, on := range map[console.Key]bool{console.KeyBets: d.state.Phase == tracker.Betting,
		console.KeyPause: d.state.Phase == tracker.Paused, console.KeyFree: d.state.Free, console.KeyCut: d.state.Shoe.Last > 0} {
		if on {
			light(string(key), Active)
		}
	}
	if r, ok := d.console.Proposed(); ok && d.state.Settings.Entry != tracker.EntryTotals {
		for _, name := range keysOf(d.state.Pack(), r) {
			light(name, Proposed)
		}
	}
	if e.Entering {
		light(string(console.KeyOK), Waiting)
		light(string(console.KeyClear), Waiting)
	}
	if d.state.Review != nil {
		light(string(console.KeyReview), Alarm)
	}
	if d.unseen() {
		light(string(console.KeyFloor), Alarm)
	}
	for _, b := range d.console.Down() {
		light(nameOf(b), Pressed)
	}
	return p
}

// nameOf is how a key is called where it is lit.
func nameOf(b console.Binding) string {
	switch {
	case b.Tap == console.KeyBonus:
		return b.Bet
	case b.Tap == "":
		return string(b.Hold)
	}
	return string(b.Tap)
}

// keysOf are the keys that a result would be keyed with.
func keysOf(p *game.Pack, r game.Result) []string {
	base := map[game.Outcome]console.Key{game.Player: console.KeyPlayer, game.Banker: console.KeyBanker, game.Tie: console.KeyTie}[r.Outcome]
	switch {
	case r.Outcome == game.Tie && r.PlayerNatural && r.BankerNatural:
		base = console.KeyBothNatural
	case r.Outcome == game.Player && r.PlayerNatural:
		base = console.KeyPlayerNatural
	case r.Outcome == game.Banker && r.BankerNatural:
		base = console.KeyBankerNatural
	}
	var keys []string
	for i := range (r.Bets &^ p.Complete(game.Result{Outcome: r.Outcome}).Bets).All() {
		keys = append(keys, p.Bets[i].ID)
		if p.Implied(i) == r.Outcome && p.Implied(i) != game.NoOutcome {
			base = ""
		}
	}
	if base != "" {
		keys = append(keys, string(base))
	}
	if r.PlayerPair || r.BankerPair {
		keys = append(keys, string(console.KeyPair))
	}
	if r.PlayerPair {
		keys = append(keys, string(console.KeyPlayerPair))
	}
	if r.BankerPair {
		keys = append(keys, string(console.KeyBankerPair))
	}
	return keys
}
