package table

import (
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/console"
	"shoeboard/tracker/game"
)

// Fill fills in a Board as the table is after the last event: what the record says, what
// the dealer keys, faults, and the technician's pages. It keeps what the unit has put in.
func (e *Engine) Fill(b *stats.Board) {
	e.folder.Fill(b, e.state, e.now)
	onScreen := b.Dealer.OnScreen || len(e.blind) > 0
	b.Dealer = e.echo
	b.Dealer.OnScreen, b.Dealer.Refused = onScreen, e.echo.Refused || e.faults[notRecording].here
	f := e.inFlight
	b.Saving = f != nil && e.now.Mono-f.since >= savingAfter && (!f.quiet || len(e.queue) > 0)
	if len(e.faults) > 0 || len(e.state.Faults) > 0 {
		e.fillFaults(b)
	}
	if c := b.ConfigFault; c != nil { // it quotes a file that may hold anything
		plain := func(text string) string { return tracker.Plain(text, tracker.MaxFaultShown) }
		b.ConfigFault = &stats.ConfigFault{File: plain(c.File), Line: c.Line, Key: plain(c.Key), Text: plain(c.Text)}
	}
	if e.console.InMenu() {
		e.fillMenu(b)
	}
}

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

// Indicators is what the dealer's own devices show, beside the screen.
type Indicators struct {
	Lines   [2]string        // of the echo
	Blink   bool             // what is pending has waited for long
	Seconds int              // of the running countdown, less than 0: none
	Lit     map[string]Light // the keys that are lit, by key name or a bet's id
}

// indicators returns what the dealer's own devices show now.
func (e *Engine) indicators() Indicators {
	s := e.state
	shown := Indicators{Lines: e.echo.Lines, Blink: e.echo.Blink, Seconds: -1, Lit: map[string]Light{}}
	if end, runs := s.CountdownEnd(e.now.Boot); runs {
		shown.Seconds = int((max(0, end-e.now.Mono) + time.Second - 1) / time.Second)
	}
	light := func(name string, l Light, on bool) {
		if on {
			shown.Lit[name] = max(shown.Lit[name], l)
		}
	}
	light(string(console.KeyBets), Active, s.Phase == tracker.Betting)
	light(string(console.KeyPause), Active, s.Phase == tracker.Paused)
	light(string(console.KeyFree), Active, s.Free)
	light(string(console.KeyCut), Active, s.Shoe.Last > 0)
	if m := e.echo.Proposed; m != nil && !e.context().Totals {
		for _, name := range keysFor(s.Shoe.Pack, m) {
			light(name, Proposed, true)
		}
	}
	light(string(console.KeyOK), Waiting, e.echo.Entering)
	light(string(console.KeyClear), Waiting, e.echo.Entering)
	light(string(console.KeyReview), Alarm, s.Review != nil)
	light(string(console.KeyFloor), Alarm, e.context().Unseen)
	for _, name := range e.console.Down() {
		light(name, Pressed, true)
	}
	return shown
}

// keysFor returns the keys that a result would be keyed with.
func keysFor(p *game.Pack, r *stats.Mark) []string {
	base := map[game.Outcome]console.Key{
		game.Player: console.KeyPlayer, game.Banker: console.KeyBanker, game.Tie: console.KeyTie}[r.Outcome]
	switch {
	case r.Outcome == game.Tie && r.PlayerNatural && r.BankerNatural:
		base = console.KeyBothNatural
	case r.Outcome == game.Player && r.PlayerNatural:
		base = console.KeyPlayerNatural
	case r.Outcome == game.Banker && r.BankerNatural:
		base = console.KeyBankerNatural
	}
	var keys []string
	for i := range p.Extra(game.Result{Outcome: r.Outcome, Bets: r.Bets}).All() {
		keys = append(keys, p.Bets[i].ID)
		if p.Implied(i) == r.Outcome && p.Implied(i) != game.NoOutcome {
			base = ""
		}
	}
	for key, on := range map[console.Key]bool{base: base != "", console.KeyPair: r.PlayerPair || r.BankerPair,
		console.KeyPlayerPair: r.PlayerPair, console.KeyBankerPair: r.BankerPair} {
		if on {
			keys = append(keys, string(key))
		}
	}
	return keys
}
