package table

import (
	"reflect"
	"slices"

	"shoeboard/tracker"
)

// Config holds settings that take effect as soon as they may: what a hand is dealt and
// keyed by between two hands, the game and its decks between shoes, all else at once.
type Config struct {
	Settings tracker.Settings
	Pack     []byte // source of the rule pack
	Digest   string
}

// Configure asks for settings and a game; what may not change now changes with the first
// record after which it may.
func (e *Engine) Configure(now tracker.Stamp, w Config) {
	e.at(now)
	e.config = &w
	e.applyConfig(false)
}

// applyConfig asks for what may change now. ended says that a hand or a shoe has just
// ended.
func (e *Engine) applyConfig(ended bool) {
	w, anotherGame := e.config.Settings, e.requestGame()
	if !e.betweenHands(ended) {
		w = ofTheHand(e.state.Settings, w)
	}
	if anotherGame { // its bets are not this game's
		w.Limits, w.Collection = e.state.Settings.Limits, e.state.Settings.Collection
	}
	if !e.betweenShoes() {
		w.Decks = e.state.Settings.Decks
	}
	if !reflect.DeepEqual(e.state.Settings, w) && !e.queued(tracker.SettingsApplied) {
		e.Request(e.now, "config", tracker.Command{Kind: tracker.SettingsApplied, Settings: &w})
	}
}

// requestGame asks for the game of the configuration, and reports whether it has to wait for the
// next shoe.
func (e *Engine) requestGame() (waits bool) {
	w, p := e.config, e.state.Shoe.Pack
	if w.Digest == "" || p != nil && p.Digest == w.Digest {
		e.endFault(gameWaits)
		return false
	}
	if !e.betweenShoes() {
		e.SetFault(e.now, gameWaits, "The game changes with the next shoe")
		return true
	}
	if !e.queued(tracker.PackInstalled) {
		e.Request(e.now, "config", tracker.Command{Kind: tracker.PackInstalled, Source: string(w.Pack)})
	}
	return false
}

// betweenShoes reports whether no hand of the shoe has begun.
func (e *Engine) betweenShoes() bool {
	return len(e.state.Shoe.Hands) == 0 && (e.state.Phase == tracker.TableClosed || e.state.Phase == tracker.Shuffling)
}

// betweenHands reports whether no hand is being dealt under the limits that are posted. Where
// bets are never opened by a key nobody knows when a hand begins: then it is only as one
// has ended.
func (e *Engine) betweenHands(ended bool) bool {
	phase := e.state.Phase
	if phase == tracker.Paused {
		phase = e.state.Behind
	}
	switch {
	case e.console.Pending() && e.console.Save(e.context()) != nil || e.state.Free:
		return false
	case phase == tracker.Result:
		return ended || e.state.Settings.Bets != tracker.BetsOff
	}
	return phase == tracker.TableClosed || phase == tracker.Shuffling
}

// ofTheHand returns w with what a hand is dealt and keyed by as it is in s.
func ofTheHand(s, w tracker.Settings) tracker.Settings {
	w.Limits, w.Collection = s.Limits, s.Collection
	w.Bets, w.BetSeconds, w.Reopen, w.AutoOpen = s.Bets, s.BetSeconds, s.Reopen, s.AutoOpen
	w.MinHand, w.Entry, w.Confirm, w.DealerFix = s.MinHand, s.Entry, s.Confirm, s.DealerFix
	return w
}

// queued reports whether a decision of that kind waits or is in flight.
func (e *Engine) queued(k tracker.Kind) bool {
	has := func(p pending) bool { return p.commands[0].Kind == k }
	return slices.ContainsFunc(e.queue, has) || e.inFlight != nil && has(e.inFlight.pending)
}
